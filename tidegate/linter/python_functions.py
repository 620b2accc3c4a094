"""Python text comes in; the SQL functions that it registers, or what SQL says for it, go out.

Loaded only where a project has Python files: it needs Python's own parser.
"""

import ast
import textwrap
import warnings
from collections.abc import Iterator

import msgspec

_DECORATORS = frozenset({"udf", "pandas_udf", "udtf"})


class RegisteredFunctions(msgspec.Struct, frozen=True, kw_only=True):
    """Names as written."""

    python: frozenset[str] = frozenset()
    """By ``spark.udf.register("name", ...)``, ``@udf`` and ``@pandas_udf``."""
    java: frozenset[str] = frozenset()
    """By ``spark.udf.registerJavaFunction("name", ...)``: they run inside the engine."""


def registered_functions(text: str) -> RegisteredFunctions:
    """Return what a Python file makes callable in SQL.

    A file that is no Python gives nothing: its own tools report that.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return RegisteredFunctions()
    constants = dict(_constants(tree))
    found = [each for node in ast.walk(tree) for each in _registered(node, constants)]
    return RegisteredFunctions(
        python=frozenset(name for name, is_java in found if name and not is_java),
        java=frozenset(name for name, is_java in found if name and is_java),
    )


def said_in_sql(body: str) -> tuple[str, ...]:
    """Return the built-ins of SQL that say what a function's body says, if it is one expression."""
    try:
        tree = ast.parse("def f():\n" + textwrap.indent(textwrap.dedent(body).strip(), "  "))
    except (SyntaxError, ValueError, RecursionError):
        return ()
    (function,) = tree.body
    lines = function.body if isinstance(function, ast.FunctionDef) else []
    telling = [each for each in lines if not isinstance(each, ast.Import | ast.ImportFrom)]
    match telling:
        case [ast.Return(value=expression)] if expression is not None:
            found = (_said(node) for node in ast.walk(expression))
            return tuple(dict.fromkeys(each for each in found if each))
        case _:
            return ()


def _said(node: ast.AST) -> str | None:
    match node:
        case ast.Compare(ops=[ast.Is()], comparators=[ast.Constant(value=None)]):
            return "IS NULL"
        case ast.Compare(ops=[ast.IsNot()], comparators=[ast.Constant(value=None)]):
            return "IS NOT NULL"
        case ast.Compare(ops=[ast.In()], comparators=[ast.Tuple() | ast.List() | ast.Set()]):
            return "IN"
        case ast.Compare(left=ast.Constant(value=str()), ops=[ast.In()]):
            return "contains"
        case ast.Compare(ops=[ast.LtE(), ast.LtE()]):
            return "BETWEEN"
        case ast.Call(func=ast.Attribute(attr="match" | "search" | "fullmatch")):
            return "RLIKE"
        case ast.Call(func=ast.Name(id="len")):
            return "length"
        case _:
            return None


def _constants(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Yield ``NAME = "text"`` at the top of the file, for names given by a constant."""
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=str(text))):
                yield name, text
            case _:
                pass


def _registered(node: ast.AST, constants: dict[str, str]) -> Iterator[tuple[str, bool]]:
    """Yield names, each with whether it stands for a Java class."""
    match node:
        case ast.Call(
            func=ast.Attribute(attr="register" | "registerJavaFunction" as method, value=owner)
        ) if _last_name(owner) in ("udf", "udtf"):
            named = [each.value for each in node.keywords if each.arg == "name"]
            for argument in (*node.args, *named)[:1]:
                yield _text(argument, constants), method == "registerJavaFunction"
        case (
            ast.FunctionDef(name=name, decorator_list=decorators)
            | ast.ClassDef(name=name, decorator_list=decorators)
        ):
            if any(_last_name(each) in _DECORATORS for each in decorators):
                yield name, False
        case _:
            pass


def _last_name(node: ast.expr) -> str:
    """Return ``udf`` of ``udf``, ``F.udf``, ``spark.udf`` and ``F.udf("int")``."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case ast.Call(func=function):
            return _last_name(function)
        case _:
            return ""


def _text(node: ast.expr, constants: dict[str, str]) -> str:
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.Name(id=name):
            return constants.get(name, "")
        case _:
            return ""
