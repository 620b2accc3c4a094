"""``${name}`` in queries and predicates: replaced by text before the engine reads it."""

import re
from collections.abc import Iterator, Mapping, Sequence

_PLACEHOLDER = re.compile(r"\$\{\s*([^{}]*?)\s*\}")

UNLISTED = "unrendered-template"
"""The fault of a placeholder that the project does not list."""

_FOREIGN = ("spark.", "pipelines.")


class Variables(Mapping[str, str]):
    """The values in force at one place of a file: those of the call, SET above it, configured ones.

    All places of a file share one record of what was set, so that many SETs cost no copies.
    """

    __slots__ = ("_configured", "_count", "_given", "_written")

    def __init__(self, configured: Mapping[str, str], given: Mapping[str, str]) -> None:
        self._configured = configured
        self._given = given
        self._written: dict[str, list[tuple[int, str]]] = {}
        self._count = 0

    def and_set(self, key: str, value: str) -> "Variables":
        """Return the values behind a SET; those before it stay as they are."""
        later = Variables(self._configured, self._given)
        later._written, later._count = self._written, self._count + 1
        self._written.setdefault(key, []).append((later._count, value))
        return later

    def __getitem__(self, key: str) -> str:
        if key in self._given:
            return self._given[key]
        for place, value in reversed(self._written.get(key, ())):
            if place <= self._count:
                return value
        return self._configured[key]

    def __iter__(self) -> Iterator[str]:
        return (key for key in {**self._configured, **self._written, **self._given} if key in self)

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


def is_foreign(name: str) -> bool:
    """Tell whether a name is the engine's to fill in: its own settings and environments."""
    return ":" in name or name.startswith(_FOREIGN)


def placeholders(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield the name of each placeholder and where it stands."""
    return ((match[1], match.start(), match.end()) for match in _PLACEHOLDER.finditer(text))


def unbound(text: str) -> tuple[str, ...]:
    """Return the names still without a value, in order, each once."""
    return tuple(dict.fromkeys(match[1] for match in _PLACEHOLDER.finditer(text)))
