"""A query's text comes in; the tokens that can matter to what it reads go out.

Nine tenths of a query are select items and conditions. One regular expression passes over them, and
each stretch stands as one token that means nothing.
"""

import re
from functools import cache

import msgspec

from tidegate.grammar.outlines.parts import DEEPEST
from tidegate.grammar.tokens import (
    BACKTICKED,
    BLANK,
    DOUBLE,
    OPERATOR,
    PLACE,
    SINGLE,
    STRANGE,
    TOKEN,
    WORD,
    RawToken,
    behind_comment,
    skip_blanks,
    word_set,
)
from tidegate.source.span import Span

# Each opens relations, or decides whether the word behind it does.
_TURNS = "select from join table with union except intersect minus all distinct"
# Spelt as classes, which are tried faster than letters of either case.
_TURN = "|".join(
    "".join(f"[{letter}{letter.upper()}]" for letter in word) for word in _TURNS.split()
)
_DULL = r"[^\w$(){'\"`/.|-]"
_PIECE = (
    r"(?:\d++\.(?!\w)|[rR](?:'[^']*+'|\"[^\"]*+\")"
    rf"|(?!(?:{_TURN})(?![\w$]|{{{{))\w++(?:\.\w++)*+(?:(?:{PLACE})\w*+)*+{_DULL}*+"
    rf"|{_DULL}++|(?:{PLACE})(?:\w|{PLACE})*+|\.{BLANK}*+\w++|{SINGLE}|{DOUBLE}|{BACKTICKED}"
    r"|--(?:[^\r\n\\]++|\\\n?)*+|/(?!\*)|\|\||\|(?!\s*+>)|[$.{'\"`-])"
)
# Brackets that hold no turn. Deeper ones are opened, which keeps this linear.
_CALL = rf"\((?:{_PIECE}|\((?:{_PIECE})*+\))*+\)"

_BEFORE_SELECT = word_set("ALL DISTINCT UNION EXCEPT INTERSECT MINUS") | {"(", ")", ">", ""}
# Behind these, no comma and no name means anything to the relations before the next turn.
_ENDS = word_set("WHERE GROUP ORDER HAVING QUALIFY LIMIT OFFSET WINDOW CLUSTER DISTRIBUTE SORT")
_NO_QUERY = (")", ",", ".", "=")


class _Mode(msgspec.Struct, frozen=True):
    skims: bool
    """Whether filler may be passed over."""
    is_query: bool
    """Whether the innermost bracket is known to hold a query."""


_READ, _READ_QUERY = _Mode(skims=False, is_query=False), _Mode(skims=False, is_query=True)
_SKIMMED, _SKIMMED_QUERY = _Mode(skims=True, is_query=False), _Mode(skims=True, is_query=True)


@cache
def _filler() -> re.Pattern[str]:
    # Takes two milliseconds to compile, which a file of short queries need not pay.
    return re.compile(rf"{BLANK}*+((?:{_PIECE}|{_CALL})++)", re.DOTALL)


# One loop: a call for each token would cost more than passing over the others saves.
def skimmed(text: str, span: Span) -> list[RawToken] | None:  # noqa: C901
    """Return the tokens of a query that can matter to its relations, the rest as filler.

    ``None`` where a SELECT stands so oddly that it may be a name.
    """
    tokens: list[RawToken] = []
    match_here, pass_over = TOKEN.match, _filler().match
    pos, end = span.start, span.end
    has_comments = text.find("/*", pos, end) >= 0
    mode, outer, before = _READ_QUERY, list[_Mode](), ""
    while True:
        # The word behind SELECT is kept: it tells SELECT from a name.
        if mode.skims and before != "SELECT":
            if has_comments:
                pos = skip_blanks(text, pos, end)
            if filler := pass_over(text, pos, end):
                before, pos = "\0", filler.end()
                tokens.append(RawToken(STRANGE, before, filler.start(1), pos))
                continue
        match = match_here(text, pos, end) or behind_comment(text, pos, end)
        if match is None:
            return tokens
        kind = match.lastindex
        assert kind is not None
        pos, written = match.end(), match[kind]
        tokens.append(RawToken(kind, written, pos - len(written), pos))
        if kind == WORD:
            word = "\0" if before == "." else written.upper()
            if word == "SELECT" and before not in _BEFORE_SELECT:
                return None
            mode = _behind(word, before, mode)
            before = word
            continue
        if before == "SELECT" and written in _NO_QUERY:
            return None
        before = written
        if kind == OPERATOR and written == "(":
            if len(outer) > DEEPEST:
                # The scan does not go deeper either.
                return tokens
            outer.append(mode)
            mode = _SKIMMED if mode.skims else _READ
        elif kind == OPERATOR and written == ")" and outer:
            mode = outer.pop()


def _behind(word: str, before: str, mode: _Mode) -> _Mode:
    """Return how to go on behind a word."""
    if word == "SELECT":
        return _SKIMMED_QUERY
    if word in ("FROM", "WITH"):
        return _READ_QUERY
    if word in ("JOIN", "TABLE"):
        return _READ_QUERY if mode.is_query else _READ
    if word in _ENDS and mode.is_query and before != "AS":
        return _SKIMMED_QUERY
    return mode
