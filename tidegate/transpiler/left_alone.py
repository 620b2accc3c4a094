"""Statements that no plan holds: those that a run may leave alone, and those that it may not."""

import re
from collections.abc import Iterator

from tidegate.grammar.nodes import AlterTable, CreateDataset, ObjectKind, OtherStatement, Statement
from tidegate.grammar.parser import ParsedFile
from tidegate.model.pipeline import LocatedFault
from tidegate.source.diagnostic import Fault
from tidegate.transpiler.plan import Skipped

_FLOW = re.compile(r"(CREATE\s+FLOW|APPLY\s+CHANGES|AUTO\s+CDC|CREATE\s+SINK)\b", re.IGNORECASE)


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
        case _:
            return None


def _flow_of(file: ParsedFile, statement: Statement) -> str | None:
    if not isinstance(statement, OtherStatement):
        return None
    found = _FLOW.match(file.source.text, statement.span.start, statement.span.end)
    return " ".join(found[1].upper().split()) if found is not None else None
