"""Text that no production fits comes in; the expectations written in it go out."""

from collections.abc import Callable

from tidegate.grammar.building.pieces import unquote
from tidegate.grammar.nodes import ExpectClause, Expression, Name
from tidegate.grammar.recovery.messages import nearest
from tidegate.grammar.recovery.misplaced import is_anchor
from tidegate.grammar.tokens import QUOTED, WORD, RawToken, Token, raw_tokens, trim
from tidegate.source.span import Span

ReadBody = Callable[[Token], Expression | None]

_MOST_ACTION_WORDS = 4


def salvage_item(text: str, span: Span, read: ReadBody | None) -> ExpectClause | None:
    """Return the expectation that a list item was meant to be; EXPECT may be misspelt."""
    tokens = list(raw_tokens(text, span.start, span.end))
    return _Clause(text, tokens, 0, len(tokens)).read(read)


def salvage_tokens(text: str, tokens: list[RawToken], first: int, stop: int) -> ExpectClause | None:
    """Return the expectation that some tokens are, its predicate left alone."""
    return _Clause(text, tokens, first, stop).read(None)


def salvage_all(text: str, span: Span) -> tuple[ExpectClause, ...]:
    """Return every expectation in a statement that is not read, its predicate left alone."""
    if "EXPECT" not in text[span.start : span.end].upper():
        return ()
    tokens = list(raw_tokens(text, span.start, span.end))
    starts = [place for place in range(len(tokens)) if is_anchor(tokens, place)]
    clauses = (
        _Clause(text, tokens, start, stop).read(None)
        for start, stop in zip(starts, [*starts, len(tokens)][1:], strict=True)
    )
    return tuple(clause for clause in clauses if clause is not None)


class _Clause:
    """``CONSTRAINT name EXPECT (predicate) ON VIOLATION action``, each part where it is there."""

    def __init__(self, text: str, tokens: list[RawToken], first: int, stop: int) -> None:
        self._text = text
        self._tokens = tokens
        self._first = self._at = first
        self._stop = stop

    def read(self, read: ReadBody | None) -> ExpectClause | None:
        """Go through the parts; ``read`` parses a predicate whose parentheses are whole."""
        if self._word() == "CONSTRAINT":
            self._at += 1
        name = self._name()
        word = self._word()
        if word != "EXPECT" and nearest(word, ("EXPECT",)) is None:
            return None
        self._at += 1
        body, is_whole = self._body()
        token = Token("BODY_TEXT", body.start, body.end, self._text[body.start : body.end])
        action, violation = self._violation()
        return ExpectClause(
            span=Span(self._tokens[self._first].start, self._end()),
            name=name,
            predicate_span=body,
            predicate=read(token) if read and is_whole else None,
            action=action,
            violation_span=violation,
        )

    def _word(self, ahead: int = 0) -> str:
        place = self._at + ahead
        if place >= self._stop or self._tokens[place].kind != WORD:
            return ""
        return self._tokens[place].text.upper()

    def _end(self) -> int:
        return self._tokens[self._at - 1].end

    def _name(self) -> Name | None:
        if self._at >= self._stop or (self._word() == "EXPECT" and self._word(1) != "EXPECT"):
            return None
        token = self._tokens[self._at]
        if token.kind not in (WORD, QUOTED):
            return None
        self._at += 1
        quoted = token.kind == QUOTED
        return Name(span=Span(token.start, token.end), text=unquote(token.text), quoted=quoted)

    def _body(self) -> tuple[Span, bool]:
        """Return the predicate's place, and whether parentheses stand around it."""
        tokens, first = self._tokens, self._at
        if first >= self._stop:
            return Span(self._end(), self._end()), False
        if tokens[first].text != "(":
            while self._at < self._stop and not self._is_violation():
                self._at += 1
            return Span(tokens[first].start, max(self._end(), tokens[first].start)), False
        depth = 0
        while self._at < self._stop:
            depth += (tokens[self._at].text == "(") - (tokens[self._at].text == ")")
            self._at += 1
            if depth == 0:
                body = trim(self._text, tokens[first].end, tokens[self._at - 1].start)
                return Span(*body), True
        return Span(*trim(self._text, tokens[first].end, self._end())), False

    def _is_violation(self) -> bool:
        return self._word() == "ON" and self._word(1) == "VIOLATION"

    def _violation(self) -> tuple[Name | None, Span | None]:
        if not self._is_violation():
            return None, None
        start = self._tokens[self._at].start
        self._at += 2
        first = self._at
        while self._word() and self._at < first + _MOST_ACTION_WORDS:
            self._at += 1
        whole = Span(start, self._end())
        words = self._tokens[first : self._at]
        if not words:
            return None, whole
        text = " ".join(word.text for word in words)
        return Name(span=Span(words[0].start, whole.end), text=text, quoted=False), whole
