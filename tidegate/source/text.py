"""Bytes to text, and offsets to lines and columns."""

import codecs
from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING

import msgspec

from tidegate.source.span import Span

if TYPE_CHECKING:
    from tidegate.source.edit import Edit, Fix
    from tidegate.source.view import View

STANDARD_INPUT_SHOWN = "<stdin>"
"""What standard input is called where a call gives it no name."""
PYTHON_SUFFIXES = (".py", ".ipynb")

# So many places of a text are found sooner by counting than by listing all its lines.
_FEW = 16


class SourceFile(msgspec.Struct, frozen=True, kw_only=True):
    """One file: its path as given, and its text without a byte order mark.

    Of a file that only holds SQL somewhere (a notebook, a Python file), ``text`` is that SQL alone,
    and all spans count in it; ``place`` says where a span stands in the file itself. Of plain SQL
    both are the same.
    """

    path: str
    text: str
    view: "View | None" = None
    """How ``text`` was taken out of the file; ``None`` where it is the file's whole text."""

    @property
    def original(self) -> str:
        """The file's own text: what lines, columns and edits of files are about."""
        return self.text if self.view is None else self.view.original

    def slice(self, span: Span) -> str:
        """Return the text under a span as the file spells it; of plain SQL, the exact text."""
        return self.spelled(self.text[span.start : span.end])

    def spelled(self, text: str) -> str:
        """Return a part of ``text`` with the expressions in it as the file spells them."""
        return text if self.view is None else self.view.spelled(text)

    def place(self, span: Span) -> Span:
        """Return where a span of ``text`` stands in ``original``."""
        return span if self.view is None else self.view.place(span)

    def host_edits(self, edits: "tuple[Edit, ...]") -> "tuple[Edit, ...] | None":
        """Return edits of ``text`` as edits of ``original``; ``None`` if one cannot be made."""
        return edits if self.view is None else self.view.host_edits(edits)

    def kept(self, fix: "Fix | None") -> "Fix | None":
        """Return a fix only if it can be applied to the file itself."""
        if fix is None or self.view is None or self.view.host_edits(fix.edits) is not None:
            return fix
        return None


def is_python(path: str) -> bool:
    """Tell whether a file is a Python program or a notebook, by its name."""
    return path.lower().endswith(PYTHON_SUFFIXES)


def suffix_of(source: SourceFile) -> str:
    """Return how a file's name ends; of standard input without a name, how it would."""
    if source.path == STANDARD_INPUT_SHOWN:
        from tidegate.source.guesses import suffix_of_text  # noqa: PLC0415 - most files have names

        return suffix_of_text(source.original)
    _, dot, ending = source.path.lower().rpartition(".")
    return dot + ending


def holds_python(source: SourceFile) -> bool:
    """Tell whether a file is a Python program or a notebook."""
    return suffix_of(source) in PYTHON_SUFFIXES


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

    __slots__ = ("_asked", "_found", "_text")

    def __init__(self, text: str) -> None:
        self._text = text
        self._asked = 0
        self._found: list[int] | None = None

    @property
    def _starts(self) -> list[int]:
        if self._found is None:
            ends = accumulate(map(len, self._text.split("\n")))
            # Behind each line stands the line feed that is in none of the parts.
            self._found = [0, *(end + number for number, end in enumerate(ends, 1))]
            self._found.pop()
        return self._found

    def locate(self, offset: int) -> tuple[int, int]:
        """Return the 1-based line and column (in code points) of an offset."""
        self._asked += 1
        if self._found is None and self._asked <= _FEW:
            line = self._text.count("\n", 0, offset) + 1
            return line, offset - self._text.rfind("\n", 0, offset)
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def start_of(self, line: int) -> int:
        """Return the offset at which a 1-based line starts."""
        return self._starts[line - 1]

    def __len__(self) -> int:
        return len(self._starts)
