"""A statement that parses comes in; it goes out with what else is wrong with it."""

from bisect import bisect_right
from itertools import islice

import msgspec

from tidegate.grammar.attempts import Attempts
from tidegate.grammar.dialects import dialects_of
from tidegate.grammar.driver import Failure
from tidegate.grammar.nodes import (
    AlterTable,
    CreateDataset,
    ExpectClause,
    ExplainStatement,
    ListItem,
    Query,
    Statement,
)
from tidegate.grammar.outlines.queries import with_whole_query
from tidegate.grammar.recovery.actions import action_faults
from tidegate.grammar.recovery.brackets import bracket_fault
from tidegate.grammar.recovery.draft import Draft
from tidegate.grammar.recovery.item_repairs import repair_item
from tidegate.grammar.recovery.judging import judge, one_action
from tidegate.grammar.recovery.judging_flows import judge_flow
from tidegate.grammar.recovery.mending import mend
from tidegate.grammar.recovery.misplaced import (
    Segment,
    after_query,
    late_list_fault,
    misplaced_fault,
)
from tidegate.grammar.recovery.salvage import salvage_item
from tidegate.grammar.recovery.typography import plain_edits, typography_faults
from tidegate.source.diagnostic import Fault
from tidegate.source.span import Span

# More in one statement are written by no one.
_MOST_JUDGED = 1000
_BEHIND_QUERIES = ("EXPECT", "CONSTRAINT", "TBLPROPERTIES", "COMMENT", "CLUSTER")
_LACKS = frozenset(("missing-constraint-name", "unparenthesised-expectation"))


def finish(attempts: Attempts, statement: Statement) -> Statement:
    """Return the statement with all its faults, and its dialects."""
    dataset = statement.name.text if isinstance(statement, CreateDataset | AlterTable) else None
    if isinstance(statement, CreateDataset):
        statement = _finish_dataset(attempts, statement)
    elif isinstance(statement, ExplainStatement):
        inner = finish(attempts, statement.statement)
        attempts.faults = list(inner.faults)
        bare = msgspec.structs.replace(inner, faults=())
        statement = msgspec.structs.replace(statement, statement=bare)
    attempts.faults += islice(judge_flow(attempts.text, statement), _MOST_JUDGED)
    if hasattr(statement, "dialects"):
        statement = msgspec.structs.replace(statement, dialects=dialects_of(statement))
    if not attempts.faults:
        return statement
    return msgspec.structs.replace(statement, faults=in_order(attempts.faults, dataset))


def _finish_dataset(attempts: Attempts, statement: CreateDataset) -> CreateDataset:
    text = attempts.text
    statement, faults = with_whole_query(text, statement)
    attempts.faults += faults
    if (
        statement.query
        and _may_go_on(text, statement.query.span)
        and (tail := after_query(text, statement.query.span))
    ):
        query = Query(span=Span(statement.query.span.start, tail.query_end))
        shortened = msgspec.structs.replace(statement, query=query)
        statement = take_misplaced(attempts, shortened, tail.segments, tail.brackets)
    if statement.query and not attempts.faults:
        fault = bracket_fault(text, statement.query.span)
        attempts.faults += [fault] if fault else []
    if statement.query and (edits := plain_edits(text, *_bounds(statement.query.span))):
        attempts.faults += typography_faults(text, edits, is_mended=True)
    if late := late_list_fault(text, statement):
        attempts.faults.append(late)
    statement = _one_action_each(attempts, statement)
    for item in (*statement.items, *statement.misplaced):
        if isinstance(item, ExpectClause) and item.action is not None:
            attempts.faults += action_faults(item, text, statement.name.text)
    attempts.faults += islice(judge(text, statement), _MOST_JUDGED)
    if attempts.faults:
        items = (*statement.items, *statement.misplaced)
        attempts.faults = with_constraints(attempts.faults, items)
    return statement


def _one_action_each(attempts: Attempts, statement: CreateDataset) -> CreateDataset:
    """Take second actions off the expectations of a list."""
    items = list(statement.items)
    for place, item in enumerate(items):
        if isinstance(item, ExpectClause) and (single := one_action(attempts.text, item)):
            items[place], fault = single
            attempts.faults.append(fault)
    if items == list(statement.items):
        return statement
    return msgspec.structs.replace(statement, items=tuple(items))


def _may_go_on(text: str, query: Span) -> bool:
    """Tell whether a query holds a word that may stand behind queries: few hold any."""
    written = text[query.start : query.end].upper()
    return any(word in written for word in _BEHIND_QUERIES)


