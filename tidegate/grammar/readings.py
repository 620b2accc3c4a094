"""A word and what follows it come in; whether it is a keyword there goes out.

No word is reserved. Where the parser's state takes a keyword or a name, what follows decides.
"""

from collections.abc import Container

from tidegate.grammar import _tables
from tidegate.grammar.lookahead import (
    INFIX_WORDS,
    QUERY_WORDS,
    Fits,
    Lookahead,
    is_called,
    is_query,
    opens_query,
)
from tidegate.grammar.shell_readings import SHELL_FITS, is_constraint
from tidegate.grammar.tokens import (
    NUMBER,
    OPERATOR,
    STRING,
    WORD,
    close_bracket,
    opens_place,
    word_set,
)

# Words whose terminal has another name, the first that is accepted and fits is taken.
_OTHER_READINGS = {
    "SUBSTR": ("SUBSTRING",),
    "NOT": ("NOT_ENFORCED", "NOT"),
    "INTERVAL": ("INTERVAL_TYPE", "INTERVAL"),
    "STRUCT": ("STRUCT", "STRUCT_CALL"),
    "IDENTIFIER": ("NAME_CALL", "IDENTIFIER_CALL"),
    "IN": ("POSITION_IN", "IN"),
    "DATE": ("TYPED",),
    "TIME": ("TYPED", "TIME"),
    "TIMESTAMP": ("TYPED", "TIMESTAMP_TYPE"),
    "TIMESTAMP_NTZ": ("TYPED",),
    "TIMESTAMP_LTZ": ("TYPED",),
    "X": ("TYPED",),
    "SELECT": ("SUBQUERY_TEXT",),
    "WITH": ("SUBQUERY_TEXT", "WITH"),
    "VALUES": ("SUBQUERY_TEXT",),
    "TABLE": ("SUBQUERY_TEXT", "TABLE"),
    "FROM": ("SUBQUERY_TEXT", "FROM"),
}
READINGS = {word: (word,) for word in _tables.WORDS} | _OTHER_READINGS
"""The terminals that a word may stand for."""

_CLOSING = word_set(") , ]")
# What can follow a column called `case`, but not the word CASE.
_NO_OPERAND_WORDS = INFIX_WORDS | word_set("AS FROM FOR PLACING ESCAPE ELSE END IGNORE RESPECT")


# ---------------------------------------------------------------- what may follow a keyword


def _is_prefix(ahead: Lookahead, _start: int, stop: int, accepts: Container[str]) -> bool:
    return "IDENT" not in accepts or ahead.is_before_operand(stop)


def _is_from(ahead: Lookahead, start: int, stop: int, accepts: Container[str]) -> bool:
    if "CASE" not in accepts:
        # Behind a name or a value only the keyword can stand.
        return True
    is_first = "IDENT" not in accepts or ahead.peek(stop) != "FROM"
    return is_first and _is_prefix(ahead, start, stop, accepts)


def _is_value(ahead: Lookahead, _start: int, stop: int, accepts: Container[str]) -> bool:
    return "IDENT" not in accepts or ahead.peek(stop) not in ("(", ".")


def _is_case(ahead: Lookahead, _start: int, stop: int, _accepts: Container[str]) -> bool:
    match = ahead.match(stop)
    following = ahead.peek(stop)
    if match is not None and following in _NO_OPERAND_WORDS:
        return ahead.peek(match.end()) == "WHEN"
    if following in ("(", "-", "+", "[", "."):
        return ahead.find_word(stop, "WHEN") >= 0
    return ahead.is_before_operand(stop)


def _is_interval(ahead: Lookahead, _start: int, stop: int, _accepts: Container[str]) -> bool:
    match = ahead.match(stop)
    if match is not None and match.lastindex == OPERATOR and match[OPERATOR] in ("+", "-"):
        stop = match.end()
        match = ahead.match(stop)
        if match is None or match.lastindex not in (STRING, NUMBER):
            return False
        unit = ahead.match(match.end())
        return unit is not None and unit.lastindex == WORD and unit[WORD].upper() not in INFIX_WORDS
    if match is None:
        return False
    if match.lastindex in (STRING, NUMBER):
        return True
    kind = match.lastindex
    assert kind is not None
    return match[kind] in (":", "?") or opens_place(match[kind])


