"""A query's text comes in; the first bracket or `;` in it that cannot be right goes out."""

from tidegate.grammar.tokens import bracket_marks
from tidegate.source.diagnostic import Fault
from tidegate.source.span import Span


def bracket_fault(text: str, query: Span) -> Fault | None:
    """Return the fault of a query whose parentheses do not match, or hold the end of a statement.

    A template may put parentheses in or leave them out, so its text is not judged.
    """
    written = text[query.start : query.end]
    is_even = written.count("(") == written.count(")")
    if (is_even and ";" not in written) or "{%" in written:
        return None
    opened: list[int] = []
    for mark, at in bracket_marks(text, query.start, query.end):
        if mark == ";":
            advice = "keep `;` for the end of a statement"
            return _fault(at, "found `;` inside a query", advice)
        if mark == "(":
            opened.append(at)
        elif opened:
            opened.pop()
        else:
            return _fault(at, "this `)` closes nothing", "remove it, or open it before")
    if opened:
        message = "the parenthesis opened here is never closed"
        return _fault(opened[-1], message, "close it with `)`")
    return None


def _fault(at: int, message: str, advice: str) -> Fault:
    return Fault(name="syntax-error", span=Span(at, at + 1), message=message, help=advice)