def _bounds(span: Span) -> tuple[int, int]:
    return span.start, span.end


def _with_one_action_each(attempts: Attempts, statement: CreateDataset) -> CreateDataset:
    items = list(statement.items)
    is_changed = False
    for place, item in enumerate(items):
        if isinstance(item, ExpectClause) and (found := one_action(attempts.text, item)):
            items[place], fault = found
            attempts.faults.append(
                msgspec.structs.replace(fault, constraint=item.name.text if item.name else None)
            )
            is_changed = True
    return msgspec.structs.replace(statement, items=tuple(items)) if is_changed else statement


def take_misplaced(
    attempts: Attempts,
    statement: CreateDataset,
    segments: tuple[Segment, ...],
    brackets: Span | None = None,
) -> CreateDataset:
    """Parse what is out of place, and say how to move it."""
    found, is_complete = read_segments(attempts, segments)
    attempts.faults.append(
        misplaced_fault(
            attempts.text, statement, segments, is_complete=is_complete, brackets=brackets
        )
    )
    return msgspec.structs.replace(statement, misplaced=(*statement.misplaced, *found))


def read_segments(
    attempts: Attempts, segments: tuple[Segment, ...]
) -> tuple[list[ExpectClause], bool]:
    """Return the expectations out of place, and whether all there parses."""
    found: list[ExpectClause] = []
    is_complete = True
    for segment in segments:
        span = segment.span
        if not segment.is_constraint:
            is_read = not isinstance(attempts.parse("clause", span.start, span.end), Failure)
            is_complete = is_complete and is_read
            continue
        if attempts.patience <= 0:
            is_complete = False
            clause = salvage_item(attempts.text, span, None)
            found += [clause] if clause else []
            continue
        mended = mend(attempts, "item", Draft(attempts.text, span), repair_item, where="item")
        # What it lacks besides its place is part of the one mistake, and of its mending.
        attempts.faults += (one for one in mended.faults if one.name not in _LACKS)
        whole = isinstance(mended.value, ExpectClause)
        is_complete = is_complete and whole and not any(one.fix for one in mended.faults)
        is_complete = is_complete and not any(one.name in _LACKS for one in mended.faults)
        if whole:
            found.append(mended.value)
        elif clause := salvage_item(attempts.text, span, attempts.read_body):
            found.append(clause)
    return found, is_complete


def in_order(faults: list[Fault], dataset: str | None) -> tuple[Fault, ...]:
    """Sort faults, name their dataset, and leave out what an unclosed quote explains."""
    opening = min((fault.span.start for fault in faults if _is_unclosed(fault)), default=None)
    if opening is not None:
        faults = [fault for fault in faults if not _is_explained(fault, opening, faults)]
    kept = [
        fault if fault.dataset or not dataset else msgspec.structs.replace(fault, dataset=dataset)
        for fault in faults
    ]
    # Splitter and lexer both see an unclosed quote; the fault that names a constraint says more.
    kept.sort(key=lambda fault: (fault.span, fault.message, fault.constraint is None))
    unique = {(fault.span, fault.message): fault for fault in reversed(kept)}
    return tuple(reversed(unique.values()))


def with_constraints(faults: list[Fault], items: tuple[ListItem, ...]) -> list[Fault]:
    """Name the constraint in whose predicate a fault stands."""
    bodies = sorted(
        (item.predicate_span, item.name.text)
        for item in items
        if isinstance(item, ExpectClause) and item.name and item.predicate is None
    )
    named: list[Fault] = []
    for fault in faults:
        place = bisect_right(bodies, fault.span.start, key=lambda body: body[0].start) - 1
        is_inside = place >= 0 and fault.span.start <= bodies[place][0].end
        constraint = bodies[place][1] if is_inside else None
        named.append(
            msgspec.structs.replace(fault, constraint=constraint)
            if constraint and fault.constraint is None
            else fault
        )
    return named


def _is_unclosed(fault: Fault) -> bool:
    """Tell an unclosed string, name or comment, behind which nothing is what it seems."""
    return fault.message.endswith("opened here is never closed") and not fault.message.startswith(
        ("the parenthesis", "the list")
    )


def _is_explained(fault: Fault, opening: int, faults: list[Fault]) -> bool:
    """Tell what a string, name or comment that never closes explains."""
    if fault.span.start > opening:
        return fault.name == "syntax-error"
    if fault.message.startswith("the list opened here"):
        return True
    # The comma before the item that a comment swallows.
    if not fault.message.startswith("found `,` without"):
        return False
    return not any(fault.span.start < one.span.start < opening for one in faults)