def _is_exists(ahead: Lookahead, _start: int, stop: int, accepts: Container[str]) -> bool:
    if "IDENT" not in accepts:
        return True
    match = ahead.match(stop)
    if match is None or match[0].rstrip()[-1:] != "(":
        return False
    pos = ahead.behind_brackets(match.end())
    return ahead.peek(pos) in QUERY_WORDS and opens_query(ahead, pos)


def _is_typed(ahead: Lookahead, _start: int, stop: int, _accepts: Container[str]) -> bool:
    match = ahead.match(stop)
    return match is not None and match.lastindex == STRING and match[STRING][0] in "'\""


def _is_position(ahead: Lookahead, _start: int, stop: int, accepts: Container[str]) -> bool:
    match = ahead.match(stop)
    if match is None or not match[0].endswith("("):
        return "IDENT" not in accepts
    found = ahead.find_word(match.end(), "IN")
    if found >= 0:
        ahead.position_words.add(found)
    return True


def _is_position_in(ahead: Lookahead, start: int, _stop: int, _accepts: Container[str]) -> bool:
    return start in ahead.position_words


def _is_bracketed_type(ahead: Lookahead, _start: int, stop: int, _accepts: Container[str]) -> bool:
    return ahead.peek(stop)[:1] == "<"


def _is_zoned(ahead: Lookahead, _start: int, stop: int, _accepts: Container[str]) -> bool:
    return ahead.peek(stop) in ("WITH", "WITHOUT")


def _is_interval_type(ahead: Lookahead, _start: int, stop: int, _accepts: Container[str]) -> bool:
    return ahead.peek(stop) in ("YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND")


def _is_quantifier(ahead: Lookahead, start: int, stop: int, accepts: Container[str]) -> bool:
    """Tell LIKE ANY (a, b) from a pattern that begins with a call of a function named so."""
    if "ANY" in accepts:
        opening = ahead.match(stop)
        if opening is None or not opening[0].endswith("("):
            return False
        closing = close_bracket(ahead.text, opening.end(), ahead.end)
        following = ahead.match(closing + 1)
        if following is None or following.lastindex is None:
            return True
        written = following[following.lastindex].upper()
        is_operator = following.lastindex == OPERATOR and written not in _CLOSING
        return not is_operator and written not in ("ESCAPE", "DIV", "COLLATE")
    return _is_prefix(ahead, start, stop, accepts)


FITS: dict[str, Fits] = {
    **SHELL_FITS,
    **dict.fromkeys(
        (
            "CAST",
            "TRY_CAST",
            "TRIM",
            "EXTRACT",
            "SUBSTRING",
            "OVERLAY",
            "STRUCT_CALL",
            "IDENTIFIER_CALL",
        ),
        is_called,
    ),
    **dict.fromkeys(("NOT", "DISTINCT", "BOTH", "LEADING", "TRAILING"), _is_prefix),
    **dict.fromkeys(("ANY", "SOME", "ALL"), _is_quantifier),
    **dict.fromkeys(("NULL", "TRUE", "FALSE"), _is_value),
    **dict.fromkeys(("ARRAY", "MAP", "STRUCT"), _is_bracketed_type),
    "CHECK": is_called,
    "FROM": _is_from,
    "CASE": _is_case,
    "INTERVAL": _is_interval,
    "INTERVAL_TYPE": _is_interval_type,
    "TIMESTAMP_TYPE": _is_zoned,
    "EXISTS": _is_exists,
    "SUBQUERY_TEXT": is_query,
    "TYPED": _is_typed,
    "POSITION": _is_position,
    "POSITION_IN": _is_position_in,
    "WATERMARK": _is_prefix,
}
UNLESS_NAMED = frozenset(
    terminal
    for terminal, fits in FITS.items()
    if fits in (is_called, _is_prefix, _is_value, is_constraint, _is_exists)
)
"""Terminals whose word is the keyword wherever no name may stand, whatever follows."""
