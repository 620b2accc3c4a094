"""A function that returns a dataset comes in; what it reads goes out, and whether it streams."""

import ast
from collections.abc import Iterator

from tidegate.grammar.nodes import ObjectKind
from tidegate.grammar.python.program import Program
from tidegate.source.view import Piece

_READERS = {"read": False, "read_stream": True, "readStream": True}
_BATCH = frozenset(("read", "createDataFrame", "range"))

Body = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | None


def kind_of_body(body: Body) -> ObjectKind:
    """Return what a function decorated as a table makes: what it reads decides that.

    Where its text does not tell, it is a table of either kind.
    """
    if body is None:
        return ObjectKind.TABLE
    nodes = list(_within(body))
    names = [each.attr for each in nodes if isinstance(each, ast.Attribute)]
    if "readStream" in names or "read_stream" in names:
        return ObjectKind.STREAMING_TABLE
    if any(isinstance(each, ast.Call) and _says_stream(each) for each in nodes):
        return ObjectKind.STREAMING_TABLE
    if _BATCH.intersection(names):
        return ObjectKind.MATERIALIZED_VIEW
    return ObjectKind.TABLE


def _within(body: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> Iterator[ast.AST]:
    """Yield the nodes of what a function does, its decorators and defaults left out."""
    parts = [body.body] if isinstance(body, ast.Lambda) else body.body
    for part in parts:
        yield from ast.walk(part)


def _says_stream(node: ast.Call) -> bool:
    """Tell whether a call runs SQL that reads a stream."""
    match node:
        case ast.Call(func=ast.Attribute(attr="sql"), args=[ast.Constant(value=str(text)), *_]):
            words = text.upper().replace("(", " ( ").split()
            return "STREAM" in words
        case _:
            return False


def reads_of(body: Body, program: Program) -> Iterator[tuple[tuple[Piece, ...], bool]]:
    """Yield the names that a function reads, each with whether it does so as a stream."""
    if body is None:
        return
    for node in _within(body):
        match node:
            case ast.Call(
                func=ast.Attribute(attr=name, value=owner),
                args=[ast.Constant(value=str()) as table, *_],
            ):
                streams = _reads(name, owner)
                if streams is not None:
                    literals = program.literals(table)
                    pieces = tuple(piece for each in literals for piece in each.pieces)
                    if pieces:
                        yield pieces, streams
            case _:
                pass


def _reads(name: str, owner: ast.expr) -> bool | None:
    """Tell whether a method reads a table, and whether as a stream; ``None`` if it reads none."""
    if name in _READERS and isinstance(owner, ast.Name) and owner.id != "spark":
        return _READERS[name]
    if name not in ("table", "readTable"):
        return None
    inner: ast.expr = owner
    while True:
        match inner:
            case ast.Attribute(attr="readStream"):
                return True
            case ast.Attribute(attr="read"):
                return False
            case ast.Call(func=ast.Attribute(value=value)):
                inner = value
            case ast.Name(id="spark"):
                return False
            case _:
                return None
