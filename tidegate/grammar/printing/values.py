"""How names, operators, literals and expressions are written; calls stand beside this file."""

import math

from tidegate.grammar import nodes
from tidegate.grammar.printing.base import (
    Printer,
    Printing,
    dotted,
    quoted,
    show_name,
    show_qualified_name,
    words,
)
from tidegate.source.span import Span


def _literal(node: nodes.Literal, p: Printer) -> str:
    suffix = node.type_name or ""
    match node.kind:
        case nodes.LiteralKind.NULL:
            return "NULL"
        case nodes.LiteralKind.BOOLEAN:
            return "TRUE" if node.value else "FALSE"
        case nodes.LiteralKind.STRING:
            return quoted(str(node.value), '"' if node.double_quoted else "'")
        case nodes.LiteralKind.TYPED:
            return f"{suffix} {quoted(str(node.value))}"
        case nodes.LiteralKind.DOUBLE:
            return _double(float(node.value or 0), suffix)
        case _:
            return f"{node.value}{suffix}"


def _double(value: float, suffix: str) -> str:
    shown = "1E999" if math.isinf(value) else repr(value).upper()
    return shown + suffix if suffix or "E" in shown else f"{shown}E0"


def _star(node: nodes.Star, p: Printer) -> str:
    return f"{dotted(node.qualifier, p)}.*" if node.qualifier else "*"


def _column(node: nodes.ColumnReference, p: Printer) -> str:
    return dotted(node.parts, p)


def _binary(
    node: nodes.Comparison | nodes.Arithmetic, p: Printer
) -> str:  # the operators of a chain stand one deeper each
    return f"{p.show(node.left)} {node.operator.text} {p.show(node.right)}"


def _distinct_from(node: nodes.DistinctFrom, p: Printer) -> str:
    word = "IS NOT DISTINCT FROM" if node.negated else "IS DISTINCT FROM"
    return f"{p.show(node.left)} {word} {p.show(node.right)}"


def _and(node: nodes.And, p: Printer) -> str:
    return " AND ".join([p.show(one) for one in node.operands])


def _or(node: nodes.Or, p: Printer) -> str:
    return " OR ".join([p.show(one) for one in node.operands])


def _not(node: nodes.Not, p: Printer) -> str:
    return f"{node.operator.text} {p.show(node.operand)}"


def _is_null(node: nodes.IsNull, p: Printer) -> str:
    return f"{p.show(node.operand)} IS {'NOT ' if node.negated else ''}NULL"


def _is_truth(node: nodes.IsTruth, p: Printer) -> str:
    truth = "UNKNOWN" if node.truth is None else "TRUE" if node.truth else "FALSE"
    return f"{p.show(node.operand)} IS {'NOT ' if node.negated else ''}{truth}"


def _between(node: nodes.Between, p: Printer) -> str:
    limits = f"BETWEEN {p.show(node.low)} AND {p.show(node.high)}"
    return f"{p.show(node.operand)} {'NOT ' if node.negated else ''}{limits}"


def _in_list(node: nodes.InList, p: Printer) -> str:
    return f"{p.show(node.operand)} {'NOT ' if node.negated else ''}IN ({p.listed(node.items)})"


def _in_query(node: nodes.InQuery, p: Printer) -> str:
    return f"{p.show(node.operand)} {'NOT ' if node.negated else ''}IN {p.show(node.query)}"


def _exists(node: nodes.Exists, p: Printer) -> str:
    return f"EXISTS {p.show(node.query)}"


def _subquery(node: nodes.Subquery, p: Printer) -> str:
    return p.slice(node.span)


def _like(node: nodes.Like, p: Printer) -> str:
    patterns = p.listed(node.patterns)
    return words(
        p.show(node.operand),
        "NOT" if node.negated else None,
        node.operator.text,
        f"{node.quantifier} ({patterns})" if node.quantifier else patterns,
        f"ESCAPE {p.show(node.escape)}" if node.escape else None,
    )


def _unary(node: nodes.Unary, p: Printer) -> str:
    operand = p.show(node.operand)
    # Two minus signs in a row would open a comment.
    return f"{node.operator.text}{' ' if operand[:1] in '+-~' else ''}{operand}"


def _cast(node: nodes.Cast, p: Printer) -> str:
    operand, kind = p.show(node.operand), p.show(node.type)
    if node.form in (nodes.CastForm.COLONS, nodes.CastForm.TRY_COLONS):
        # A question mark before it would make another operator of it.
        return f"{operand}{' ' if operand[-1] == '?' else ''}{node.form.value}{kind}"
    # A collation behind the type is no part of the tree.
    rest = p.slice(Span(node.type.span.end, node.span.end)).strip()
    return f"{node.form.value}({operand} AS {kind}{'' if rest == ')' else ' '}{rest}"


def _case(node: nodes.Case, p: Printer) -> str:
    return words(
        "CASE",
        p.show(node.operand) if node.operand else None,
        *[p.show(branch) for branch in node.branches],
        f"ELSE {p.show(node.otherwise)}" if node.otherwise else None,
        "END",
    )


def _when(node: nodes.WhenBranch, p: Printer) -> str:
    return f"WHEN {p.show(node.condition)} THEN {p.show(node.result)}"


def _interval(node: nodes.Interval, p: Printer) -> str:
    parts = ["INTERVAL"]
    units = list(node.units)
    for value in node.values:
        parts.append(p.show(value))
        parts += units[:1]
        del units[:1]
    return " ".join([*parts, *units])


def _row(node: nodes.RowConstructor, p: Printer) -> str:
    return f"({p.listed(node.parts)})"


def _subscript(node: nodes.Subscript, p: Printer) -> str:
    return f"{p.show(node.operand)}[{p.show(node.index)}]"


def _json_path(node: nodes.JsonPath, p: Printer) -> str:
    # Two paths in a row would be read as one.
    between = " " if isinstance(node.operand, nodes.JsonPath) else ""
    return f"{p.show(node.operand)}{between}:{node.path}"


def _field(node: nodes.FieldAccess, p: Printer) -> str:
    return f"{p.show(node.operand)}.{show_name(node.field, p)}"


VALUES: dict[type[nodes.Node], Printing] = {
    nodes.Name: show_name,
    nodes.QualifiedName: show_qualified_name,
    nodes.Literal: _literal,
    nodes.ColumnReference: _column,
    nodes.Star: _star,
    nodes.Placeholder: lambda node, p: node.spelling,
    nodes.Parenthesized: lambda node, p: f"({p.show(node.inner)})",
    nodes.RowConstructor: _row,
    nodes.Operator: lambda node, p: node.text,
    nodes.Comparison: _binary,
    nodes.Arithmetic: _binary,
    nodes.DistinctFrom: _distinct_from,
    nodes.And: _and,
    nodes.Or: _or,
    nodes.Not: _not,
    nodes.IsNull: _is_null,
    nodes.IsTruth: _is_truth,
    nodes.Between: _between,
    nodes.InList: _in_list,
    nodes.InQuery: _in_query,
    nodes.Exists: _exists,
    nodes.Subquery: _subquery,
    nodes.Like: _like,
    nodes.Unary: _unary,
    nodes.TypeName: lambda node, p: p.type(node.span),
    nodes.Cast: _cast,
    nodes.Case: _case,
    nodes.WhenBranch: _when,
    nodes.Interval: _interval,
    nodes.Subscript: _subscript,
    nodes.FieldAccess: _field,
    nodes.JsonPath: _json_path,
    nodes.Collate: lambda node, p: f"{p.show(node.operand)} COLLATE {p.show(node.collation)}",
}
