"""A text that stopped a parse comes in; its tokens, and where among them it stopped, go out."""

from functools import lru_cache

from tidegate.catalog.spelling import distance
from tidegate.grammar.driver import Failure
from tidegate.grammar.tokens import QUOTED, WORD, raw_tokens
from tidegate.source.diagnostic import Fault, Related
from tidegate.source.edit import Edit, Fix, Safety
from tidegate.source.span import Span

# What decides stands near; a query of any length may follow.
_REACH = 20_000


class Stretch:
    """What the suggestions look at."""

    __slots__ = ("at", "expected", "failure", "is_cut", "text", "tokens")

    def __init__(self, text: str, failure: Failure) -> None:
        self.text = text
        self.failure = failure
        self.expected = frozenset(failure.expected)
        stop = failure.span.start
        end = min(len(text), stop + _REACH)
        self.tokens = list(raw_tokens(text, 0, end))
        self.is_cut = end < len(text)
        """Whether text behind the tokens was left out."""
        self.at = next(
            (place for place, token in enumerate(self.tokens) if token.start >= stop),
            len(self.tokens),
        )
        """The place of the token that does not fit."""

    def word(self, place: int) -> str:
        """Return a token's text in capitals; empty where there is none."""
        if 0 <= place < len(self.tokens):
            return self.tokens[place].text.upper()
        return ""

    def is_name(self, place: int) -> bool:
        """Tell whether a token can be a name."""
        return 0 <= place < len(self.tokens) and self.tokens[place].kind in (WORD, QUOTED)

    def is_word(self, place: int) -> bool:
        """Tell whether a token is a bare word."""
        return 0 <= place < len(self.tokens) and self.tokens[place].kind == WORD

    def end_of(self, place: int) -> int:
        """Return where a token ends: the text's start before the first, its end behind the last."""
        if place < 0:
            return 0
        return self.tokens[place].end if place < len(self.tokens) else len(self.text)

    def start_of(self, place: int) -> int:
        """Return where a token starts; the text's end behind the last."""
        return self.tokens[place].start if place < len(self.tokens) else len(self.text)

    def span(self, first: int, stop: int) -> Span:
        """Return the span of tokens, the last one excluded."""
        return Span(self.start_of(first), self.end_of(stop - 1))

    def violation(self, first: int) -> int:
        """Return the place of the ON of an ON VIOLATION from a place on, or the end."""
        for place in range(first, len(self.tokens) - 1):
            if self.word(place) == "ON" and is_near(self.word(place + 1), "VIOLATION"):
                return place
        return len(self.tokens)

    def has_violation(self) -> bool:
        """Tell whether an ON VIOLATION stands anywhere."""
        return self.violation(0) < len(self.tokens)

    def closing(self, opening: int) -> int:
        """Return the place of the parenthesis that closes one, or the end."""
        depth = 0
        for place in range(opening, len(self.tokens)):
            depth += (self.tokens[place].text == "(") - (self.tokens[place].text == ")")
            if depth == 0:
                return place
        return len(self.tokens)


@lru_cache(maxsize=1024)
def is_near(word: str, keyword: str) -> bool:
    """Tell whether a word is a keyword, perhaps misspelt."""
    if word == keyword:
        return True
    limit = 2 if len(keyword) > 5 else 1
    return len(word) > 2 and distance(word, keyword, limit) <= limit


def insertion(offset: int, text: str) -> Edit:
    """Return the edit that puts a text in."""
    return Edit(Span(offset, offset), text)


def spaced(text: str, offset: int, word: str) -> Edit:
    """Return the edit that puts a word in, with blanks where none stand."""
    before = "" if offset == 0 or text[offset - 1].isspace() or text[offset - 1] == "(" else " "
    following = text[offset : offset + 1]
    after = "" if not following or following.isspace() or following in ",);" else " "
    return Edit(Span(offset, offset), f"{before}{word}{after}")


def second_clause(span: Span, first: Span, message: str, said: str) -> Fault:
    """Return the fault of a clause that an earlier one excludes; ``said`` names that one."""
    return Fault(
        name="duplicate-or-conflicting-clause",
        span=span,
        message=message,
        help="keep one of them",
        related=(Related(message=f"the first: {said}", span=first),),
    )


def syntax_fault(
    span: Span, message: str, advice: str | None = None, fix: Fix | None = None
) -> Fault:
    """Return a fault without a name of its own."""
    return Fault(name="syntax-error", span=span, message=message, help=advice, fix=fix)


def safe(title: str, *edits: Edit) -> Fix:
    """Return a fix that may be applied unasked."""
    return Fix(title, edits, Safety.SAFE)


def unsafe(title: str, *edits: Edit) -> Fix:
    """Return a fix that must be asked for."""
    return Fix(title, edits, Safety.UNSAFE)
