"""Results come in; one JSON document each goes out, in the published shape."""

import msgspec

from tidegate.grammar.nodes import ExpectClause, Statement, kind_of
from tidegate.linter.result import NotAnalysed
from tidegate.model.outcome import DatasetOutcome, ErrorOutcome, RunOutcome
from tidegate.report.compiled import CompileResult, MappedLine
from tidegate.report.findings import CheckResult
from tidegate.report.position import Position, Positions
from tidegate.report.statements import (
    ParseResult,
    action_written,
    count_statements,
    dialects_of,
    expectations_of,
    name_of,
    query_of,
    spelling_of,
)
from tidegate.report.terminal import readable_path
from tidegate.source.diagnostic import Diagnostic, Severity
from tidegate.source.edit import Fix
from tidegate.source.text import SourceFile

SCHEMA_VERSION = 1


class Document(msgspec.Struct, frozen=True, kw_only=True):
    """What every document starts with."""

    schema_version: int = SCHEMA_VERSION


def encode(document: Document) -> bytes:
    """Return a document as UTF-8 with a line break at its end."""
    return msgspec.json.encode(document) + b"\n"


# ---------------------------------------------------------------- diagnostics


class RelatedShape(msgspec.Struct, frozen=True, kw_only=True):
    """Another place that explains a finding."""

    message: str
    path: str
    start: Position
    end: Position


class EditShape(msgspec.Struct, frozen=True, kw_only=True):
    """One replacement."""

    start: Position
    end: Position
    text: str


class FixShape(msgspec.Struct, frozen=True, kw_only=True):
    """Replacements that apply together."""

    title: str
    safety: str
    edits: list[EditShape]


class DiagnosticShape(msgspec.Struct, frozen=True, kw_only=True):
    """One finding."""

    code: str
    name: str
    severity: str
    message: str
    help: str | None
    path: str
    start: Position
    end: Position
    dataset: str | None
    constraint: str | None
    related: list[RelatedShape]
    fix: FixShape | None
    fingerprint: str


def diagnostic_shape(found: Diagnostic, positions: Positions) -> DiagnosticShape:
    """Return a finding with positions instead of offsets."""
    start, end = positions.ends(found.path, found.span)
    related = []
    for other in found.related:
        path = other.path or found.path
        first, last = positions.ends(path, other.span)
        shown = readable_path(path)
        related.append(RelatedShape(message=other.message, path=shown, start=first, end=last))
    return DiagnosticShape(
        code=found.code,
        name=found.name,
        severity=found.severity.value,
        message=found.message,
        help=found.help,
        path=readable_path(found.path),
        start=start,
        end=end,
        dataset=found.dataset,
        constraint=found.constraint,
        related=related,
        fix=_fix_shape(found.fix, found.path, positions) if found.fix else None,
        fingerprint=found.fingerprint,
    )


def _fix_shape(fix: Fix, path: str, positions: Positions) -> FixShape:
    edits = []
    for edit in fix.edits:
        start, end = positions.ends(path, edit.span)
        edits.append(EditShape(start=start, end=end, text=edit.text))
    return FixShape(title=fix.title, safety=fix.safety.value, edits=edits)


# ---------------------------------------------------------------- parse


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
            host="sql",
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
    summary = ParseSummary(
        files=len(files),
        statements=counts.statements,
        expectations=counts.expectations,
        broken=counts.broken,
        other=counts.other,
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
        name=name_of(statement),
        spelling=spelling_of(statement, source).value,
        start=start,
        end=end,
        query=source.slice(query.span) if query else None,
        expectations=[
            _expectation_shape(clause, source, positions) for clause in expectations_of(statement)
        ],
        dialects=[dialect.value for dialect in dialects_of(statement)],
    )


def _expectation_shape(
    clause: ExpectClause, source: SourceFile, positions: Positions
) -> ExpectationShape:
    start, end = positions.ends(source.path, clause.span)
    action = action_written(clause)
    return ExpectationShape(
        name=clause.name.text if clause.name else None,
        predicate=source.slice(clause.predicate_span),
        action=action.value if action else None,
        start=start,
        end=end,
    )


# ---------------------------------------------------------------- check


class NotAnalysedShape(msgspec.Struct, frozen=True, kw_only=True):
    """An expectation that was not judged by every selected rule, and why."""

    path: str
    dataset: str | None
    constraint: str | None
    start: Position
    end: Position
    reason: str


