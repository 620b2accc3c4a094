"""How the clauses of a dataset are written."""

import re
from collections.abc import Iterable

from tidegate.grammar import nodes
from tidegate.grammar.formatting.layout import LINE_LENGTH
from tidegate.grammar.printing.base import Printer, Printing, quoted, words
from tidegate.grammar.printing.items import INDENT, listed_names
from tidegate.grammar.tokens import PLACE

_WORD = rf"(?:\w|{PLACE})+"
_WORDS = re.compile(rf"{_WORD}(?:\.{_WORD})*")


def _property(node: nodes.Property, p: Printer) -> str:
    opens_quoted = p.slice(node.span).lstrip("rR")[:1] in ("'", '"')
    is_bare = not opens_quoted and _WORDS.fullmatch(node.key)
    key = node.key if is_bare else quoted(node.key)
    if node.kind is nodes.PropertyKind.FLAG:
        return key
    value = quoted(node.value) if node.kind is nodes.PropertyKind.STRING else node.value
    return f"{key} = {value}"


def entries_of(opening: str, entries: Iterable[nodes.Property], p: Printer) -> str:
    """Return entries in parentheses behind a word, on one line if they fit."""
    shown = [p.show(entry) for entry in entries]
    line = f"{opening} ({', '.join(shown)})"
    if len(line) <= LINE_LENGTH and "\n" not in line:
        return line
    return f"{opening} (\n" + ",\n".join([f"{INDENT}{one}" for one in shown]) + "\n)"


def _partitioned(node: nodes.PartitionedByClause, p: Printer) -> str:
    types = node.types or (None,) * len(node.columns)
    columns = [
        words(p.show(column), p.show(kind) if kind else None)
        for column, kind in zip(node.columns, types, strict=True)
    ]
    return f"PARTITIONED BY ({', '.join(columns)})"


def _cluster(node: nodes.ClusterByClause, p: Printer) -> str:
    return f"CLUSTER BY {node.mode or listed_names(node.columns, p)}"


def _location(node: nodes.LocationClause, p: Printer) -> str:
    return f"LOCATION {node.path if node.is_placeholder else quoted(node.path)}"


def _comment(node: nodes.CommentClause, p: Printer) -> str:
    return f"COMMENT {node.text if node.is_placeholder else quoted(node.text)}"


def _schedule(node: nodes.ScheduleClause, p: Printer) -> str:
    refresh = "REFRESH" if node.with_refresh else None
    match node.form:
        case nodes.ScheduleForm.EVERY:
            return words("SCHEDULE", refresh, "EVERY", node.amount, node.unit)
        case nodes.ScheduleForm.CRON:
            cron = p.string(node.cron or "", node)
            zone = None
            if node.time_zone is not None:
                zone = f"AT TIME ZONE {p.string(node.time_zone, node)}"
            return words("SCHEDULE", refresh, "CRON", cron, zone)
        case nodes.ScheduleForm.TRIGGER:
            most = f"AT MOST EVERY {p.show(node.at_most)}" if node.at_most else None
            return words("TRIGGER ON UPDATE", most)


def _row_filter(node: nodes.RowFilterClause, p: Printer) -> str:
    return f"WITH ROW FILTER {p.show(node.function)} ON {listed_names(node.columns, p)}"


CLAUSES: dict[type[nodes.Node], Printing] = {
    nodes.CommentClause: _comment,
    nodes.PlaceholderClause: lambda node, p: node.spelling,
    nodes.Property: _property,
    nodes.PropertiesClause: lambda node, p: entries_of("TBLPROPERTIES", node.entries, p),
    nodes.OptionsClause: lambda node, p: entries_of("OPTIONS", node.entries, p),
    nodes.PartitionedByClause: _partitioned,
    nodes.ClusterByClause: _cluster,
    nodes.UsingClause: lambda node, p: f"USING {p.show(node.format)}",
    nodes.LocationClause: _location,
    nodes.ScheduleClause: _schedule,
    nodes.RefreshPolicyClause: lambda node, p: f"REFRESH POLICY {node.policy}",
    nodes.RowFilterClause: _row_filter,
    nodes.DefaultCollationClause: lambda node, p: f"DEFAULT COLLATION {p.show(node.collation)}",
}
