"""A stretch of text and a start symbol come in; a typed value or a failure goes out.

The loop runs the baked tables; ``lark_driver`` runs Lark's own engine over the same grammar with
the same lexer and builders.
"""

import re
from collections.abc import Callable, Container, Sequence
from typing import Any, Protocol

import msgspec

from tidegate.grammar import _tables
from tidegate.grammar.building.builder import Builder
from tidegate.grammar.building.pieces import Child, Rejected
from tidegate.grammar.depth import MAX_DEPTH, TOO_DEEP
from tidegate.grammar.lexer import END, NO_QUERY, ONE_READING, OPAQUE, SINGLE_READINGS, Lexer
from tidegate.grammar.readings import FITS, READINGS, UNLESS_NAMED
from tidegate.grammar.shell_readings import NAMED_EXPECT
from tidegate.grammar.tokens import NUMBER, OPERATOR, STRANGE, STRING, TOKEN, WORD, Token
from tidegate.source.span import Span


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


_ACCEPT = 1 << 30
"""The action at the end of a text that fits."""

_FINAL = frozenset(_tables.ENDS.values())

_Row = dict[str, int]
# A builder takes the values of a production's children, whose types the grammar determines.
_Build = Callable[[list[Any]], Child]
_Action = tuple[str, int, _Build | None, tuple[int, ...]]

# What a step of a reduction does with the values on the stack.
_WRAP, _PASS, _LIST, _GROW, _MANY, _SPLICE = range(6)
_Step = tuple[int, int, _Build, tuple[int, ...]]

_MOST_NODES = 10_000
"""How many stacks are remembered; files as people write them need a tenth of that."""


_MOST_KNOWN = 500
"""How many words are remembered at a stack; more are the names of a large file."""

# An opaque predicate that ends with a closing bracket of its own or a word, as nearly all do.
_PLAIN_BODY = re.compile(
    r"\s*+((?:[^()'\"`/\s-]++|\s++(?!\))|'[^'\\]*+'(?!')"
    r"|\((?:[^()'\"`/-]++|'[^'\\]*+'(?!'))*+\))++)(?=\s*+\))"
)
_CONSTANTS = {STRING: "STRING", NUMBER: "NUMBER"}


class _State:
    """What the driver asks of a state for each token."""

    __slots__ = ("acts", "name", "opaque", "row", "takes_query")

    def __init__(self, row: _Row) -> None:
        self.row = row
        self.opaque = opaque_in(row)
        self.acts = "ACTION_WORD" in row
        self.takes_query = "SUBQUERY_TEXT" in row
        self.name = "ALIAS" if "IDENT" not in row and "ALIAS" in row else "IDENT"
        """What a word is here that is no keyword."""

    def read(self, written: str) -> str:
        """Return what a word is here whatever follows it; empty if that matters."""
        word, kind = written.upper(), self.name
        if not written.isascii():
            return ""
        if self.acts:
            return "ACTION_WORD" if word != "CONSTRAINT" else ""
        if word not in READINGS:
            return kind if written.isidentifier() else ""
        for reading in READINGS[word]:
            if reading in self.row:
                is_free = reading not in FITS or (
                    reading in UNLESS_NAMED and "IDENT" not in self.row
                )
                kind = reading if is_free else ""
                break
        return kind


class _Node:
    """A stack of states that a parse may stand at, and where each terminal leads from there."""

    __slots__ = (
        "edges",
        "expected",
        "is_plain",
        "is_too_deep",
        "known",
        "stack",
        "state",
        "takes_body",
    )

    def __init__(self, stack: tuple[int, ...], state: _State) -> None:
        self.stack = stack
        self.state = state
        self.is_too_deep = len(stack) > MAX_DEPTH
        self.is_plain = state.opaque is None and not self.is_too_deep
        self.takes_body = state.opaque == "BODY_TEXT"
        self.edges: dict[str, _Edge] = {}
        self.known: dict[str, _Edge] = {}
        """The edges of words and marks that mean one thing only here, by how they are written."""
        self.expected: tuple[str, ...] | None = None
        """The terminals that really fit, once somebody asked."""


# The terminal, the steps that make values, and the node behind the token: none at the end of the
# text, and none where the terminal does not fit, which may show after some steps only.
_Edge = tuple[str, tuple[_Step, ...], _Node | None, bool]


