"""Findings with fixes come in; files with as many of them applied as fit go out."""

from bisect import bisect_right, insort
from collections.abc import Callable, Iterable, Sequence, Set

import msgspec

from tidegate.grammar.nodes import BrokenStatement, expectations_of
from tidegate.grammar.parser import ParsedFile, parse
from tidegate.linter.result import LintResult
from tidegate.source.diagnostic import Diagnostic
from tidegate.source.edit import Edit, Fix, Safety, apply_edits
from tidegate.source.span import Span
from tidegate.source.text import SourceFile

MAX_ROUNDS = 10
"""Fixes that still find work after so many rounds fight each other; then they stop."""


MAX_ATTEMPTS = 100
"""How many times a round may parse a file to find the fixes that harm it."""


class FixResult(msgspec.Struct, frozen=True, kw_only=True):
    """Files after their fixes."""

    files: tuple[ParsedFile, ...]
    """In the order given; a file that no fix changed is the one that came in."""
    result: LintResult
    """What is found in them now."""
    applied: tuple[Diagnostic, ...]
    """What was fixed, in the order of the fixes."""


def fix_until_stable(
    files: Sequence[ParsedFile],
    lint_again: Callable[[Sequence[ParsedFile]], LintResult],
    allowed: Set[Safety],
) -> FixResult:
    """Apply allowed fixes, look again, and repeat until none is left.

    The findings of ``lint_again`` are matched to the files by their path.
    """
    current = list(files)
    result = lint_again(current)
    applied: list[Diagnostic] = []
    for _ in range(MAX_ROUNDS):
        by_path = {each.path: each.diagnostics for each in result.files}
        done: list[Diagnostic] = []
        for at, file in enumerate(current):
            current[at], fixed = fix_once(file, by_path.get(file.source.path, ()), allowed)
            done += fixed
        if not done:
            break
        applied += done
        result = lint_again(current)
    return FixResult(files=tuple(current), result=result, applied=tuple(applied))


def fix_once(
    file: ParsedFile, findings: Iterable[Diagnostic], allowed: Set[Safety]
) -> tuple[ParsedFile, list[Diagnostic]]:
    """Apply the allowed fixes that do not touch each other.

    They stay only if the text then parses at least as well as before; where it does not, halves of
    them are tried, and halves of these, as often as :data:`MAX_ATTEMPTS` allows.
    """
    chosen = _apart(
        file.source, (each for each in findings if each.fix and each.fix.safety in allowed)
    )
    if not chosen:
        return file, []
    best, kept = file, list[Diagnostic]()
    waiting = [chosen]
    for _ in range(MAX_ATTEMPTS):
        if not waiting:
            break
        part = waiting.pop()
        attempt = _edited(file, [*kept, *part])
        if _parses_as_well(attempt, best):
            best = attempt
            kept += part
        elif len(part) > 1:
            half = len(part) // 2
            waiting += (part[half:], part[:half])
    return best, kept


def _apart(source: SourceFile, findings: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Choose the fixes of which none touches an earlier one; several may share an edit.

    Edits meet in the file: what a program uses twice stands in its text once.
    """
    chosen: list[Diagnostic] = []
    taken = _Taken()
    for finding in findings:
        written = _host_edits(source, finding.fix) if finding.fix else ()
        edits = [each for each in written if each not in taken.edits]
        if not any(taken.touches(each.span) for each in edits):
            chosen.append(finding)
            taken.add(edits)
    return chosen


class _Taken:
    """The edits that are to be made, and where they stand."""

    __slots__ = ("_spans", "edits")

    def __init__(self) -> None:
        self.edits: set[Edit] = set()
        self._spans: list[Span] = []
        """In order; none overlaps another, so that their ends are in order too."""

    def touches(self, span: Span) -> bool:
        """Tell whether an edit of this span would touch one of them.

        To meet counts too: text inserted where another edit ends has no sure place.
        """
        behind = bisect_right(self._spans, span.end, key=lambda each: each.start)
        return behind > 0 and self._spans[behind - 1].end >= span.start

    def add(self, edits: Iterable[Edit]) -> None:
        """Take further ones."""
        for each in edits:
            self.edits.add(each)
            insort(self._spans, each.span)


def _edited(file: ParsedFile, findings: Iterable[Diagnostic]) -> ParsedFile:
    source = file.source
    edits = {edit for each in findings if each.fix for edit in _host_edits(source, each.fix)}
    if "\r\n" in source.original:
        edits = {Edit(each.span, _with_windows_ends(each.text)) for each in edits}
    return parse(SourceFile(path=source.path, text=apply_edits(source.original, edits)))


def _host_edits(source: SourceFile, fix: Fix) -> tuple[Edit, ...]:
    """Return the edits of a fix as edits of the file."""
    return source.host_edits(fix.edits) or ()


def _with_windows_ends(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\n", "\r\n")


def _parses_as_well(new: ParsedFile, old: ParsedFile) -> bool:
    return all(after <= before for after, before in zip(_damage(new), _damage(old), strict=True))


def _damage(file: ParsedFile) -> tuple[int, int, int]:
    """Count broken statements, faults, and (negative) expectations that can be read."""
    clauses = [each for statement in file.statements for each in expectations_of(statement)]
    readable = sum(each.predicate is not None for each in clauses)
    broken = sum(isinstance(each, BrokenStatement) for each in file.statements)
    faults = len(file.faults) + len(file.unread) + sum(len(each.faults) for each in file.statements)
    return broken, faults, -readable
