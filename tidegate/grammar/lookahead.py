"""A place in a text comes in; what stands ahead of it goes out.

What is asked of it decides whether a word is a keyword: no word is reserved.
"""

import re
from collections.abc import Callable, Container
from typing import TypeAlias

from tidegate.grammar.tokens import (
    OPERATOR,
    QUOTED,
    STRANGE,
    WORD,
    match_token,
    skip_blanks,
    word_set,
)

INFIX_WORDS = word_set("AND OR IS IN BETWEEN LIKE ILIKE RLIKE REGEXP DIV COLLATE THEN")
_NEGATABLE = word_set("IN BETWEEN LIKE ILIKE RLIKE REGEXP")
_OPERAND_OPERATORS = word_set("( - + ~ ! ? :")
QUERY_WORDS = word_set("SELECT WITH FROM VALUES TABLE")
_SCAN_LIMIT = 200
_MOST_BRACKETS = 16
# The word that opens a clause of a change feed, and what follows it there.
CDC_WORDS = {
    "KEYS": ("(", "NAME"),
    "WHERE": ("OPERAND",),
    "IGNORE": ("NULL",),
    "APPLY": ("AS",),
    "SYSTEM": ("SEQUENCE",),
    "SEQUENCE": ("BY",),
    "COLUMNS": ("(", "*", "NAME"),
    "STORED": ("AS",),
    "TRACK": ("HISTORY",),
}


class Lookahead:
    """Looks at tokens ahead in one stretch of text."""

    __slots__ = ("end", "position_words", "text", "text_start")

    def __init__(self, text: str, end: int) -> None:
        self.text = text
        self.end = end
        self.text_start = -1
        """Where the opaque text that is being read starts."""
        self.position_words: set[int] = set()
        """Where the IN of a POSITION(a IN b) stands, found when the POSITION was read."""

    def match(self, pos: int) -> re.Match[str] | None:
        """Match the token at or behind ``pos``."""
        return match_token(self.text, pos, self.end)

    def peek(self, pos: int) -> str:
        """Return the next token's text, a word in capitals; empty at the end."""
        match = self.match(pos)
        if match is None or match.lastindex is None:
            return ""
        return match[match.lastindex].upper()

    def is_before_operand(self, pos: int) -> bool:
        """Tell whether an operand follows, so that the word before it is no name."""
        match = self.match(pos)
        if match is None or match.lastindex is None:
            return False
        written = match[match.lastindex]
        if match.lastindex == OPERATOR:
            return written in _OPERAND_OPERATORS
        if match.lastindex == WORD:
            word = written.upper()
            if word == "NOT":
                return self.peek(match.end()) not in _NEGATABLE
            return word not in INFIX_WORDS
        return match.lastindex != STRANGE

    def behind_brackets(self, pos: int) -> int:
        """Return the offset behind the brackets that open here, a bounded number of them."""
        for _ in range(_MOST_BRACKETS):
            if self.peek(pos) != "(":
                break
            pos = skip_blanks(self.text, pos, self.end) + 1
        return pos

    def find_word(self, pos: int, wanted: str) -> int:
        """Return where a word stands in this bracket, or -1, looking a bounded way ahead."""
        depth = cases = 0
        for _ in range(_SCAN_LIMIT):
            match = self.match(pos)
            if match is None or match.lastindex is None:
                return -1
            written = match[match.lastindex]
            if written == "(":
                depth += 1
            elif written == ")":
                depth -= 1
                if depth < 0:
                    return -1
            elif depth == 0 and written == ",":
                return -1
            elif depth == 0 and match.lastindex == WORD:
                word = written.upper()
                if word == wanted and cases == 0:
                    return match.start(match.lastindex)
                cases += (word == "CASE") - (word == "END" and cases > 0)
            pos = match.end()
        return -1


Fits: TypeAlias = Callable[[Lookahead, int, int, Container[str]], bool]
"""Tells whether the word between two offsets is a keyword, where a state accepts some terminals."""


def is_query_at(ahead: Lookahead, pos: int) -> bool:
    """Tell whether the token at ``pos`` opens a query."""
    return ahead.peek(pos) in QUERY_WORDS and opens_query(ahead, pos)


def opens_query(ahead: Lookahead, pos: int) -> bool:
    """Tell whether one of a query's first words opens one at ``pos``."""
    match = ahead.match(pos)
    return match is not None and is_query(ahead, match.start(WORD), match.end(), ())


def is_query(ahead: Lookahead, start: int, stop: int, _accepts: Container[str]) -> bool:
    """Tell the first word of a query from a name."""
    word = ahead.text[start:stop].upper()
    following = ahead.match(stop)
    if following is None:
        return False
    kind = following.lastindex
    if word == "SELECT":
        return following[0].endswith("*") or ahead.is_before_operand(stop)
    if word == "VALUES":
        return following[0].endswith("(")
    if word == "FROM":
        return kind in (WORD, QUOTED) or following[0].endswith("(")
    if kind not in (WORD, QUOTED):
        return False
    return (
        word == "TABLE"
        or ahead.peek(following.end()) in ("AS", "(")
        or (ahead.peek(stop) == "RECURSIVE")
    )


def opens_cdc_clause(ahead: Lookahead, start: int, stop: int) -> bool:
    """Tell whether a word opens a clause of a change feed."""
    followers = CDC_WORDS.get(ahead.text[start:stop].upper())
    match = ahead.match(stop)
    if followers is None or match is None or match.lastindex is None:
        return False
    written = match[match.lastindex].upper()
    if written in followers:
        return True
    if "OPERAND" in followers:
        return ahead.is_before_operand(stop)
    if "NAME" not in followers or match.lastindex not in (WORD, QUOTED):
        return False
    # A column of that name, if the clause that it would name goes on behind it.
    return ahead.peek(match.end()) not in CDC_WORDS.get(written, ())


def is_called(ahead: Lookahead, _start: int, stop: int, accepts: Container[str]) -> bool:
    """Tell a function that has a form of its own from a name."""
    return ahead.peek(stop) == "(" or "IDENT" not in accepts
