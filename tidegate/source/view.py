"""Pieces of a file that hold SQL come in; one text made of them goes out, and the way back.

The text of a view is read like any other SQL. ``View.place`` tells where a part of it stands in
the file, ``View.host_edits`` how to change it there.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum

import msgspec

from tidegate.source.edit import Edit
from tidegate.source.holes import HOLE, hole_text, spelled
from tidegate.source.span import Span

BORDER = "\n\x1e\n"
"""What stands between two blocks of a view: no statement, string or comment goes over it."""

_HOLE = re.compile(f"{HOLE}+")


class PieceKind(Enum):
    """How the characters of a piece relate to those of the file."""

    PLAIN = "plain"
    """One to one."""
    ESCAPE = "escape"
    """Together they stand for an escape sequence."""
    HOLE = "hole"
    """One to one, for an expression that is put in when the program runs."""
    MADE = "made"
    """They stand nowhere in the file; the place is that of the expression that makes them."""


class HostKind(Enum):
    """What kind of file SQL stands in; the values are those of the JSON output."""

    SQL = "sql"
    SQL_NOTEBOOK = "sql_notebook"
    PYTHON = "python"
    PYTHON_NOTEBOOK = "python_notebook"
    IPYNB = "ipynb"


class Encoding(msgspec.Struct, frozen=True, kw_only=True):
    """How text is written at one place of a file; two places never share an instance."""

    prefix: str = ""
    """What every line but the first starts with."""
    quote: str = ""
    """The quote of a Python string."""
    is_raw: bool = False
    is_formatted: bool = False
    """Whether braces are doubled, as in an f-string."""
    is_json: bool = False
    outer: "Encoding | None" = None
    """How the place itself is written, for a string in a cell that is a string."""

    def encode(self, text: str) -> str | None:
        """Return how a text is written there, or ``None`` if it cannot be."""
        parts: list[str] = []
        at = 0
        for hole in _HOLE.finditer(text):
            written = self._own(text[at : hole.start()])
            expression = spelled(hole[0])
            if written is None or "\ufffd" in expression or not self.is_formatted:
                return None
            parts += (written, expression)
            at = hole.end()
        written = self._own(text[at:])
        if written is None:
            return None
        whole = "".join(parts) + written
        return whole if self.outer is None else self.outer.encode(whole)

    def _own(self, text: str) -> str | None:
        if self.prefix:
            return text.replace("\n", f"\n{self.prefix}")
        if self.is_json:
            return msgspec.json.encode(text).decode()[1:-1]
        if self.quote:
            return self._quoted(text)
        return text

    def _quoted(self, text: str) -> str | None:
        if self.is_raw:
            allowed = self.quote[0] not in text and not text.endswith("\\")
            if not allowed or (len(self.quote) == 1 and "\n" in text):
                return None
        else:
            text = text.replace("\\", "\\\\").replace(self.quote[0], f"\\{self.quote[0]}")
            if len(self.quote) == 1:
                text = text.replace("\r", "\\r").replace("\n", "\\n")
        return text.replace("{", "{{").replace("}", "}}") if self.is_formatted else text


class Piece(msgspec.Struct, frozen=True, gc=False):
    """A stretch of a view's text, and where it comes from."""

    kind: PieceKind
    text: str
    host: Span
    encoding: Encoding | None = None
    """``None``: it cannot be edited."""


class View(msgspec.Struct, frozen=True, kw_only=True):
    """How the text of a view was taken out of a file."""

    host: HostKind
    original: str
    pieces: tuple[Piece, ...]
    starts: tuple[int, ...]
    """Where each piece starts in the view."""
    blocks: tuple[Span, ...]
    """The blocks, in the view; between them stand borders."""

    def spelled(self, text: str) -> str:
        """Return a part of the view's text with its expressions as the file spells them."""
        return spelled(text)

    def place(self, span: Span) -> Span:
        """Return where a span of the view stands in the file."""
        if not self.pieces:
            return Span(0, 0)
        start = self._start_in(self._piece_at(span.start), span.start)
        if span.end <= span.start:
            return Span(start, start)
        place = self._piece_at(span.end - 1)
        piece = self.pieces[place]
        end = piece.host.end
        if piece.kind in _ONE_TO_ONE:
            end = min(end, piece.host.start + span.end - self.starts[place])
        if end < start:
            # The parts come from different places; the first one speaks for all.
            first = self.pieces[self._piece_at(span.start)]
            end = max(start, first.host.end)
        return Span(start, end)

    def host_edits(self, edits: Iterable[Edit]) -> tuple[Edit, ...] | None:
        """Return edits of the view as edits of the file; ``None`` if one of them cannot be made."""
        written = [self._host_edit(edit) for edit in edits]
        kept = tuple(edit for edit in written if edit is not None)
        return kept if len(kept) == len(written) else None

    def piece_at(self, offset: int) -> tuple[Piece, int]:
        """Return the piece that holds an offset of the view, and where it starts."""
        place = self._piece_at(offset)
        return self.pieces[place], self.starts[place]

    # ------------------------------------------------------------ places

    def _piece_at(self, offset: int) -> int:
        return max(0, bisect_right(self.starts, offset) - 1)

    def _start_in(self, place: int, offset: int) -> int:
        piece, behind = self.pieces[place], offset - self.starts[place]
        if behind >= len(piece.text):
            return piece.host.end
        if piece.kind in _ONE_TO_ONE:
            return piece.host.start + behind
        return piece.host.start

    def _host_edit(self, edit: Edit) -> Edit | None:
        start, end = edit.span.start, edit.span.end
        first = last = self._piece_at(start)
        if start == end and first and start == self.starts[first]:
            # Where a block ends one may insert, but not on the border behind it.
            first -= self.pieces[first].encoding is None
            last = first
        elif end > start:
            last = self._piece_at(end - 1)
        touched = self.pieces[first : last + 1]
        encoding = touched[0].encoding
        if encoding is None or any(piece.encoding is not encoding for piece in touched):
            return None
        if any(_is_cut(piece, at, edit.span) for piece, at in self._from(first, last)):
            return None
        text = encoding.encode(edit.text)
        if text is None:
            return None
        begin = self._start_in(first, start)
        stop = self._edit_end(end, last, encoding) if end > start else begin
        return Edit(Span(begin, max(begin, stop)), text)

    def _from(self, first: int, last: int) -> Iterator[tuple[Piece, int]]:
        for place in range(first, last + 1):
            yield self.pieces[place], self.starts[place]

    def _edit_end(self, end: int, last: int, encoding: Encoding) -> int:
        """Return where an edit ends: what only leads over to the next line goes with the line."""
        piece, start = self.pieces[last], self.starts[last]
        behind = last + 1
        if end == start + len(piece.text) and behind < len(self.pieces):
            following = self.pieces[behind]
            if following.encoding is encoding and self.starts[behind] == end:
                return following.host.start
        if piece.kind in _ONE_TO_ONE:
            return piece.host.start + end - start
        return piece.host.end


