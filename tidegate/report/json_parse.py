"""Statements come in; the JSON document of ``parse`` goes out."""

import msgspec

from tidegate.grammar.nodes import ExpectClause, Statement, expectations_of, kind_of
from tidegate.report.json_output import DiagnosticShape, Document, diagnostic_shape
from tidegate.report.position import Position, Positions
from tidegate.report.statements import (
    ParseResult,
    action_written,
    count_statements,
    dialects_of,
    name_of,
    query_of,
    spelling_of,
)
from tidegate.report.terminal import readable_path
from tidegate.source.hosts import host_of
from tidegate.source.text import SourceFile

_IDLE = "it holds no pipeline SQL"


class UnhandledShape(msgspec.Struct, frozen=True, kw_only=True):
    """A file that could not be read, and why."""

    path: str
    reason: str


class ExpectationShape(msgspec.Struct, frozen=True, kw_only=True):
    """One expectation as written."""

    name: str | None
    predicate: str
    action: str | None
    start: Position
    end: Position


class StatementShape(msgspec.Struct, frozen=True, kw_only=True):
    """One statement as written."""

    kind: str
    name: str | None
    spelling: str
    start: Position
    end: Position
    query: str | None
    expectations: list[ExpectationShape]
    dialects: list[str]


class ParsedFileShape(msgspec.Struct, frozen=True, kw_only=True):
    """One file and its statements."""

    path: str
    host: str
    statements: list[StatementShape]
    diagnostics: list[DiagnosticShape]


class ParseSummary(msgspec.Struct, frozen=True, kw_only=True):
    """Counts over all files."""

    files: int
    statements: int
    expectations: int
    broken: int
    other: int
    templates: int
    unhandled: list[UnhandledShape]


class ParseDocument(Document, frozen=True, kw_only=True):
    """What ``parse`` puts out."""

    files: list[ParsedFileShape]
    summary: ParseSummary


def parse_document(result: ParseResult) -> ParseDocument:
    """Return the document of ``parse``."""
    positions = Positions(file.parsed.source for file in result.files)
    counts = count_statements(result)
    files = [
        ParsedFileShape(
            path=readable_path(file.parsed.source.path),
            host=host_of(file.parsed.source).value,
            statements=[
                _statement_shape(statement, file.parsed.source, positions)
                for statement in file.parsed.statements
            ],
            diagnostics=[diagnostic_shape(found, positions) for found in file.diagnostics],
        )
        for file in result.files
    ]
    unhandled = [
        UnhandledShape(path=readable_path(file.path), reason=file.reason)
        for file in result.unhandled
    ]
    unhandled += (UnhandledShape(path=readable_path(path), reason=_IDLE) for path in result.idle)
    summary = ParseSummary(
        files=len(files),
        statements=counts.statements,
        expectations=counts.expectations,
        broken=counts.broken,
        other=counts.other,
        templates=sum(file.parsed.is_template for file in result.files),
        unhandled=unhandled,
    )
    return ParseDocument(files=files, summary=summary)


def _statement_shape(
    statement: Statement, source: SourceFile, positions: Positions
) -> StatementShape:
    start, end = positions.ends(source.path, statement.span)
    query = query_of(statement)
    return StatementShape(
        kind=kind_of(statement).value,
        name=_spelled(name_of(statement), source),
        spelling=spelling_of(statement, source).value,
        start=start,
        end=end,
        query=source.slice(query.span) if query else None,
        expectations=[
            _expectation_shape(clause, source, positions) for clause in expectations_of(statement)
        ],
        dialects=[dialect.value for dialect in dialects_of(statement)],
    )


def _spelled(name: str | None, source: SourceFile) -> str | None:
    return None if name is None else source.spelled(name)


def _expectation_shape(
    clause: ExpectClause, source: SourceFile, positions: Positions
) -> ExpectationShape:
    start, end = positions.ends(source.path, clause.span)
    action = action_written(clause)
    return ExpectationShape(
        name=_spelled(clause.name.text if clause.name else None, source),
        predicate=source.slice(clause.predicate_span),
        action=action.value if action else None,
        start=start,
        end=end,
    )
