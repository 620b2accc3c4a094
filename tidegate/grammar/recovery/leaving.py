"""Expectations that are left alone come in; each goes out with the reason."""

from collections.abc import Iterable

import msgspec

from tidegate.grammar.nodes import ExpectClause

_REASON = "its file has too many mistakes"


def left_alone(clauses: Iterable[ExpectClause]) -> tuple[ExpectClause, ...]:
    """Say of expectations without a predicate that nobody tried to read it."""
    return tuple(msgspec.structs.replace(clause, unknown=_REASON) for clause in clauses)
