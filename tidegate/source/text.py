"""Bytes to text, and offsets to lines and columns."""

import codecs
from bisect import bisect_right

import msgspec

from tidegate.source.span import Span


class SourceFile(msgspec.Struct, frozen=True, kw_only=True):
    """One file as it was read: its path as given, and its text without a byte order mark."""

    path: str
    text: str

    def slice(self, span: Span) -> str:
        """Return the exact text under a span."""
        return self.text[span.start : span.end]


class Undecodable(msgspec.Struct, frozen=True):
    """Why the bytes of a file are not text that we read: one sentence, and the way out."""

    reason: str
    help: str


_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def decode(data: bytes) -> str | Undecodable:
    """Decode UTF-8, with or without a byte order mark, or say why these bytes are refused."""
    if data.startswith(_UTF16):
        return Undecodable("the file is UTF-16, not UTF-8", "save it as UTF-8")
    if b"\0" in data[:8192]:
        return Undecodable("the file is binary, not SQL text", "give a text file in UTF-8")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        return Undecodable(
            f"byte 0x{data[error.start]:02x} on line {line} is not UTF-8", "save the file as UTF-8"
        )


class LineIndex:
    """Where the lines of a text start; turns offsets into 1-based lines and columns."""

    __slots__ = ("_starts",)

    def __init__(self, text: str) -> None:
        starts = [0]
        find = text.find
        at = find("\n")
        while at != -1:
            starts.append(at + 1)
            at = find("\n", at + 1)
        self._starts = starts

    def locate(self, offset: int) -> tuple[int, int]:
        """Return the 1-based line and column (in code points) of an offset."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def start_of(self, line: int) -> int:
        """Return the offset at which a 1-based line starts."""
        return self._starts[line - 1]

    def __len__(self) -> int:
        return len(self._starts)
