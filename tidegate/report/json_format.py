"""What was laid out comes in; the JSON document of it goes out."""

from collections import Counter
from collections.abc import Iterator

import msgspec

from tidegate.report.formatted import FileFormat, FormatResult
from tidegate.report.json_output import Document
from tidegate.report.json_parse import UnhandledShape
from tidegate.report.terminal import readable_path


class LeftShape(msgspec.Struct, frozen=True, kw_only=True):
    """How much of a file was left as it was written, and why."""

    reason: str
    count: int


class FormattedFileShape(msgspec.Struct, frozen=True, kw_only=True):
    """What became of one file."""

    path: str
    status: str
    left: list[LeftShape]


class FormatSummary(msgspec.Struct, frozen=True, kw_only=True):
    """How many files have which status."""

    files: int
    unchanged: int
    reformatted: int
    would_reformat: int
    left: int
    not_written: int
    unhandled: list[UnhandledShape]


class FormatDocument(Document, frozen=True, kw_only=True):
    """What ``format`` puts out."""

    files: list[FormattedFileShape]
    summary: FormatSummary


def format_document(result: FormatResult, *, writes: bool) -> FormatDocument:
    """Return the document of ``format``."""
    files = [
        FormattedFileShape(
            path=readable_path(file.before.path),
            status=_status(file, writes=writes),
            left=list(_left(file)),
        )
        for file in result.files
    ]
    for path in result.foreign:
        left = [LeftShape(reason="other_language", count=1)]
        files.append(FormattedFileShape(path=readable_path(path), status="left", left=left))
    numbers = Counter(file.status for file in files)
    summary = FormatSummary(
        files=len(files),
        unchanged=numbers["unchanged"],
        reformatted=numbers["reformatted"],
        would_reformat=numbers["would_reformat"],
        left=numbers["left"],
        not_written=numbers["not_written"],
        unhandled=[
            UnhandledShape(path=readable_path(each.path), reason=each.reason)
            for each in result.unhandled
        ],
    )
    return FormatDocument(files=files, summary=summary)


def _status(file: FileFormat, *, writes: bool) -> str:
    if file.is_unwritten:
        return "not_written"
    if file.is_changed:
        return "reformatted" if writes else "would_reformat"
    return "left" if file.is_left else "unchanged"


def _left(file: FileFormat) -> Iterator[LeftShape]:
    counts = file.counts
    reasons = {
        "faults": counts.broken,
        "template": counts.templates,
        "cannot_be_laid_out": counts.kept,
        "other_kind": counts.other,
        "not_proved": int(file.unproven is not None),
    }
    for reason, count in reasons.items():
        if count:
            yield LeftShape(reason=reason, count=count)
