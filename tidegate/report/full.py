"""Findings come in; each goes out with its source line, carets, help and fix."""

from collections.abc import Iterable, Iterator

from tidegate.report.position import Positions
from tidegate.report.snippet import snippet
from tidegate.report.terminal import Palette, visible
from tidegate.source.diagnostic import Diagnostic, Related
from tidegate.source.edit import Safety


def render_full(
    diagnostics: Iterable[Diagnostic], positions: Positions, palette: Palette
) -> Iterator[str]:
    """Yield a paragraph for each finding, with an empty line after it."""
    for found in diagnostics:
        yield "\n".join(_paragraph(found, positions, palette)) + "\n\n"


def _paragraph(found: Diagnostic, positions: Positions, palette: Palette) -> Iterator[str]:
    color = palette.of(found.severity)
    yield (
        f"{color}{found.severity.value}[{found.code}]{palette.reset} "
        f"{palette.strong}{found.name}: {visible(found.message)}{palette.reset}"
    )
    at = positions.at(found.path, found.span.start)
    yield f"{palette.dim}  -->{palette.reset} {visible(found.path)}:{at.line}:{at.column}"
    yield from snippet(positions, found.path, found.span, palette, color)
    for other in found.related:
        yield _remark("note", _place(other, found.path, positions), palette)
    if subject := _subject(found):
        yield _remark("in", subject, palette)
    if found.help:
        yield _remark("help", visible(found.help), palette)
    if found.fix:
        kind = "fix" if found.fix.safety is Safety.SAFE else "unsafe fix"
        yield _remark(kind, visible(found.fix.title), palette)


def _remark(kind: str, text: str, palette: Palette) -> str:
    return f"{palette.dim}   ={palette.reset} {palette.strong}{kind}:{palette.reset} {text}"


def _subject(found: Diagnostic) -> str:
    parts = []
    if found.constraint:
        parts.append(f"expectation `{visible(found.constraint)}`")
    if found.dataset:
        parts.append(f"dataset `{visible(found.dataset)}`")
    return " of ".join(parts)


def _place(related: Related, path: str, positions: Positions) -> str:
    file = related.path or path
    at = positions.at(file, related.span.start)
    return f"{visible(related.message)} ({visible(file)}:{at.line}:{at.column})"
