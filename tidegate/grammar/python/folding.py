"""An expression of a Python program comes in; what it is worth goes out, without running it."""

import ast
from collections.abc import Callable, Iterator, Sequence

from tidegate.grammar.python.built_in import dict_of, list_of, range_of, table_method, zipped
from tidegate.grammar.python.changes import READING_METHODS
from tidegate.grammar.python.program import Program
from tidegate.grammar.python.values import (
    MOST_CHARACTERS,
    NOT_KNOWN,
    DoorFunction,
    Function,
    Listed,
    Module,
    Plain,
    Scope,
    Space,
    Table,
    Text,
    Unknown,
    Value,
    items_of,
    made,
    merged,
    plain_text,
    size_of,
    text_method,
)
from tidegate.source.span import Span
from tidegate.source.view import Piece, PieceKind

_STEPS, _LAST_STEPS, _MOST_STEPS = 20_000, 200, 400_000
_MOST_ITEMS = 10_000
# Expressions whose value may be larger than all of which it is made.
_GROWING = (ast.BinOp, ast.JoinedStr, ast.List, ast.Tuple, ast.Set, ast.Call)
_SIZE_OF_STEP = 100
_TOO_MUCH = Unknown("working it out takes too many steps")

Arguments = tuple[list[Value], dict[str, Value]]


