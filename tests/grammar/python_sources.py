"""From Python text to what is read of it, for the tests of hosts."""

import textwrap

from tidegate.grammar.nodes import ExpectClause, Statement, expectations_of
from tidegate.grammar.parser import ParsedFile, parse
from tidegate.source.span import Span
from tidegate.source.text import SourceFile


def read(text: str, path: str = "a.py") -> ParsedFile:
    return parse(SourceFile(path=path, text=textwrap.dedent(text)))


def under(parsed: ParsedFile, span: Span) -> str:
    """Return what stands in the file itself under a span of its view."""
    placed = parsed.source.place(span)
    return parsed.source.original[placed.start : placed.end]


def rules(parsed: ParsedFile) -> dict[str, list[tuple[str | None, str, str | None]]]:
    """Return name, predicate and action of each expectation by dataset."""
    found: dict[str, list[tuple[str | None, str, str | None]]] = {}
    for statement in parsed.statements:
        clauses = [_told(parsed, each) for each in expectations_of(statement)]
        found.setdefault(named(statement), []).extend(clauses)
    return found


def named(statement: Statement) -> str:
    name = getattr(statement, "name", None)
    return name.text if name else "?"


def _told(parsed: ParsedFile, clause: ExpectClause) -> tuple[str | None, str, str | None]:
    name = clause.name.text if clause.name else None
    predicate = clause.unknown or parsed.source.slice(clause.predicate_span)
    return name, predicate, clause.action.text if clause.action else None
