"""How flows and change feeds are written."""

from tidegate.grammar import nodes
from tidegate.grammar.formatting.spacing import closed_body
from tidegate.grammar.printing.base import Printer, Printing, words
from tidegate.grammar.printing.items import listed_names


def _names(node: nodes.NameList, p: Printer) -> str:
    columns = p.listed(node.columns)
    if not node.is_star:
        return f"({columns})" if node.parenthesized else columns
    star = words("*", f"EXCEPT ({columns})" if columns else None)
    return f"({star})" if node.parenthesized else star


def _lines(*parts: str | None) -> str:
    return "\n".join([part for part in parts if part])


def _source(node: nodes.FlowSource, p: Printer) -> str:
    if node.name is None:
        relation = f"({p.body(node.query.span)})" if node.query else p.slice(node.span)
    else:
        relation = p.show(node.name)
        if node.arguments is not None:
            relation += f"({p.body(node.arguments)})"
    if node.streaming:
        relation = f"STREAM({relation})" if node.parenthesized else f"STREAM {relation}"
    options = p.listed(node.options)
    return words(
        relation,
        f"WITH ({options})" if options else None,
        p.show(node.watermark) if node.watermark else None,
        f"AS {p.show(node.alias)}" if node.alias else None,
    )


def _watermark(node: nodes.Watermark, p: Printer) -> str:
    return f"WATERMARK {p.body(node.expression)} DELAY OF {p.body(node.delay)}"


def _keys(node: nodes.KeysClause, p: Printer) -> str:
    return f"KEYS {p.show(node.columns)}"


def _ignore(node: nodes.IgnoreNullUpdates, p: Printer) -> str:
    return words("IGNORE NULL UPDATES", f"ON {p.show(node.columns)}" if node.columns else None)


def _apply_as(node: nodes.ApplyAsClause, p: Printer) -> str:
    what = "TRUNCATE" if node.truncates else "DELETE"
    return f"APPLY AS {what} WHEN {p.slice(node.predicate_span)}"


def _sequence(node: nodes.SequenceBy, p: Printer) -> str:
    return words("SYSTEM" if node.system else None, "SEQUENCE BY", p.slice(node.body))


def _stored_as(node: nodes.StoredAs, p: Printer) -> str:
    return f"STORED AS {'BITEMPORAL' if node.scd_type is None else f'SCD TYPE {node.scd_type}'}"


def _replace_using(node: nodes.ReplaceUsing, p: Printer) -> str:
    sequence = f"SEQUENCE BY {p.show(node.sequence)}" if node.sequence else None
    return words("REPLACE USING", p.show(node.keys), sequence)


def _insert(node: nodes.InsertBody, p: Printer) -> str:
    replace = p.show(node.replace) if node.replace else None
    query = p.slice(node.query.span)
    by_name = "BY NAME" if node.by_name else None
    if node.target is None:
        head = None if replace else words("INSERT", "ONCE" if node.once else None)
        return _lines(words(head, closed_body(replace) if replace else None, by_name), query)
    head = words(
        "INSERT",
        "OVERWRITE" if node.overwrite else "ONCE INTO" if node.once else "INTO",
        p.show(node.target),
        listed_names(node.columns, p) if node.columns else None,
        by_name,
    )
    return _lines(head, replace, query)


def _feed(node: nodes.CdcBody, p: Printer) -> str:
    head = words(
        "APPLY CHANGES" if node.spelling is nodes.Spelling.LEGACY else "AUTO CDC",
        "ONCE" if node.once else None,
        f"INTO {p.show(node.target)}" if node.target else None,
    )
    clauses = [p.show(clause) for clause in node.clauses]
    return _lines(head, f"FROM {p.show(node.source)}", *clauses)


def _inline(node: nodes.InlineFlow, p: Printer) -> str:
    return f"FLOW {p.show(node.body)}"


FLOWS: dict[type[nodes.Node], Printing] = {
    nodes.NameList: _names,
    nodes.Watermark: _watermark,
    nodes.FlowSource: _source,
    nodes.KeysClause: _keys,
    nodes.CdcWhere: lambda node, p: f"WHERE {p.slice(node.predicate_span)}",
    nodes.IgnoreNullUpdates: _ignore,
    nodes.ApplyAsClause: _apply_as,
    nodes.SequenceBy: _sequence,
    nodes.CdcColumns: lambda node, p: f"COLUMNS {p.show(node.columns)}",
    nodes.StoredAs: _stored_as,
    nodes.TrackHistory: lambda node, p: f"TRACK HISTORY ON {p.show(node.columns)}",
    nodes.ColumnsToUpdate: lambda node, p: f"COLUMNS TO UPDATE {p.show(node.columns)}",
    nodes.PlaceholderCdc: lambda node, p: node.spelling,
    nodes.ReplaceWhere: lambda node, p: f"REPLACE WHERE {p.slice(node.predicate_span)}",
    nodes.ReplaceUsing: _replace_using,
    nodes.InsertBody: _insert,
    nodes.CdcBody: _feed,
    nodes.InlineFlow: _inline,
    nodes.Query: lambda node, p: p.slice(node.span),
}
