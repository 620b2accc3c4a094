"""How statements are written, each clause on a line of its own."""

from tidegate.grammar import nodes
from tidegate.grammar.printing.base import Printer, Printing, identifier, words
from tidegate.grammar.printing.clauses import entries_of
from tidegate.grammar.printing.items import list_of
from tidegate.source.span import Span

_TARGETS = {
    nodes.ObjectKind.STREAMING_TABLE: "STREAMING TABLE",
    nodes.ObjectKind.MATERIALIZED_VIEW: "MATERIALIZED VIEW",
}


_MADE = {
    nodes.ObjectKind.STREAMING_TABLE: "CREATE OR REFRESH STREAMING TABLE",
    nodes.ObjectKind.MATERIALIZED_VIEW: "CREATE OR REFRESH MATERIALIZED VIEW",
    nodes.ObjectKind.TEMPORARY_VIEW: "CREATE TEMPORARY VIEW",
}


def _dataset(node: nodes.CreateDataset, p: Printer) -> str:
    if node.in_python:
        return _dataset_of_python(node, p.of_python())
    head = words(
        p.capitals(node.head),
        "IF NOT EXISTS" if node.if_not_exists else None,
        p.show(node.name),
    )
    clauses = [p.show(clause) for clause in node.clauses]
    if node.list_span is not None:
        # Old files have clauses before the list; behind it they mean the same.
        head = f"{head} {list_of(node.items, p)}"
    lines = [head, *clauses]
    if node.flow is not None:
        lines.append(p.show(node.flow))
    elif node.query is not None:
        lines += ["FLOW INSERT BY NAME" if node.by_flow else "AS", p.slice(node.query.span)]
    return "\n".join(lines)


def _dataset_of_python(node: nodes.CreateDataset, p: Printer) -> str:
    """Return what a decorated function would be in SQL; its query is not known."""
    name = ".".join([identifier(part.text) for part in node.name.parts])
    head = words(_MADE.get(node.kind, "CREATE TABLE"), name)
    if node.items:
        head = f"{head} {list_of(node.items, p)}"
    return "\n".join([head, *[p.show(clause) for clause in node.clauses]])


def _flow(node: nodes.CreateFlow, p: Printer) -> str:
    comment = [p.show(node.comment)] if node.comment else []
    head = f"CREATE FLOW {p.show(node.name)}"
    return "\n".join([head, *comment, f"AS {p.show(node.body)}"])


def _alter(node: nodes.AlterTable, p: Printer) -> str:
    return f"ALTER TABLE {p.show(node.name)} {p.show(node.action)}"


def _alter_dataset(node: nodes.AlterDataset, p: Printer) -> str:
    return words(
        "ALTER",
        _TARGETS.get(node.target, "VIEW"),
        "IF EXISTS" if node.if_exists else None,
        p.show(node.name),
        p.show(node.action),
    )


def _drop_constraint(node: nodes.DropConstraint, p: Printer) -> str:
    return words("DROP CONSTRAINT", "IF EXISTS" if node.if_exists else None, p.show(node.name))


def _not_null(node: nodes.AlterNotNull, p: Printer) -> str:
    return f"ALTER COLUMN {p.show(node.column)} {'SET' if node.set else 'DROP'} NOT NULL"


def _alter_schedule(node: nodes.AlterSchedule, p: Printer) -> str:
    if node.schedule is None:
        return p.capitals(node.span)
    return words(node.verb, p.show(node.schedule))


def _set_properties(node: nodes.SetProperties, p: Printer) -> str:
    return entries_of("SET TAGS" if node.tags else "SET TBLPROPERTIES", node.entries, p)


def _row_filter(node: nodes.AlterRowFilter, p: Printer) -> str:
    if node.filter is None:
        return "DROP ROW FILTER"
    return f"SET {p.show(node.filter).removeprefix('WITH ')}"


def _alter_column(node: nodes.AlterColumn, p: Printer) -> str:
    head = f"ALTER COLUMN {p.show(node.column)}"
    if node.property is not None:
        return words(head, "SET" if node.change.startswith("SET") else None, p.show(node.property))
    if node.tags:
        return f"{head} {entries_of(node.change, node.tags, p)}"
    written = p.slice(node.span)
    return f"{head} {written[node.column.span.end - node.span.start :].strip()}"


def _refresh(node: nodes.RefreshStatement, p: Printer) -> str:
    full = "FULL" if node.full else None
    return words("REFRESH", node.what, p.show(node.name), full, node.mode)


def _drop(node: nodes.DropStatement, p: Printer) -> str:
    return words("DROP", node.what, "IF EXISTS" if node.if_exists else None, p.show(node.name))


def _explain(node: nodes.ExplainStatement, p: Printer) -> str:
    return words("EXPLAIN", node.mode, p.show(node.statement))


def _parameter(node: nodes.Parameter, p: Printer) -> str:
    return words(
        p.show(node.name),
        p.show(node.type) if node.type else None,
        f"DEFAULT {p.slice(node.default)}" if node.default else None,
        f"COMMENT {p.string(node.comment, node)}" if node.comment is not None else None,
    )


def _function(node: nodes.CreateFunction, p: Printer) -> str:
    head = p.capitals(Span(node.span.start, node.name.span.start))
    # The tree keeps the words behind the name, but not all that they say: they stand as written.
    rest = p.slice(Span(node.name.span.end, node.span.end)).strip()
    return f"{head} {p.show(node.name)}{'' if rest[:1] == '(' else ' '}{rest}"


def _set(node: nodes.SetStatement, p: Printer) -> str:
    written = p.slice(node.span)[len("SET") :].strip()
    is_assigned = written.partition("=")[0].strip() == node.key and node.value is not None
    # SET TIME ZONE has a value without a sign.
    return f"SET {node.key} = {node.value}" if is_assigned else f"SET {written}"


def _use(node: nodes.UseStatement, p: Printer) -> str:
    return words("USE", node.what, p.show(node.name))


def _as_written(node: nodes.Node, p: Printer) -> str:
    return p.slice(node.span)


STATEMENTS: dict[type[nodes.Node], Printing] = {
    nodes.CreateDataset: _dataset,
    nodes.CreateFlow: _flow,
    nodes.AutoCdc: lambda node, p: p.show(node.body),
    nodes.AlterTable: _alter,
    nodes.AlterDataset: _alter_dataset,
    nodes.AddConstraint: lambda node, p: f"ADD {p.show(node.constraint)}",
    nodes.DropConstraint: _drop_constraint,
    nodes.AlterNotNull: _not_null,
    nodes.AlterSchedule: _alter_schedule,
    nodes.SetProperties: _set_properties,
    nodes.SetOwner: lambda node, p: f"SET OWNER TO {p.show(node.owner)}",
    nodes.AlterRowFilter: _row_filter,
    nodes.AlterColumn: _alter_column,
    nodes.RenameTo: lambda node, p: f"RENAME TO {p.show(node.name)}",
    nodes.SetQuery: lambda node, p: f"AS {p.slice(node.query.span)}",
    nodes.OtherAlteration: _as_written,
    nodes.RefreshStatement: _refresh,
    nodes.DropStatement: _drop,
    nodes.ExplainStatement: _explain,
    nodes.Parameter: _parameter,
    nodes.PythonRead: lambda node, p: words(
        "STREAM" if node.streaming else None, p.show(node.name)
    ),
    nodes.CreateFunction: _function,
    nodes.SetStatement: _set,
    nodes.UseStatement: _use,
    nodes.OtherStatement: _as_written,
    nodes.BrokenStatement: _as_written,
}
