"""A Python program comes in; the datasets that it declares go out. Nothing of it is executed.

Its statements are followed in their order with what their text alone says. Where that is not enough
(an argument, a condition, a call into another file) the value is unknown, and so is what is built
from it.
"""

import ast
import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from contextlib import suppress

import msgspec

from tidegate.grammar.python.binding import (
    Defined,
    bind_imports,
    bind_parameters,
    named_function,
    untold,
)
from tidegate.grammar.python.calls import (
    Declared,
    Loose,
    called_door,
)
from tidegate.grammar.python.changes import (
    READING_METHODS,
    captured,
    changed_in_turns,
    changed_inside,
)
from tidegate.grammar.python.folding import Arguments, Folder, bind
from tidegate.grammar.python.module_names import (
    is_data_load_tool,
    is_door,
    makes_dataset,
    mentions_of_pipelines,
)
from tidegate.grammar.python.program import Program
from tidegate.grammar.python.values import (
    NOT_KNOWN,
    DoorFunction,
    Function,
    Listed,
    Module,
    Plain,
    Rule,
    Rules,
    Scope,
    Space,
    Table,
    Target,
    Text,
    Unknown,
    Value,
    Wrong,
    items_of,
    merged,
)
from tidegate.source.span import Span

_OWNER = re.compile(r"(?:\w+\.)*")
_MOST_NESTED = 12
_MOST_DECLARED = 5_000
# Turns of loops that are followed one by one, all loops of a program together.
_MOST_TURNS = 5_000

_DATA = (Text, Plain, Table, Listed, Space)


class _Returned(Exception):
    def __init__(self, value: Value) -> None:
        super().__init__()
        self.value = value


