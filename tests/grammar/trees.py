"""Shows a parsed file as text, for people to read and for tests to compare."""

from enum import Enum
from pathlib import Path
from typing import Any

import msgspec

from tidegate.grammar.parser import ParsedFile
from tidegate.source.diagnostic import Fault
from tidegate.source.span import Span

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"


def render_tree(parsed: ParsedFile) -> str:
    """Show the statements, a line for each node: its class, its text, its plain fields."""
    lines: list[str] = []
    for statement in parsed.statements:
        _render(statement, parsed.source.text, 0, lines)
    return "\n".join(lines) + "\n"


def _render(node: Any, text: str, depth: int, lines: list[str]) -> None:
    plain: list[str] = []
    inner: list[Any] = []
    for field in msgspec.structs.fields(node):
        value = getattr(node, field.name)
        if field.name in ("span", "faults") or value in (None, ()):
            continue
        if isinstance(value, Span):
            plain.append(f"{field.name}={_slice(text, value)!r}")
        elif isinstance(value, msgspec.Struct):
            inner.append(value)
        elif isinstance(value, tuple) and isinstance(value[0], msgspec.Struct):
            inner += value
        elif isinstance(value, tuple):
            shown = ",".join(v.value if isinstance(v, Enum) else str(v) for v in value)
            plain.append(f"{field.name}={shown}")
        elif isinstance(value, Enum):
            plain.append(f"{field.name}={value.value}")
        elif value is not False or type(node).__name__ == "Literal":
            plain.append(f"{field.name}={value!r}")
    head = " ".join([type(node).__name__, *plain])
    lines.append(f"{'  ' * depth}{head}  [{_slice(text, node.span)}]")
    for one in inner:
        _render(one, text, depth + 1, lines)


def _slice(text: str, span: Span) -> str:
    shown = " ".join(text[span.start : span.end].split())
    return shown if len(shown) <= 60 else shown[:57] + "..."


def render_faults(parsed: ParsedFile) -> str:
    """Show the faults under the lines they point at, then what was recovered."""
    text = parsed.source.text
    lines: list[str] = []
    for statement in parsed.statements:
        name = getattr(getattr(statement, "name", None), "text", None)
        lines.append(f"{type(statement).__name__} {name}")
        items = getattr(statement, "expectations", ())
        kept = [*items, *getattr(statement, "misplaced", ())]
        lines += [f"  keeps {one.name.text if one.name else None}" for one in kept]
        for fault in statement.faults:
            lines += _render_fault(fault, text)
    for fault in parsed.faults:
        lines += _render_fault(fault, text)
    return "\n".join(lines) + "\n"


def _render_fault(fault: Fault, text: str) -> list[str]:
    start, end = fault.span.start, fault.span.end
    line = text.count("\n", 0, start) + 1
    column = start - text.rfind("\n", 0, start)
    lines = [f"  {line}:{column} {fault.name} [{text[start:end]}] {fault.message}"]
    if fault.help:
        lines.append(f"    help: {fault.help}")
    if fault.fix:
        lines.append(f"    fix: {fault.fix.title} ({fault.fix.safety.value})")
        lines += [
            f"      {text[e.span.start : e.span.end]!r} -> {e.text!r}" for e in fault.fix.edits
        ]
    return lines
