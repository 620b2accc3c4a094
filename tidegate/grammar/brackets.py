"""A query's text comes in; the first bracket or `;` in it that cannot be right goes out."""

from tidegate.grammar.tokens import OPERATOR, are_brackets_even, raw_tokens
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
    if are_brackets_even(text, query.start, query.end):
        return None
    opened: list[Span] = []
    for token in raw_tokens(text, query.start, query.end):
        place = Span(token.start, token.end)
        if token.text == ";":
            return _fault(place, "found `;` inside a query", "keep `;` for the end of a statement")
        if token.kind != OPERATOR:
            continue
        if token.text == "(":
            opened.append(place)
        elif token.text == ")":
            if not opened:
                return _fault(place, "this `)` closes nothing", "remove it, or open it before")
            opened.pop()
    if opened:
        return _fault(
            opened[-1], "the parenthesis opened here is never closed", "close it with `)`"
        )
    return None


def _fault(span: Span, message: str, advice: str) -> Fault:
    return Fault(name="syntax-error", span=span, message=message, help=advice)
