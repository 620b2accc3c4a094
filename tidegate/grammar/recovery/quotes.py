"""A stretch with a quote that is never closed comes in; where the other quote belongs goes out."""

import re

import msgspec

from tidegate.grammar.tokens import (
    QUOTED,
    STRANGE,
    STRING,
    WORD,
    RawToken,
    close_comment,
    closing_advice,
    raw_tokens,
)
from tidegate.source.diagnostic import Fault
from tidegate.source.edit import Edit
from tidegate.source.span import Span

# A value ends with its line, and before the next constraint where that stands on the line too.
_BORDER = re.compile(r"[\r\n]|(?<=\W)CONSTRAINT\s+\S+\s+EXPECT\b", re.IGNORECASE)
_MARKS = frozenset("'\"`")
_KINDS = {"'": "string", '"': "string", "`": "name"}
# What a value in quotes ends before, when its quote was forgotten.
_STOPS = ",);"
_BEFORE = " \t(,=<>"


class MissingQuote(msgspec.Struct, frozen=True, kw_only=True):
    """A quote without its other one, and the edit that puts that in."""

    edit: Edit
    fault: Fault


def missing_quote(text: str, span: Span) -> MissingQuote | None:
    """Find the first line whose quotes do not pair, and the place of the quote that is missing.

    Strings over several lines are rare here, and a shifted pairing turns all later text around.
    """
    at = span.start
    while at < span.end:
        border = _BORDER.search(text, at + 1, span.end)
        stop = border.start() if border else span.end
        tokens = list(raw_tokens(text, at, stop))
        opened = next((one for one in tokens if one.kind == STRANGE), None)
        if opened is not None and opened.text == "/*":
            closed = close_comment(text, opened.start, span.end)
            if closed < 0:
                return None
            at = closed
            continue
        if any(one.kind == STRANGE and one.text in _MARKS for one in tokens):
            return _in_line(text, tokens, stop)
        at = stop
    return None


def _in_line(text: str, tokens: list[RawToken], stop: int) -> MissingQuote | None:
    """Return the first quote of a line that stands where no quote can."""
    for place, token in enumerate(tokens):
        is_open = token.kind == STRANGE and token.text in _MARKS
        if not is_open and token.kind not in (STRING, QUOTED):
            continue
        mark = token.text[-1]
        before = tokens[place - 1] if place else None
        after = tokens[place + 1] if place + 1 < len(tokens) else None
        if before and before.kind == WORD and before.end == token.start:
            start = token.start
            while start > tokens[0].start and text[start - 1] not in _BEFORE:
                start -= 1
            return _missing(token.start, mark, start)
        if is_open:
            return _missing(token.start, mark, _end_of_value(text, token.end, stop))
        if after and after.kind == WORD and after.start == token.end:
            end = _end_of_value(text, token.start + 1, token.end - 1)
            return _missing(token.start, mark, end)
    return None


def _end_of_value(text: str, start: int, stop: int) -> int:
    """Return where a value that starts in quotes probably ends."""
    depth = 0
    for at in range(start, stop):
        letter = text[at]
        if letter in _STOPS and depth == 0:
            return at
        depth += (letter == "(") - (letter == ")")
    return max(start, start + len(text[start:stop].rstrip()))


def _missing(opening: int, mark: str, at: int) -> MissingQuote:
    fault = Fault(
        name="syntax-error",
        span=Span(opening, opening + 1),
        message=f"the {_KINDS[mark]} opened here is never closed",
        help=closing_advice(mark),
    )
    return MissingQuote(edit=Edit(Span(at, at), mark), fault=fault)
