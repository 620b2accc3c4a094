"""A flow comes in; what its clauses lack, or have twice, goes out as faults."""

from collections.abc import Iterator

from tidegate.grammar.nodes import (
    AutoCdc,
    CdcBody,
    CdcClause,
    CdcColumns,
    ColumnsToUpdate,
    CreateDataset,
    CreateFlow,
    IgnoreNullUpdates,
    InsertBody,
    KeysClause,
    PlaceholderCdc,
    ReplaceUsing,
    SequenceBy,
    Statement,
    StoredAs,
    TrackHistory,
)
from tidegate.grammar.recovery.stretch import insertion, safe, second_clause, syntax_fault
from tidegate.source.diagnostic import Fault
from tidegate.source.edit import Edit
from tidegate.source.span import Span

_SAID: dict[type[CdcClause], str] = {
    KeysClause: "KEYS",
    IgnoreNullUpdates: "IGNORE NULL UPDATES",
    SequenceBy: "SEQUENCE BY",
    CdcColumns: "COLUMNS",
    StoredAs: "STORED AS",
    TrackHistory: "TRACK HISTORY ON",
    ColumnsToUpdate: "COLUMNS TO UPDATE",
}


def judge_flow(text: str, statement: Statement) -> Iterator[Fault]:
    """Yield what is wrong with the clauses of a statement's flow, if it has one."""
    body: InsertBody | CdcBody | None = None
    if isinstance(statement, CreateDataset):
        body = statement.flow.body if statement.flow else None
    elif isinstance(statement, CreateFlow | AutoCdc):
        body = statement.body
    if isinstance(body, CdcBody):
        yield from _judge_clauses(text, body)
    elif body is not None and isinstance(body.replace, ReplaceUsing) and not body.replace.sequence:
        yield _missing("SEQUENCE BY", body.replace.span)


def _judge_clauses(text: str, body: CdcBody) -> Iterator[Fault]:
    first: dict[tuple[type[CdcClause], bool], CdcClause] = {}
    for clause in body.clauses:
        kind = type(clause)
        said = _SAID.get(kind)
        if said is None:
            continue
        key = kind, isinstance(clause, SequenceBy) and clause.system
        if key in first:
            yield second_clause(clause.span, first[key].span, f"a second {said} clause", said)
            continue
        first[key] = clause
        if isinstance(clause, KeysClause):
            yield from _bare_keys(text, clause)
        elif isinstance(clause, StoredAs):
            yield from _odd_type(text, clause)
    if any(isinstance(clause, PlaceholderCdc) for clause in body.clauses):
        return
    head = Span(body.span.start, body.source.span.end)
    for kind in (KeysClause, SequenceBy):
        if (kind, False) not in first:
            yield _missing(_SAID[kind], head)
    update = first.get((ColumnsToUpdate, False))
    ignore = first.get((IgnoreNullUpdates, False))
    if update and ignore:
        message = "COLUMNS TO UPDATE and IGNORE NULL UPDATES exclude each other"
        yield second_clause(update.span, ignore.span, message, "IGNORE NULL UPDATES")


def _bare_keys(text: str, clause: KeysClause) -> Iterator[Fault]:
    """Yield the fault of keys without parentheses around them."""
    columns = clause.columns.span
    if clause.columns.parenthesized or text[columns.start] in "${:?*":
        return
    edits = (insertion(columns.start, "("), insertion(columns.end, ")"))
    yield syntax_fault(
        columns,
        f"found `{text[columns.start : columns.end]}`, expected `(`: KEYS stand in parentheses",
        "put the keys in parentheses",
        safe("Put the keys in parentheses", *edits),
    )


def _odd_type(text: str, clause: StoredAs) -> Iterator[Fault]:
    """Yield the fault of an SCD type that is neither 1 nor 2, or stands in quotes."""
    written = clause.scd_type
    if written is None or written in ("1", "2") or written[:1] in ("$", "{", ":", "?"):
        return
    at = text.rfind(written, clause.span.start, clause.span.end)
    where = Span(at, at + len(written)) if at >= 0 else clause.span
    bare = written.strip("'\"")
    if bare in ("1", "2"):
        edit = Edit(where, bare)
        yield syntax_fault(
            where,
            f"found `{written}`, expected 1 or 2: the SCD type is a number",
            f"write `SCD TYPE {bare}`",
            safe("Remove the quotes", edit),
        )
    else:
        yield syntax_fault(
            where, f"there is no SCD type `{written}`", "write `SCD TYPE 1` or `SCD TYPE 2`"
        )


def _missing(said: str, where: Span) -> Fault:
    return Fault(
        name="missing-cdc-clause",
        span=where,
        message=f"{said} is missing",
        help="name the keys of a row" if said == "KEYS" else "say which column orders the changes",
    )
