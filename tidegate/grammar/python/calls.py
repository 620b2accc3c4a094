"""A call of a pipeline function comes in; the expectations or the dataset it stands for go out."""

import ast
from collections.abc import Callable, Iterator

import msgspec

from tidegate.grammar.python.folding import Arguments
from tidegate.grammar.python.program import Program
from tidegate.grammar.python.values import (
    NOT_KNOWN,
    DoorFunction,
    Plain,
    Rule,
    Rules,
    Table,
    Target,
    Text,
    Unknown,
    Value,
)
from tidegate.source.span import Span

PIPELINE_MODULES = frozenset({"dlt", "pyspark.pipelines", "databricks.pipelines"})

_DROP, _FAIL = "DROP ROW", "FAIL UPDATE"
_SINGLE = {"expect": "", "expect_or_drop": _DROP, "expect_or_fail": _FAIL}
_SEVERAL = {"expect_all": "", "expect_all_or_drop": _DROP, "expect_all_or_fail": _FAIL}
_DECORATORS = frozenset(
    ("table", "materialized_view", "view", "temporary_view", "append_flow", "update_flow")
)
_STREAMING = frozenset(
    ("create_streaming_table", "create_target_table", "create_streaming_live_table")
)
FLOWS = frozenset(("append_flow", "update_flow"))


class Declared(msgspec.Struct, frozen=True, kw_only=True):
    """A dataset that a program declares."""

    target: Target
    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.Call
    rules: tuple[Rule, ...]


class Loose(msgspec.Struct, frozen=True, kw_only=True):
    """Expectations that no dataset has."""

    rules: tuple[Rule, ...]
    span: Span
    reason: str


def is_door(name: str) -> bool:
    """Tell whether a name is one of the functions that are read."""
    return name in _DECORATORS or name in _STREAMING or name.startswith("expect")


def makes_dataset(name: str) -> bool:
    """Tell whether a function of that name decorates functions that return datasets."""
    return name in _DECORATORS


def is_expectation(name: str) -> bool:
    """Tell whether a function of that name exists that makes expectations."""
    return name in _SINGLE or name in _SEVERAL


def called_door(
    node: ast.Call,
    function: DoorFunction,
    arguments: Arguments,
    program: Program,
    declare: Callable[[Declared], None],
) -> Value:
    """Return the decorator that a call makes; a call that declares a table tells that at once."""
    if function.name.startswith("expect"):
        return rules_of_call(node, function, arguments, program)
    given, named = arguments
    name = given[0] if given else named.get("name")
    if function.name in FLOWS:
        name = named.get("name")
    target = Target(
        function=function.name,
        name=name if isinstance(name, Text | Unknown) else None,
        is_private=any(named.get(key) == Plain(True) for key in ("private", "temporary")),
        span=program.span(node),
    )
    if function.name not in _STREAMING:
        if given and not isinstance(given[0], Text | Unknown):
            # ``@table`` applied by hand: ``dlt.table(function)``.
            return NOT_KNOWN
        return target
    rules = _rules_of_table(node, function, named, program)
    declare(Declared(target=target, node=node, rules=tuple(rules)))
    return NOT_KNOWN


def _rules_of_table(
    node: ast.Call, function: DoorFunction, named: dict[str, Value], program: Program
) -> Iterator[Rule]:
    """Yield the expectations that a table is made with, in the order of the call."""
    written = {keyword.arg: keyword for keyword in node.keywords}
    for key, value in named.items():
        if key not in _SEVERAL:
            continue
        keyword = written.get(key)
        if keyword is None:
            # It stands in a dictionary that the call spreads.
            yield from _several(value, _SEVERAL[key], program.span(node), function.span)
            continue
        start = program.span(keyword).start
        place = program.span(keyword.value)
        yield from _several(value, _SEVERAL[key], place, Span(start, start + len(key)))


def rules_of_call(
    node: ast.Call, function: DoorFunction, arguments: Arguments, program: Program
) -> Rules:
    """Return the expectations of ``expect...(...)``."""
    given, named = arguments
    span = program.span(node)
    if function.name in _SEVERAL:
        value = given[0] if given else named.get("expectations", Unknown("no rules are given"))
        place = program.span(node.args[0]) if node.args else span
        rules = _several(value, _SEVERAL[function.name], place, function.span)
        return Rules(rules=rules, span=span)
    name = given[0] if given else named.get("name", Unknown("no name is given"))
    predicate = given[1] if len(given) > 1 else None
    for key in ("inv", "expr", "expression", "condition", "constraint"):
        predicate = named.get(key) if predicate is None else predicate
    rule = Rule(
        name=_text_or_unknown(name),
        predicate=_text_or_unknown(predicate or Unknown("no condition is given")),
        action=_SINGLE.get(function.name, function.name),
        span=span,
        action_span=function.span,
        source=program.span(node.args[1]) if len(node.args) > 1 else span,
    )
    return Rules(rules=(rule,), span=span)


def _several(value: Value, action: str, place: Span, action_span: Span) -> tuple[Rule, ...]:
    if not isinstance(value, Table):
        unknown = value if isinstance(value, Unknown) else NOT_KNOWN
        return (
            Rule(
                name=None,
                predicate=unknown,
                action=action,
                span=place,
                action_span=action_span,
                source=place,
            ),
        )
    return tuple(
        Rule(
            name=_text_or_unknown(name),
            predicate=_text_or_unknown(predicate),
            action=action,
            span=_over(name, predicate, place),
            action_span=action_span,
            source=_over(name, predicate, place),
        )
        for name, predicate in value.entries
    )


def _over(name: Value, predicate: Value, place: Span) -> Span:
    """Return the stretch from a key to its value, where both stand in the program."""
    match name, predicate:
        case Text(span=Span() as key), Text(span=Span() as value) if key.start < value.end:
            return Span(key.start, value.end)
        case _:
            return place


def _text_or_unknown(value: Value) -> Text | Unknown:
    match value:
        case Text() | Unknown():
            return value
        case _:
            return NOT_KNOWN
