"""A stretch of text and a start symbol come in; a value or a failure goes out, and faults.

What is wrong with an opaque predicate does not stop the parse around it: it is collected here.
"""

from collections.abc import Callable

from tidegate.grammar.building.builder import Builder
from tidegate.grammar.building.pieces import Child
from tidegate.grammar.depth import MAX_DEPTH, TOO_DEEP, has_long_chain, is_deeper
from tidegate.grammar.driver import Driver, Failure
from tidegate.grammar.moving import moved
from tidegate.grammar.nodes import Expression
from tidegate.grammar.opaque import opaque_predicate
from tidegate.grammar.recovery.dataframe_words import dataframe_fault, dataframe_words
from tidegate.grammar.recovery.draft import Draft
from tidegate.grammar.recovery.messages import explain
from tidegate.grammar.recovery.misplaced import inner_violation_fault
from tidegate.grammar.recovery.typography import plain_edits, typography_fault
from tidegate.grammar.tokens import Token
from tidegate.source.diagnostic import Fault
from tidegate.source.edit import Edit
from tidegate.source.span import Span

# A shorter predicate cannot be nested too deeply.
_DEEP_TEXT = MAX_DEPTH * 2

# Nobody reads more, and a file of nothing but mistakes is to take no longer than another.
_PATIENCE = 1000


# Longer predicates rarely come twice. So many are more than a large pipeline has, and 20 MB.
_LONGEST_KNOWN = 200
_MOST_KNOWN = 20_000


class Attempts:
    """Parses stretches of one text with one driver."""

    __slots__ = ("_driver", "_known", "faults", "left", "patience", "text", "whole")

    def __init__(self, make_driver: Callable[[Builder], Driver]) -> None:
        self.text = ""
        self.faults: list[Fault] = []
        """What is wrong with the predicates read so far, and whatever readers add."""
        self.patience = _PATIENCE
        """How many mistakes are still looked into: they are mended, or a predicate's is told."""
        self.whole: str | None = None
        """The text of the file; other texts are drafts, of which there are only so many."""
        self.left: list[int] = []
        """Where the predicates of the file start that were not read for want of patience."""
        self._driver = make_driver(Builder(self.read_body, self.try_parse))
        self._known: dict[str, tuple[Expression, int]] = {}
        """Predicates without faults by their texts, with where they stood."""

    def begin(self) -> None:
        """Start with a new file."""
        self.patience = _PATIENCE

    def parse(self, start: str, begin: int, end: int, holes: tuple[Span, ...] = ()) -> Child:
        """Parse a stretch of the text to the value of a start symbol, or a ``Failure``."""
        return self._driver.parse(start, self.text, begin, end, holes)

    def read_body(self, token: Token) -> Expression | None:
        """Parse an opaque predicate; what is wrong with it becomes a fault of the statement."""
        if self.patience <= 0 and self.text is self.whole:
            self.left.append(token.start)
            return None
        if found := self._known.get(token.text):
            return moved(found[0], token.start - found[1])
        body = Span(token.start, token.end)
        if self.patience > 0 and (words := dataframe_words(self.text, token.start, token.end)):
            self.patience -= 1
            expression = self._read_edited(body, words.edits)
            self.faults.append(dataframe_fault(words, is_mended=expression is not None))
            return expression
        result = self.read_predicate(self.text, token.start, token.end)
        if not isinstance(result, Fault):
            self._keep(token, result)
            return result
        if self.patience > 0 and (edits := plain_edits(self.text, token.start, token.end)):
            self.patience -= 1
            expression = self._read_edited(body, edits)
            is_mended = expression is not None
            self.faults.append(typography_fault(self.text, edits, is_mended=is_mended))
            return expression
        self.patience -= 1
        self.faults.append(inner_violation_fault(self.text, body, result.span) or result)
        return None

    def _keep(self, token: Token, expression: Expression) -> None:
        """Remember a predicate, unless it may mean something else at another place."""
        if self.patience <= 0 or len(token.text) > _LONGEST_KNOWN or token.text[:1] == ".":
            return
        if len(self._known) == _MOST_KNOWN:
            self._known.clear()
        self._known[token.text] = (expression, token.start)

    def _read_edited(self, body: Span, edits: tuple[Edit, ...]) -> Expression | None:
        """Parse a predicate as it reads with some edits, if it does then."""
        draft = Draft(self.text, body, edits)
        result = self.read_predicate(draft.text, 0, len(draft.text))
        return None if isinstance(result, Fault) else draft.moved(result)

    def try_parse(self, start: str, token: Token) -> Child:
        """Parse an opaque text that may be of any form; ``None`` if it is none that is read."""
        known = len(self.faults)
        result = self._driver.parse(start, self.text, token.start, token.end)
        if isinstance(result, Failure) or len(self.faults) > known:
            del self.faults[known:]
            return None
        return result

    def read_predicate(self, text: str, begin: int, end: int) -> Expression | Fault:
        """Parse a predicate between two offsets."""
        if has_long_chain(text, begin, end):
            return explain(Failure("", Span(begin, begin), (), TOO_DEEP), text, where="predicate")
        result = self._driver.parse("predicate", text, begin, end)
        if isinstance(result, Failure):
            if hidden := opaque_predicate(result, text, begin, end):
                return hidden
            return explain(result, text, where="predicate")
        expression: Expression = result
        if end - begin > _DEEP_TEXT and is_deeper(expression, MAX_DEPTH):
            deep = Failure("", Span(begin, begin), (), TOO_DEEP)
            return explain(deep, text, where="predicate")
        return expression
