"""A token of an opaque text comes in; whether the text ends before it goes out."""

import re
from collections.abc import Callable
from typing import TypeAlias

from tidegate.grammar.building.literals import is_unit
from tidegate.grammar.lookahead import (
    Lookahead,
    is_query_at,
    opens_cdc_clause,
)
from tidegate.grammar.tokens import (
    NUMBER,
    OPERATOR,
    QUOTED,
    STRING,
    WORD,
    is_whole_placeholder,
    word_set,
)

_Match: TypeAlias = re.Match[str]
Ends: TypeAlias = Callable[[Lookahead, _Match, _Match | None], bool]
"""Asked of each token outside all brackets, and of the token before it in the text."""

_DEFAULT_STOPS = word_set(
    "COMMENT CONSTRAINT PRIMARY FOREIGN UNIQUE CHECK REFERENCES GENERATED MASK DEFAULT"
)
# Words that an expression cannot end with.
_NO_END = word_set(
    "AND OR NOT IS IN LIKE ILIKE RLIKE REGEXP BETWEEN CASE WHEN THEN ELSE DISTINCT DIV INTERVAL "
    "ESCAPE COLLATE ANY ALL SOME FROM EXISTS"
)

# Of these, the words that an expression may start with.
_PREFIXES = word_set("NOT CASE EXISTS INTERVAL")
# With the word behind it, each of these opens a clause whatever stands before.
_CERTAIN = word_set("IGNORE APPLY SYSTEM SEQUENCE STORED TRACK")


def ends_default(ahead: Lookahead, match: _Match, _before: _Match | None) -> bool:
    """Tell whether a comma or the next property of a column ends a default."""
    if match.lastindex != WORD:
        return match[0].endswith(",")
    word = match[WORD].upper()
    return word in _DEFAULT_STOPS or (word == "NOT" and ahead.peek(match.end()) == "NULL")


def ends_flow_text(ahead: Lookahead, match: _Match, before: _Match | None) -> bool:
    """Tell whether the next clause of a flow, BY NAME or a query ends an expression."""
    if before is None:
        return False
    if match.lastindex == WORD:
        start, stop = match.span(WORD)
        word = match[WORD].upper()
        if word == "BY" and ahead.peek(stop) == "NAME":
            return True
        opens = opens_cdc_clause(ahead, start, stop)
        if opens and word in _CERTAIN:
            return True
        if not _ends_value(before):
            if word in ("SELECT", "WITH"):
                return is_query_at(ahead, start) and _is_operand(ahead, stop)
            return opens and _is_lone_name(ahead, before)
        return opens or is_query_at(ahead, start) or is_whole_placeholder(match[WORD])
    if match.lastindex != OPERATOR or match[OPERATOR] != "(" or not _ends_value(before):
        return False
    # A function may be given a query in brackets of its own.
    may_call = before.lastindex in (WORD, QUOTED)
    inner = match.end() if may_call else ahead.behind_brackets(match.start(OPERATOR))
    return is_query_at(ahead, inner)


def ends_watermark(ahead: Lookahead, match: _Match, before: _Match | None) -> bool:
    """Tell whether DELAY OF ends the expression of a watermark."""
    is_word = match.lastindex == WORD and before is not None and _ends_value(before)
    return is_word and match[WORD].upper() == "DELAY" and ahead.peek(match.end()) == "OF"


def ends_delay(_ahead: Lookahead, match: _Match, before: _Match | None) -> bool:
    """Tell whether anything but its amount and units ends an interval."""
    if before is None or match.lastindex in (STRING, NUMBER):
        return False
    if before.lastindex == WORD and before[WORD].upper() == "INTERVAL":
        return False
    if match.lastindex == WORD:
        return not is_unit(match[WORD]) and match[WORD].upper() != "TO"
    return match.lastindex != OPERATOR or match[OPERATOR] not in ("+", "-", ":", "?")


def opens_flow_query(ahead: Lookahead, pos: int) -> bool:
    """Tell a query from the words of a flow and from a list of columns."""
    match = ahead.match(pos)
    if match is None:
        return False
    if match.lastindex == WORD and is_whole_placeholder(match[WORD]):
        return True
    return is_query_at(ahead, ahead.behind_brackets(pos))


def _is_lone_name(ahead: Lookahead, before: _Match) -> bool:
    """Tell a column called like an operator, alone in its text: ``SEQUENCE BY and COLUMNS (a)``."""
    if before.lastindex != WORD or before[WORD].upper() in _PREFIXES:
        return False
    return ahead.text_start == before.start(WORD)


def _is_operand(ahead: Lookahead, pos: int) -> bool:
    """Tell whether a name, a constant or a star follows: nothing that could go on with a column."""
    match = ahead.match(pos)
    if match is None:
        return False
    return match.lastindex in (WORD, QUOTED, STRING, NUMBER) or match[0].endswith("*")


def _ends_value(match: _Match) -> bool:
    """Tell whether an expression may end with a token."""
    kind = match.lastindex
    if kind == WORD:
        return match[WORD].upper() not in _NO_END
    if kind == OPERATOR:
        return match[OPERATOR] in (")", "]", "?")
    return kind in (STRING, NUMBER, QUOTED)
