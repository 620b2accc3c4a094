"""A word of a statement's shell comes in; whether it is a keyword there goes out."""

import re
from collections.abc import Container

from tidegate.grammar.building.literals import is_type_name
from tidegate.grammar.lookahead import (
    CDC_WORDS,
    Fits,
    Lookahead,
    is_called,
    is_query_at,
    opens_cdc_clause,
)
from tidegate.grammar.tokens import OPERATOR, QUOTED, STRING, WORD, opens_place, word_set

KEY_WORDS = word_set("EXPECT CHECK PRIMARY FOREIGN UNIQUE")
NAMED_EXPECT = re.compile(r"\s++\w++\s++(?:EXPECT|expect)\b")
"""What stands behind CONSTRAINT in by far the most frequent constraint."""


def is_constraint(ahead: Lookahead, _start: int, stop: int, accepts: Container[str]) -> bool:
    """Tell CONSTRAINT from a column of that name."""
    if "IDENT" not in accepts or "COMMENT" in accepts:
        return True
    if NAMED_EXPECT.match(ahead.text, stop, ahead.end):
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


def _is_unique(ahead: Lookahead, start: int, stop: int, accepts: Container[str]) -> bool:
    # Behind a column or the name of a constraint nothing else is called so: it is no type.
    return "REFERENCES" in accepts or is_called(ahead, start, stop, accepts)


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


def _follows(*words: str) -> Fits:
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


SHELL_FITS: dict[str, Fits] = {
    **dict.fromkeys(("PRIMARY", "FOREIGN"), _is_key),
    "UNIQUE": _is_unique,
    "CONSTRAINT": is_constraint,
    "IF": _is_if,
    "COLUMN": _is_column_word,
    **dict.fromkeys(("CATALOG", "SCHEMA", "DATABASE"), _is_before_used),
    "NOT_ENFORCED": _is_enforced,
    "NAME_CALL": _is_name_call,
    "WITH": _is_with,
    "STREAM": _is_stream,
    **dict.fromkeys(CDC_WORDS, _is_cdc_word),
    "TABLE": _is_table,
    "STREAMING": _follows("TABLE"),
    "MATERIALIZED": _follows("VIEW"),
    "TO": _follows("UPDATE"),
    "SCHEDULE": _follows("EVERY", "CRON", "REFRESH"),
    "TRIGGER": _follows("ON"),
    "INTO": _is_before_name,
    "ONCE": _is_before_target,
}
