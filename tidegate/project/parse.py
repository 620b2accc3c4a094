"""Source files come in; their statements, and what is wrong with them, go out."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from tidegate.catalog.diagnosis import diagnose
from tidegate.grammar.parser import ParsedFile, parse
from tidegate.project.files import Gathered
from tidegate.report.findings import Unhandled
from tidegate.report.statements import FileStatements, ParseResult
from tidegate.source.diagnostic import Diagnostic
from tidegate.source.text import LineIndex, SourceFile

if TYPE_CHECKING:
    from tidegate.source.hosts import Unread


def parse_files(gathered: Gathered) -> ParseResult:
    """Parse every file; what is broken in one harms no other."""
    from tidegate.linter.fingerprints import with_fingerprints  # noqa: PLC0415

    files = []
    unhandled = list(gathered.unhandled)
    for source in gathered.files:
        parsed = parse_noted(source)
        unhandled += unread_parts(parsed)
        found = sorted(_diagnostics(parsed), key=lambda each: (each.span, each.code))
        marked = tuple(with_fingerprints(found, parsed))
        files.append(FileStatements(parsed=parsed, diagnostics=_as_shown(marked, parsed.source)))
    return ParseResult(files=tuple(files), unhandled=tuple(unhandled), idle=gathered.idle)


def unread_parts(parsed: ParsedFile) -> list[Unhandled]:
    """Return what of a file could not be read."""
    lines = LineIndex(parsed.source.original)
    return [
        Unhandled(
            path=parsed.source.path,
            reason=f"{_place(each, lines)}: {each.reason}",
            help=each.help,
            is_partial=each.is_partial,
        )
        for each in parsed.unread
    ]


def _place(unread: "Unread", lines: LineIndex) -> str:
    """Say where something is: ``cell 2, line 8, column 12``, as far as that is known."""
    line, column = lines.locate(unread.offset)
    cell = f"cell {unread.cell}, " if unread.cell is not None else ""
    return f"{cell}line {line}" + (f", column {column}" if unread.is_exact else "")


def _as_shown(found: tuple[Diagnostic, ...], source: SourceFile) -> tuple[Diagnostic, ...]:
    if source.view is None:
        return found
    from tidegate.source.shown import as_shown  # noqa: PLC0415 - most files are their own view

    told = [as_shown(each, source) for each in found]
    return tuple(sorted(told, key=lambda each: (source.place(each.span), each.code)))


def parse_noted(source: SourceFile) -> ParsedFile:
    """Parse one file; should that ever raise, say which file it was."""
    try:
        return parse(source)
    except Exception as error:
        error.add_note(source.path)
        raise


def _diagnostics(parsed: ParsedFile) -> Iterator[Diagnostic]:
    path = parsed.source.path
    for fault in parsed.faults:
        yield diagnose(fault, path)
    for statement in parsed.statements:
        for fault in statement.faults:
            yield diagnose(fault, path)
