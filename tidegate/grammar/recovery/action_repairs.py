"""A list item that stopped a parse at its action comes in; what was meant goes out."""

from tidegate.grammar.building.pieces import unquote
from tidegate.grammar.recovery.actions import meant_action
from tidegate.grammar.recovery.mending import Repair
from tidegate.grammar.recovery.messages import unexpected
from tidegate.grammar.recovery.stretch import (
    Stretch,
    insertion,
    is_near,
    safe,
    spaced,
    syntax_fault,
    unsafe,
)
from tidegate.grammar.tokens import QUOTED, STRING, WORD, word_set
from tidegate.source.diagnostic import Fault
from tidegate.source.edit import Edit
from tidegate.source.span import Span

_VIOLATION_SYNONYMS = word_set("VIOLATE VIOLATED VIOLATING FAILURE ERROR")
_ACTION_WORDS = word_set("DROP FAIL")


def action_before_expect(item: Stretch) -> Repair | None:
    """``CONSTRAINT a ON VIOLATION DROP ROW EXPECT (...)``: put the action behind the predicate."""
    start = item.violation(2)
    expect = next((p for p in range(start, len(item.tokens)) if item.word(p) == "EXPECT"), None)
    if item.word(0) != "CONSTRAINT" or start != 2 or expect is None:
        return None
    closing = item.closing(expect + 1)
    if item.word(expect + 1) != "(" or closing == len(item.tokens):
        return None
    where = item.span(start, expect)
    written = item.text[where.start : where.end]
    cut = Edit(Span(where.start, item.start_of(expect)), "")
    edits = (cut, insertion(item.end_of(closing), f" {written}"))
    fault = Fault(
        name="clause-out-of-place",
        span=where,
        message="ON VIOLATION stands before the predicate",
        help="write it behind the predicate",
        fix=safe("Move ON VIOLATION behind the predicate", *edits),
    )
    return Repair(edits=edits, fault=fault)


def _check_with_action(item: Stretch) -> Repair | None:
    """``CHECK (...) ON VIOLATION``: only EXPECT has an action."""
    if item.word(item.at - 1) != "ON" or not is_near(item.word(item.at), "VIOLATION"):
        return None
    check = next((p for p in range(item.at) if item.word(p) == "CHECK"), None)
    if check is None or item.word(check - 2) != "CONSTRAINT":
        return None
    edit = Edit(item.span(check, check + 1), "EXPECT")
    fault = Fault(
        name="check-instead-of-expect",
        span=item.span(check, check + 1),
        message="a CHECK has no ON VIOLATION: an expectation is meant",
        help="write `EXPECT`",
        fix=safe("Write EXPECT", edit),
    )
    return Repair(edits=(edit,), fault=fault)


def _misspelt_violation(item: Stretch) -> Repair | None:
    if item.expected != {"VIOLATION"} or item.word(item.at) not in _VIOLATION_SYNONYMS:
        return None
    return replaced(item, "VIOLATION", where="item")


def _missing_violation(item: Stretch) -> Repair | None:
    """``ON DROP ROW``, ``VIOLATION DROP ROW`` and ``DROP ROW`` alone."""
    at, word = item.at, item.word(item.at)
    if item.expected == {"VIOLATION"}:
        if not meant_action(_rest(item, at)):
            return None
        missing = "VIOLATION"
    elif "ON" in item.expected and item.word(at - 1) == ")" and _has_expect(item):
        if is_near(word, "VIOLATION"):
            missing = "ON"
        elif item.at + 1 < len(item.tokens) and is_near(item.word(at + 1), "VIOLATION"):
            return replaced(item, "ON", where="item")
        elif word in _ACTION_WORDS and meant_action(_rest(item, at)):
            missing = "ON VIOLATION"
        else:
            return None
    else:
        return None
    edit = spaced(item.text, item.start_of(at), missing)
    fault = syntax_fault(
        item.span(at, at + 1),
        f"`{missing}` is missing before `{item.tokens[at].text}`",
        f"write `{missing}` before it",
        unsafe(f"Insert {missing}", edit),
    )
    return Repair(edits=(edit,), fault=fault)


def _has_expect(item: Stretch) -> bool:
    return any(item.word(place) == "EXPECT" for place in range(1, item.at))


def _rest(item: Stretch, first: int) -> str:
    return " ".join(token.text.upper() for token in item.tokens[first:])


def _dressed_action(item: Stretch) -> Repair | None:
    """``ON VIOLATION 'DROP ROW'``, ``= DROP ROW``, ``(DROP ROW)``."""
    if "ACTION_WORD" not in item.expected or item.word(item.at - 1) != "VIOLATION":
        return None
    if item.at == len(item.tokens):
        return None
    words: list[str] = []
    for token in item.tokens[item.at :]:
        if token.kind == STRING:
            words += token.text[1:-1].split()
        elif token.kind in (WORD, QUOTED):
            words.append(unquote(token.text))
    action = meant_action(" ".join(words).upper())
    if action is None:
        return None
    where = item.span(item.at, len(item.tokens))
    edit = Edit(where, action)
    fault = Fault(
        name="unknown-violation-action",
        span=where,
        message=f"`{item.text[where.start : where.end]}` is not an action of ON VIOLATION",
        help=f"write `{action}`",
        fix=safe(f"Write {action}", edit),
    )
    return Repair(edits=(edit,), fault=fault)


def replaced(stretch: Stretch, keyword: str, *, where: str) -> Repair:
    """Read a keyword in the place of the word that does not fit."""
    span = stretch.span(stretch.at, stretch.at + 1)
    edit = Edit(span, keyword)
    message = unexpected(stretch.failure, stretch.tokens[stretch.at].text, where)
    fault = syntax_fault(
        span,
        f"{message}; did you mean `{keyword}`?",
        f"write `{keyword}`",
        unsafe(f"Write {keyword}", edit),
    )
    return Repair(edits=(edit,), fault=fault)


VIOLATION_REPAIRS = (
    _check_with_action,
    _misspelt_violation,
    _missing_violation,
    _dressed_action,
)
