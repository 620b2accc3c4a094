"""A call of an expect function comes in; what keeps it from running goes out."""

import ast
from collections.abc import Iterator

from tidegate.grammar.python.folding import Arguments
from tidegate.grammar.python.program import Program
from tidegate.grammar.python.values import Listed, Plain, Table, Text, Unknown, Value, Wrong
from tidegate.source.span import Span

NAME_KEYS = ("name", "description")
CONDITION_KEYS = ("inv", "expr", "expression", "condition", "constraint")
SEVERAL_KEYS = ("expectations",)
_ACTION_IN_NAME = (
    "the action is part of the function's name: `expect_or_drop`, `expect_or_fail`, and "
    "`expect` to keep the row"
)


def is_spread(node: ast.Call) -> bool:
    """Tell whether a call takes arguments out of a list or a dictionary."""
    return any(isinstance(each, ast.Starred) for each in node.args) or any(
        keyword.arg is None for keyword in node.keywords
    )


def wrong_single(
    node: ast.Call, name: str, arguments: Arguments, program: Program
) -> Iterator[Wrong]:
    """Yield what is wrong with ``expect("name", "condition")``."""
    if is_spread(node):
        return
    given, named = arguments
    keys = (*NAME_KEYS, *CONDITION_KEYS)
    yield from _wrong_arguments(node, name, keys, program, most=2)
    label = given[0] if given else _first(named, NAME_KEYS)
    condition = given[1] if len(given) > 1 else _first(named, CONDITION_KEYS)
    whole = program.span(node)
    if isinstance(label, Table) and condition is None:
        several = name.replace("expect", "expect_all", 1)
        yield Wrong(
            span=program.span(node.args[0]) if node.args else whole,
            message=f"`{name}` takes a name and a condition, not a dictionary",
            help=f"write `{several}`",
        )
        return
    missing = [
        said for said, value in (("a name", label), ("a condition", condition)) if value is None
    ]
    if missing:
        yield Wrong(
            span=whole,
            message=f"`{name}` is called without {' and '.join(missing)}",
            help=f'write `{name}("name", "condition")`',
        )
    for said, value, place in (("name", label, 0), ("condition", condition, 1)):
        if value is not None and (kind := kind_of(value)):
            yield Wrong(
                span=program.span(node.args[place]) if place < len(node.args) else whole,
                message=f"the {said} of `{name}` is {kind}, not a string",
                help="write it as a string",
            )


def wrong_several(
    node: ast.Call, name: str, arguments: Arguments, program: Program
) -> Iterator[Wrong]:
    """Yield what is wrong with ``expect_all({...})``, its dictionary left out."""
    if is_spread(node):
        return
    given, named = arguments
    is_dictionary = not given or isinstance(given[0], Table | Unknown)
    most = 1 if is_dictionary else len(given)
    yield from _wrong_arguments(node, name, SEVERAL_KEYS, program, most=most)
    if not given and _first(named, SEVERAL_KEYS) is None:
        yield Wrong(
            span=program.span(node),
            message=f"`{name}` is called without a dictionary",
            help=f'write `{name}({{"name": "condition"}})`',
        )


def no_dictionary(name: str, value: Value, place: Span) -> Wrong | None:
    """Say that several expectations are given by anything but a dictionary."""
    kind = kind_of(value) or ("a string" if isinstance(value, Text) else None)
    if kind is None or isinstance(value, Table):
        return None
    return Wrong(
        span=place,
        message=f"`{name}` takes a dictionary of names and conditions, not {kind}",
        help='write `{"name": "condition"}`',
    )


def wrong_entry(name: Value, condition: Value, place: Span) -> Iterator[Wrong]:
    """Yield what is wrong with one entry of a dictionary."""
    for said, value in (("name", name), ("condition", condition)):
        if kind := kind_of(value):
            of = f" of `{name.said}`" if said == "condition" and isinstance(name, Text) else ""
            yield Wrong(
                span=place,
                message=f"the {said}{of} is {kind}, not a string",
                help="write it as a string",
            )


def kind_of(value: Value) -> str | None:
    """Return what a value is, if it is neither a string nor unknown."""
    match value:
        case Plain(value=None):
            return "None"
        case Plain(value=bool()):
            return "a truth value"
        case Plain():
            return "a number"
        case Listed():
            return "a list"
        case Table():
            return "a dictionary"
        case _:
            return None


def _wrong_arguments(
    node: ast.Call, name: str, keys: tuple[str, ...], program: Program, *, most: int
) -> Iterator[Wrong]:
    """Yield arguments that the function does not have."""
    for extra in node.args[most:]:
        yield Wrong(
            span=program.span(extra),
            message=f"`{name}` takes no more than {most} argument{'s' if most > 1 else ''}",
            help=_ACTION_IN_NAME,
        )
        break
    for keyword in node.keywords:
        if keyword.arg not in keys:
            yield Wrong(
                span=program.span(keyword),
                message=f"`{name}` has no argument `{keyword.arg}`",
                help=_ACTION_IN_NAME,
            )


def _first(named: dict[str, Value], keys: tuple[str, ...]) -> Value | None:
    return next((named[key] for key in keys if key in named), None)
