"""What every JSON document shares: its version, its encoding, and the shape of a finding."""

import msgspec

from tidegate.report.position import Position, Positions
from tidegate.report.terminal import readable_path
from tidegate.source.diagnostic import Diagnostic
from tidegate.source.edit import Fix

SCHEMA_VERSION = 1


class Document(msgspec.Struct, frozen=True, kw_only=True):
    """What every document starts with."""

    schema_version: int = SCHEMA_VERSION


def encode(document: Document) -> bytes:
    """Return a document as UTF-8 with a line break at its end."""
    return msgspec.json.encode(document) + b"\n"


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
        fix=_fix_shape(found.fix, found.path, positions),
        fingerprint=found.fingerprint,
    )


def _fix_shape(fix: Fix | None, path: str, positions: Positions) -> FixShape | None:
    written = positions.file(path).host_edits(fix.edits) if fix else None
    if fix is None or written is None:
        return None
    edits = []
    for edit in written:
        start, end = positions.host_ends(path, edit.span)
        edits.append(EditShape(start=start, end=end, text=edit.text))
    return FixShape(title=fix.title, safety=fix.safety.value, edits=edits)
