"""Statements come in; a list for people goes out, each with its expectations."""

from collections.abc import Iterator

from tidegate.grammar.nodes import ObjectKind, Statement, expectations_of, kind_of
from tidegate.report.counting import counted
from tidegate.report.full import render_full
from tidegate.report.position import Positions
from tidegate.report.statements import (
    FileStatements,
    ParseResult,
    StatementCounts,
    action_written,
    name_of,
)
from tidegate.report.terminal import Palette, visible
from tidegate.source.text import SourceFile

_LONGEST_PREDICATE = 200


def render_parse(result: ParseResult, palette: Palette) -> Iterator[str]:
    """Yield what each file holds, then what is wrong with it."""
    positions = Positions(file.parsed.source for file in result.files)
    for file in result.files:
        yield _heading(file, palette)
        for statement in file.parsed.statements:
            yield _statement(statement, file.parsed.source, positions, palette)
        if file.diagnostics:
            yield "\n"
            yield from render_full(file.diagnostics, positions, palette)


def _heading(file: FileStatements, palette: Palette) -> str:
    counts = StatementCounts()
    for statement in file.parsed.statements:
        counts.add(statement)
    parts = [
        counted(counts.statements, "statement"),
        counted(counts.expectations, "expectation"),
    ]
    if counts.other:
        parts.append(f"{counts.other} of other kinds")
    if counts.broken:
        parts.append(f"{counts.broken} broken")
    if file.parsed.is_template:
        parts.append("a template")
    path = visible(file.parsed.source.path)
    return f"{palette.strong}{path}{palette.reset}: {', '.join(parts)}\n"


def _statement(
    statement: Statement, source: SourceFile, positions: Positions, palette: Palette
) -> str:
    at = positions.at(source.path, statement.span.start)
    kind = kind_of(statement)
    name = source.spelled(name_of(statement) or "")
    color = palette.error if kind is ObjectKind.BROKEN else ""
    words = f"{color}{kind.value.replace('_', ' ')}{palette.reset if color else ''}"
    lines = [f"  {at.line}:{at.column}  {words}{'  ' + visible(name) if name else ''}"]
    clauses = expectations_of(statement)
    names = [
        visible(source.spelled(clause.name.text)) if clause.name else "(no name)"
        for clause in clauses
    ]
    longest = max(map(len, names), default=0)
    for clause, shown in zip(clauses, names, strict=True):
        action = action_written(clause)
        predicate = visible(" ".join(source.slice(clause.predicate_span).split()))
        if len(predicate) > _LONGEST_PREDICATE:
            predicate = predicate[:_LONGEST_PREDICATE] + "…"
        lines.append(
            f"        {shown:<{longest}}  {action.value if action else '?':<4}  {predicate}"
        )
    return "\n".join(lines) + "\n"
