"""Python text and the place of a string literal come in; what it says, with places, goes out."""

import re
import unicodedata
from collections.abc import Iterator

import msgspec

from tidegate.source.span import Span
from tidegate.source.view import Encoding, Piece, PieceKind, hole, plain

OPENING = re.compile(r"(?i:(?<![\w])([rbuft]{0,3}))('''|\"\"\"|'|\")")
_ESCAPE = re.compile(
    r"\\(?:(\r\n|\n|\r)|x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})"
    r"|N\{([^}'\"\n]*)\}|([0-7]{1,3})|(.))",
    re.DOTALL,
)
_LETTERS = {
    "\\": "\\",
    "'": "'",
    '"': '"',
    "a": "\a",
    "b": "\b",
    "f": "\f",
    "n": "\n",
    "r": "\r",
    "t": "\t",
    "v": "\v",
}
_MOST_NESTED = 20
# Where a literal stops saying what stands there, by whether it is raw and whether formatted.
_STOPS = {
    (False, False): re.compile(r"\\"),
    (False, True): re.compile(r"\\|\{\{|\}\}"),
    (True, False): re.compile(r"(?!)"),
    (True, True): re.compile(r"\{\{|\}\}"),
}


class StringLiteral(msgspec.Struct, frozen=True, kw_only=True):
    """One string token."""

    span: Span
    """With its prefix and quotes."""
    content: Span
    pieces: tuple[Piece, ...]
    """What it says; the expressions of an f-string as holes."""
    is_bytes: bool
    holes: tuple[Span, ...] = ()
    """Where the expressions of an f-string stand, braces included."""

    @property
    def text(self) -> str:
        """What it says, with holes as they are kept in a view."""
        return "".join(piece.text for piece in self.pieces)


def read_literal(text: str, at: int, depth: int = 0) -> StringLiteral | None:
    """Read the string literal that starts at an offset; ``None`` if it is none or never closed."""
    opening = OPENING.match(text, at)
    if opening is None:
        return None
    prefix, quote = opening[1].lower(), opening[2]
    is_raw, is_formatted = "r" in prefix, "f" in prefix or "t" in prefix
    encoding = Encoding(quote=quote, is_raw=is_raw, is_formatted=is_formatted)
    begin = opening.end()
    holes: list[Span] = []
    end = _closing(text, begin, quote, holes if is_formatted else None, depth)
    if end < 0:
        return None
    pieces: list[Piece] = []
    position = begin
    for place in holes:
        pieces += _said(text, position, place.start, encoding)
        pieces.append(hole(text, place.start, place.end, encoding))
        position = place.end
    pieces += _said(text, position, end, encoding)
    return StringLiteral(
        span=Span(at, end + len(quote)),
        content=Span(begin, end),
        pieces=tuple(pieces),
        is_bytes="b" in prefix,
        holes=tuple(holes),
    )


def _closing(text: str, at: int, quote: str, holes: list[Span] | None, depth: int) -> int:
    """Return where the closing quote stands, or -1; collect the holes on the way."""
    stops = re.compile(
        rf"\\|{quote}"
        + (r"|\{\{|\{" if holes is not None else "")
        + ("" if len(quote) > 1 else r"|\n")
    )
    while match := stops.search(text, at):
        found = match[0]
        if found == quote:
            return match.start()
        if found == "\n":
            return -1
        if found == "\\":
            named = holes is not None and text.startswith("N{", match.end())
            close = text.find("}", match.end()) if named else -1
            at = close + 1 if close >= 0 else match.end() + 1
            at += text.startswith("\r\n", match.end())
        elif found == "{{":
            at = match.end()
        else:
            end = _hole_end(text, match.end(), quote, depth)
            if end < 0:
                return -1
            if holes is not None:
                holes.append(Span(match.start(), end))
            at = end
    return -1


_IN_HOLE = re.compile(r"[\[\](){}'\"\n]")


def _hole_end(text: str, at: int, quote: str, depth: int) -> int:
    """Return the offset behind the brace that closes an expression, or -1."""
    if depth > _MOST_NESTED:
        return -1
    nesting = 0
    while match := _IN_HOLE.search(text, at):
        mark = match[0]
        at = match.end()
        if mark in "([{":
            nesting += 1
        elif mark in ")]}":
            if mark == "}" and nesting == 0:
                return at
            nesting -= 1
        elif mark == "\n":
            if len(quote) == 1:
                return -1
        else:
            start = match.start()
            inner = read_literal(text, start, depth + 1)
            if inner is None:
                return -1
            at = inner.span.end
    return -1


def _said(text: str, start: int, end: int, encoding: Encoding) -> Iterator[Piece]:
    """Yield what a stretch of a literal without holes says."""
    stops = _STOPS[encoding.is_raw, encoding.is_formatted]
    at = start
    while at < end:
        match = stops.search(text, at, end)
        stop = match.start() if match else end
        if stop > at:
            yield plain(text, at, stop, encoding)
        if match is None:
            return
        escape = match if match[0] != "\\" else _ESCAPE.match(text, stop, end)
        if escape is None:
            yield plain(text, stop, end, encoding)
            return
        value = match[0][0] if escape is match else _value(escape)
        if value:
            yield Piece(PieceKind.ESCAPE, value, Span(*escape.span()), encoding)
        at = escape.end()


def _value(escape: re.Match[str]) -> str:
    newline, byte, short, long, name, octal, other = escape.groups()
    if newline:
        return ""
    if code := byte or short or long:
        number = int(code, 16)
        return chr(number) if number < 0x110000 else escape[0]
    if octal:
        return chr(int(octal, 8))
    if name is not None:
        try:
            return unicodedata.lookup(name)
        except KeyError:
            return escape[0]
    return _LETTERS.get(other, escape[0])
