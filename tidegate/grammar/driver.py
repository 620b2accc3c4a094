"""A stretch of text and a start symbol come in; a typed value or a failure goes out.

The loop runs the baked tables; ``lark_driver`` runs Lark's own engine over the same grammar with the
same lexer and builders.
"""

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import msgspec

from tidegate.grammar import _tables
from tidegate.grammar.build import Builder, Rejected
from tidegate.grammar.lexer import END, Lexer, Token
from tidegate.source.span import Span

MAX_DEPTH = 250
"""How many symbols may wait on the stack: this bounds the depth of every tree."""


class Failure:
    """Where a parse stopped: the token that does not fit, and what would have."""

    __slots__ = ("expected", "found", "reason", "span")

    def __init__(
        self, found: str, span: Span, expected: tuple[str, ...], reason: str | None = None
    ) -> None:
        self.found = found
        """The terminal that was found."""
        self.span = span
        self.expected = expected
        """The terminals that would have fitted."""
        self.reason = reason
        """A reason of its own, where the expected terminals do not explain the failure."""


class Driver(Protocol):
    """What both engines offer. The value's type follows from the start symbol."""

    def parse(self, start: str, text: str, begin: int, end: int, holes: tuple[Span, ...] = ()) -> Any:
        """Parse ``text[begin:end]`` to the value of ``start``, or a ``Failure``.

        What stands under ``holes`` is passed over as if it were blank.
        """


TOO_DEEP = "nested too deeply"

_Row = dict[str, int]
# A builder takes the values of a production's children, whose types the grammar determines.
_Action = tuple[str, int, Callable[[list[Any]], Any] | None, tuple[int, ...], bool]


class BakedDriver:
    """A lexer and a shift/reduce loop over the baked tables, fused."""

    __slots__ = ("_actions", "_rows")

    def __init__(self, builder: Builder) -> None:
        self._rows: list[_Row] = msgspec.json.decode(_tables.ROWS)
        self._actions: list[_Action] = [
            (origin, size, _method(builder, name, unwraps), splices, unwraps)
            for origin, size, name, splices, unwraps in _tables.REDUCTIONS
        ]

    def parse(self, start: str, text: str, begin: int, end: int, holes: tuple[Span, ...] = ()) -> Any:
        """Parse ``text[begin:end]`` to the value of ``start``, or a ``Failure``."""
        rows = self._rows
        actions = self._actions
        final = _tables.ENDS[start]
        states = [_tables.STARTS[start]]
        values: list[Any] = []
        read = Lexer(text, end, holes).next
        at = begin
        row = rows[states[-1]]
        while True:
            if len(states) > MAX_DEPTH:
                return Failure("", Span(at, at), (), TOO_DEEP)
            token = read(at, row)
            kind = token.type
            action = row.get(kind)
            while action is not None and action < 0:
                origin, size, builder, splices, unwraps = actions[~action]
                if size:
                    children = values[-size:]
                    del states[-size:], values[-size:]
                else:
                    children = []
                if splices:
                    children = _splice(children, splices)
                if unwraps and len(children) == 1:
                    value: Any = children[0]
                elif builder is None:
                    value = children
                else:
                    try:
                        value = builder(children)
                    except Rejected as rejected:
                        return Failure("", rejected.span, (), rejected.reason)
                values.append(value)
                goto = rows[states[-1]][origin]
                states.append(goto)
                if kind == END and goto == final:
                    return value
                row = rows[goto]
                action = row.get(kind)
            if action is None:
                span = Span(token.start, token.end)
                return Failure(kind, span, expected_of(rows, actions, states))
            states.append(action)
            values.append(token)
            row = rows[action]
            at = token.end


def _method(builder: Builder, name: str | None, unwraps: bool) -> Callable[[list[Any]], Any] | None:
    if name is None or (unwraps and not hasattr(builder, name)):
        return None
    return getattr(builder, name)  # type: ignore[no-any-return]


def _splice(children: list[Any], splices: tuple[int, ...]) -> list[Any]:
    """Put the lists among the children in line; the first one grows in place."""
    if splices[0] == 0:
        out: list[Any] = children[0]
        rest = children[1:]
        places = {place - 1 for place in splices[1:]}
    else:
        out, rest, places = [], children, set(splices)
    for place, child in enumerate(rest):
        if place in places:
            out += child
        else:
            out.append(child)
    return out


def expected_of(
    rows: Sequence[_Row], actions: Sequence[_Action], states: Sequence[int]
) -> tuple[str, ...]:
    """Return the terminals that really fit here, sorted: a merged state's row promises more."""
    return tuple(
        symbol
        for symbol in sorted(rows[states[-1]])
        if symbol[0] in "$ABCDEFGHIJKLMNOPQRSTUVWXYZ" and _fits(rows, actions, states, symbol)
    )


def _fits(
    rows: Sequence[_Row], actions: Sequence[_Action], states: Sequence[int], symbol: str
) -> bool:
    stack = list(states)
    while True:
        action = rows[stack[-1]].get(symbol)
        if action is None:
            return False
        if action >= 0:
            return True
        origin, size, *_ = actions[~action]
        if size:
            del stack[-size:]
        goto = rows[stack[-1]][origin]
        if symbol == END and goto in _tables.ENDS.values():
            return True
        stack.append(goto)
