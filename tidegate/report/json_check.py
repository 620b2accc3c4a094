"""A check's result comes in; its JSON document goes out."""

import msgspec

from tidegate.linter.result import NotAnalysed
from tidegate.report.findings import CheckResult
from tidegate.report.json_output import DiagnosticShape, Document, diagnostic_shape
from tidegate.report.position import Position, Positions
from tidegate.report.terminal import readable_path
from tidegate.source.diagnostic import Severity


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
    templates: int
    not_shown: int


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
        templates=lint.templates,
        not_shown=lint.not_shown,
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
