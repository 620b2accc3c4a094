"""A predicate's text comes in; it goes out read, with what is wrong in it said as in any SQL."""

import msgspec

from tidegate.grammar.attempts import Attempts
from tidegate.grammar.nodes import Expression
from tidegate.grammar.tokens import Token, bracket_marks
from tidegate.source.diagnostic import Fault
from tidegate.source.span import Span


def judged_predicate(
    attempts: Attempts, text: str, begin: int, end: int
) -> tuple[Expression | None, tuple[Fault, ...]]:
    """Return a predicate as it is meant, where that is plain, and its faults."""
    around = attempts.text, attempts.faults
    attempts.text, attempts.faults = text, []
    predicate = attempts.read_body(Token("BODY_TEXT", begin, end, text[begin:end]))
    faults = tuple(attempts.faults)
    attempts.text, attempts.faults = around
    if predicate is None and len(faults) == 1:
        stop, body = faults[0], Span(begin, end)
        faults = (_bracket_fault(text, body, stop) or _statement_fault(text, body, stop) or stop,)
    return predicate, faults


def _bracket_fault(text: str, body: Span, stop: Fault) -> Fault | None:
    """Return the fault of a parenthesis without its other one, if that is what stopped a parse.

    Around a predicate of SQL stand parentheses, so that those in it match.
    """
    if stop.name != "syntax-error":
        return None
    opened: list[int] = []
    for mark, at in bracket_marks(text, body.start, body.end):
        if mark == "(":
            opened.append(at)
        elif mark == ")" and opened:
            opened.pop()
        elif mark == ")" and stop.span.start == at:
            return _fault(at, "this `)` closes nothing", "remove it, or open it before")
    if opened and stop.span.start >= body.end:
        message = "the parenthesis opened here is never closed"
        return _fault(opened[-1], message, "close it with `)`")
    return None


def _statement_fault(text: str, body: Span, stop: Fault) -> Fault | None:
    """Return the fault of what only a statement around a predicate has, where it stops."""
    behind = text[stop.span.start : body.end]
    if behind[:1] == ";":
        return msgspec.structs.replace(stop, help="leave it out")
    if behind.upper().split()[:2] != ["ON", "VIOLATION"]:
        return None
    return Fault(
        name="clause-out-of-place",
        span=Span(stop.span.start, body.end),
        message="ON VIOLATION stands in the condition",
        help="remove it; the action is part of the function's name, such as `expect_or_drop`",
    )


def _fault(at: int, message: str, advice: str) -> Fault:
    return Fault(name="syntax-error", span=Span(at, at + 1), message=message, help=advice)
