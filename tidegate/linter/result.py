"""What a lint run found, and what it judged."""

from collections import Counter
from collections.abc import Iterable

import msgspec

from tidegate.source.diagnostic import Diagnostic, Severity
from tidegate.source.span import Span


class NotAnalysed(msgspec.Struct, frozen=True, kw_only=True):
    """An expectation that no rule could judge, and why."""

    path: str
    dataset: str | None
    constraint: str | None
    span: Span
    reason: str


class FileFindings(msgspec.Struct, frozen=True, kw_only=True):
    """The findings of one file, in the order of the text."""

    path: str
    diagnostics: tuple[Diagnostic, ...]
    suppressed: int = 0
    """How many more there were that comments suppress."""


class LintResult(msgspec.Struct, frozen=True, kw_only=True):
    """Findings per file, and the counts under which they are to be read."""

    files: tuple[FileFindings, ...]
    statements: int
    expectations: int
    checked: int
    """Expectations whose predicate was parsed and judged by all selected rules."""
    broken: int
    """Statements that do not parse as a whole."""
    other: int
    """Statements of kinds that are not read."""
    suppressed: int
    not_analysed: tuple[NotAnalysed, ...]
    templates: int = 0
    """Files that a template engine makes SQL of first."""

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """The findings of all files."""
        return tuple(each for file in self.files for each in file.diagnostics)

    @property
    def by_severity(self) -> dict[Severity, int]:
        """How many findings there are of each severity."""
        counted = Counter[Severity]()
        for each in self.diagnostics:
            counted[each.severity] += each.stands_for
        return {severity: counted[severity] for severity in Severity}

    @property
    def not_shown(self) -> int:
        """How many findings are counted, but not shown one by one."""
        return sum(each.stands_for for each in self.diagnostics if each.stands_for > 1)


def merged(results: Iterable[LintResult]) -> LintResult:
    """Add up the results of several pipelines."""
    parts = tuple(results)
    return LintResult(
        files=tuple(file for part in parts for file in part.files),
        statements=sum(part.statements for part in parts),
        expectations=sum(part.expectations for part in parts),
        checked=sum(part.checked for part in parts),
        broken=sum(part.broken for part in parts),
        other=sum(part.other for part in parts),
        suppressed=sum(part.suppressed for part in parts),
        not_analysed=tuple(each for part in parts for each in part.not_analysed),
        templates=sum(part.templates for part in parts),
    )
