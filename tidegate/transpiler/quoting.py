"""Identifiers and literals of Spark SQL, quoted once and for all."""

import re

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")


def identifier(name: str) -> str:
    """Return a name that Spark reads back as exactly this name."""
    if _PLAIN.match(name) and name.upper() not in _STRICT:
        return name
    return "`" + name.replace("`", "``") + "`"


# Words that Spark does not take as a bare table alias, in its default mode.
_STRICT = frozenset(
    ("ANTI", "CROSS", "EXCEPT", "FULL", "INNER", "INTERSECT", "JOIN", "LATERAL", "LEFT", "MINUS")
    + ("NATURAL", "ON", "RIGHT", "SEMI", "UNION", "USING")
)
