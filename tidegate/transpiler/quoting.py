"""Identifiers of Spark SQL, quoted once and for all."""

import re

from tidegate.grammar.building.pieces import backticked

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")

# Words that Spark does not take as a bare table alias, in its default mode.
_NO_ALIAS = re.compile(
    r"(ANTI|CROSS|EXCEPT|FULL|INNER|INTERSECT|JOIN|LATERAL|LEFT|MINUS|NATURAL|ON|RIGHT|SEMI|UNION"
    r"|USING)\Z",
    re.IGNORECASE,
)


def identifier(name: str) -> str:
    """Return a name that Spark reads back as exactly this name."""
    if _PLAIN.match(name) and not _NO_ALIAS.match(name):
        return name
    return backticked(name)