class Runner:
    """Follows the statements of a program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.declared: list[Declared] = []
        self.loose: dict[tuple[int, int], Loose] = {}
        self._wrong: dict[Span, Wrong] = {}
        self._folder = Folder(program, self._called)
        self._depth = 0
        self._turns = 0
        self._followed: set[int] = set()
        self._pending: list[tuple[Defined, Scope]] = []
        self._mentions = mentions_of_pipelines(program.tree)
        self._is_data_load_tool = is_data_load_tool(program.tree)

    def run(self) -> None:
        """Follow the whole program, and then the functions that nothing in it calls."""
        self._block(self.program.tree.body, Scope())
        while self._pending:
            node, scope = self._pending.pop()
            if id(node) not in self._followed and self._is_relevant(node):
                self._enter(node, scope, ([], {}))

    def untold(self) -> list[Wrong]:
        """Return what is wrong with calls, where nothing that was found holds it."""
        return untold(self.declared, self.loose.values(), self._wrong)

    def _is_relevant(self, node: Defined) -> bool:
        """Tell whether a function names anything that declares datasets or expectations."""
        at = bisect_left(self._mentions, node.lineno)
        last = node.end_lineno or node.lineno
        return at < len(self._mentions) and self._mentions[at] <= last

    # ------------------------------------------------------------ statements

    def _block(self, body: Iterable[ast.stmt], scope: Scope) -> None:
        for node in body:
            self._folder.renew()
            self._statement(node, scope)

    def _statement(self, node: ast.stmt, scope: Scope) -> None:
        for name in changed_inside(node):
            scope.lose(name)
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                self._define(node, scope)
            case ast.ClassDef():
                self._class(node, scope)
            case ast.Import() | ast.ImportFrom():
                bind_imports(node, scope, self.program.span(node))
            case ast.Assign(targets=targets, value=value):
                known = self._folder.fold(value, scope)
                for target in targets:
                    self._assign(target, known, scope)
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                self._assign(target, self._folder.fold(value, scope), scope)
            case ast.AugAssign(target=ast.Name(id=name) as target, op=op, value=value):
                whole = ast.copy_location(ast.BinOp(ast.Name(name, ast.Load()), op, value), node)
                ast.copy_location(whole.left, target)
                bind(target, self._folder.fold(whole, scope), scope)
            case ast.Expr(value=value):
                self._expression(value, scope)
            case _:
                self._compound(node, scope)

    def _compound(self, node: ast.stmt, scope: Scope) -> None:
        match node:
            case ast.Return(value=value):
                known = self._folder.fold(value, scope) if value else Plain(None)
                # Outside a function it is a mistake that is not ours to name.
                if self._depth:
                    raise _Returned(known)
            case ast.For() | ast.AsyncFor():
                self._loop(node, scope)
            case ast.While(test=test, body=body, orelse=orelse):
                self._forget_carried(body, scope)
                self._folder.fold(test, scope)
                self._branches((body, orelse), scope)
            case ast.If(test=test, body=body, orelse=orelse):
                self._folder.fold(test, scope)
                self._branches((body, orelse), scope)
            case ast.With(body=body, items=items) | ast.AsyncWith(body=body, items=items):
                for target in (each.optional_vars for each in items if each.optional_vars):
                    bind(target, NOT_KNOWN, scope)
                self._block(body, scope)
            case ast.Try(body=body, handlers=handlers, orelse=orelse, finalbody=final):
                self._branches(((*body, *orelse), *(each.body for each in handlers)), scope)
                scope.names |= {each.name: NOT_KNOWN for each in handlers if each.name}
                self._block(final, scope)
            case _:
                self._rest(node, scope)

    def _rest(self, node: ast.stmt, scope: Scope) -> None:
        match node:
            case ast.Match(cases=cases):
                scope.names |= dict.fromkeys(captured(cases), NOT_KNOWN)
                self._branches([case.body for case in cases], scope)
            case ast.Delete(targets=targets):
                for target in targets:
                    bind(target, NOT_KNOWN, scope)
            case ast.Global(names=names) | ast.Nonlocal(names=names):
                for name in names:
                    self._forget_outside(name, scope)
            case _:
                pass

    def _branches(self, bodies: Sequence[Sequence[ast.stmt]], scope: Scope) -> None:
        """Follow each body from the same start; names that then differ are not known."""
        before = dict(scope.names)
        ends: list[dict[str, Value]] = []
        for body in bodies:
            scope.names = dict(before)
            # What comes behind the branches may still happen.
            with suppress(_Returned):
                self._block(body, scope)
            ends.append(scope.names)
        scope.names = {}
        for name in dict.fromkeys(key for end in ends for key in end):
            values = [end.get(name) for end in ends]
            modules = [value for value in values if isinstance(value, Module | DoorFunction)]
            same = all(value is values[0] or value == values[0] for value in values)
            first = values[0]
            scope.names[name] = (
                modules[0] if modules else first if same and first else _unsure(name)
            )

    def _loop(self, node: ast.For | ast.AsyncFor, scope: Scope) -> None:
        items = items_of(self._folder.fold(node.iter, scope))
        for item in items or ():
            self._turns += 1
            if self._turns > _MOST_TURNS:
                items = None
                break
            bind(node.target, item, scope)
            self._block(node.body, scope)
        if items is None:
            unknown = Unknown(f"`{self._folder.written(node.iter)}` is not a constant")
            self._forget_carried(node.body, scope)
            bind(node.target, unknown, scope)
            self._branches((node.body, ()), scope)
        self._block(node.orelse, scope)

    def _forget_outside(self, name: str, scope: Scope) -> None:
        """Forget what a function binds for those around it."""
        if scope.outer is not None and isinstance(scope.outer.find(name), _DATA):
            scope.outer.change(name, _unsure(name))

    def _forget_carried(self, body: Sequence[ast.stmt], scope: Scope) -> None:
        """Forget what a turn of a loop may take over from the one before."""
        for name in changed_in_turns(body):
            if isinstance(scope.names.get(name), _DATA):
                scope.names[name] = _unsure(name)

    def _assign(self, target: ast.expr, value: Value, scope: Scope) -> None:
        if isinstance(value, Unknown):
            for each in value.applied:
                self._lose(each)
        match target:
            case ast.Subscript(value=ast.Name(id=name), slice=key):
                self._put(name, self._folder.fold(key, scope), value, scope)
            case _:
                bind(target, value, scope)

    def _put(self, name: str, key: Value, value: Value, scope: Scope) -> None:
        """Follow ``name[key] = value``."""
        known = scope.find(name)
        if isinstance(known, Table) and isinstance(key, Text):
            scope.change(name, merged((known, Table(((key, value),)))))
        else:
            scope.lose(name)

    def _class(self, node: ast.ClassDef, scope: Scope) -> None:
        inner = Scope(scope)
        with suppress(_Returned):
            self._block(node.body, inner)
        scope.names[node.name] = Space(inner.names)
        for each in node.decorator_list:
            value = self._decorator(each, scope)
            if isinstance(value, Rules):
                self._lose(value, f"`{node.name}` is a class, not a function")

    # ------------------------------------------------------------ expressions as statements

    def _expression(self, node: ast.expr, scope: Scope) -> None:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            owner = node.func.value
            if isinstance(owner, ast.Name):
                known = scope.find(owner.id)
                if isinstance(known, Table | Listed):
                    self._change(node, owner.id, known, scope)
                    return
        if isinstance(node, ast.UnaryOp):
            # A decorator without a function, made readable.
            node = node.operand
        value = self._folder.fold(node, scope)
        if isinstance(value, Rules):
            self._lose(value)
        elif isinstance(value, Unknown):
            for each in value.applied:
                self._lose(each)

    def _change(self, node: ast.Call, name: str, known: Table | Listed, scope: Scope) -> None:
        """Follow ``rules.update(...)``, ``names.append(...)`` and the like."""
        method = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        given = [self._folder.fold(each, scope) for each in node.args]
        match method, known, given:
            case "update", Table(), [Table() as other] if not node.keywords:
                value: Value = merged((known, other))
            case "append", Listed(items=items), [item]:
                value = Listed((*items, item))
            case "extend", Listed(items=items), [other] if items_of(other) is not None:
                value = Listed((*items, *(items_of(other) or ())))
            case _ if method in READING_METHODS:
                return
            case _:
                scope.lose(name)
                return
        scope.change(name, self._folder.bounded(value))

    def _module_of(self, rules: Rules) -> str:
        """Return what stands before the name of an expect function, with its dot."""
        match = _OWNER.match(self.program.text, rules.span.start, rules.span.end)
        return match[0] if match else ""

    def _lose(
        self, rules: Rules, reason: str = "it decorates no function", advice: str | None = None
    ) -> None:
        key = (rules.span.start, rules.span.end)
        known = self.loose.get(key)
        before = known.rules if known else ()
        more = tuple(rule for rule in rules.rules if rule not in before)
        self.loose[key] = Loose(rules=(*before, *more), span=rules.span, reason=reason, help=advice)

    # ------------------------------------------------------------ functions

    def _define(self, node: Defined, scope: Scope) -> None:
        function = Function(node=node, scope=scope)
        found: list[tuple[Value, ast.expr]] = [
            (self._decorator(each, scope), each) for each in node.decorator_list
        ]
        scope.names[node.name] = function
        self._pending.append((node, scope))
        rules = [value for value, _ in found if isinstance(value, Rules)]
        targets = [value for value, _ in found if isinstance(value, Target)]
        strangers = len(found) - len(rules) - len(targets)
        all_rules = tuple(rule for each in rules for rule in each.rules)
        if targets:
            for target in targets:
                self._declare(target, function, all_rules)
        elif rules and strangers:
            span = self.program.span(found[0][1])
            stranger = Target(function="", name=None, is_private=False, span=span)
            self._declare(stranger, function, all_rules)
        for each in rules if not targets and not strangers else ():
            self._lose(
                each,
                f"`{node.name}` is no dataset: no decorator makes it one",
                f"add `@{self._module_of(each)}table` above",
            )

    def _decorator(self, node: ast.expr, scope: Scope) -> Value:
        value = self._folder.fold(node, scope)
        if isinstance(value, DoorFunction):
            # Without parentheses.
            call = ast.copy_location(ast.Call(node, [], []), node)
            return self._called(call, value, ([], {}), scope)
        return value

    def _declare(self, target: Target, function: Function, rules: tuple[Rule, ...]) -> None:
        if len(self.declared) < _MOST_DECLARED:
            self.declared.append(
                Declared(target=target, node=function.node, rules=(*rules, *function.rules))
            )

    def _called(self, node: ast.Call, callee: Value, arguments: Arguments, scope: Scope) -> Value:
        given, _ = arguments
        match callee:
            case DoorFunction():
                return self._door(node, callee, arguments)
            case Rules():
                return self._applied(callee, given)
            case Target():
                if given:
                    self._apply(callee, given[0])
                return NOT_KNOWN
            case Function(node=ast.FunctionDef() | ast.AsyncFunctionDef() as defined):
                return self._enter(defined, callee.scope, arguments)
            case _:
                return Unknown(f"`{self._folder.written(node)}` is not a constant")

    def _door(self, node: ast.Call, callee: DoorFunction, arguments: Arguments) -> Value:
        """Follow a call of a function of the module, or of one that it should have."""
        is_other = self._is_data_load_tool
        function, wrong = named_function(node, callee, self.program, is_other_package=is_other)
        given, _ = arguments
        if not is_door(function.name):
            found: Value = Unknown(f"`{self._folder.written(node)}` is not a constant")
        elif given and self._decorates(function, given[0], node, wrong):
            return NOT_KNOWN
        else:
            declare = self._declare_empty
            found = called_door(node, function, arguments, self.program, declare, wrong=wrong)
        if isinstance(found, Rules):
            wrong += tuple(each for rule in found.rules for each in rule.wrong)
        self._wrong |= {each.span: each for each in wrong}
        return found

    def _decorates(
        self, function: DoorFunction, value: Value, node: ast.Call, wrong: tuple[Wrong, ...]
    ) -> bool:
        """Follow ``table(function)``: the decorator without parentheses, applied by hand."""
        is_function = isinstance(value, Function) or (isinstance(value, Unknown) and value.applied)
        if not is_function or not makes_dataset(function.name):
            return False
        span = self.program.span(node)
        target = Target(function=function.name, name=None, is_private=False, span=span, wrong=wrong)
        self._apply(target, value)
        return True

    def _apply(self, target: Target, value: Value) -> None:
        match value:
            case Function():
                self._declare(target, value, ())
            case Unknown(applied=applied):
                # A helper decorates what it is given: no expectation of it is lost.
                for each in applied:
                    self.loose.pop((each.span.start, each.span.end), None)
            case _:
                pass

    def _declare_empty(self, declared: Declared) -> None:
        if len(self.declared) < _MOST_DECLARED:
            self.declared.append(declared)

    def _applied(self, rules: Rules, given: Sequence[Value]) -> Value:
        """Follow ``expect(...)(function)``; of anything but a function nothing remains."""
        match list(given):
            case [Function() as function]:
                return msgspec.structs.replace(function, rules=(*rules.rules, *function.rules))
            case [Unknown(is_parameter=True) as argument]:
                # Perhaps a helper that decorates what it is given.
                return msgspec.structs.replace(argument, applied=(*argument.applied, rules))
            case _:
                self._lose(rules)
                return NOT_KNOWN

    def _enter(self, node: Defined, scope: Scope, arguments: Arguments) -> Value:
        """Follow a call of a function of the file; return what it returns."""
        self._turns += 1
        if self._depth >= _MOST_NESTED or self._turns > 2 * _MOST_TURNS:
            return NOT_KNOWN
        self._followed.add(id(node))
        inner = Scope(scope)
        bind_parameters(node, inner, arguments, self._folder)
        self._depth += 1
        try:
            self._block(node.body, inner)
        except _Returned as returned:
            return returned.value
        finally:
            self._depth -= 1
        return Plain(None)


def _unsure(name: str) -> Unknown:
    return Unknown(f"what `{name}` is depends on a condition")
