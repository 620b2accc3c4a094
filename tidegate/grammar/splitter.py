"""A file's text comes in; its statements' places, and what cuts them short, go out.

One scan that knows strings, comments and cell borders. The slices, joined, are the text.
"""

import re
from bisect import bisect_left, bisect_right
from itertools import islice

import msgspec

from tidegate.grammar.tokens import (
    QUOTED_TEXT,
    WORD,
    bracket_marks,
    close_comment,
    closing_advice,
    comment_ends,
    match_token,
    raw_tokens,
    skip_blanks,
    skip_line_blanks,
    word_set,
)
from tidegate.source.diagnostic import Fault
from tidegate.source.edit import Edit, Fix, Safety
from tidegate.source.span import Span

# The line between two cells of a notebook.
_BORDER = r"(?<![^\r\n])--[ \t]*+COMMAND[ \t]++-----"
# The first line of a cell in another language, where an editor leaves the comment marks out.
_MAGIC = re.compile(r"^%{1,2}(?!(?i:sql)\b)[A-Za-z_]\w*", re.MULTILINE)
# A border ends a statement even in the middle of blanks, so it is no comment here.
_COMMENT = rf"(?!{_BORDER})--(?:[^\r\n\\]++|\\\n?)*+"
# The body of a function in another language, in which nothing is a quote or a terminator.
_FOREIGN = r"\$\$(?:[^$]++|\$(?!\$))*+\$\$"
_CONTENT = re.compile(rf"(?:[^;'\"`/$-]++|{QUOTED_TEXT}|{_FOREIGN}|\$|-(?!-)|/(?!\*))++", re.DOTALL)
_COMMENTS = re.compile(rf"(?:{_COMMENT}\s*+)++")
# Statements without a token are passed over with the terminator before them.
_SEMICOLONS = re.compile(r";(?:\s*+;)*+")
_LINE = re.compile(r"[^\r\n]*+")
_FEED = r"(?i:APPLY[ \t]+CHANGES|AUTO[ \t]+CDC)[ \t]+(?i:INTO|ONCE[ \t]+INTO)\b"
# A pattern that starts with one character is found ten times as fast as one that starts with `^`.
_LED_LINE = rf"[ \t]*+(?:[cC][rR][eE][aA][tT][eE]\b|{_FEED}|{_BORDER})"
_ANCHOR = re.compile(rf"\n{_LED_LINE}")
_FEED_START = re.compile(rf"[ \t]*+{_FEED}")
_CLOSES = r"(?:[^\s(,=]|\n)['\"`](?:[\s,);:.\]]|\Z)"
MODIFIERS = word_set(
    "OR REFRESH REPLACE PRIVATE TEMPORARY TEMP STREAMING INCREMENTAL LIVE MATERIALIZED"
)
"""Words that may stand between CREATE and the word for the object."""

_HEAD_LENGTH = 200
_OBJECTS = word_set("TABLE VIEW FLOW FUNCTION SCHEMA")
_LEADS = word_set("CREATE SELECT WITH INSERT ALTER DROP SET USE FROM APPLY AUTO REFRESH")
_OTHER_LEADS = word_set(
    "ANALYZE CACHE CALL CLEAR COPY DECLARE DELETE DESC DESCRIBE EXECUTE EXPLAIN GRANT LIST LOAD "
    "MERGE MSCK OPTIMIZE REORG REPAIR RESET RESTORE REVOKE SHOW SYNC TRUNCATE UNCACHE UNDROP "
    "UPDATE VACUUM"
)
_ALL_LEADS = _LEADS | _OTHER_LEADS
_INITIALS = frozenset(word[0] for word in _ALL_LEADS)
# A string over more statements than this is taken for an unclosed one, which keeps the scan linear.
_LONGEST_REACH = 3


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


def rejoined(text: str, slices: list[Slice], place: int) -> tuple[Slice, int] | None:
    """Join a slice whose `;` stands in a bracket with the slices up to where the bracket closes.

    Returns the longer slice and the place behind it, or ``None`` if nothing is to be joined. A
    slice that opens like a statement of its own stays one.
    """
    first = slices[place]
    if place + 1 == len(slices) or _is_led(text, slices[place + 1].statement):
        return None
    depth, end, behind = _depth(text, first.statement), first.statement.end, place + 1
    while depth > 0 and behind < len(slices):
        before, following = slices[behind - 1], slices[behind]
        if before.fault or text[before.stop - 1] != ";" or _is_led(text, following.statement):
            break
        if following.statement.end > following.statement.start:
            depth += _depth(text, following.statement)
            end = following.statement.end
        behind += 1
    if end == first.statement.end:
        return None
    last = slices[behind - 1]
    statement = Span(first.statement.start, end)
    return Slice(start=first.start, stop=last.stop, statement=statement, fault=last.fault), behind


def _depth(text: str, span: Span) -> int:
    """Return how many more brackets open than close."""
    start, end = span.start, span.end
    if text.find("(", start, end) < 0 and text.find(")", start, end) < 0:
        return 0
    marks = bracket_marks(text, span.start, span.end)
    return sum((mark == "(") - (mark == ")") for mark, _ in marks)


def _is_led(text: str, span: Span) -> bool:
    letter = text[span.start : span.start + 1]
    if letter.isalnum() and letter.upper() not in _INITIALS:
        return False
    first = match_token(text, span.start, span.end)
    return first is not None and first[first.lastindex or 0].upper() in _ALL_LEADS


