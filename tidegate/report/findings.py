"""What ``check`` found: made by ``project``, shown by the renderers beside this file."""

from collections.abc import Iterator

import msgspec

from tidegate.linter.result import LintResult
from tidegate.source.diagnostic import Diagnostic, Severity
from tidegate.source.text import SourceFile


class Unhandled(msgspec.Struct, frozen=True, kw_only=True):
    """A file that could not be read: counted and named, never silently skipped."""

    path: str
    reason: str
    help: str
    is_partial: bool = False
    """Whether the rest of it was read."""


class CheckResult(msgspec.Struct, frozen=True, kw_only=True):
    """What was found in the files asked for, and what was left out."""

    lint: LintResult
    sources: tuple[SourceFile, ...]
    """Every file that was read; findings may point into files that were not asked for."""
    unhandled: tuple[Unhandled, ...] = ()

    @property
    def diagnostics(self) -> Iterator[Diagnostic]:
        """All findings, file by file, in the order of the text."""
        return (found for file in self.lint.files for found in file.diagnostics)

    def count(self, severity: Severity) -> int:
        """Return how many findings have a severity."""
        return sum(found.stands_for for found in self.diagnostics if found.severity is severity)