class BakedDriver:
    """A lexer and a shift/reduce loop over the baked tables, fused.

    The tables are not run for each text: where a terminal leads from a stack, and which values it
    makes complete, is found once and remembered. The same few stacks come back in every text.
    """

    __slots__ = ("_actions", "_column", "_nodes", "_plain_column", "_states")

    def __init__(self, builder: Builder) -> None:
        self._states: list[_State | None] = [None] * len(_tables.ROWS)
        self._nodes: dict[tuple[int, ...], _Node] = {}
        self._column = [builder.identifier, builder.name, builder.column_reference]
        self._plain_column = builder.plain_column
        self._actions: list[_Action] = [
            (origin, size, None if unwraps and size == 1 else _method(builder, name), splices)
            for origin, size, name, splices, unwraps in _tables.REDUCTIONS
        ]

    # One loop, because a call for each of its steps would double the time of a parse. What a word
    # or mark means at a stack, and where it leads, is remembered by how it is written.
    def parse(  # noqa: C901, PLR0912, PLR0915
        self, start: str, text: str, begin: int, end: int, holes: tuple[Span, ...] = ()
    ) -> Child:
        """Parse ``text[begin:end]`` to the value of ``start``, or a ``Failure``."""
        match_token, plain_body = TOKEN.match, _PLAIN_BODY.match
        constants, lexer = _CONSTANTS, None
        at, values = begin, list[Any]()
        node = self._node((_tables.STARTS[start],))
        try:
            while True:
                edge: _Edge | None = None
                if node.is_plain and not holes:
                    match = match_token(text, at, end)
                    if match is not None:
                        group = match.lastindex or STRANGE
                        # The same names and marks come back all the time: trees share them.
                        written = match[group]
                        stop = match.end()
                        if kind := constants.get(group, ""):
                            edge = node.edges.get(kind) or self._lead(node, kind)
                        elif written != "(" or not node.state.takes_query:
                            edge = node.known.get(written)
                            if edge is None and written == "CONSTRAINT":
                                edge = self._constraint(node, text, stop, end)
                            edge = edge or self._read(node, group, written)
                        elif text[stop : stop + 1] in NO_QUERY:
                            edge = node.edges.get("LPAR") or self._lead(node, "LPAR")
                    elif at == end:
                        edge, written, stop = node.edges.get(END) or self._lead(node, END), "", end
                elif node.is_too_deep:
                    return Failure("", Span(at, at), (), TOO_DEEP)
                elif node.takes_body and not holes and (match := plain_body(text, at, end)):
                    edge = node.edges.get("BODY_TEXT") or self._lead(node, "BODY_TEXT")
                    written, stop = match[1], match.end(1)
                if edge:
                    kind, steps, behind, fits = edge
                    token = Token(kind, stop - len(written), stop, written)
                else:
                    state, lexer = node.state, lexer or Lexer(text, end, holes)
                    if state.opaque is None:
                        token = lexer.next(at, state.row)
                    else:
                        token = lexer.opaque(at, state.opaque, state.row)
                    kind = token.type
                    _, steps, behind, fits = node.edges.get(kind) or self._lead(node, kind)
                for way, size, build, splices in steps:
                    if way == _WRAP:
                        values[-1] = build([values[-1]])
                    elif way == _MANY:
                        children = values[-size:]
                        del values[-size:]
                        values.append(build(children))
                    elif way == _GROW:
                        children = values[1 - size :]
                        del values[1 - size :]
                        values[-1] += children
                    elif way == _PASS:
                        values[-1] = build(values[-1])
                    elif way == _LIST:
                        values[-1] = [values[-1]]
                    else:
                        first = len(values) - size
                        children = _splice(values[first:], splices)
                        del values[first:]
                        values.append(build(children))
                if behind is None:
                    if fits:
                        return values[-1]
                    span = Span(token.start, token.end)
                    if node.expected is None:
                        node.expected = self._expected(node.stack)
                    return Failure(kind, span, node.expected)
                node = behind
                values.append(token)
                at = token.end
        except Rejected as rejected:
            return Failure("", rejected.span, (), rejected.reason)

    def _constraint(self, node: _Node, text: str, stop: int, end: int) -> _Edge | None:
        """Find where CONSTRAINT leads that certainly opens an expectation, as nearly all do."""
        if "CONSTRAINT" not in node.state.row or node.state.acts:
            return None
        if not NAMED_EXPECT.match(text, stop, end):
            return None
        return node.edges.get("CONSTRAINT") or self._lead(node, "CONSTRAINT")

    def _read(self, node: _Node, group: int, written: str) -> _Edge | None:
        """Find where a word or mark leads, if it means one thing only here; remember it then."""
        state = node.state
        kind: str | None = None
        if group == WORD:
            kind = state.read(written)
        elif group == OPERATOR:
            kind = "LPAR" if written == "(" else SINGLE_READINGS.get(written)
            if kind not in state.row and written not in ONE_READING:
                kind = None
        if not kind:
            return None
        if len(node.known) == _MOST_KNOWN:
            node.known.clear()
        edge = node.known[written] = node.edges.get(kind) or self._lead(node, kind)
        return edge

    def _row(self, number: int) -> _Row:
        return self._state(number).row

    def _state(self, number: int) -> _State:
        """Decode the row of a state when it is first met: one text meets few of them."""
        state = self._states[number]
        if state is None:
            state = self._states[number] = _State(msgspec.json.decode(_tables.ROWS[number]))
        return state

    def _node(self, stack: tuple[int, ...]) -> _Node:
        node = self._nodes.get(stack)
        if node is None:
            if len(self._nodes) == _MOST_NODES:
                self._nodes.clear()
            node = self._nodes[stack] = _Node(stack, self._state(stack[-1]))
        return node

    def _lead(self, node: _Node, kind: str) -> _Edge:
        """Run the tables from a stack up to where a terminal is shifted, or does not fit."""
        stack, steps = list(node.stack), list[_Step]()
        behind: _Node | None = None
        while True:
            action = self._row(stack[-1]).get(kind)
            if action is None:
                fits = False
                break
            if action >= 0:
                fits = True
                stack.append(action)
                behind = self._node(tuple(stack))
                break
            origin, size, build, splices = self._actions[~action]
            if step := _step(origin, size, build, splices):
                steps.append(step)
            if size:
                del stack[-size:]
            goto = self._row(stack[-1])[origin]
            if kind == END and goto in _FINAL:
                fits = True
                break
            stack.append(goto)
        edge = node.edges[kind] = (kind, self._joined(steps), behind, fits)
        return edge

    def _joined(self, steps: list[_Step]) -> tuple[_Step, ...]:
        """Do in one step what takes several, where that comes often."""
        joined: list[_Step] = []
        for step in steps:
            if step[0] == _PASS and joined and joined[-1][0] == _LIST:
                joined[-1] = (_WRAP, 1, step[2], ())
            else:
                joined.append(step)
            if [each[2] for each in joined[-3:]] == self._column:
                joined[-3:] = [(_WRAP, 1, self._plain_column, ())]
        return tuple(joined)

    def _expected(self, stack: Sequence[int]) -> tuple[str, ...]:
        """Return the terminals that really fit, sorted: a merged state's row promises more."""
        if stack[-1] in _FINAL:
            return (END,)
        return tuple(
            symbol
            for symbol in sorted(self._row(stack[-1]))
            if symbol[0] in "$ABCDEFGHIJKLMNOPQRSTUVWXYZ" and self._fits(stack, symbol)
        )

    def _fits(self, states: Sequence[int], symbol: str) -> bool:
        stack = list(states)
        while True:
            action = self._row(stack[-1]).get(symbol)
            if action is None:
                return False
            if action >= 0:
                return True
            origin, size, *_ = self._actions[~action]
            if size:
                del stack[-size:]
            goto = self._row(stack[-1])[origin]
            if symbol == END and goto in _FINAL:
                return True
            stack.append(goto)


def _step(origin: str, size: int, build: _Build | None, splices: tuple[int, ...]) -> _Step | None:
    """Return what a reduction does; ``None`` if its one child stands for the whole."""
    if build is not None:
        if size == 1:
            return (_PASS if splices else _WRAP, 1, build, ())
        return (_SPLICE if splices or not size else _MANY, size, build, splices)
    if origin[0] != "_":
        return None if size == 1 else (_SPLICE, size, _only, splices)
    if size == 1:
        return None if splices else (_LIST, 1, _all, ())
    if size and not splices:
        return (_MANY, size, _all, ())
    return (_GROW if splices == (0,) else _SPLICE, size, _all, splices)


def _all(children: list[Any]) -> list[Any]:
    return children


def _only(children: list[Any]) -> Child:
    return children[0] if len(children) == 1 else children


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
    if not splices:
        return children
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
