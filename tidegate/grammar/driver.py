"""A stretch of text and a start symbol come in; a typed value or a failure goes out.

The loop runs the baked tables; ``lark_driver`` runs Lark's own engine over the same grammar with
the same lexer and builders.
"""

from collections.abc import Callable, Container, Sequence
from typing import Any, Protocol

import msgspec

from tidegate.grammar import _tables
from tidegate.grammar.build import Builder
from tidegate.grammar.lexer import END, OPAQUE, Lexer
from tidegate.grammar.pieces import Child, Rejected
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

    def parse(
        self, start: str, text: str, begin: int, end: int, holes: tuple[Span, ...] = ()
    ) -> Child:
        """Parse ``text[begin:end]`` to the value of ``start``, or a ``Failure``.

        What stands under ``holes`` is passed over as if it were blank.
        """


TOO_DEEP = "nested too deeply"

_ACCEPT = 1 << 30
"""The action at the end of a text that fits."""

_FINAL = frozenset(_tables.ENDS.values())

_Row = dict[str, int]
# A builder takes the values of a production's children, whose types the grammar determines.
_Action = tuple[str, int, Callable[[list[Any]], Any] | None, tuple[int, ...], bool]


class _Rows(dict[int, _Row]):
    """The rows by state, each decoded when it is first met: one text meets few of them."""

    def __missing__(self, state: int) -> _Row:
        row: _Row = msgspec.json.decode(_tables.ROWS[state])
        self[state] = row
        return row


class _Opaque(dict[int, str | None]):
    """The opaque terminal that a state waits for, by state."""

    def __init__(self, rows: _Rows) -> None:
        super().__init__()
        self._rows = rows

    def __missing__(self, state: int) -> str | None:
        found = self[state] = opaque_in(self._rows[state])
        return found


class BakedDriver:
    """A lexer and a shift/reduce loop over the baked tables, fused."""

    __slots__ = ("_actions", "_memo", "_opaque", "_rows")

    def __init__(self, builder: Builder) -> None:
        self._rows = _Rows()
        self._opaque = _Opaque(self._rows)
        # Where a chain of productions with one child each leads, by the states around it.
        self._memo: dict[tuple[int, int, str], tuple[int, int | None]] = {}
        self._actions: list[_Action] = [
            (origin, size, _method(builder, name), splices, unwraps and size == 1)
            for origin, size, name, splices, unwraps in _tables.REDUCTIONS
        ]

    # One loop, because a call for each of its steps would double the time of a parse.
    def parse(  # noqa: C901, PLR0912
        self, start: str, text: str, begin: int, end: int, holes: tuple[Span, ...] = ()
    ) -> Child:
        """Parse ``text[begin:end]`` to the value of ``start``, or a ``Failure``."""
        rows, actions, opaque = self._rows, self._actions, self._opaque
        states = [_tables.STARTS[start]]
        values: list[Any] = []
        lexer = Lexer(text, end, holes)
        read = lexer.next
        at, state = begin, states[0]
        row = rows[state]
        while True:
            if len(states) > MAX_DEPTH:
                return Failure("", Span(at, at), (), TOO_DEEP)
            whole = opaque[state]
            token = read(at, row) if whole is None else lexer.opaque(at, whole, row)
            kind = token.type
            action = row.get(kind)
            # What would have fitted is asked of the stack as it is now, before any reduction.
            before = states.copy() if action is not None and action < 0 else states
            while action is not None and action < 0:
                origin, size, builder, splices, is_unit = actions[~action]
                if is_unit:
                    state, action = self._follow(states[-2], state, kind)
                    states[-1] = state
                    if action == _ACCEPT:
                        return values[-1]
                    row = rows[state]
                    continue
                if size:
                    children = values[-size:]
                    del states[-size:], values[-size:]
                else:
                    children = []
                if splices:
                    children = _splice(children, splices)
                if builder is None:
                    value: Any = children if origin[0] == "_" or len(children) != 1 else children[0]
                else:
                    try:
                        value = builder(children)
                    except Rejected as rejected:
                        return Failure("", rejected.span, (), rejected.reason)
                values.append(value)
                state = rows[states[-1]][origin]
                states.append(state)
                if kind == END and state in _FINAL:
                    return value
                row = rows[state]
                action = row.get(kind)
            if action is None:
                span = Span(token.start, token.end)
                return Failure(kind, span, expected_of(rows, actions, before))
            state = action
            states.append(state)
            values.append(token)
            row = rows[state]
            at = token.end

    def _follow(self, below: int, state: int, kind: str) -> tuple[int, int | None]:
        """Take all one-child steps from a state at once; return the last one and its action."""
        key = (below, state, kind)
        found = self._memo.get(key)
        if found is None:
            rows, actions = self._rows, self._actions
            action = rows[state].get(kind)
            while action is not None and action < 0 and actions[~action][4]:
                state = rows[below][actions[~action][0]]
                action = rows[state].get(kind)
                if kind == END and state in _FINAL:
                    action = _ACCEPT
            found = self._memo[key] = (state, action)
        return found


def opaque_in(row: Container[str]) -> str | None:
    """Return the opaque terminal that a state waits for, if it does."""
    for terminal in OPAQUE:
        if terminal in row:
            return terminal
    return None


def _method(builder: Builder, name: str | None) -> Callable[[list[Any]], Any] | None:
    return None if name is None else getattr(builder, name, None)


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


def expected_of(rows: _Rows, actions: Sequence[_Action], states: Sequence[int]) -> tuple[str, ...]:
    """Return the terminals that really fit here, sorted: a merged state's row promises more."""
    if states[-1] in _FINAL:
        return (END,)
    return tuple(
        symbol
        for symbol in sorted(rows[states[-1]])
        if symbol[0] in "$ABCDEFGHIJKLMNOPQRSTUVWXYZ" and _fits(rows, actions, states, symbol)
    )


def _fits(rows: _Rows, actions: Sequence[_Action], states: Sequence[int], symbol: str) -> bool:
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
        if symbol == END and goto in _FINAL:
            return True
        stack.append(goto)
