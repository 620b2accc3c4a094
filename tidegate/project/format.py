"""Files come in; the same in the canonical layout, and what stays as it is, goes out."""

import msgspec

from tidegate.grammar.formatting.formatter import Formatted, Layout, format_file
from tidegate.grammar.formatting.proof import unproven
from tidegate.grammar.parser import ParsedFile
from tidegate.project.files import Gathered
from tidegate.project.parse import parse_noted
from tidegate.report.formatted import FileFormat, FormatResult
from tidegate.source.text import SourceFile, holds_python


def format_files(gathered: Gathered, options: Layout) -> FormatResult:
    """Lay every file of SQL out; nothing is written yet."""
    files: list[FileFormat] = []
    foreign: list[str] = []
    for source in gathered.files:
        if not holds_python(source):
            files.append(_format(source, options))
        else:
            foreign.append(source.path)
    return FormatResult(files=tuple(files), foreign=tuple(foreign), unhandled=gathered.unhandled)


def _format(source: SourceFile, options: Layout) -> FileFormat:
    # In a notebook only the cells of plain SQL are laid out: to SQL, the others are comments.
    before = parse_noted(source)
    try:
        return proven(source, before, format_file(before, options), options)
    except Exception as error:
        error.add_note(source.path)
        raise


def proven(source: SourceFile, before: ParsedFile, made: Formatted, options: Layout) -> FileFormat:
    """Return the new text only if it says the same as the old one."""
    differs = None
    if made.text != source.original:
        after = parse_noted(SourceFile(path=source.path, text=made.text))
        differs = unproven(before, after, queries=options.queries)
    return FileFormat(
        before=source,
        text=source.original if differs else made.text,
        counts=msgspec.structs.replace(made, text=""),
        unproven=differs,
    )
