"""Statements come in; the names whose values they may change go out."""

import ast
from collections.abc import Iterable, Iterator

READING_METHODS = frozenset(("items", "keys", "values", "get", "copy", "index", "count"))
"""Those of dictionaries and lists that leave them as they are."""

_OWN_NAMES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


def changed_inside(node: ast.stmt) -> Iterator[str]:
    """Yield the names whose value gets another part by a statement that is not followed."""
    match node:
        case ast.Assign(targets=[ast.Subscript(value=ast.Name())]):
            return
        case ast.Assign(targets=targets) | ast.Delete(targets=targets):
            for each in targets:
                yield from _parts(each)
        case ast.AnnAssign(target=target) | ast.AugAssign(target=target):
            yield from _parts(target)
        case _:
            return


def captured(cases: Iterable[ast.match_case]) -> Iterator[str]:
    """Yield the names that patterns bind."""
    for case in cases:
        for node in ast.walk(case.pattern):
            match node:
                case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                    yield name
                case ast.MatchMapping(rest=str(name)):
                    yield name
                case _:
                    pass


def changed_in_turns(body: Iterable[ast.AST]) -> Iterator[str]:
    """Yield the names that the body of a loop binds or changes."""
    for node in body:
        match node:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                yield name
            case ast.Attribute() | ast.Subscript() if not isinstance(node.ctx, ast.Load):
                yield from _parts(node)
            case ast.Call(func=ast.Attribute(attr=method, value=ast.Name(id=name))):
                if method not in READING_METHODS:
                    yield name
            case _:
                pass
        if not isinstance(node, _OWN_NAMES):
            yield from changed_in_turns(ast.iter_child_nodes(node))


def _parts(target: ast.expr) -> Iterator[str]:
    """Yield the names of which a target changes a part, rather than binding them anew."""
    match target:
        case ast.Tuple(elts=targets) | ast.List(elts=targets):
            for each in targets:
                yield from _parts(each)
        case ast.Starred(value=inner):
            yield from _parts(inner)
        case ast.Attribute(value=inner) | ast.Subscript(value=inner):
            if isinstance(inner, ast.Name):
                yield inner.id
            else:
                yield from _parts(inner)
        case _:
            return
