"""What was laid out comes in; sentences about it go out."""

from collections.abc import Iterator

import msgspec

from tidegate.grammar.formatting.formatter import Formatted
from tidegate.report.counting import counted
from tidegate.report.findings import Unhandled
from tidegate.report.terminal import visible
from tidegate.source.text import SourceFile


class FileFormat(msgspec.Struct, frozen=True, kw_only=True):
    """A file as it was read, and its text in the canonical layout."""

    before: SourceFile
    text: str
    counts: Formatted
    """What of it was left as it was written."""
    unproven: str | None = None
    """Why its new text was thrown away: what would not have been the same."""
    is_unwritten: bool = False
    """Whether it could not be written, and is as it was."""

    @property
    def is_changed(self) -> bool:
        """Whether the layout is another than the file's."""
        return self.text != self.before.original

    @property
    def is_left(self) -> bool:
        """Whether it stays as it is because something in it could not be laid out."""
        counts = self.counts
        has_more = counts.broken or counts.kept or counts.templates or self.unproven
        return not self.is_changed and bool(has_more)

    @property
    def after(self) -> SourceFile:
        """The file with its new text."""
        return SourceFile(path=self.before.path, text=self.text)


class FormatResult(msgspec.Struct, frozen=True, kw_only=True):
    """All files of a call."""

    files: tuple[FileFormat, ...]
    foreign: tuple[str, ...]
    """Files of other languages, which are not laid out."""
    unhandled: tuple[Unhandled, ...] = ()


def render_changed(result: FormatResult) -> Iterator[str]:
    """Yield a line for each file that would change."""
    for file in result.files:
        if file.is_changed:
            yield f"would reformat {visible(file.before.path)}\n"


def summarize_format(result: FormatResult, *, writes: bool) -> Iterator[str]:
    """Yield sentences about what changed and what was left as it is."""
    for file in result.files:
        counts = file.counts
        path = visible(file.before.path)
        if counts.broken:
            what = counted(counts.broken, "statement")
            yield f"{path}: left as written: {what} with faults, which `tidegate check` shows"
        if counts.templates:
            yield f"{path}: left as written: it is a template"
        if counts.kept:
            what = counted(counts.kept, "statement")
            yield f"{path}: left as written: {what} that cannot be laid out"
    others = sum(file.counts.other for file in result.files)
    if others:
        yield f"left as written: {counted(others, 'statement')} of other kinds"
    if result.foreign:
        yield f"not formatted: {counted(len(result.foreign), 'file')} of other languages"
    unwritten = sum(file.is_unwritten for file in result.files)
    changed = sum(file.is_changed for file in result.files) - unwritten
    left = sum(file.is_left for file in result.files)
    numbers = {
        "reformatted" if writes else "would be reformatted": changed,
        "not written": unwritten,
        "left as written": left,
        "already formatted": len(result.files) - changed - unwritten - left,
    }
    if result.files:
        parts = (f"{counted(number, 'file')} {done}" for done, number in numbers.items() if number)
        yield ", ".join(parts)
