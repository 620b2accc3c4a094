"""A statement that does not parse comes in; what could be saved of it goes out."""

import msgspec

from tidegate.grammar.actions import action_faults
from tidegate.grammar.attempts import Attempts
from tidegate.grammar.driver import Failure
from tidegate.grammar.finishing import (
    finish,
    in_order,
    read_segments,
    take_misplaced,
    with_constraints,
)
from tidegate.grammar.messages import explain, extra_comma, missing_comma
from tidegate.grammar.nodes import (
    BrokenStatement,
    CreateDataset,
    ExpectClause,
    ListItem,
    ObjectKind,
    Query,
    Statement,
)
from tidegate.grammar.recovery import Parts, take_apart
from tidegate.grammar.salvage import salvage_item
from tidegate.source.span import Span


def recover(
    attempts: Attempts, failure: Failure, kind: ObjectKind | None, begin: int, end: int
) -> Statement:
    """Take a statement apart, and return it as whole as its parts make it."""
    text = attempts.text
    parts = take_apart(text, begin, end)
    known = len(attempts.faults)
    items = _read_items(attempts, parts)
    shell = attempts.parse("statement", begin, end, parts.holes)
    if isinstance(shell, CreateDataset):
        whole = msgspec.structs.replace(
            shell, items=tuple(items), list_span=parts.list_span, span=Span(begin, end)
        )
        if parts.misplaced:
            whole = take_misplaced(attempts, whole, parts.misplaced)
        if len(attempts.faults) == known:
            attempts.faults.append(explain(failure, text, where="statement"))
        return finish(attempts, whole)
    if len(attempts.faults) == known:
        worst = shell if isinstance(shell, Failure) else failure
        attempts.faults.append(explain(worst, text, where="statement"))
    outside, _ = read_segments(attempts, parts.misplaced)
    inside = (item for item in items if isinstance(item, ExpectClause))
    expectations = tuple(sorted((*inside, *outside), key=lambda clause: clause.span))
    name = parts.name.text if parts.name else None
    for item in expectations:
        attempts.faults += action_faults(item, text, name)
    return BrokenStatement(
        span=Span(begin, end),
        kind=kind,
        name=parts.name,
        expectations=expectations,
        query=Query(span=parts.query) if parts.query else None,
        faults=in_order(with_constraints(attempts.faults, expectations), name),
    )


def _read_items(attempts: Attempts, parts: Parts) -> list[ListItem]:
    """Parse each item alone; an item that only goes on with a broken one is not reported."""
    items: list[ListItem] = []
    failed_before = False
    for piece in parts.items:
        if piece.extra_comma is not None:
            attempts.faults.append(extra_comma(piece.extra_comma))
            continue
        if piece.missing_comma_at is not None:
            attempts.faults.append(missing_comma(piece.missing_comma_at))
        known = len(attempts.faults)
        result = attempts.parse("item", piece.start, piece.end)
        if isinstance(result, Failure):
            del attempts.faults[known:]
            opens = attempts.text[piece.start : piece.start + 10].upper() == "CONSTRAINT"
            if opens or not failed_before:
                attempts.faults.append(explain(result, attempts.text, where="item"))
            failed_before = True
            span = Span(piece.start, piece.end)
            if clause := salvage_item(attempts.text, span, attempts.read_body):
                items.append(clause)
            continue
        failed_before = False
        items.append(result)
    if parts.fault:
        attempts.faults.append(parts.fault)
    return items
