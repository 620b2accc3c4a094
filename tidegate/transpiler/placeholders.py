"""``${name}`` in queries and predicates: replaced by text before the engine reads it."""

import re
from collections.abc import Mapping

_PLACEHOLDER = re.compile(r"\$\{\s*([^{}]*?)\s*\}")


def substituted(text: str, variables: Mapping[str, str]) -> str:
    """Replace what has a value; the value is put in as text, as the platform does it."""

    def value(match: re.Match[str]) -> str:
        return variables.get(match[1], match[0])

    return _PLACEHOLDER.sub(value, text)


def unbound(text: str) -> tuple[str, ...]:
    """Return the names still without a value, in order, each once."""
    return tuple(dict.fromkeys(match[1] for match in _PLACEHOLDER.finditer(text)))
