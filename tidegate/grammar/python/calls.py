"""A call of a pipeline function comes in; the expectations or the dataset it stands for go out."""

import ast
from collections.abc import Callable, Iterator, Sequence

import msgspec

from tidegate.grammar.python.folding import Arguments
from tidegate.grammar.python.module_names import SEVERAL, SINGLE, STREAMING
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
    Wrong,
)
from tidegate.grammar.python.wrong_calls import (
    CONDITION_KEYS,
    NAME_KEYS,
    no_dictionary,
    wrong_entry,
    wrong_several,
    wrong_single,
)
from tidegate.source.span import Span

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
    help: str | None = None
    """What to do, where more is known than that it decorates nothing."""


def called_door(
    node: ast.Call,
    function: DoorFunction,
    arguments: Arguments,
    program: Program,
    declare: Callable[[Declared], None],
    *,
    wrong: tuple[Wrong, ...] = (),
) -> Value:
    """Return the decorator that a call makes; a call that declares a table tells that at once."""
    if function.name.startswith("expect"):
        return rules_of_call(node, function, arguments, program, wrong)
    given, named = arguments
    name = given[0] if given else named.get("name")
    if function.name in FLOWS:
        name = named.get("name")
    target = Target(
        function=function.name,
        name=name if isinstance(name, Text | Unknown) else None,
        is_private=any(named.get(key) == Plain(True) for key in ("private", "temporary")),
        span=program.span(node),
        wrong=wrong,
    )
    if function.name not in STREAMING:
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
        if key not in SEVERAL or value == Plain(None):
            continue
        keyword = written.get(key)
        place, action_span = program.span(node), function.span
        # Else it stands in a dictionary that the call spreads.
        if keyword is not None:
            start = program.span(keyword).start
            place = program.span(keyword.value)
            action_span = Span(start, start + len(key))
        wrong = no_dictionary(key, value, place)
        found = _several(value, SEVERAL[key], place, action_span)
        yield from _with_wrong(found, [wrong] if wrong else [])


def rules_of_call(
    node: ast.Call,
    function: DoorFunction,
    arguments: Arguments,
    program: Program,
    wrong: tuple[Wrong, ...],
) -> Rules:
    """Return the expectations of ``expect...(...)``; those of a name that does not exist too."""
    given, named = arguments
    span = program.span(node)
    written = function.said or function.name
    is_other = function.name not in SINGLE and bool(given) and isinstance(given[0], Table)
    if function.name in SEVERAL or is_other:
        value = given[0] if given else named.get("expectations", Unknown("no rules are given"))
        place = program.span(node.args[0]) if node.args else span
        faults = [*wrong, *wrong_several(node, written, arguments, program)]
        if refused := no_dictionary(written, value, place):
            faults.append(refused)
        action = function.said or SEVERAL.get(function.name, function.name)
        rules = _several(value, action, place, function.span)
        return Rules(rules=_with_wrong(rules, faults), span=span)
    faults = [*wrong, *wrong_single(node, written, arguments, program)]
    keys = (key for key in NAME_KEYS if key in named)
    name = given[0] if given else named.get(next(keys, ""), Unknown("no name is given"))
    predicate = given[1] if len(given) > 1 else None
    for key in CONDITION_KEYS:
        predicate = named.get(key) if predicate is None else predicate
    rule = Rule(
        name=_text_or_unknown(name),
        predicate=_text_or_unknown(predicate or Unknown("no condition is given")),
        action=function.said or SINGLE.get(function.name, function.name),
        span=span,
        action_span=function.span,
        source=program.span(node.args[1]) if len(node.args) > 1 else span,
        wrong=tuple(faults),
    )
    return Rules(rules=(rule,), span=span)


def _with_wrong(rules: tuple[Rule, ...], wrong: Sequence[Wrong]) -> tuple[Rule, ...]:
    """Let the first expectation of a call tell what is wrong with the whole call."""
    if not rules or not wrong:
        return rules
    first = msgspec.structs.replace(rules[0], wrong=(*wrong, *rules[0].wrong))
    return (first, *rules[1:])


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
            wrong=tuple(wrong_entry(name, predicate, _over(name, predicate, place))),
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
