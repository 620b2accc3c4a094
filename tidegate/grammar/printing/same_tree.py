"""Two trees and their texts come in; where they differ, other than in place, goes out."""

from collections.abc import Iterable

from tidegate.grammar.formatting.spacing import type_tokens
from tidegate.grammar.nodes import (
    BrokenStatement,
    ExpectClause,
    Node,
    OtherAlteration,
    OtherStatement,
    Query,
    Statement,
    Subquery,
    TypeName,
)
from tidegate.grammar.tokens import raw_tokens
from tidegate.source.span import Span

_HEAD = ".head"
"""Words that may be written in any case."""

_TYPE = ".returns"
"""A data type, or the columns of a table."""

# Where something stands, which says nothing that other fields do not.
_PLACES = frozenset(("list_span", "as_span", "violation_span", "reading"))
_TEXTS = (Query, Subquery, OtherStatement, BrokenStatement, OtherAlteration)
"""Nodes whose content is their text."""


def is_same_tree(one: Node, text: str, other: Node, other_text: str) -> bool:
    """Tell whether two nodes say the same; places, comments and faults aside."""
    return difference(one, text, other, other_text) is None


def are_same_trees(
    some: Iterable[Statement], text: str, others: Iterable[Statement], other_text: str
) -> bool:
    """Tell whether two files hold the same statements in the same order."""
    some, others = tuple(some), tuple(others)
    return len(some) == len(others) and all(
        is_same_tree(one, text, other, other_text) for one, other in zip(some, others, strict=True)
    )


def difference(
    one: Node, text: str, other: Node, other_text: str, *, queries: bool = False
) -> str | None:
    """Return the path to the first difference, or ``None``; text is compared by its tokens.

    With ``queries``, words of queries may differ in case.
    """
    pending: list[tuple[str, object, object]] = [(type(one).__name__, one, other)]
    while pending:
        path, left, right = pending.pop()
        if left.__class__ is not right.__class__:
            return f"{path}: {_kind(left)} and {_kind(right)}"
        if isinstance(left, Span) and isinstance(right, Span):
            is_same = _tokens(path, text, left) == _tokens(path, other_text, right)
        elif isinstance(left, tuple) and isinstance(right, tuple):
            is_same = len(left) == len(right)
            pending += [
                (f"{path}[{at}]", *pair) for at, pair in enumerate(zip(left, right, strict=False))
            ]
        elif isinstance(left, Node) and isinstance(right, Node):
            is_same = _has_same_text(left, text, right, other_text, queries=queries)
            pending += _fields(path, left, right)
        else:
            is_same = left == right
        if not is_same:
            return path
    return None


def _kind(value: object) -> str:
    return type(value).__name__


def _fields(path: str, one: Node, other: Node) -> list[tuple[str, object, object]]:
    found = []
    for field in one.__struct_fields__:
        left, right = getattr(one, field), getattr(other, field)
        if field in ("span", "faults"):
            continue
        if field in _PLACES:
            left, right = left is None, right is None
        elif field == "action" and isinstance(one, ExpectClause):
            left, right = _action(left), _action(right)
        found.append((f"{path}.{field}", left, right))
    return found


def _action(action: object) -> object:
    return action if action is None else getattr(action, "text", "").upper()


def _has_same_text(one: Node, text: str, other: Node, other_text: str, *, queries: bool) -> bool:
    if isinstance(one, TypeName):
        return _type(text, one.span) == _type(other_text, other.span)
    if isinstance(one, Query) and queries:
        return _tokens(_HEAD, text, one.span) == _tokens(_HEAD, other_text, other.span)
    if isinstance(one, _TEXTS):
        return _tokens("", text, one.span) == _tokens("", other_text, other.span)
    return True


def _type(text: str, span: Span) -> list[str]:
    return [shown for _, shown in type_tokens(text, span.start, span.end)]


def _tokens(path: str, text: str, span: Span) -> list[str]:
    if path.endswith(_TYPE):
        return _type(text, span)
    found = [token.text for token in raw_tokens(text, span.start, span.end)]
    return [_capitals(word) for word in found] if path.endswith(_HEAD) else found


def _capitals(token: str) -> str:
    return token if token[-1] in "'\"`" else token.upper()
