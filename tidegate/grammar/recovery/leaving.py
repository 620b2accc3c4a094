"""Expectations that are left alone come in; each goes out with the reason."""

from collections.abc import Iterable, Sequence

import msgspec

from tidegate.grammar.nodes import (
    BrokenStatement,
    CreateDataset,
    ExpectClause,
    ExplainStatement,
    ListItem,
    Statement,
)
from tidegate.source.diagnostic import Fault
from tidegate.source.span import Span

_REASON = "its file has too many mistakes"


def left_alone(clauses: Iterable[ExpectClause]) -> tuple[ExpectClause, ...]:
    """Say of expectations without a predicate that nobody tried to read it."""
    return tuple(msgspec.structs.replace(clause, unknown=_REASON) for clause in clauses)


def with_reasons(statement: Statement, left: Sequence[int], *, is_told: bool) -> Statement:
    """Say of the predicates that start at some places why they are not read, and tell it once."""
    statement = _marked(statement, frozenset(left))
    if is_told:
        return statement
    fault = Fault(
        name="syntax-error",
        span=Span(left[0], left[0]),
        message="predicates from here on are not read: there are too many mistakes",
        help="mend those before first",
    )
    faults = sorted((*statement.faults, fault), key=lambda one: one.span)
    return msgspec.structs.replace(statement, faults=tuple(faults))


def _marked(statement: Statement, left: frozenset[int]) -> Statement:
    if isinstance(statement, ExplainStatement):
        inner = _marked(statement.statement, left)
        return msgspec.structs.replace(statement, statement=inner)
    if isinstance(statement, BrokenStatement):
        expectations = tuple(_marked_item(one, left) for one in statement.expectations)
        return msgspec.structs.replace(statement, expectations=expectations)
    if isinstance(statement, CreateDataset):
        return msgspec.structs.replace(
            statement,
            items=tuple(_marked_item(one, left) for one in statement.items),
            misplaced=tuple(_marked_item(one, left) for one in statement.misplaced),
        )
    return statement


def _marked_item(item: ListItem, left: frozenset[int]) -> ListItem:
    if not isinstance(item, ExpectClause) or item.predicate is not None or item.unknown:
        return item
    if item.predicate_span.start not in left:
        return item
    return msgspec.structs.replace(item, unknown=_REASON)
