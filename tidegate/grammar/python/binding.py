"""Names of a program come in: imports, parameters, functions; what they stand for goes out."""

import ast
from collections.abc import Iterable

import msgspec

from tidegate.grammar.python.calls import FLOWS, Declared, Loose
from tidegate.grammar.python.folding import Arguments, Folder
from tidegate.grammar.python.module_names import (
    PIPELINE_MODULES,
    is_known,
    meant_name,
    unknown_name,
)
from tidegate.grammar.python.program import Program
from tidegate.grammar.python.values import DoorFunction, Module, Scope, Unknown, Wrong
from tidegate.source.span import Span

Defined = ast.FunctionDef | ast.AsyncFunctionDef

_ARGUMENT = Unknown("it is an argument of the function around it", is_parameter=True)


def bind_imports(node: ast.Import | ast.ImportFrom, scope: Scope, span: Span) -> None:
    """Give the names of an import their values."""
    module = node.module or "" if isinstance(node, ast.ImportFrom) else ""
    for each in node.names:
        name = each.asname or each.name
        whole = f"{module}.{each.name}" if module else each.name
        if whole in PIPELINE_MODULES:
            if each.asname or "." not in each.name:
                scope.names[name] = Module()
        elif module in PIPELINE_MODULES and each.name == "*":
            continue
        elif module in PIPELINE_MODULES:
            scope.names[name] = DoorFunction(each.name, span)
        elif name not in scope.names or not isinstance(scope.names[name], Module):
            where = f" from `{module}`" if module else ""
            scope.names[name] = Unknown(f"`{name}` is imported{where}")


def bind_parameters(node: Defined, inner: Scope, arguments: Arguments, folder: Folder) -> None:
    """Give the parameters of a function what a call gives them, or their defaults."""
    given, named = arguments
    parameters = [*node.args.posonlyargs, *node.args.args]
    defaults = [None] * (len(parameters) - len(node.args.defaults)) + node.args.defaults
    is_called = bool(given or named) or not parameters
    for place, (each, default) in enumerate(zip(parameters, defaults, strict=True)):
        value = given[place] if place < len(given) else named.get(each.arg)
        if value is None and default is not None and is_called:
            value = folder.fold(default, inner)
        inner.names[each.arg] = _ARGUMENT if value is None else value
    for each, default in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True):
        value = named.get(each.arg)
        if value is None and default is not None and is_called:
            value = folder.fold(default, inner)
        inner.names[each.arg] = _ARGUMENT if value is None else value
    for rest in (node.args.vararg, node.args.kwarg):
        if rest is not None:
            inner.names[rest.arg] = _ARGUMENT


def named_function(
    node: ast.Call, function: DoorFunction, program: Program, *, is_other_package: bool
) -> tuple[DoorFunction, tuple[Wrong, ...]]:
    """Return the function that a name means, and what is wrong with the name."""
    name = function.name
    is_imported = isinstance(node.func, ast.Name)
    if is_imported:
        # Where it is named for this call: the import may bring many.
        function = msgspec.structs.replace(function, span=program.span(node.func))
    is_like_ours = name.startswith("expect")
    if is_known(name) or (is_other_package and not is_like_ours):
        return function, ()
    meant = meant_name(name)
    if function.is_assumed and meant is None and not is_like_ours:
        return function, ()
    wrong = unknown_name(name, function.span, is_written_there=not is_imported)
    return msgspec.structs.replace(function, name=meant or name, said=name), (wrong,)


def untold(
    declared: list[Declared], loose: Iterable[Loose], found: dict[Span, Wrong]
) -> list[Wrong]:
    """Return what is wrong with calls, where nothing that was found holds it."""
    rules = [rule for each in declared for rule in each.rules]
    rules += (rule for each in loose for rule in each.rules)
    told = {wrong.span for rule in rules for wrong in rule.wrong}
    targets = [each.target for each in declared if each.target.function not in FLOWS]
    told |= {wrong.span for target in targets for wrong in target.wrong}
    return [wrong for span, wrong in found.items() if span not in told]
