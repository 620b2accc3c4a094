"""How the items of a column list are written."""

from collections.abc import Iterable

from tidegate.grammar import nodes
from tidegate.grammar.formatting.layout import LINE_LENGTH
from tidegate.grammar.printing.base import Printer, Printing, identifier, words

INDENT = "  "


def _named(name: nodes.Name | None, p: Printer) -> str | None:
    if name is None:
        return None
    # In Python a rule's name is any text.
    is_word = name.quoted or not p.is_of_python
    return f"CONSTRAINT {p.show(name) if is_word else identifier(name.text)}"


def _expectation(node: nodes.ExpectClause, p: Printer) -> str:
    rule = words(_named(node.name, p), f"EXPECT ({p.body(node.predicate_span)})")
    if node.action is None:
        return rule
    action = f"ON VIOLATION {node.action.text.upper()}"
    width = len(INDENT) * (rule.count("\n") == 0) + len(rule) - rule.rfind("\n") - 1
    # One more for the comma, whether one follows or not.
    fits = width + 1 + len(action) + 1 <= LINE_LENGTH
    return f"{rule} {action}" if fits else f"{rule}\n{INDENT * 2}{action}"


def _column(node: nodes.ColumnDefinition, p: Printer) -> str:
    kind = p.show(node.type) if node.type else None
    return words(p.show(node.name), kind, *[p.show(one) for one in node.properties])


def _property(node: nodes.ColumnProperty, p: Printer) -> str:
    kinds = nodes.ColumnPropertyKind
    if node.kind is kinds.COMMENT:
        return f"COMMENT {p.string(node.text or '', node)}"
    if node.kind is kinds.DEFAULT and node.body:
        return f"DEFAULT {p.slice(node.body)}"
    if node.kind is kinds.GENERATED and node.body:
        return f"GENERATED ALWAYS AS ({p.body(node.body)})"
    if node.kind is kinds.PLACEHOLDER:
        return node.text or ""
    return str(node.kind.value)


def _identity(node: nodes.IdentityProperty, p: Printer) -> str:
    options = words(
        f"START WITH {node.start}" if node.start else None,
        f"INCREMENT BY {node.step}" if node.step else None,
    )
    how = "ALWAYS" if node.always else "BY DEFAULT"
    return words(f"GENERATED {how} AS IDENTITY", f"({options})" if options else None)


def _key_property(node: nodes.KeyProperty, p: Printer) -> str:
    kinds = nodes.ColumnPropertyKind
    if node.kind is kinds.FOREIGN_KEY:
        what = words("FOREIGN KEY" if node.foreign else None, _references(node, p))
    elif node.kind is kinds.CHECK and node.body:
        what = f"CHECK ({p.body(node.body)})"
    else:
        what = node.kind.value
    return words(_named(node.name, p), what, *node.options)


def _references(node: nodes.KeyProperty | nodes.KeyConstraint, p: Printer) -> str | None:
    if node.references is None:
        return None
    columns = f" {listed_names(node.referenced_columns, p)}" if node.referenced_columns else ""
    return f"REFERENCES {p.show(node.references)}{columns}"


def listed_names(names: Iterable[nodes.Node], p: Printer) -> str:
    """Return names in parentheses."""
    return f"({p.listed(names)})"


def _mask(node: nodes.MaskProperty, p: Printer) -> str:
    columns = f"USING COLUMNS {listed_names(node.columns, p)}" if node.columns else None
    return words("MASK", p.show(node.function), columns)


def _key(node: nodes.KeyConstraint, p: Printer) -> str:
    columns = [
        words(p.show(column), "TIMESERIES" if column == node.timeseries else None)
        for column in node.columns
    ]
    return words(
        _named(node.name, p),
        f"{node.kind.value} ({', '.join(columns)})",
        _references(node, p),
        *node.options,
    )


def _check(node: nodes.CheckConstraint, p: Printer) -> str:
    return words(_named(node.name, p), f"CHECK ({p.body(node.predicate_span)})", *node.options)


def _list(node: nodes.ColumnList, p: Printer) -> str:
    return list_of(node.items, p)


def list_of(items: Iterable[nodes.ListItem], p: Printer) -> str:
    """Return a column list, one item on a line."""
    shown = [f"{INDENT}{p.show(item)}" for item in items]
    return "(\n" + ",\n".join(shown) + "\n)" if shown else "()"


ITEMS: dict[type[nodes.Node], Printing] = {
    nodes.ExpectClause: _expectation,
    nodes.ColumnProperty: _property,
    nodes.IdentityProperty: _identity,
    nodes.KeyProperty: _key_property,
    nodes.MaskProperty: _mask,
    nodes.CollateProperty: lambda node, p: f"COLLATE {p.show(node.collation)}",
    nodes.ColumnDefinition: _column,
    nodes.KeyConstraint: _key,
    nodes.CheckConstraint: _check,
    nodes.PlaceholderItem: lambda node, p: node.spelling,
    nodes.ColumnList: _list,
}
