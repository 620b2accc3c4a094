"""``${name}`` in queries and predicates: replaced by text before the engine reads it."""

import re
from collections.abc import Iterator, Mapping, Sequence

_PLACEHOLDER = re.compile(r"\$\{\s*([^{}]*?)\s*\}")


class Variables(Mapping[str, str]):
    """The values in force at one place of a file: SET above it, else the configuration.

    All places of a file share one record of what was set, so that many SETs cost no copies.
    """

    __slots__ = ("_configured", "_count", "_written")

    def __init__(self, configured: Mapping[str, str]) -> None:
        self._configured = configured
        self._written: dict[str, list[tuple[int, str]]] = {}
        self._count = 0

    def and_set(self, key: str, value: str) -> "Variables":
        """Return the values behind a SET; those before it stay as they are."""
        later = Variables(self._configured)
        later._written, later._count = self._written, self._count + 1
        self._written.setdefault(key, []).append((later._count, value))
        return later

    def __getitem__(self, key: str) -> str:
        for place, value in reversed(self._written.get(key, ())):
            if place <= self._count:
                return value
        return self._configured[key]

    def __iter__(self) -> Iterator[str]:
        return (key for key in {**self._configured, **self._written} if key in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)


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
