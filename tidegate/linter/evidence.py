"""An expectation comes in; the words of its predicate that a name may repeat go out."""

from tidegate.grammar.nodes import ExpectClause, Literal
from tidegate.linter.context import Context
from tidegate.linter.walk import columns, descendants


def column_names(clause: ExpectClause, ctx: Context) -> tuple[str, ...]:
    """Return the column names of the predicate; its whole text where it does not parse."""
    if clause.predicate is None:
        return (ctx.file.slice(clause.predicate_span),)
    found = columns(clause.predicate)
    return tuple(".".join(part.text for part in each.parts) for each in found)


def literal_texts(clause: ExpectClause) -> tuple[str, ...]:
    """Return the literals of the predicate, without quotes."""
    if clause.predicate is None:
        return ()
    nodes = descendants(clause.predicate)
    return tuple(str(node.value) for node in nodes if isinstance(node, Literal))
