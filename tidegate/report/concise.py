"""Findings come in; one line each goes out, as editors and ``grep`` read them."""

from collections.abc import Iterable, Iterator

from tidegate.report.position import Positions
from tidegate.report.terminal import Palette, visible
from tidegate.source.diagnostic import Diagnostic


def render_concise(
    diagnostics: Iterable[Diagnostic], positions: Positions, palette: Palette
) -> Iterator[str]:
    """Yield ``path:line:column: severity code name message`` for each finding."""
    for found in diagnostics:
        at = positions.at(found.path, found.span.start)
        place = f"{palette.strong}{visible(found.path)}{palette.reset}:{at.line}:{at.column}"
        severity = f"{palette.of(found.severity)}{found.severity.value}{palette.reset}"
        yield f"{place}: {severity} {found.code} {found.name} {visible(found.message)}\n"
