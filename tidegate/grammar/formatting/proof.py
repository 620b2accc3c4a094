"""A file before and after formatting comes in; what is not the same, if anything, goes out."""

from collections.abc import Iterator

from tidegate.grammar.formatting.spacing import comments
from tidegate.grammar.nodes import (
    CreateDataset,
    CreateFlow,
    ExplainStatement,
    InsertBody,
    Query,
    Statement,
    expectations_of,
)
from tidegate.grammar.parser import ParsedFile
from tidegate.grammar.printing.same_tree import difference
from tidegate.source.span import Span


def unproven(before: ParsedFile, after: ParsedFile, *, queries: bool) -> str | None:
    """Return what differs, in words; ``None`` if both files say the same.

    The trees must be equal, comments the same in the same order, and names, predicates and queries
    of expectations and datasets the same byte for byte; with ``queries`` a query may differ in its
    blanks and in the case of its key words.
    """
    if len(before.statements) != len(after.statements):
        return "the number of statements"
    old, new = before.source.text, after.source.text
    for one, other in zip(before.statements, after.statements, strict=True):
        named = f"the statement at offset {one.span.start}"
        if path := difference(one, old, other, new, queries=queries):
            return f"{named} ({path})"
        if len(one.faults) != len(other.faults):
            return f"{named} (its faults)"
        if list(_texts(one, old)) != list(_texts(other, new)):
            return f"{named} (its expectations)"
        if not queries and list(_queries(one, old)) != list(_queries(other, new)):
            return f"{named} (its query)"
    if list(_comments(before)) != list(_comments(after)):
        return "the comments"
    return None


def _texts(statement: Statement, text: str) -> Iterator[str]:
    for clause in expectations_of(statement):
        if clause.name is not None:
            yield text[clause.name.span.start : clause.name.span.end]
        yield text[clause.predicate_span.start : clause.predicate_span.end]


def _queries(statement: Statement, text: str) -> Iterator[str]:
    query: Query | None = None
    if isinstance(statement, ExplainStatement):
        statement = statement.statement
    if isinstance(statement, CreateDataset):
        query = statement.query
        if query is None and statement.flow and isinstance(statement.flow.body, InsertBody):
            query = statement.flow.body.query
    elif isinstance(statement, CreateFlow) and isinstance(statement.body, InsertBody):
        query = statement.body.query
    if query is not None:
        yield text[query.span.start : query.span.end]


def _comments(parsed: ParsedFile) -> Iterator[str]:
    """Yield the text of every comment, those between statements and those within them."""
    text = parsed.source.text
    at = 0
    for statement in parsed.statements:
        for span in (Span(at, statement.span.start), statement.span):
            yield from _within(text, span)
        at = statement.span.end
    yield from _within(text, Span(at, len(text)))


def _within(text: str, span: Span) -> Iterator[str]:
    for one in comments(text, span.start, span.end):
        yield text[one.start : one.end]
