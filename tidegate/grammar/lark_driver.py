"""The same grammar, lexer and builders, driven by Lark's own LALR engine.

Slow to import; for tests that compare, and for debugging the grammar.
"""

from collections.abc import Iterator
from typing import Any

from lark.exceptions import UnexpectedToken
from lark.lexer import Lexer as LarkLexer
from lark.lexer import LexerState
from lark.parsers.lalr_analysis import Shift
from lark.parsers.lalr_parser_state import ParserState

from tidegate.grammar.baking import open_grammar
from tidegate.grammar.building.builder import Builder
from tidegate.grammar.building.pieces import Child, Rejected
from tidegate.grammar.depth import MAX_DEPTH, TOO_DEEP
from tidegate.grammar.driver import Failure, opaque_in
from tidegate.grammar.lexer import END, Lexer
from tidegate.grammar.tokens import Token
from tidegate.source.span import Span


class _Stretch:
    """What Lark is given for a text, and the states that it was in before the last token."""

    __slots__ = ("before", "begin", "end", "holes", "text")

    def __init__(self, text: str, begin: int, end: int, holes: tuple[Span, ...]) -> None:
        self.text = text
        self.begin = begin
        self.end = end
        self.holes = holes
        self.before: list[int] = []


class _TooDeep(Exception):
    def __init__(self, at: int) -> None:
        super().__init__(TOO_DEEP)
        self.at = at


class _ContextualLexer(LarkLexer):
    """Gives Lark the tokens that its current state would have."""

    __future_interface__ = 2

    def __init__(self, lexer_conf: object) -> None:
        del lexer_conf

    # Lark's own tokens are strings; it reads nothing but the type of ours.
    def lex(  # type: ignore[override]
        self, lexer_state: LexerState, parser_state: ParserState[Any]
    ) -> Iterator[Token]:
        stretch: Any = lexer_state.text
        lexer = Lexer(stretch.text, stretch.end, stretch.holes)
        states = parser_state.parse_conf.states
        at = stretch.begin
        while True:
            if len(parser_state.state_stack) > MAX_DEPTH:
                raise _TooDeep(at)
            row = states[parser_state.position]
            opaque = opaque_in(row)
            token = lexer.opaque(at, opaque, row) if opaque else lexer.next(at, row)
            stretch.before = list(parser_state.state_stack)
            if token.type == END:
                return
            yield token
            at = token.end


class LarkDriver:
    """Lark's engine behind the interface of the baked driver."""

    def __init__(self, builder: Builder) -> None:
        self._lark = open_grammar(_ContextualLexer, builder)

    def parse(
        self, start: str, text: str, begin: int, end: int, holes: tuple[Span, ...] = ()
    ) -> Child:
        """Parse ``text[begin:end]`` to the value of ``start``, or a ``Failure``."""
        stretch: Any = _Stretch(text, begin, end, holes)
        try:
            return self._lark.parse(stretch, start=start)
        except UnexpectedToken as stopped:
            return _failure(stopped, end, stretch.before)
        except Rejected as rejected:
            return Failure("", rejected.span, (), rejected.reason)
        except _TooDeep as deep:
            return Failure("", Span(deep.at, deep.at), (), TOO_DEEP)


def _failure(stopped: UnexpectedToken, end: int, stack: list[int]) -> Failure:
    token: Any = stopped.token
    state: Child = stopped.state
    is_end = token.type == END
    span = Span(end, end) if is_end else Span(token.start, token.end)
    rows = state.parse_conf.states
    if stack[-1] in state.parse_conf.parse_table.end_states.values():
        return Failure(token.type, span, (END,))
    expected = tuple(
        sorted(
            symbol
            for symbol in rows[stack[-1]]
            if symbol[0] in "$ABCDEFGHIJKLMNOPQRSTUVWXYZ" and _fits(state, stack, symbol)
        )
    )
    return Failure(token.type, span, expected)


def _fits(state: Child, before: list[int], symbol: str) -> bool:
    rows, stack = state.parse_conf.states, list(before)
    while True:
        action = rows[stack[-1]].get(symbol)
        if action is None:
            return False
        if action[0] is Shift:
            return True
        rule = action[1]
        if rule.expansion:
            del stack[-len(rule.expansion) :]
        goto = rows[stack[-1]][rule.origin.name][1]
        if symbol == END and goto in state.parse_conf.parse_table.end_states.values():
            return True
        stack.append(goto)
