"""A file comes in; the SQL and the Python that it holds go out, each with its places."""

import re
from collections.abc import Iterator

import msgspec

from tidegate.source.span import Span
from tidegate.source.text import SourceFile, suffix_of
from tidegate.source.view import Encoding, HostKind, Piece, PieceKind, View, assemble, plain

_IPYNB = ".ipynb"
_COMMAND = re.compile(r"^# COMMAND -{5,}.*$", re.MULTILINE)

Block = list[Piece]


class PythonText(msgspec.Struct, frozen=True, kw_only=True):
    """The Python of a file, as one program."""

    text: str
    cells: tuple[Span, ...]
    """Its cells; of a plain file, one."""
    numbers: tuple[int, ...] = (1,)
    """Which cells of the notebook those are, counted from one."""
    view: View | None = None
    """How the program was taken out of a notebook; ``None`` where it is the file's text."""


class Unread(msgspec.Struct, frozen=True, kw_only=True):
    """A file, or a part of it, that could not be read."""

    offset: int
    """Where, in the file."""
    reason: str
    help: str
    cell: int | None = None
    """The cell of a notebook, counted from one."""
    is_exact: bool = False
    """Whether the place tells a column as well."""
    is_partial: bool = False
    """Whether the rest of the file was read."""


class Opened(msgspec.Struct, frozen=True, kw_only=True):
    """What a file holds."""

    host: HostKind
    sql: tuple[Block, ...] = ()
    python: PythonText | None = None
    comments: tuple[Block, ...] = ()
    """The comments of the program that speak to the linter."""
    unread: tuple[Unread, ...] = ()


def host_of(source: SourceFile) -> HostKind:
    """Return what kind of file it is."""
    if source.view is not None:
        return source.view.host
    is_notebook = source.text.startswith("-- Databricks notebook source")
    return HostKind.SQL_NOTEBOOK if is_notebook else HostKind.SQL


def open_host(source: SourceFile) -> Opened:
    """Return what a Python file or a notebook holds."""
    is_notebook = suffix_of(source) == _IPYNB
    return _ipynb(source.text) if is_notebook else _python(source.text)


def _python(text: str) -> Opened:
    from tidegate.source.cells import is_notebook, magic_cells  # noqa: PLC0415
    from tidegate.source.python_sql import python_sql  # noqa: PLC0415

    blocks = [list(cell.pieces) for cell in magic_cells(text)]
    blocks += python_sql(text)
    notebook = is_notebook(text)
    cells = _cells(text) if notebook else (Span(0, len(text)),)
    return Opened(
        comments=tuple(_comments(text)),
        host=HostKind.PYTHON_NOTEBOOK if notebook else HostKind.PYTHON,
        sql=tuple(sorted(blocks, key=_start)),
        python=PythonText(text=text, cells=cells, numbers=tuple(range(1, len(cells) + 1))),
    )


def _comments(program: str) -> Iterator[Block]:
    from tidegate.source.python_tokens import python_comments  # noqa: PLC0415

    for span in python_comments(program, "tidegate:"):
        yield [plain(program, span.start, span.end, Encoding())]


def _cells(text: str) -> tuple[Span, ...]:
    ends = [match.start() for match in _COMMAND.finditer(text)]
    return tuple(Span(*pair) for pair in zip([0, *ends], [*ends, len(text)], strict=True))


def _start(block: Block) -> int:
    return block[0].host.start if block else 0


def _ipynb(text: str) -> Opened:
    from tidegate.source.ipynb import NoNotebook, read_cells  # noqa: PLC0415
    from tidegate.source.python_sql import python_sql  # noqa: PLC0415
    from tidegate.source.view import Lift  # noqa: PLC0415

    cells = read_cells(text)
    if isinstance(cells, NoNotebook):
        unread = Unread(
            offset=cells.offset, reason=cells.reason, help="save it again from its editor"
        )
        return Opened(host=HostKind.IPYNB, unread=(unread,))
    blocks = [list(cell.pieces) for cell in cells if cell.language == "sql"]
    programs = [_ended(list(cell.pieces)) for cell in cells if cell.language == "python"]
    numbers = tuple(cell.number for cell in cells if cell.language == "python")
    program, view = assemble(text, HostKind.IPYNB, programs)
    lift = Lift(view)
    blocks += [list(lift(block)) for block in python_sql(program)]
    return Opened(
        comments=tuple(list(lift(comment)) for comment in _comments(program)),
        host=HostKind.IPYNB,
        sql=tuple(sorted(blocks, key=_start)),
        python=PythonText(text=program, cells=view.blocks, numbers=numbers, view=view),
    )


def _ended(pieces: Block) -> Block:
    """Let a cell end with its last line, for the program goes on behind it."""
    if pieces and not pieces[-1].text.endswith("\n"):
        end = pieces[-1].host.end
        pieces.append(Piece(PieceKind.MADE, "\n", Span(end, end)))
    return pieces
