"""What a target gives back: files as text, and which generated line stands for which span."""

import msgspec

from tidegate.source.span import Span
from tidegate.source.text import SourceFile


class MappedLine(msgspec.Struct, frozen=True, kw_only=True):
    """A line of a generated file and the text it stands for."""

    line: int
    """1-based, in the generated file."""
    source: SourceFile
    span: Span

    @classmethod
    def of(cls, source: SourceFile, span: Span) -> "MappedLine":
        """Map the line about to be written."""
        return cls(line=0, source=source, span=span)


class Emission(msgspec.Struct, frozen=True, kw_only=True):
    """The files of one target by relative path."""

    files: dict[str, str]
    source_map: dict[str, tuple[MappedLine, ...]]


class Writer:
    """Collects text and remembers on which line a mapped piece began."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._line = 1
        self._mapped: list[MappedLine] = []

    def add(self, text: str, origin: MappedLine | None = None) -> None:
        """Append text; with an origin, map its first line to a span."""
        if origin is not None:
            self._mapped.append(MappedLine(line=self._line, source=origin.source, span=origin.span))
        self._parts.append(text)
        self._line += text.count("\n")

    def text(self) -> str:
        """Return all that was added."""
        return "".join(self._parts)

    def source_map(self) -> tuple[MappedLine, ...]:
        """Return the mapped lines, in order."""
        return tuple(self._mapped)
