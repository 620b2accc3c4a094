"""A file's text comes in; its statements' places, and what cuts them short, go out.

One scan that knows strings, comments and cell borders. The slices, joined, are the text.
"""

import re
from bisect import bisect_right

import msgspec

from tidegate.grammar.lexer import (
    BACKTICKED,
    DOUBLE,
    RAW,
    SINGLE,
    close_comment,
    skip_blanks,
)
from tidegate.source.diagnostic import Fault
from tidegate.source.edit import Edit, Fix, Safety
from tidegate.source.span import Span

_BORDER = r"--[ \t]*+COMMAND[ \t]++-{5,}+[ \t]*+(?=[\r\n]|\Z)"
# A border ends a statement even in the middle of blanks, so the comment rule steps back from it.
_TRIVIA = rf"(?:\s++|--(?![ \t]*+COMMAND[ \t]++-----)(?:[^\r\n\\]++|\\\n?)*+)"
_CONTENT = rf"(?:[^\s\w;'\"`/-]++|{RAW}|\w++|{SINGLE}|{DOUBLE}|{BACKTICKED}|-(?!-)|/(?!\*))++"
_RUN = re.compile(rf"(?:{_TRIVIA}*+({_CONTENT}))*+{_TRIVIA}*+", re.DOTALL)
_BORDER_LIKE = re.compile(r"--[^\r\n]*+")
_ANCHOR = re.compile(
    r"(?:(?<=\n)|\A)[ \t]*+(?:([cC][rR][eE][aA][tT][eE])\s++(?:[oO][rR]\s++\w++\s++)?"
    r"(?:(?:private|temporary|temp|streaming|incremental|live|materialized)\s++)*+"
    rf"(?i:table|view|flow)\s|{_BORDER})",
    re.IGNORECASE,
)
_CLOSES = re.compile(r"[^\s(,=]['\"`](?:[\s,);:.\]]|\Z)")
_LEADS = re.compile(r"(?i:create|select|with|insert|alter|drop|set|use|from|apply|refresh)\b")


class Slice(msgspec.Struct, frozen=True, kw_only=True):
    """A stretch of the text: one statement with the blanks before it and its terminator."""

    start: int
    stop: int
    statement: Span
    """From the statement's first token to its last; empty if it has none."""
    fault: Fault | None = None
    """Why it had to be cut here, if not by its terminator."""


def split(text: str) -> list[Slice]:
    """Cut a text into its statements; slices without one hold blanks alone."""
    return _Splitter(text).split()


_QUOTED = re.compile(rf"{SINGLE}|{DOUBLE}|{BACKTICKED}", re.DOTALL)
# A string over more statements than this is taken for an unclosed one, which keeps the scan linear.
_LONGEST_REACH = 3


class _Splitter:
    def __init__(self, text: str) -> None:
        self._text = text
        self._anchors = [match.start() for match in _ANCHOR.finditer(text)]

    def split(self) -> list[Slice]:
        slices: list[Slice] = []
        at, size = 0, len(self._text)
        while at < size:
            one = self._next(at, size)
            slices.append(one)
            at = one.stop
        return slices

    def _anchor_behind(self, offset: int, reach: int = 0) -> int:
        """Return the next place where a statement could start anew, or the text's end."""
        place = bisect_right(self._anchors, offset) + reach
        return self._anchors[place] if place < len(self._anchors) else len(self._text)

    def _next(self, start: int, size: int) -> Slice:
        text = self._text
        at, last = start, -1
        begin = skip_blanks(text, start, size)
        limit = self._anchor_behind(begin)
        while True:
            match = _RUN.match(text, at, limit)
            assert match is not None
            if match.end(1) > at:
                last = match.end(1)
            at = match.end()
            if at >= limit:
                if limit == size or (last >= 0 and _LEADS.match(text, begin)):
                    return self._ended(start, begin, limit, last)
                limit = self._anchor_behind(limit)
                continue
            mark = text[at]
            if mark == ";":
                return _slice(start, begin, at, last, at + 1)
            if mark == "-":
                border = _BORDER_LIKE.match(text, at)
                assert border is not None
                return _slice(start, begin, at, last, border.end())
            closed = self._close(at, mark)
            if closed < 0:
                return self._unclosed(start, at, last)
            if closed > limit:
                limit = self._anchor_behind(closed)
            if mark != "/":
                last = closed
            at = closed

    def _close(self, at: int, mark: str) -> int:
        """Return the end of a comment, or of a string that goes beyond an anchor, or -1."""
        text = self._text
        if mark == "/":
            return close_comment(text, at, len(text))
        quoted = _QUOTED.match(text, at, self._anchor_behind(at, _LONGEST_REACH))
        # Behind a real string stands what can follow a value, and it rarely ends in a blank.
        if quoted is None or not _CLOSES.match(text, quoted.end() - 2):
            return -1
        return quoted.end()

    def _ended(self, start: int, begin: int, stop: int, last: int) -> Slice:
        """Make a slice that ends with the text, or before the next statement."""
        if stop == len(self._text) or self._text[stop : stop + 2] == "--":
            return _slice(start, begin, stop, last, stop)
        fault = Fault(
            name="syntax-error",
            span=Span(last, last),
            message="`;` is missing between this statement and the next",
            help="end the statement with `;`",
            fix=Fix("Insert `;`", (Edit(Span(last, last), ";"),), Safety.SAFE),
        )
        return Slice(start=start, stop=stop, statement=Span(begin, last), fault=fault)

    def _unclosed(self, start: int, opening: int, last: int) -> Slice:
        """End a statement with an unclosed quote or comment before the next anchor."""
        text = self._text
        stop = self._anchor_behind(opening)
        begin = skip_blanks(text, start, stop)
        mark = text[opening]
        what = {"'": "string", '"': "string", "`": "name"}.get(mark, "comment")
        closing = "*/" if what == "comment" else mark
        if what == "comment":
            begin = min(begin, opening)
            end = last if last >= 0 else begin
        else:
            end = begin + len(text[begin:stop].rstrip())
        return Slice(
            start=start,
            stop=stop,
            statement=Span(begin, end),
            fault=Fault(
                name="syntax-error",
                span=Span(opening, opening + (2 if what == "comment" else 1)),
                message=f"the {what} opened here is never closed",
                help=f"close it with `{closing}`" if closing != "`" else "close it with a backtick",
            ),
        )


def _slice(start: int, begin: int, end: int, last: int, stop: int) -> Slice:
    statement = Span(begin, last) if last > begin else Span(end, end)
    return Slice(start=start, stop=stop, statement=statement)
