"""``${name}`` in queries and predicates: replaced by text before the engine reads it."""

import re
from collections.abc import Mapping, Sequence

_PLACEHOLDER = re.compile(r"\$\{\s*([^{}]*?)\s*\}")


def substituted(text: str, variables: Mapping[str, str]) -> str:
    """Replace what has a value; the value is put in as text, as the platform does it."""

    def value(match: re.Match[str]) -> str:
        return variables.get(match[1], match[0])

    return _PLACEHOLDER.sub(value, text)


def bound_parts(parts: Sequence[str], variables: Mapping[str, str]) -> tuple[str, ...]:
    """Replace placeholders inside the parts of a name; a value may bring several parts."""
    found: list[str] = []
    for part in parts:
        text = substituted(part, variables)
        found += [text] if text == part else text.split(".")
    return tuple(found)


def unbound(text: str) -> tuple[str, ...]:
    """Return the names still without a value, in order, each once."""
    return tuple(dict.fromkeys(match[1] for match in _PLACEHOLDER.finditer(text)))
