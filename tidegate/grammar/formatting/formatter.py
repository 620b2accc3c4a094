"""A parsed file comes in; its text in the one canonical layout goes out, proved to say the same.

Statements that do not parse, and those of other kinds, stay as they were written.
"""

import re
from itertools import pairwise

import msgspec

from tidegate.grammar.formatting.concrete import ConcreteReader
from tidegate.grammar.formatting.gaps import Neighbors, show_gap
from tidegate.grammar.formatting.layout import layout
from tidegate.grammar.formatting.query_layout import show_query
from tidegate.grammar.formatting.sheet import Sheet
from tidegate.grammar.nodes import (
    AlterDataset,
    BrokenStatement,
    OtherAlteration,
    OtherStatement,
    Statement,
)
from tidegate.grammar.parser import ParsedFile
from tidegate.source.span import Span

# A border of cells counts anywhere in a line, as it does to the splitter.
_MARKER = re.compile(r"--[ \t]*(?:COMMAND[ \t]+-----|MAGIC\b|DBTITLE\b|Databricks notebook source)")


class Layout(msgspec.Struct, frozen=True, kw_only=True):
    """What a user may choose about the layout."""

    queries: bool = False
    """Whether queries are laid out too."""


class Formatted(msgspec.Struct, frozen=True, kw_only=True):
    """A file's new text, and what of it was left as it was written."""

    text: str
    broken: int = 0
    """Statements that do not parse, or parse with a fault."""
    other: int = 0
    """Statements of other kinds."""
    kept: int = 0
    """Statements that cannot be laid out with all that stands in them."""
    templates: int = 0
    """One for a file in which something is still to be filled in: it stays as it is."""


_readers: dict[str, ConcreteReader] = {}


def format_file(parsed: ParsedFile, options: Layout) -> Formatted:
    """Lay a file of plain SQL out; blanks alone change, and the case of keywords."""
    text, statements = parsed.source.text, parsed.statements
    if parsed.source.view is not None:
        # What is still to be filled in may be anything, a line or a clause.
        return Formatted(text=parsed.source.original, templates=1)
    if not statements:
        return Formatted(text=text)
    writer = _Writer(text, options)
    ends = [0, *[one.span.end for one in statements]]
    starts = [*[one.span.start for one in statements], len(text)]
    around: list[Statement | None] = [None, *statements, None]
    out = []
    for at, (before, behind) in enumerate(pairwise(around)):
        gap = Span(ends[at], starts[at])
        is_safe = not parsed.faults and not _MARKER.search(text, gap.start, gap.end)
        out.append(writer.gap(gap, before, behind) if is_safe else writer.written(gap))
        if behind is not None:
            out.append(writer.statement(behind))
    return Formatted(text="".join(out), broken=writer.broken, other=writer.other, kept=writer.kept)


class _Writer:
    def __init__(self, text: str, options: Layout) -> None:
        self._text = text
        self._options = options
        # The last line end is the one that stays what it is.
        last = text.rfind("\n")
        self._eol = "\r\n" if last > 0 and text[last - 1] == "\r" else "\n"
        self.broken = self.other = self.kept = 0

    def written(self, span: Span) -> str:
        """Return what was written under a span."""
        return self._text[span.start : span.end]

    def gap(self, gap: Span, before: Statement | None, behind: Statement | None) -> str:
        """Return what stands between two statements."""
        if _is_faulty(before) or _is_faulty(behind):
            return self.written(gap)
        return show_gap(self._text, gap, Neighbors(before, behind), self._eol)

    def statement(self, statement: Statement) -> str:
        """Return a statement's new text."""
        if _is_faulty(statement):
            self.broken += 1
            return self.written(statement.span)
        if isinstance(statement, OtherStatement):
            self.other += 1
            return self.written(statement.span)
        shown = self._laid_out(statement)
        if shown is None:
            self.kept += 1
            return self.written(statement.span)
        return shown

    def _laid_out(self, statement: Statement) -> str | None:
        span = statement.span
        is_unread = isinstance(statement, AlterDataset) and isinstance(
            statement.action, OtherAlteration
        )
        tree = _reader().read(self._text, span.start, span.end, whole=not is_unread)
        if tree is None:
            return None
        steps = layout(tree, self._text)
        if self._options.queries:
            for step in steps:
                if step.is_query:
                    step.shown = show_query(step.shown, self._eol)
        return Sheet(self._text, self._eol).written(steps)


def _reader() -> ConcreteReader:
    if "one" not in _readers:
        _readers["one"] = ConcreteReader()
    return _readers["one"]


def _is_faulty(statement: Statement | None) -> bool:
    return statement is not None and (
        isinstance(statement, BrokenStatement) or bool(statement.faults)
    )
