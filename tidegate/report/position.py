"""Offsets of loaded files come in; the positions that people and programs are shown go out."""

from collections.abc import Iterable

import msgspec

from tidegate.source.span import Span
from tidegate.source.text import LineIndex, SourceFile


class Position(msgspec.Struct, frozen=True):
    """A place in a file: offset from 0, line and column from 1, all in code points."""

    offset: int
    line: int
    column: int


class Positions:
    """Knows the text of every loaded file, and finds the lines of one when first asked."""

    __slots__ = ("_files", "_indexes")

    def __init__(self, files: Iterable[SourceFile]) -> None:
        self._files = {file.path: file for file in files}
        self._indexes: dict[str, LineIndex] = {}

    def file(self, path: str) -> SourceFile:
        """Return a loaded file by the path it was given."""
        return self._files[path]

    def lines(self, path: str) -> LineIndex:
        """Return the line index of a loaded file."""
        index = self._indexes.get(path)
        if index is None:
            index = self._indexes[path] = LineIndex(self._files[path].original)
        return index

    def at(self, path: str, offset: int) -> Position:
        """Return the position of an offset of the SQL in a loaded file."""
        return self._located(path, self._files[path].place(Span(offset, offset)).start)

    def ends(self, path: str, span: Span) -> tuple[Position, Position]:
        """Return the two ends of a span of the SQL in a loaded file, in the file itself."""
        placed = self._files[path].place(span)
        return self._located(path, placed.start), self._located(path, placed.end)

    def host_ends(self, path: str, span: Span) -> tuple[Position, Position]:
        """Return the two ends of a span of the file itself."""
        return self._located(path, span.start), self._located(path, span.end)

    def _located(self, path: str, offset: int) -> Position:
        line, column = self.lines(path).locate(offset)
        return Position(offset, line, column)
