"""A word and what follows it come in; whether it is a keyword there goes out.

No word is reserved. Where the parser's state takes a keyword or a name, what follows decides.
"""

import re
from collections.abc import Callable, Container

from tidegate.grammar import _tables
from tidegate.grammar.literals import is_type_name
from tidegate.grammar.tokens import (
    NUMBER,
    OPERATOR,
    QUOTED,
    STRANGE,
    STRING,
    WORD,
    close_bracket,
    match_token,
    opens_place,
    skip_blanks,
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

_INFIX_WORDS = word_set("AND OR IS IN BETWEEN LIKE ILIKE RLIKE REGEXP DIV COLLATE THEN")
_CLOSING = word_set(") , ]")
_NEGATABLE = word_set("IN BETWEEN LIKE ILIKE RLIKE REGEXP")
# What can follow a column called `case`, but not the word CASE.
_NO_OPERAND_WORDS = _INFIX_WORDS | word_set("AS FROM FOR PLACING ESCAPE ELSE END IGNORE RESPECT")
_OPERAND_OPERATORS = word_set("( - + ~ ! ? :")
_QUERY_WORDS = word_set("SELECT WITH FROM VALUES TABLE")
KEY_WORDS = word_set("EXPECT CHECK PRIMARY FOREIGN UNIQUE")
# By far the most frequent constraint.
_NAMED_EXPECT = re.compile(r"\s++\w++\s++(?:EXPECT|expect)\b")
_SCAN_LIMIT = 200
_MOST_BRACKETS = 16


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
            return word not in _INFIX_WORDS
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


# ---------------------------------------------------------------- what may follow a keyword

_Fits = Callable[[Lookahead, int, int, Container[str]], bool]


def _is_called(ahead: Lookahead, _start: int, stop: int, accepts: Container[str]) -> bool:
    return ahead.peek(stop) == "(" or "IDENT" not in accepts


def _is_unique(ahead: Lookahead, start: int, stop: int, accepts: Container[str]) -> bool:
    # Behind a column or the name of a constraint nothing else is called so: it is no type.
    return "REFERENCES" in accepts or _is_called(ahead, start, stop, accepts)


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
        return (
            unit is not None and unit.lastindex == WORD and unit[WORD].upper() not in _INFIX_WORDS
        )
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
    return ahead.peek(pos) in _QUERY_WORDS and _opens_query(ahead, pos)


def _opens_query(ahead: Lookahead, pos: int) -> bool:
    match = ahead.match(pos)
    return match is not None and _is_query(ahead, match.start(WORD), match.end(), ())


def is_query_at(ahead: Lookahead, pos: int) -> bool:
    """Tell whether the token at ``pos`` opens a query."""
    return ahead.peek(pos) in _QUERY_WORDS and _opens_query(ahead, pos)


# The word that opens a clause of a change feed, and what follows it there.
_CDC_WORDS = {
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


def opens_cdc_clause(ahead: Lookahead, start: int, stop: int) -> bool:
    """Tell whether a word opens a clause of a change feed."""
    followers = _CDC_WORDS.get(ahead.text[start:stop].upper())
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
    return ahead.peek(match.end()) not in _CDC_WORDS.get(written, ())


def _is_query(ahead: Lookahead, start: int, stop: int, _accepts: Container[str]) -> bool:
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


def _is_constraint(ahead: Lookahead, _start: int, stop: int, accepts: Container[str]) -> bool:
    if "IDENT" not in accepts or "COMMENT" in accepts:
        return True
    if _NAMED_EXPECT.match(ahead.text, stop, ahead.end):
        return True
    match = ahead.match(stop)
    if match is None or match.lastindex not in (WORD, QUOTED):
        return False
    name = match[match.lastindex].upper()
    if ahead.peek(match.end()) in KEY_WORDS or name == "EXPECT":
        return not is_type_name(name) or _opens_key(ahead, match.end())
    # Otherwise it is a column of this name, if what follows it is a type or a property.
    following = ahead.match(match.end())
    is_open = following is not None and following.lastindex in (WORD, QUOTED, OPERATOR)
    return is_open and not is_type_name(name) and ahead.peek(match.end()) not in (",", ")")


def _opens_key(ahead: Lookahead, pos: int) -> bool:
    """Tell a table's key, which names its columns, from the key of one column."""
    match = ahead.match(pos)
    if match is None or match[0].split()[-1].upper() == "EXPECT":
        return True
    if ahead.peek(match.end()) == "KEY":
        match = ahead.match(match.end())
    return match is not None and ahead.peek(match.end()) == "("


def _is_key(ahead: Lookahead, _start: int, stop: int, _accepts: Container[str]) -> bool:
    return ahead.peek(stop) == "KEY"


def _is_if(ahead: Lookahead, _start: int, stop: int, _accepts: Container[str]) -> bool:
    return ahead.peek(stop) in ("NOT", "EXISTS")


def _is_before_name(ahead: Lookahead, _start: int, stop: int, _accepts: Container[str]) -> bool:
    match = ahead.match(stop)
    return match is not None and match.lastindex in (WORD, QUOTED)


def _is_before_used(ahead: Lookahead, start: int, stop: int, accepts: Container[str]) -> bool:
    match = ahead.match(stop)
    is_string = match is not None and match.lastindex == STRING
    return is_string or _is_before_name(ahead, start, stop, accepts)


def _is_column_word(ahead: Lookahead, _start: int, stop: int, _accepts: Container[str]) -> bool:
    match = ahead.match(stop)
    if match is None:
        return False
    return ahead.peek(stop) not in ("SET", "DROP", ".") or ahead.peek(match.end()) != "NOT"


def _is_enforced(ahead: Lookahead, _start: int, stop: int, _accepts: Container[str]) -> bool:
    return ahead.peek(stop) == "ENFORCED"


def _is_zoned(ahead: Lookahead, _start: int, stop: int, _accepts: Container[str]) -> bool:
    return ahead.peek(stop) in ("WITH", "WITHOUT")


def _is_interval_type(ahead: Lookahead, _start: int, stop: int, _accepts: Container[str]) -> bool:
    return ahead.peek(stop) in ("YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND")


def _is_with(ahead: Lookahead, _start: int, stop: int, accepts: Container[str]) -> bool:
    if "IDENT" not in accepts and "COMMENT" not in accepts:
        return True
    return ahead.peek(stop) in ("ROW", "(")


def _is_cdc_word(ahead: Lookahead, start: int, stop: int, accepts: Container[str]) -> bool:
    return "IDENT" not in accepts or opens_cdc_clause(ahead, start, stop)


def _is_before_target(ahead: Lookahead, start: int, stop: int, accepts: Container[str]) -> bool:
    """Tell INSERT INTO ONCE t, and INSERT INTO TABLE t, from a table of that name."""
    if "IDENT" not in accepts:
        return True
    match = ahead.match(stop)
    if match is None or not _is_before_name(ahead, start, stop, accepts):
        return False
    behind = ahead.peek(match.end())
    pair = (ahead.peek(stop), behind)
    return pair not in (("BY", "NAME"), ("REPLACE", "WHERE"), ("REPLACE", "USING")) and (
        not is_query_at(ahead, stop) or behind in ("BY", "REPLACE", ".")
    )


def _is_stream(ahead: Lookahead, _start: int, stop: int, _accepts: Container[str]) -> bool:
    match = ahead.match(stop)
    if match is None or match.lastindex is None:
        return False
    if match.lastindex not in (WORD, QUOTED):
        return match[match.lastindex] == "("
    start, end = match.span(match.lastindex)
    return ahead.text[start:end].upper() != "AS" and not opens_cdc_clause(ahead, start, end)


def _follows(*words: str) -> _Fits:
    """Make the test that one of some words follows, where a name may stand too."""

    def fits(ahead: Lookahead, _start: int, stop: int, accepts: Container[str]) -> bool:
        return "IDENT" not in accepts or ahead.peek(stop) in words

    return fits


def _is_table(ahead: Lookahead, start: int, stop: int, accepts: Container[str]) -> bool:
    if "IDENT" not in accepts or "ARRAY" in accepts:
        return True
    return _is_before_target(ahead, start, stop, accepts)


def _is_name_call(ahead: Lookahead, _start: int, stop: int, _accepts: Container[str]) -> bool:
    """Tell IDENTIFIER('a.b') from a table of that name with a column list."""
    opening = ahead.match(stop)
    if opening is None or not opening[0].endswith("("):
        return False
    inner = ahead.match(opening.end())
    if inner is None or inner.lastindex is None:
        return False
    written = inner[inner.lastindex]
    if inner.lastindex == STRING or written[:2] in (":", "?") or opens_place(written):
        return True
    # No item of a list goes on like a value behind its first word.
    behind = ahead.peek(inner.end())
    return inner.lastindex in (WORD, QUOTED) and (
        behind in (".", "||") or (behind == "(" and inner[inner.lastindex].upper() not in KEY_WORDS)
    )


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


FITS: dict[str, _Fits] = {
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
        _is_called,
    ),
    **dict.fromkeys(("NOT", "DISTINCT", "BOTH", "LEADING", "TRAILING"), _is_prefix),
    **dict.fromkeys(("ANY", "SOME", "ALL"), _is_quantifier),
    **dict.fromkeys(("NULL", "TRUE", "FALSE"), _is_value),
    **dict.fromkeys(("ARRAY", "MAP", "STRUCT"), _is_bracketed_type),
    **dict.fromkeys(("PRIMARY", "FOREIGN"), _is_key),
    "UNIQUE": _is_unique,
    "CHECK": _is_called,
    "FROM": _is_from,
    "CASE": _is_case,
    "INTERVAL": _is_interval,
    "INTERVAL_TYPE": _is_interval_type,
    "TIMESTAMP_TYPE": _is_zoned,
    "EXISTS": _is_exists,
    "SUBQUERY_TEXT": _is_query,
    "TYPED": _is_typed,
    "POSITION": _is_position,
    "POSITION_IN": _is_position_in,
    "CONSTRAINT": _is_constraint,
    "IF": _is_if,
    "COLUMN": _is_column_word,
    **dict.fromkeys(("CATALOG", "SCHEMA", "DATABASE"), _is_before_used),
    "NOT_ENFORCED": _is_enforced,
    "NAME_CALL": _is_name_call,
    "WITH": _is_with,
    "STREAM": _is_stream,
    **dict.fromkeys(_CDC_WORDS, _is_cdc_word),
    "WATERMARK": _is_prefix,
    "TABLE": _is_table,
    "STREAMING": _follows("TABLE"),
    "MATERIALIZED": _follows("VIEW"),
    "TO": _follows("UPDATE"),
    "SCHEDULE": _follows("EVERY", "CRON", "REFRESH"),
    "TRIGGER": _follows("ON"),
    "INTO": _is_before_name,
    "ONCE": _is_before_target,
}
UNLESS_NAMED = frozenset(
    terminal
    for terminal, fits in FITS.items()
    if fits in (_is_called, _is_prefix, _is_value, _is_constraint, _is_exists)
)
"""Terminals whose word is the keyword wherever no name may stand, whatever follows."""
