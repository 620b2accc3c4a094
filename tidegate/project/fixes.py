"""Findings with fixes come in; new text goes out."""

from collections.abc import Iterable

import msgspec

from tidegate.source.diagnostic import Diagnostic
from tidegate.source.edit import Edit, Safety, apply_edits
from tidegate.source.text import SourceFile


class Fixed(msgspec.Struct, frozen=True):
    """A file after one round of fixes, and how many were applied."""

    source: SourceFile
    applied: int


def apply_fixes(
    source: SourceFile, diagnostics: Iterable[Diagnostic], allowed: frozenset[Safety]
) -> Fixed:
    """Apply every allowed fix that touches no earlier one; the rest wait for another round."""
    taken: list[Edit] = []
    applied = 0
    for found in diagnostics:
        if found.fix is None or found.fix.safety not in allowed or not found.fix.edits:
            continue
        edits = [edit for edit in found.fix.edits if edit not in taken]
        if any(_touches(edit, other) for edit in edits for other in taken):
            continue
        taken += edits
        applied += 1
    if not taken:
        return Fixed(source, 0)
    if "\r\n" in source.text:
        taken = [Edit(edit.span, _as_windows(edit.text)) for edit in taken]
    text = apply_edits(source.text, taken)
    return Fixed(SourceFile(path=source.path, text=text), applied)


def _touches(edit: Edit, other: Edit) -> bool:
    return edit.span.start <= other.span.end and other.span.start <= edit.span.end


def _as_windows(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\n", "\r\n")


def unified_diff(before: SourceFile, after: SourceFile) -> str:
    """Return the difference as a patch that ``git apply`` and ``patch`` take."""
    from difflib import unified_diff as compare  # noqa: PLC0415

    name = before.path.lstrip("/")
    lines = []
    for line in compare(_lines(before.text), _lines(after.text), f"a/{name}", f"b/{name}"):
        lines.append(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n")
    return "".join(lines)


def _lines(text: str) -> list[str]:
    # Only line feeds end a line here; str.splitlines knows ten more characters.
    *whole, last = text.split("\n")
    return [f"{line}\n" for line in whole] + ([last] if last else [])