class _Splitter:
    def __init__(self, text: str) -> None:
        self._text = text
        self._comment_ends: dict[int, int] | None = None
        self._anchors = self._found_anchors()
        has_borders = "COMMAND" in text
        borders = re.compile(_BORDER).finditer(text) if has_borders else ()
        self._borders = [match.start() for match in borders]
        self._magic = self._magic_cells() if text[:1] == "%" or "\n%" in text else frozenset()

    def _found_anchors(self) -> list[int]:
        first = re.compile(_LED_LINE).match(self._text)
        anchors = [0] if first and self._is_anchor(first) else []
        lines = _ANCHOR.finditer(self._text)
        return anchors + [match.start() + 1 for match in lines if self._is_anchor(match)]

    def _is_anchor(self, match: re.Match[str]) -> bool:
        """Tell whether a statement starts on a line: CREATE and the words of an object."""
        if match[0][-1] == "-" or match[0].lstrip()[0] in "aA":
            return True
        for token in raw_tokens(self._text, match.end(), match.end() + _HEAD_LENGTH):
            word = token.text.upper()
            if token.kind != WORD or word not in MODIFIERS:
                return token.kind == WORD and word in _OBJECTS
        return False

    def _magic_cells(self) -> frozenset[int]:
        """Return where cells in other languages start."""
        text = self._text
        found: set[int] = set()
        for match in _MAGIC.finditer(text):
            place = bisect_left(self._borders, match.start())
            border = self._borders[place - 1] if place else 0
            if skip_blanks(text, border, match.start()) == match.start():
                found.add(match.start())
        return frozenset(found)

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
        """Read up to the end of the statement that starts here."""
        text = self._text
        at, last = start, -1
        begin = self._begin(start)
        if begin in self._magic:
            return _slice(start, begin, start, -1, self._cell_end(begin))
        limit = self._anchor_behind(begin)
        while True:
            at, last = self._run(at, limit, last)
            if at >= limit:
                if limit == size or (last >= 0 and self._leads(begin, limit)):
                    return self._ended(start, begin, limit, last)
                limit = self._anchor_behind(limit)
                continue
            mark = text[at]
            if mark == ";":
                empty = _SEMICOLONS.match(text, at)
                return _slice(start, begin, at, last, empty.end() if empty else at + 1)
            if mark == "-":
                line = _LINE.match(text, at)
                return _slice(start, begin, at, last, line.end() if line else at + 1)
            closed = self._close(at, mark)
            if closed < 0:
                return self._unclosed(start, at, last)
            limit = max(limit, self._anchor_behind(closed)) if closed > limit else limit
            at, last = closed, (last if mark == "/" else closed)

    def _cell_end(self, begin: int) -> int:
        """Return where a cell ends, the border behind it taken with it."""
        place = bisect_right(self._borders, begin)
        if place == len(self._borders):
            return len(self._text)
        line = _LINE.match(self._text, self._borders[place])
        return line.end() if line else self._borders[place]

    def _begin(self, start: int) -> int:
        """Return where the first token behind an offset stands, or the border before it."""
        text, begin = self._text, start
        while True:
            # A border is a comment like any other to the tokens, so it is not to be passed over.
            place = bisect_left(self._borders, begin)
            border = self._borders[place] if place < len(self._borders) else len(text)
            begin = skip_line_blanks(text, begin, border)
            closed = self._close_comment(begin) if text.startswith("/*", begin) else -1
            if closed < 0:
                return begin
            begin = closed

    def _run(self, at: int, limit: int, last: int) -> tuple[int, int]:
        """Pass over content and line comments; return where they end, and where content does."""
        text = self._text
        while True:
            if content := _CONTENT.match(text, at, limit):
                if written := content[0].rstrip():
                    last = at + len(written)
                at = content.end()
            comments = _COMMENTS.match(text, at, limit)
            if comments is None:
                return at, last
            at = comments.end()

    def _leads(self, begin: int, anchor: int) -> bool:
        """Tell whether a statement starts with a word that no later anchor can belong to."""
        head = raw_tokens(self._text, begin, begin + _HEAD_LENGTH)
        words = [token.text.upper() for token in islice(head, 2)]
        if words == ["CREATE", "FLOW"] and _FEED_START.match(self._text, anchor):
            # Its own change feed.
            return False
        return bool(words) and words[0] in _LEADS

    def _close(self, at: int, mark: str) -> int:
        """Return the end of a comment, or of a string that goes beyond an anchor, or -1."""
        text = self._text
        if mark == "/":
            return self._close_comment(at)
        reach = self._anchor_behind(at, _LONGEST_REACH)
        quoted = re.compile(QUOTED_TEXT, re.DOTALL).match(text, at, reach)
        # Behind a real string stands what can follow a value, and it rarely ends in a blank.
        if quoted is None or not re.compile(_CLOSES).match(text, quoted.end() - 2):
            return -1
        return quoted.end()

    def _close_comment(self, at: int) -> int:
        """Return the end of a comment, or -1; a text with an unclosed one is read once for all."""
        if self._comment_ends is None:
            closed = close_comment(self._text, at, len(self._text))
            if closed >= 0:
                return closed
            self._comment_ends = comment_ends(self._text, at)
        return self._comment_ends.get(at, -1)

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
                help=closing_advice(mark if what != "comment" else "/*"),
            ),
        )


def _slice(start: int, begin: int, end: int, last: int, stop: int) -> Slice:
    statement = Span(begin, last) if last > begin else Span(end, end)
    return Slice(start=start, stop=stop, statement=statement)