class Folder:
    """Works out expressions; ``called`` is asked about functions that are not built in."""

    def __init__(
        self, program: Program, called: Callable[[ast.Call, Value, Arguments, Scope], Value]
    ) -> None:
        self._program = program
        self._called = called
        self._taken = 0
        self._left = _STEPS

    def renew(self) -> None:
        """Give the next statement steps of its own, fewer when others took very many."""
        self._left = _STEPS if self._taken < _MOST_STEPS else _LAST_STEPS

    def step(self) -> bool:
        """Count a step; tell whether there are any left."""
        self._taken += 1
        self._left -= 1
        return self._left > 0

    def fold(self, node: ast.expr, scope: Scope) -> Value:
        """Return what an expression is worth."""
        if not self.step():
            return _TOO_MUCH
        method = getattr(self, f"_{node.__class__.__name__.lower()}", None)
        if method is None:
            return Unknown(f"`{self.written(node)}` is not a constant")
        found: Value = method(node, scope)
        return self.bounded(found) if isinstance(node, _GROWING) else found

    def bounded(self, value: Value) -> Value:
        """Return a value that was put together, if it is not too large to go on with."""
        size = size_of(value)
        if size > MOST_CHARACTERS:
            return _TOO_MUCH
        self._taken += size // _SIZE_OF_STEP
        self._left -= size // _SIZE_OF_STEP
        return value

    def written(self, node: ast.expr) -> str:
        """Return a short form of an expression as the file has it."""
        span = self._program.span(node)
        text = " ".join(self._program.text[span.start : span.end].split())
        return text if len(text) <= 60 else f"{text[:57]}..."

    def _unknown(self, node: ast.expr) -> Unknown:
        return Unknown(f"`{self.written(node)}` is not a constant")

    # ------------------------------------------------------------ literals

    def _constant(self, node: ast.Constant, _scope: Scope) -> Value:
        match node.value:
            case str():
                return self._text(node, [])
            case None | bool() | int() | float():
                return Plain(node.value)
            case _:
                return self._unknown(node)

    def _joinedstr(self, node: ast.JoinedStr, scope: Scope) -> Value:
        values: list[Piece | Unknown] = []
        for part in node.values:
            if not isinstance(part, ast.FormattedValue):
                continue
            known = None
            if part.conversion in (-1, ord("s")) and part.format_spec is None:
                known = self.fold(part.value, scope)
            said = plain_text(known) if known is not None else None
            if said is None:
                found = known if isinstance(known, Unknown) else self._unknown(part.value)
                values.append(found)
            else:
                values.append(Piece(PieceKind.MADE, said, Span(0, 0)))
        return self._text(node, values)

    def _text(self, node: ast.expr, values: Sequence[Piece | Unknown]) -> Value:
        pieces: list[Piece] = []
        waiting = list(values)
        for literal in self._program.literals(node):
            for piece in literal.pieces:
                if piece.kind is not PieceKind.HOLE:
                    pieces.append(piece)
                    continue
                value = waiting.pop(0) if waiting else NOT_KNOWN
                if isinstance(value, Unknown):
                    return value
                pieces.append(Piece(PieceKind.MADE, value.text, piece.host))
        return Text(tuple(pieces), self._program.span(node))

    def _list(self, node: ast.List | ast.Tuple | ast.Set, scope: Scope) -> Value:
        found: list[Value] = []
        for each in node.elts:
            if isinstance(each, ast.Starred):
                inner = items_of(self.fold(each.value, scope))
                if inner is None:
                    return self._unknown(each.value)
                found += inner
            else:
                found.append(self.fold(each, scope))
        return Listed(tuple(found))

    _tuple = _set = _list

    def _dict(self, node: ast.Dict, scope: Scope) -> Value:
        tables: list[Table] = []
        entries: list[tuple[Value, Value]] = []
        for key, value in zip(node.keys, node.values, strict=True):
            known = self.fold(value, scope)
            if key is not None:
                entries.append((self.fold(key, scope), known))
                continue
            if not isinstance(known, Table):
                return known if isinstance(known, Unknown) else self._unknown(value)
            tables += (Table(tuple(entries)), known)
            entries = []
        own = Table(tuple(entries))
        return merged([*tables, own]) if tables else own

    # ------------------------------------------------------------ names and operators

    def _name(self, node: ast.Name, scope: Scope) -> Value:
        found = scope.find(node.id)
        if found is not None:
            return found
        if node.id in ("dlt", "dp"):
            # A notebook may have them from another one that it runs.
            return Module(is_assumed=True)
        return Unknown(f"`{node.id}` is not defined in this file")

    def _attribute(self, node: ast.Attribute, scope: Scope) -> Value:
        return self._of_owner(node, self.fold(node.value, scope))

    def _of_owner(self, node: ast.Attribute, owner: Value) -> Value:
        match owner:
            case Module(is_assumed=is_assumed):
                whole = self._program.span(node)
                place = Span(whole.end - len(node.attr), whole.end)
                return DoorFunction(node.attr, place, is_assumed=is_assumed)
            case Space(names=names) if node.attr in names:
                return names[node.attr]
            case _:
                return self._unknown(node)

    def _subscript(self, node: ast.Subscript, scope: Scope) -> Value:
        owner, key = self.fold(node.value, scope), self.fold(node.slice, scope)
        match owner, key:
            case Table(entries=entries), Text():
                for known, value in reversed(entries):
                    if isinstance(known, Text) and known.said == key.said:
                        return value
            case Listed(items=items), Plain(value=int() as place):
                if -len(items) <= place < len(items):
                    return items[place]
            case _:
                pass
        return self._unknown(node)

    def _binop(self, node: ast.BinOp, scope: Scope) -> Value:
        left, right = self.fold(node.left, scope), self.fold(node.right, scope)
        match node.op, left, right:
            case ast.Add(), Text(), Text():
                return Text((*left.pieces, *right.pieces))
            case ast.Add(), Listed(), Listed():
                return Listed((*left.items, *right.items))
            case ast.BitOr(), Table(), Table():
                return merged((left, right))
            case ast.Mod(), Text(), _:
                return self._percent(node, left, right)
            case (
                ast.Add() | ast.Sub() | ast.Mult(),
                Plain(value=int() as one),
                Plain(value=int() as other),
            ) if abs(one) < 2**63 and abs(other) < 2**63:
                return Plain(_computed(node.op, one, other))
            case _, Unknown(), _:
                return left
            case _, _, Unknown():
                return right
            case _:
                return self._unknown(node)

    def _percent(self, node: ast.BinOp, left: Text, right: Value) -> Value:
        values = right.items if isinstance(right, Listed) else (right,)
        parts = left.said.split("%s")
        given = [plain_text(each) for each in values]
        known = [each for each in given if each is not None]
        if "%" in "".join(parts) or len(parts) != len(values) + 1 or len(known) != len(given):
            return self._unknown(node)
        if sum(map(len, known)) > MOST_CHARACTERS:
            return _TOO_MUCH
        said = parts[0] + "".join(a + b for a, b in zip(known, parts[1:], strict=True))
        return made(said, self._program.span(node))

    def _unaryop(self, node: ast.UnaryOp, scope: Scope) -> Value:
        match node.op, self.fold(node.operand, scope):
            case ast.USub(), Plain(value=int() | float() as value):
                return Plain(-value)
            case ast.Not(), Plain(value=value):
                return Plain(not value)
            case _:
                return self._unknown(node)

    def _compare(self, node: ast.Compare, scope: Scope) -> Value:
        if len(node.ops) != 1:
            return self._unknown(node)
        left, right = self.fold(node.left, scope), self.fold(node.comparators[0], scope)
        one, other = plain_text(left), plain_text(right)
        match node.ops[0]:
            case ast.Eq() if one is not None and other is not None:
                return Plain(one == other and left.__class__ is right.__class__)
            case ast.NotEq() if one is not None and other is not None:
                return Plain(one != other or left.__class__ is not right.__class__)
            case ast.In() | ast.NotIn() if one is not None:
                items = items_of(right)
                said = [plain_text(each) for each in items or ()]
                if items is not None and None not in said:
                    return Plain((one in said) is isinstance(node.ops[0], ast.In))
            case _:
                pass
        return self._unknown(node)

    def _ifexp(self, node: ast.IfExp, scope: Scope) -> Value:
        match self.fold(node.test, scope):
            case Plain(value=value):
                return self.fold(node.body if value else node.orelse, scope)
            case _:
                return self._unknown(node)

    def _namedexpr(self, node: ast.NamedExpr, scope: Scope) -> Value:
        value = self.fold(node.value, scope)
        scope.names[node.target.id] = value
        return value

    def _lambda(self, node: ast.Lambda, scope: Scope) -> Value:
        return Function(node=node, scope=scope)

    def _await(self, node: ast.Await, scope: Scope) -> Value:
        return self.fold(node.value, scope)

    # ------------------------------------------------------------ comprehensions

    def _listcomp(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp, scope: Scope) -> Value:
        found: list[Value] = []
        for inner in self._turns(node.generators, Scope(scope)):
            if inner is None or len(found) > _MOST_ITEMS:
                return self._unknown(node)
            found.append(self.fold(node.elt, inner))
        return Listed(tuple(found))

    _setcomp = _generatorexp = _listcomp

    def _dictcomp(self, node: ast.DictComp, scope: Scope) -> Value:
        found: list[tuple[Value, Value]] = []
        for inner in self._turns(node.generators, Scope(scope)):
            if inner is None or len(found) > _MOST_ITEMS:
                return self._unknown(node)
            found.append((self.fold(node.key, inner), self.fold(node.value, inner)))
        return Table(tuple(found))

    def _turns(self, generators: list[ast.comprehension], scope: Scope) -> Iterator[Scope | None]:
        """Yield the names of each turn; ``None`` if the turns are not known."""
        if not generators:
            yield scope
            return
        first, *rest = generators
        items = items_of(self.fold(first.iter, scope))
        if items is None:
            yield None
            return
        for item in items:
            inner = Scope(scope)
            if not self.step():
                yield None
                return
            bind(first.target, item, inner)
            tests = [self.fold(test, inner) for test in first.ifs]
            if not all(isinstance(test, Plain) for test in tests):
                yield None
                return
            if all(test.value for test in tests if isinstance(test, Plain)):
                yield from self._turns(rest, inner)

    # ------------------------------------------------------------ calls

    def _call_arguments(self, node: ast.Call, scope: Scope) -> Arguments:
        given: list[Value] = []
        for each in node.args:
            if isinstance(each, ast.Starred):
                given += items_of(self.fold(each.value, scope)) or (self._unknown(each.value),)
            else:
                given.append(self.fold(each, scope))
        named: dict[str, Value] = {}
        for keyword in node.keywords:
            value = self.fold(keyword.value, scope)
            if keyword.arg is not None:
                named[keyword.arg] = value
            elif isinstance(value, Table):
                named |= {key.said: worth for key, worth in value.entries if isinstance(key, Text)}
        return given, named

    def _call(self, node: ast.Call, scope: Scope) -> Value:
        arguments = self._call_arguments(node, scope)
        given, named = arguments
        if isinstance(node.func, ast.Attribute):
            owner = self.fold(node.func.value, scope)
            if isinstance(node.func.value, ast.Name) and node.func.attr not in READING_METHODS:
                scope.lose(node.func.value.id)
            if isinstance(owner, Text):
                span = self._program.span(node)
                found = text_method(owner, node.func.attr, given, named, span)
                return self._unknown(node) if found is NOT_KNOWN else found
            if isinstance(owner, Table) and not given and not named:
                found = table_method(owner, node.func.attr)
                return self._unknown(node) if found is NOT_KNOWN else found
            callee = self._of_owner(node.func, owner)
        else:
            callee = self.fold(node.func, scope)
        if isinstance(callee, Unknown) and isinstance(node.func, ast.Name):
            return self._built_in(node, node.func.id, given, named)
        return self._called(node, callee, arguments, scope)

    def _keyword(self, node: ast.keyword) -> Text:
        start = self._program.span(node).start
        place = Span(start, start + len(node.arg or ""))
        said = self._program.text[place.start : place.end]
        return Text((Piece(PieceKind.PLAIN, said, place),), place)

    def _built_in(
        self, node: ast.Call, name: str, given: list[Value], named: dict[str, Value]
    ) -> Value:
        items = items_of(given[0]) if given else ()
        span = self._program.span(node)
        found: Value = NOT_KNOWN
        match name, len(given):
            case "dict", 0 | 1:
                keys = {each.arg: self._keyword(each) for each in node.keywords if each.arg}
                own = tuple((keys.get(key) or made(key, span), named[key]) for key in named)
                found = dict_of(given, items, Table(own))
            case "list" | "tuple" | "set" | "frozenset" | "sorted" | "reversed" | "iter", 0 | 1:
                found = list_of(name, items) if not named else NOT_KNOWN
            case "enumerate", 1 if items is not None:
                found = Listed(
                    tuple(Listed((Plain(place), item)) for place, item in enumerate(items))
                )
            case "zip", _:
                found = zipped(given)
            case "range", 1 | 2 | 3:
                found = range_of(given)
            case "str", 1:
                said = plain_text(given[0])
                found = NOT_KNOWN if said is None else made(said, span)
            case "len", 1 if items is not None:
                found = Plain(len(items))
            case "dedent" | "cleandoc", 1 if isinstance(given[0], Text):
                found = given[0]
            case _:
                pass
        return self._unknown(node) if found is NOT_KNOWN else found


def bind(target: ast.expr, value: Value, scope: Scope) -> None:
    """Give the names of a target their values."""
    match target:
        case ast.Name(id=name):
            scope.names[name] = value
        case ast.Tuple(elts=targets) | ast.List(elts=targets):
            items = value.items if isinstance(value, Listed) else ()
            starred = any(isinstance(each, ast.Starred) for each in targets)
            known = len(items) == len(targets) and not starred
            unknown = value if isinstance(value, Unknown) else NOT_KNOWN
            for place, each in enumerate(targets):
                inner = each.value if isinstance(each, ast.Starred) else each
                bind(inner, items[place] if known else unknown, scope)
        case _:
            pass


def _computed(operator: ast.operator, one: int, other: int) -> int:
    if isinstance(operator, ast.Mult):
        return one * other
    return one + other if isinstance(operator, ast.Add) else one - other
