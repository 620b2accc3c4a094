"""A source file comes in; typed statements with exact spans, and faults, go out.

Parsing never raises, whatever the text.
"""

from typing import TYPE_CHECKING

import msgspec

from tidegate.grammar.driver import BakedDriver
from tidegate.grammar.nodes import Expression, Statement
from tidegate.grammar.splitter import Slice, rejoined, split
from tidegate.grammar.statements import Reader
from tidegate.source.diagnostic import Fault
from tidegate.source.marks import may_hold_marks
from tidegate.source.span import Span
from tidegate.source.text import SourceFile, holds_python

if TYPE_CHECKING:
    from tidegate.source.hosts import Unread


class ParsedFile(msgspec.Struct, frozen=True, kw_only=True):
    """A file and its statements in order; each carries its own faults."""

    source: SourceFile
    statements: tuple[Statement, ...]
    faults: tuple[Fault, ...] = ()
    """Faults that belong to no statement."""
    unread: "tuple[Unread, ...]" = ()
    """Parts of a notebook or a Python file that could not be read."""
    comments: tuple[Span, ...] = ()
    """The comments of Python code that speak to the linter; those of SQL stand in its text."""
    is_template: bool = False
    """Whether a template engine makes SQL of it first: what was read is not what will run."""


_readers: dict[str, Reader] = {}


def parse(source: SourceFile) -> ParsedFile:
    """Parse a file with the baked tables."""
    return _parse_host(source, _baked_reader())


def parse_with_lark(source: SourceFile) -> ParsedFile:
    """Parse a file with Lark's own engine: the same tree, slower; for tests and for debugging."""
    if "lark" not in _readers:
        from tidegate.grammar.lark_driver import LarkDriver  # noqa: PLC0415 - lark is slow to import

        _readers["lark"] = Reader(LarkDriver)
    return _parse_host(source, _readers["lark"])


def parse_predicate(text: str) -> Expression | Fault:
    """Parse a predicate on its own; offsets count from its start."""
    return _baked_reader().read_predicate(text, 0, len(text))


def _baked_reader() -> Reader:
    if "baked" not in _readers:
        _readers["baked"] = Reader(BakedDriver)
    return _readers["baked"]


def _parse_host(source: SourceFile, reader: Reader) -> ParsedFile:
    """Parse a file of any kind."""
    reader.begin()
    if holds_python(source):
        from tidegate.grammar.hosted import parse_hosted  # noqa: PLC0415 - plain SQL needs none of it

        return parse_hosted(source, reader)
    return _parse_marked(source, reader)


def _parse_marked(source: SourceFile, reader: Reader) -> ParsedFile:
    """Parse a file; what was to be filled in first reads like placeholders and blanks."""
    if not may_hold_marks(source.text):
        return _parse(source, reader)
    from tidegate.grammar.recovery.templates import loose_blanks, template_fault, with_blanks  # noqa: PLC0415
    from tidegate.source.templates import marked  # noqa: PLC0415

    found = marked(source)
    if found is None:
        return _parse(source, reader)
    parsed = _parse(found.source, reader)
    about = template_fault(found)
    loose = [*parsed.faults, *loose_blanks(parsed.statements, found), *([about] if about else ())]
    return ParsedFile(
        source=found.source,
        statements=tuple(with_blanks(parsed.statements, found)),
        faults=tuple(loose),
        is_template=about is not None,
    )


def _parse(source: SourceFile, reader: Reader) -> ParsedFile:
    statements, loose = read_slices(source.text, split(source.text), reader)
    return ParsedFile(source=source, statements=tuple(statements), faults=tuple(loose))


def read_slices(
    text: str, slices: list[Slice], reader: Reader
) -> tuple[list[Statement], list[Fault]]:
    """Return the statements of slices of a text, and the faults that belong to none."""
    statements: list[Statement] = []
    loose: list[Fault] = []
    at = 0
    while at < len(slices):
        piece = slices[at]
        at += 1
        if piece.fault and reader.bears():
            from tidegate.grammar.recovery.requoting import moved_back, requoted  # noqa: PLC0415 - it is rare

            if found := requoted(text, piece):
                inside, more = read_slices(found.draft.text, found.slices, reader)
                statements += moved_back(text, found, inside)
                loose += map(found.draft.moved_fault, more)
                continue
        if piece.statement.start < piece.statement.end:
            # Where many a statement is broken, one that has to be joined is not read twice.
            start = piece.statement.start
            is_joined = reader.is_worn and text[start : start + 6].upper() == "CREATE"
            if is_joined and (joined := rejoined(text, slices, at - 1)):
                piece, at = joined
            statement = reader.read(text, piece)
            if not is_joined and statement.faults and (joined := rejoined(text, slices, at - 1)):
                piece, at = joined
                statement = reader.read(text, piece)
            statements.append(statement)
        elif piece.fault:
            loose.append(piece.fault)
    return statements, loose
