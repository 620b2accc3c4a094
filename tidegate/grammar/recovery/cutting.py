"""A list that does not parse comes in; its items, cut at commas and constraints, go out."""

from bisect import bisect_left

import msgspec

from tidegate.grammar.building.literals import is_type_name
from tidegate.grammar.tokens import QUOTED, WORD, RawToken, word_set
from tidegate.source.span import Span

_KEYS = word_set("EXPECT CHECK PRIMARY FOREIGN UNIQUE")
_QUERY_WORDS = word_set("SELECT WITH FROM VALUES TABLE (")
_BRACKETED_TYPES = word_set("ARRAY MAP STRUCT")
_CLAUSE_WORDS = word_set("COMMENT TBLPROPERTIES PARTITIONED CLUSTER LOCATION OPTIONS")
_REST_WORDS = _CLAUSE_WORDS | word_set("USING SCHEDULE TRIGGER WITH DEFAULT REFRESH FLOW ON")
# What a list is cut at, or ends before; all other tokens are passed over.
_TELLING = word_set("CONSTRAINT < > >> >>> ( ) , AS ON") | _CLAUSE_WORDS
_QUERY_STARTS = word_set("SELECT VALUES FROM WITH AS")
# Words asked for before the first token or behind the last one are empty.
_MARGIN = ("", "", "", "")


class Item(msgspec.Struct, frozen=True, kw_only=True):
    """One item of a list, alone."""

    start: int
    end: int
    missing_comma_at: int | None = None
    extra_comma: Span | None = None
    """The comma that makes an item where nothing stands."""
    inner_commas: tuple[Span, ...] = ()
    """Commas that cut the item in two where it goes on."""
    first: int = 0
    stop: int = 0
    """Its tokens among those of the statement."""


class Tokens:
    """Tokens with their words in capitals, made once, for questions about single places."""

    __slots__ = ("all", "telling", "words")

    def __init__(self, tokens: list[RawToken]) -> None:
        self.all = tokens
        self.words = [*(token.text.upper() for token in tokens), *_MARGIN]
        """What stands at a place; empty before the first token and behind the last."""
        self.telling = [place for place, word in enumerate(self.words) if word in _TELLING]
        """The places at which a list may be cut or end."""

    def __len__(self) -> int:
        return len(self.all)

    def is_name(self, place: int) -> bool:
        """Tell whether a token can be a name."""
        return place < len(self.all) and self.all[place].kind in (WORD, QUOTED)

    def is_anchor(self, place: int) -> bool:
        """Tell whether a constraint starts at a token: CONSTRAINT, a name, a key word."""
        words = self.words
        if words[place] != "CONSTRAINT" or self.all[place].kind != WORD:
            return False
        return self.is_name(place + 1) and (
            words[place + 2] in _KEYS or words[place + 1] == "EXPECT"
        )

    def opens_query(self, place: int) -> bool:
        """Tell whether AS and a query stand at a place."""
        return self.words[place] == "AS" and self.words[place + 1] in _QUERY_WORDS

    def starts_query(self, place: int) -> bool:
        """Tell whether a query starts at a token outside all brackets, with AS or without."""
        word = self.words[place]
        if word not in _QUERY_STARTS or self.all[place].kind != WORD:
            return False
        if self.words[place - 1] == ".":
            return False
        if word == "WITH":
            return self.words[place + 1] != "ROW"
        return word != "AS" or self.opens_query(place)

    def span(self, place: int) -> Span:
        """Return where a token stands."""
        return Span(self.all[place].start, self.all[place].end)


