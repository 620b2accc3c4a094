"""Statements that no plan holds: those that a run may leave alone, and those that it may not."""

import re
from collections.abc import Iterator

from tidegate.grammar.nodes import (
    AlterDataset,
    AlterTable,
    AutoCdc,
    CreateDataset,
    CreateFlow,
    CreateFunction,
    DropStatement,
    ExplainStatement,
    ObjectKind,
    OtherStatement,
    RefreshStatement,
    Spelling,
    Statement,
)
from tidegate.grammar.parser import ParsedFile
from tidegate.model.pipeline import LocatedFault
from tidegate.source.diagnostic import Fault
from tidegate.transpiler.plan import Skipped

# A flow whose body is a placeholder is not read, but would fill its target all the same.
_UNREAD = re.compile(r"CREATE\s+(?:SINK|FLOW)\b", re.IGNORECASE)


def skipped(file: ParsedFile) -> Iterator[Skipped]:
    """List the statements that make nothing an update would have to make."""
    for statement in file.statements:
        reason = _reason(file, statement)
        if reason is not None:
            yield Skipped(
                source=file.source,
                span=statement.span,
                what=" ".join(file.source.slice(statement.span).split()[:5]),
                reason=reason,
            )


def refused(file: ParsedFile) -> Iterator[LocatedFault]:
    """Name the statements without which the tables would not be what the pipeline says."""
    for statement in file.statements:
        flow = _flow_of(file, statement)
        if flow is not None:
            yield LocatedFault(
                file.source,
                Fault(
                    name="not-supported",
                    span=statement.span,
                    message=f"{flow} is not run yet, so that its target would lack rows",
                    help="give the target a query with AS SELECT, or leave this file out",
                ),
            )


def _reason(file: ParsedFile, statement: Statement) -> str | None:
    match statement:
        case CreateDataset(kind=ObjectKind.TABLE) | AlterTable():
            return "it defines a plain table, which is no part of a pipeline's update"
        case OtherStatement() if _flow_of(file, statement) is None:
            return "it makes no dataset"
        case (
            AlterDataset()
            | CreateFunction()
            | DropStatement()
            | ExplainStatement()
            | RefreshStatement()
        ):
            return "it makes no dataset"
        case _:
            return None


def _flow_of(file: ParsedFile, statement: Statement) -> str | None:
    match statement:
        case CreateFlow():
            return "CREATE FLOW"
        case AutoCdc():
            legacy = statement.body.spelling is Spelling.LEGACY
            return "APPLY CHANGES" if legacy else "AUTO CDC"
        case OtherStatement():
            span = statement.span
            found = _UNREAD.match(file.source.text, span.start, span.end)
            return " ".join(found[0].upper().split()) if found is not None else None
        case _:
            return None
