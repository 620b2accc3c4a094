"""An expectation comes in; the words of its predicate that a name may repeat go out."""

from collections.abc import Iterator

from tidegate.grammar.nodes import ColumnReference, ExpectClause, Literal
from tidegate.linter.context import Context
from tidegate.linter.walk import descendants


def column_names(clause: ExpectClause, ctx: Context) -> tuple[str, ...]:
    """Return the column names of the predicate; its whole text where it does not parse."""
    if clause.predicate is None:
        return (ctx.file.slice(clause.predicate_span),)
    return tuple(_columns(clause))


def literal_texts(clause: ExpectClause) -> tuple[str, ...]:
    """Return the literals of the predicate, without quotes."""
    if clause.predicate is None:
        return ()
    nodes = descendants(clause.predicate)
    return tuple(str(node.value) for node in nodes if isinstance(node, Literal))


def _columns(clause: ExpectClause) -> Iterator[str]:
    for node in descendants(clause):
        if isinstance(node, ColumnReference):
            yield ".".join(part.text for part in node.parts)
