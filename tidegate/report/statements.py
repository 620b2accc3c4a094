"""What ``parse`` read: made by ``project``, shown by the renderers beside this file."""

import msgspec

from tidegate.grammar.dialects import dialects_of as accepting
from tidegate.grammar.nodes import (
    AlterDataset,
    AlterTable,
    AutoCdc,
    BrokenStatement,
    CdcBody,
    CreateDataset,
    CreateFlow,
    CreateFunction,
    Dialect,
    DropStatement,
    ExpectClause,
    InsertBody,
    ObjectKind,
    QualifiedName,
    Query,
    RefreshStatement,
    Spelling,
    Statement,
    expectations_of,
    kind_of,
)
from tidegate.grammar.parser import ParsedFile
from tidegate.model.binding import action_of
from tidegate.model.pipeline import Action
from tidegate.report.findings import Unhandled
from tidegate.source.diagnostic import Diagnostic
from tidegate.source.text import SourceFile


class FileStatements(msgspec.Struct, frozen=True, kw_only=True):
    """One file, its statements, and what is wrong with them."""

    parsed: ParsedFile
    diagnostics: tuple[Diagnostic, ...]


class ParseResult(msgspec.Struct, frozen=True, kw_only=True):
    """All files that were parsed, and those that could not be read."""

    files: tuple[FileStatements, ...]
    unhandled: tuple[Unhandled, ...] = ()
    idle: tuple[str, ...] = ()
    """Files that hold nothing for us."""


def name_of(statement: Statement) -> str | None:
    """Return the name of what a statement makes or alters, without backticks and ``LIVE``."""
    match statement:
        case (
            CreateDataset()
            | AlterTable()
            | AlterDataset()
            | CreateFlow()
            | CreateFunction()
            | RefreshStatement()
            | DropStatement()
        ):
            return _plain(statement.name)
        case AutoCdc():
            return _plain(statement.body.target) if statement.body.target else None
        case BrokenStatement():
            return _plain(statement.name) if statement.name else None
        case _:
            return None


def _plain(name: QualifiedName) -> str:
    parts = [part.text for part in name.parts]
    if len(parts) > 1 and parts[0].casefold() == "live":
        del parts[0]
    return ".".join(parts)


def action_written(clause: ExpectClause) -> Action | None:
    """Return the action of an expectation; ``None`` when its words name none."""
    if clause.action is None and clause.violation_span is not None:
        return None
    return action_of(clause.action)


def query_of(statement: Statement) -> Query | None:
    """Return the query of a statement, if it has one, that of a flow included."""
    match statement:
        case CreateDataset(flow=None) | BrokenStatement():
            return statement.query
        case CreateDataset(flow=flow) if flow is not None:
            return _query_of(flow.body)
        case CreateFlow() | AutoCdc():
            return _query_of(statement.body)
        case _:
            return None


def _query_of(body: InsertBody | CdcBody) -> Query | None:
    return body.query if isinstance(body, InsertBody) else None


def dialects_of(statement: Statement) -> tuple[Dialect, ...]:
    """Return the dialects that know a statement."""
    known: tuple[Dialect, ...] | None = getattr(statement, "dialects", None)
    return accepting(statement) if known is None else known


def spelling_of(statement: Statement, source: SourceFile) -> Spelling:
    """Return whether a statement is written with ``LIVE``, a broken one judged by its head."""
    if isinstance(statement, CreateDataset):
        return statement.spelling
    if isinstance(statement, CreateFlow | AutoCdc) and isinstance(statement.body, CdcBody):
        return statement.body.spelling
    if isinstance(statement, BrokenStatement) and statement.name is not None:
        head = source.text[statement.span.start : statement.name.span.start]
        if "LIVE" in head.upper().split():
            return Spelling.LEGACY
    return Spelling.CURRENT


class StatementCounts(msgspec.Struct):
    """How much of what was read."""

    statements: int = 0
    expectations: int = 0
    broken: int = 0
    other: int = 0

    def add(self, statement: Statement) -> None:
        """Count one more statement."""
        kind = kind_of(statement)
        self.statements += 1
        self.expectations += len(expectations_of(statement))
        self.broken += kind is ObjectKind.BROKEN
        self.other += kind is ObjectKind.OTHER


def count_statements(result: ParseResult) -> StatementCounts:
    """Count the statements of all files."""
    counts = StatementCounts()
    for file in result.files:
        for statement in file.parsed.statements:
            counts.add(statement)
    return counts
