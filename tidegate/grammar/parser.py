"""A source file comes in; typed statements with exact spans, and faults, go out.

Parsing never raises, whatever the text.
"""

import msgspec

from tidegate.grammar.driver import BakedDriver
from tidegate.grammar.nodes import Expression, Statement
from tidegate.grammar.splitter import rejoined, split
from tidegate.grammar.statements import Reader
from tidegate.source.diagnostic import Fault
from tidegate.source.text import SourceFile


class ParsedFile(msgspec.Struct, frozen=True, kw_only=True):
    """A file and its statements in order; each carries its own faults."""

    source: SourceFile
    statements: tuple[Statement, ...]
    faults: tuple[Fault, ...] = ()
    """Faults that belong to no statement."""


_readers: dict[str, Reader] = {}


def parse(source: SourceFile) -> ParsedFile:
    """Parse a file with the baked tables."""
    return _parse(source, _baked_reader())


def parse_with_lark(source: SourceFile) -> ParsedFile:
    """Parse a file with Lark's own engine: the same tree, slower; for tests and for debugging."""
    if "lark" not in _readers:
        from tidegate.grammar.lark_driver import LarkDriver  # noqa: PLC0415 - lark is slow to import

        _readers["lark"] = Reader(LarkDriver)
    return _parse(source, _readers["lark"])


def parse_predicate(text: str) -> Expression | Fault:
    """Parse a predicate on its own; offsets count from its start."""
    return _baked_reader().read_predicate(text, 0, len(text))


def _baked_reader() -> Reader:
    if "baked" not in _readers:
        _readers["baked"] = Reader(BakedDriver)
    return _readers["baked"]


def _parse(source: SourceFile, reader: Reader) -> ParsedFile:
    statements: list[Statement] = []
    loose: list[Fault] = []
    text, slices, at = source.text, split(source.text), 0
    while at < len(slices):
        piece = slices[at]
        at += 1
        if piece.statement.start < piece.statement.end:
            statement = reader.read(text, piece)
            if statement.faults and (joined := rejoined(text, slices, at - 1)):
                piece, at = joined
                statement = reader.read(text, piece)
            statements.append(statement)
        elif piece.fault:
            loose.append(piece.fault)
    return ParsedFile(source=source, statements=tuple(statements), faults=tuple(loose))