class ListCutter:
    """Cuts a list at its commas and anchors."""

    def __init__(self, tokens: Tokens, opening: int, *, ends_at_clauses: bool = False) -> None:
        self._tokens = tokens
        self._ends_at_clauses = ends_at_clauses
        self._opening = opening
        self._first = opening + 1
        self._depth = 1
        self._angles = 0
        self._inner: list[Span] = []
        self._comma_at: int | None = None
        self.items: list[Item] = []
        self.closing = len(tokens)
        """Where the list ends: at its parenthesis, or at what cannot be part of it."""
        self.is_closed = False
        self.second: Span | None = None
        """The parenthesis that opens one more list behind the first."""

    # One pass, with a branch for each token that matters.
    def cut(self) -> None:  # noqa: C901
        """Go through the list, up to its end."""
        tokens, words = self._tokens, self._tokens.words
        telling = tokens.telling
        for at in range(bisect_left(telling, self._first), len(telling)):
            place = telling[at]
            text = words[place]
            if text == "CONSTRAINT" and place > self._first and tokens.is_anchor(place):
                # Behind an unclosed parenthesis the comma before the anchor was no border.
                is_behind_comma = self._depth > 1 and words[place - 1] == ","
                self._close_item(place - 1 if is_behind_comma else place)
                is_missing = self._depth == 1 or not is_behind_comma
                self._comma_at = tokens.all[place - 1].end if is_missing else None
                self._first, self._depth, self._angles = place, 1, 0
            elif text == "<" and words[place - 1] in _BRACKETED_TYPES:
                self._angles += 1
            elif self._angles and text in (">", ">>", ">>>"):
                self._angles = max(0, self._angles - len(text))
            elif text == "(":
                self._depth += 1
            elif text == ")":
                if self._closes(place):
                    return
            elif self._depth == 1 and text == "," and not self._angles:
                if self._goes_on_behind(place):
                    self._inner.append(tokens.span(place))
                    continue
                self._close_item(place)
                self._first, self._comma_at = place + 1, None
            elif self._depth == 1 and self._ends_before(place):
                self.closing = place
                break
            elif self._ends_at_clauses and text == "ON" and self._is_violation(place):
                self._depth = 1
        self._close_item(self.closing)

    def _goes_on_behind(self, comma: int) -> bool:
        """Tell a comma that cuts a constraint in two: before EXPECT, before ON VIOLATION."""
        words, first = self._tokens.words, self._first
        if comma < first + 2 or words[first] != "CONSTRAINT":
            return False
        following, next_one = words[comma + 1], words[comma + 2]
        if following == "ON" and next_one == "VIOLATION":
            return self._is_constraint()
        return comma == first + 2 and following in _KEYS and next_one in ("(", "KEY")

    def _ends_before(self, place: int) -> bool:
        """Tell whether what starts here cannot stand in a list."""
        if self._tokens.opens_query(place):
            return True
        if not self._ends_at_clauses or place == self._first:
            return False
        if self._tokens.words[place] == "COMMENT" and not self._is_constraint():
            return False
        return _opens_clause(self._tokens, place)

    def _is_constraint(self) -> bool:
        """Tell whether the item at hand is a constraint: it has no COMMENT of its own."""
        return self._tokens.is_anchor(self._first)

    def _is_violation(self, place: int) -> bool:
        return self._is_constraint() and self._tokens.words[place + 1] == "VIOLATION"

    def _closes(self, place: int) -> bool:
        """Take a closing parenthesis; tell whether it is the list's own."""
        self._depth -= 1
        if self._depth > 0:
            return False
        if _goes_on(self._tokens, place) or _closes_early(self._tokens, place):
            self._depth = 1
            if place > self._first and _is_column(self._tokens, place + 1):
                self._close_item(place + 1)
                self._first, self._comma_at = place + 1, None
            return False
        if place > self._opening + 1:
            self._close_item(place)
        if self._opens_second(place + 1):
            self.second = self._tokens.span(place + 1)
            self._depth, self._first, self._comma_at = 0, place + 2, None
            return False
        self.closing, self.is_closed = place, True
        return True

    def _opens_second(self, place: int) -> bool:
        """Tell whether one more list opens right behind one, with constraints or columns."""
        tokens = self._tokens
        if tokens.words[place] != "(" or self.second is not None:
            return False
        return tokens.is_anchor(place + 1) or (
            tokens.is_name(place + 1)
            and tokens.is_name(place + 2)
            and not tokens.starts_query(place + 1)
        )

    def _close_item(self, stop: int) -> None:
        tokens, first = self._tokens.all, self._first
        if stop > first:
            start, end = tokens[first].start, tokens[stop - 1].end
            inner, self._inner = tuple(self._inner), []
            self.items.append(
                Item(
                    start=start,
                    end=end,
                    missing_comma_at=self._comma_at,
                    inner_commas=inner,
                    first=first,
                    stop=stop,
                )
            )
            return
        start = tokens[stop].start if stop < len(tokens) else tokens[-1].end
        comma = tokens[stop if self._tokens.words[stop] == "," else stop - 1]
        before = self.items[-1].extra_comma if self.items else None
        if before is not None and before.end == comma.start:
            # A run of commas is one mistake.
            self.items.pop()
            self.items.append(
                Item(start=start, end=start, extra_comma=Span(before.start, comma.end))
            )
            return
        span = Span(comma.start, comma.end)
        self.items.append(Item(start=start, end=start, extra_comma=span))


def _opens_clause(tokens: Tokens, place: int) -> bool:
    """Tell whether a clause of the statement starts at a token, which no list item does."""
    words = tokens.words
    word, following = words[place], words[place + 1]
    if word in ("CLUSTER", "PARTITIONED"):
        return following == "BY"
    if word in ("TBLPROPERTIES", "OPTIONS"):
        return following == "("
    return word in ("COMMENT", "LOCATION") and following[:1] in ("'", '"')


def _goes_on(tokens: Tokens, place: int) -> bool:
    """Tell whether a list goes on behind a parenthesis that should have closed it."""
    words = tokens.words
    after = place + 1
    while words[after] == ")":
        after += 1
    following = words[after]
    if following == "ON":
        return words[after + 1] == "VIOLATION"
    if following != "," or _opens_clause(tokens, after + 1):
        return False
    return tokens.is_anchor(after + 1) or (after == place + 1 and tokens.is_name(after + 1))


def _closes_early(tokens: Tokens, place: int) -> bool:
    """Tell a parenthesis before the rest of a list: one that opens nothing closes what follows."""
    words, after = tokens.words, place + 1
    if words[after] in ("", "(", ")") or tokens.starts_query(after):
        return False
    is_item = words[after] not in _REST_WORDS
    depth = 0
    for at in range(after, len(tokens)):
        word = words[at]
        if word == "(":
            depth += 1
        elif word == ")":
            if depth == 0:
                return is_item
            depth -= 1
        elif depth == 0:
            if word == "FLOW" or tokens.starts_query(at):
                return False
            if word == "," and (tokens.is_anchor(at + 1) or _is_column(tokens, at + 1)):
                is_item = True
    return False


def _is_column(tokens: Tokens, place: int) -> bool:
    """Tell whether a name and a type stand at a place."""
    return tokens.is_name(place) and is_type_name(tokens.words[place + 1])