_ONE_TO_ONE = frozenset({PieceKind.PLAIN, PieceKind.HOLE})


def _is_cut(piece: Piece, start: int, span: Span) -> bool:
    """Tell whether an edit takes or leaves a part only of a piece that is one."""
    if piece.kind is PieceKind.PLAIN:
        return False
    end = start + len(piece.text)
    return start < span.start < end or start < span.end < end


def hole(text: str, start: int, end: int, encoding: Encoding | None) -> Piece:
    """Make the piece of an interpolated expression with its braces."""
    return Piece(PieceKind.HOLE, hole_text(text[start:end]), Span(start, end), encoding)


def plain(text: str, start: int, end: int, encoding: Encoding | None) -> Piece:
    """Make the piece of text that stands as it is."""
    return Piece(PieceKind.PLAIN, text[start:end], Span(start, end), encoding)


def assemble(original: str, host: HostKind, blocks: Sequence[Sequence[Piece]]) -> tuple[str, View]:
    """Return the text made of blocks, with a border behind each, and its view."""
    pieces: list[Piece] = []
    starts: list[int] = []
    spans: list[Span] = []
    at = 0
    for block in blocks:
        begin = at
        for piece in block:
            if piece.text:
                pieces.append(piece)
                starts.append(at)
                at += len(piece.text)
        spans.append(Span(begin, at))
        end = block[-1].host.end if block else 0
        pieces.append(Piece(PieceKind.MADE, BORDER, Span(end, end)))
        starts.append(at)
        at += len(BORDER)
    view = View(
        host=host,
        original=original,
        pieces=tuple(pieces),
        starts=tuple(starts),
        blocks=tuple(spans),
    )
    return "".join(piece.text for piece in pieces), view


class Lift:
    """Turns pieces of a view's text into pieces of the file that the view was taken out of."""

    def __init__(self, inner: View) -> None:
        self._inner = inner
        self._composed: dict[tuple[int, int], Encoding] = {}

    def __call__(self, pieces: Iterable[Piece]) -> Iterator[Piece]:
        """Yield the pieces, those that the file writes with escapes in parts."""
        inner = self._inner
        for piece in pieces:
            if piece.kind is PieceKind.PLAIN:
                yield from self._plain(piece)
                continue
            encoding = self._outside(piece.encoding, piece.host)
            kind = PieceKind.MADE if encoding is None else piece.kind
            yield Piece(kind, piece.text, inner.place(piece.host), encoding)

    def _plain(self, piece: Piece) -> Iterator[Piece]:
        inner, at = self._inner, piece.host.start
        while at < piece.host.end:
            under, begin = inner.piece_at(at)
            stop = min(piece.host.end, begin + len(under.text))
            text = piece.text[at - piece.host.start : stop - piece.host.start]
            kind = PieceKind.PLAIN if under.kind is PieceKind.PLAIN else PieceKind.ESCAPE
            part = Span(at, stop)
            yield Piece(kind, text, inner.place(part), self._outside(piece.encoding, part))
            at = stop

    def _outside(self, encoding: Encoding | None, span: Span) -> Encoding | None:
        outer = self._inner.piece_at(span.start)[0].encoding
        if encoding is None or outer is None:
            return None
        key = (id(encoding), id(outer))
        if key not in self._composed:
            self._composed[key] = msgspec.structs.replace(encoding, outer=outer)
        return self._composed[key]
