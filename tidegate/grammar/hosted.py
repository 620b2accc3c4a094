"""A file that is no plain SQL comes in; the statements in it go out, as of any other file."""

from collections.abc import Callable

import msgspec

from tidegate.grammar.nodes import Statement
from tidegate.grammar.parser import ParsedFile, read_slices
from tidegate.grammar.recovery.templates import loose_blanks, template_fault, with_blanks
from tidegate.grammar.splitter import Slice, split
from tidegate.grammar.statements import Reader
from tidegate.source.diagnostic import Fault, Related
from tidegate.source.edit import Edit, Fix
from tidegate.source.hosts import Opened, open_host
from tidegate.source.marks import may_hold_marks
from tidegate.source.span import Span
from tidegate.source.templates import marked
from tidegate.source.text import SourceFile
from tidegate.source.view import Lift, Piece, assemble

Block = list[Piece]

_SQL, _COMMENT = -1, -2


class Made(msgspec.Struct, frozen=True, kw_only=True):
    """A block of a view that is no SQL text, and what makes the statement of it."""

    block: Block
    build: Callable[[str, int], Statement]
    """Takes the view's text and where the block starts in it."""


def parse_hosted(source: SourceFile, reader: Reader) -> ParsedFile:
    """Parse what a Python file or a notebook holds."""
    opened = open_host(source)
    made: list[Made] = []
    unread = opened.unread
    if opened.python is not None:
        from tidegate.grammar.python.door import python_statements  # noqa: PLC0415 - needs ast

        made, failed = python_statements(opened.python, reader.judge_predicate)
        unread += failed
        if opened.python.view is not None:
            lift = Lift(opened.python.view)
            made = [Made(block=list(lift(each.block)), build=each.build) for each in made]
    hosted, places = _view_of(source, opened, made)
    found = marked(hosted) if may_hold_marks(hosted.text) else None
    hosted = hosted if found is None else found.source
    statements: list[Statement] = []
    loose: list[Fault] = []
    comments: list[Span] = []
    for block, place in zip(hosted.view.blocks if hosted.view else (), places, strict=True):
        if place == _COMMENT:
            comments.append(block)
            continue
        if place != _SQL:
            statements.append(made[place].build(hosted.text, block.start))
            continue
        slices = [
            _shifted(each, block.start) for each in split(hosted.text[block.start : block.end])
        ]
        read, faults = read_slices(hosted.text, slices, reader)
        statements += read
        loose += faults
    about = None
    if found is not None:
        about = template_fault(found)
        loose += (*loose_blanks(statements, found), *([about] if about else ()))
        statements = with_blanks(statements, found)
    return ParsedFile(
        source=hosted,
        statements=tuple(statements),
        faults=tuple(loose),
        unread=unread,
        comments=tuple(comments),
        is_template=about is not None,
    )


def _view_of(source: SourceFile, opened: Opened, made: list[Made]) -> tuple[SourceFile, list[int]]:
    """Return a file with its view, and for each block the number of what is made of it."""
    blocks: list[tuple[Block, int]] = [(block, _SQL) for block in opened.sql]
    blocks += [(each.block, at) for at, each in enumerate(made)]
    blocks += [(block, _COMMENT) for block in opened.comments]
    blocks.sort(key=lambda pair: pair[0][0].host.start if pair[0] else 0)
    text, view = assemble(source.original, opened.host, [block for block, _ in blocks])
    hosted = SourceFile(path=source.path, text=text, view=view)
    return hosted, [at for _, at in blocks]


def _shifted(piece: Slice, offset: int) -> Slice:
    """Return a slice of a block as one of the whole text."""
    if offset == 0:
        return piece
    return Slice(
        start=piece.start + offset,
        stop=piece.stop + offset,
        statement=_moved(piece.statement, offset),
        fault=_shifted_fault(piece.fault, offset) if piece.fault else None,
    )


def _shifted_fault(fault: Fault, offset: int) -> Fault:
    """Return a fault found in a block as one of the whole text."""
    fix = fault.fix
    if fix is not None:
        edits = tuple(Edit(_moved(edit.span, offset), edit.text) for edit in fix.edits)
        fix = Fix(fix.title, edits, fix.safety)
    return msgspec.structs.replace(
        fault,
        span=_moved(fault.span, offset),
        fix=fix,
        related=tuple(
            Related(message=each.message, span=_moved(each.span, offset), path=each.path)
            for each in fault.related
        ),
    )


def _moved(span: Span, offset: int) -> Span:
    return Span(span.start + offset, span.end + offset)