class SeverityCounts(msgspec.Struct, frozen=True, kw_only=True):
    """Findings by severity."""

    error: int
    warning: int
    info: int


class CheckedFileShape(msgspec.Struct, frozen=True, kw_only=True):
    """One file and its findings."""

    path: str
    diagnostics: list[DiagnosticShape]


class CheckSummary(msgspec.Struct, frozen=True, kw_only=True):
    """Counts over all files."""

    files: int
    statements: int
    expectations: int
    checked: int
    broken: int
    not_analysed: list[NotAnalysedShape]
    by_severity: SeverityCounts
    suppressed: int
    baselined: int


class CheckDocument(Document, frozen=True, kw_only=True):
    """What ``check`` puts out."""

    files: list[CheckedFileShape]
    summary: CheckSummary


def check_document(result: CheckResult) -> CheckDocument:
    """Return the document of ``check``."""
    positions = Positions(result.sources)
    lint = result.lint
    files = [
        CheckedFileShape(
            path=readable_path(file.path),
            diagnostics=[diagnostic_shape(found, positions) for found in file.diagnostics],
        )
        for file in lint.files
    ]
    summary = CheckSummary(
        files=len(files),
        statements=lint.statements,
        expectations=lint.expectations,
        checked=lint.checked,
        broken=lint.broken,
        not_analysed=[_not_analysed_shape(left, positions) for left in lint.not_analysed],
        by_severity=SeverityCounts(
            error=result.count(Severity.ERROR),
            warning=result.count(Severity.WARNING),
            info=result.count(Severity.INFO),
        ),
        suppressed=lint.suppressed,
        baselined=0,
    )
    return CheckDocument(files=files, summary=summary)


def _not_analysed_shape(left: NotAnalysed, positions: Positions) -> NotAnalysedShape:
    start, end = positions.ends(left.path, left.span)
    return NotAnalysedShape(
        path=readable_path(left.path),
        dataset=left.dataset,
        constraint=left.constraint,
        start=start,
        end=end,
        reason=left.reason,
    )


# ---------------------------------------------------------------- compile


class MappedLineShape(msgspec.Struct, frozen=True, kw_only=True):
    """A line of a generated file and the text it stands for."""

    line: int
    path: str
    start: Position
    end: Position


class CompiledFileShape(msgspec.Struct, frozen=True, kw_only=True):
    """One generated file."""

    path: str
    sha256: str
    source_map: list[MappedLineShape]


class CompiledDatasetShape(msgspec.Struct, frozen=True, kw_only=True):
    """One dataset of the job."""

    name: str
    gates: list[str]


class CompileDocument(Document, frozen=True, kw_only=True):
    """What ``compile`` puts out."""

    target: str
    files: list[CompiledFileShape]
    losses: list[DiagnosticShape]
    datasets: list[CompiledDatasetShape]


def compile_document(result: CompileResult) -> CompileDocument:
    """Return the document of ``compile``; where errors forbid a job they stand under ``losses``."""
    positions = Positions(result.sources)
    return CompileDocument(
        target=result.target,
        files=[
            CompiledFileShape(
                path=readable_path(file.path),
                sha256=file.sha256,
                source_map=[_mapped_shape(each, positions) for each in file.source_map],
            )
            for file in result.files
        ],
        losses=[diagnostic_shape(each, positions) for each in (*result.faults, *result.losses)],
        datasets=[
            CompiledDatasetShape(name=each.name, gates=list(each.gates)) for each in result.datasets
        ],
    )


def _mapped_shape(mapped: MappedLine, positions: Positions) -> MappedLineShape:
    start, end = positions.ends(mapped.path, mapped.span)
    return MappedLineShape(line=mapped.line, path=readable_path(mapped.path), start=start, end=end)


# ---------------------------------------------------------------- run


class RunDocument(Document, frozen=True, kw_only=True):
    """What ``run`` puts out; the shapes inside are those of the outcome."""

    update_id: str
    status: str
    started_at: str
    ended_at: str
    datasets: list[DatasetOutcome]
    errors: list[ErrorOutcome]


def run_document(outcome: RunOutcome) -> RunDocument:
    """Return the document of ``run``."""
    return RunDocument(
        update_id=outcome.update_id,
        status=outcome.status,
        started_at=outcome.started_at,
        ended_at=outcome.ended_at,
        datasets=outcome.datasets,
        errors=outcome.errors,
    )
