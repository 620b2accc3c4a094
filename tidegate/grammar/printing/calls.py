"""How calls in all their forms are written."""

from tidegate.grammar import nodes
from tidegate.grammar.printing.base import Printer, Printing, show_name, words


def _call(node: nodes.FunctionCall, p: Printer) -> str:
    if node.form is nodes.CallForm.BARE:
        return p.show(node.name)
    name = p.show(node.name)
    distinct = "DISTINCT " if node.distinct else ""
    is_special = node.form is nodes.CallForm.SPECIAL
    inner = _special(name.upper(), node, p) if is_special else p.listed(node.arguments)
    return words(
        f"{_called(node, p)}({distinct}{inner})",
        p.slice(node.within_group) if node.within_group else None,
        f"FILTER (WHERE {p.show(node.filter)})" if node.filter else None,
        f"{node.nulls} NULLS" if node.nulls else None,
        p.slice(node.window) if node.window else None,
    )


def _called(node: nodes.FunctionCall, p: Printer) -> str:
    """Return what is called; a name that ``IDENTIFIER(...)`` makes stands as written."""
    written = p.slice(node.name.span)
    return written if written.endswith(")") else p.show(node.name)


def _special(name: str, node: nodes.FunctionCall, p: Printer) -> str:
    """Return the arguments of a call that has words between them."""
    shown = [p.show(argument) for argument in node.arguments]
    match name:
        case "EXTRACT":
            return f"{shown[0]} FROM {shown[1]}"
        case "TRIM":
            return words(*shown[:-1], "FROM", shown[-1])
        case "POSITION":
            return f"{shown[0]} IN {shown[1]}"
        case "SUBSTRING" | "SUBSTR":
            return _joined(shown, ("FROM", "FOR"))
        case "OVERLAY":
            return _joined(shown, ("PLACING", "FROM", "FOR"))
        case _:
            return ", ".join(shown)


def _joined(shown: list[str], between: tuple[str, ...]) -> str:
    parts = shown[:1]
    for word, one in zip(between, shown[1:], strict=False):
        parts += [word, one]
    return " ".join(parts)


def _lambda(node: nodes.Lambda, p: Printer) -> str:
    names = p.listed(node.parameters)
    return f"{names if len(node.parameters) == 1 else f'({names})'} -> {p.show(node.body)}"


CALLS: dict[type[nodes.Node], Printing] = {
    nodes.FunctionCall: _call,
    nodes.NamedArgument: lambda node, p: f"{show_name(node.name, p)} => {p.show(node.value)}",
    nodes.Lambda: _lambda,
    nodes.Aliased: lambda node, p: f"{p.show(node.value)} AS {show_name(node.name, p)}",
    nodes.BareWord: lambda node, p: node.text,
}
