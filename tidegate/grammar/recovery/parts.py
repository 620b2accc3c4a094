"""A statement that does not parse comes in; its parts, as far as they can be told apart, go out."""

import msgspec

from tidegate.grammar.building.literals import is_type_name
from tidegate.grammar.nodes import Name, QualifiedName
from tidegate.grammar.recovery.misplaced import Segment, before_query
from tidegate.grammar.recovery.misplaced import is_anchor as is_expectation
from tidegate.grammar.tokens import QUOTED, WORD, RawToken, raw_tokens, word_set
from tidegate.source.diagnostic import Fault
from tidegate.source.edit import Edit, Fix, Safety
from tidegate.source.span import Span

_KEYS = word_set("EXPECT CHECK PRIMARY FOREIGN UNIQUE")
_QUERY_WORDS = word_set("SELECT WITH FROM VALUES TABLE (")
_NO_LIST_BEFORE = word_set("TBLPROPERTIES OPTIONS BY IDENTIFIER ON USING KEYS")
_FLOW_WORDS = word_set("INSERT AUTO REPLACE")
_OBJECTS = frozenset(("TABLE", "VIEW"))
_BRACKETED_TYPES = word_set("ARRAY MAP STRUCT")
_CLAUSE_WORDS = word_set("COMMENT TBLPROPERTIES PARTITIONED CLUSTER USING LOCATION OPTIONS")


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


class Parts(msgspec.Struct, frozen=True, kw_only=True):
    """What a broken statement is made of."""

    tokens: list[RawToken]
    name: QualifiedName | None
    list_span: Span | None
    items: tuple[Item, ...]
    query: Span | None
    fault: Fault | None
    """Why the list could not be told from what follows it."""
    second_list: Span | None
    """Where one more list opens behind the first."""
    is_open: bool
    """Whether the list is never closed."""
    misplaced: tuple[Segment, ...]
    """Constraints without a list around them."""

    @property
    def holes(self) -> tuple[Span, ...]:
        """What to leave out when the shell is parsed without its items."""
        spans = [Span(one.span.start, one.stop) for one in self.misplaced]
        return tuple(sorted([*spans, self.list_span] if self.list_span else spans))


def take_apart(text: str, begin: int, end: int) -> Parts:
    """Find name, list, items and query of a statement from its tokens alone."""
    tokens = list(raw_tokens(text, begin, end))
    name, behind_name = _find_name(tokens)
    opening = _find_list(tokens, behind_name)
    is_opened = opening is not None
    if opening is None and name:
        opening = _unopened_list(tokens, behind_name)
    items: tuple[Item, ...] = ()
    list_span, fault, second, is_open = None, None, None, False
    after = behind_name
    if opening is not None:
        outer, opening = opening, opening + _is_doubled(tokens, opening)
        cutter = _ListCutter(tokens, opening)
        cutter.cut()
        if not cutter.is_closed:
            # The parenthesis that is missing may be the list's own, or that of its last predicate.
            cutter = _ListCutter(tokens, opening, ends_at_clauses=True)
            cutter.cut()
        items, closing, second = tuple(cutter.items), cutter.closing, cutter.second
        if cutter.is_closed:
            closing += outer < opening and _upper(tokens, closing + 1) == ")"
            stop = tokens[closing].end
            fault = None if is_opened else _unopened_fault(tokens[opening + 1])
        else:
            stop = tokens[closing - 1].end
            fault, is_open = _unclosed_list(tokens[opening]), True
        if outer < opening and fault is None:
            fault = _doubled_fault(tokens[opening])
        list_span = Span(tokens[outer].start if is_opened else tokens[opening + 1].start, stop)
        after = closing + 1
    return Parts(
        tokens=tokens,
        name=name,
        list_span=list_span,
        items=items,
        query=_find_query(tokens, after, end),
        fault=fault,
        second_list=second,
        is_open=is_open,
        misplaced=before_query(tokens, after) if name else (),
    )


def _is_doubled(tokens: list[RawToken], opening: int) -> bool:
    """Tell whether a list of constraints opens twice."""
    return _upper(tokens, opening + 1) == "(" and is_anchor(tokens, opening + 2)


def _doubled_fault(inner: RawToken) -> Fault:
    return Fault(
        name="syntax-error",
        span=Span(inner.start, inner.end),
        message="found `(`, expected an item of the list, which is open already",
        help="open and close the list once",
    )


def _unclosed_list(opening: RawToken) -> Fault:
    return Fault(
        name="syntax-error",
        span=Span(opening.start, opening.end),
        message="the list opened here is never closed",
        help="close it with `)`",
    )


def _unopened_list(tokens: list[RawToken], first: int) -> int | None:
    """Return the place before a list that only its closing parenthesis tells of."""
    is_column = _is_name(tokens, first) and is_type_name(_upper(tokens, first + 1))
    start = first if is_column else None
    depth = 0
    for place in range(first, len(tokens)):
        if _starts_query(tokens, place):
            return None
        depth += (tokens[place].text == "(") - (tokens[place].text == ")")
        if start is None and is_expectation(tokens, place):
            start = place if _upper(tokens, first) in _CLAUSE_WORDS else first
        if depth < 0:
            return None if start is None else start - 1
    return None


def _unopened_fault(first: RawToken) -> Fault:
    edit = Edit(Span(first.start, first.start), "(")
    return Fault(
        name="syntax-error",
        span=Span(first.start, first.end),
        message=f"`(` is missing before `{first.text}`, where the list starts",
        help="open the list with `(`",
        fix=Fix("Insert (", (edit,), Safety.UNSAFE),
    )


def _upper(tokens: list[RawToken], place: int) -> str:
    return tokens[place].text.upper() if 0 <= place < len(tokens) else ""


def _is_name(tokens: list[RawToken], place: int) -> bool:
    return 0 <= place < len(tokens) and tokens[place].kind in (WORD, QUOTED)


def _opens_query(tokens: list[RawToken], place: int) -> bool:
    return _upper(tokens, place) == "AS" and _upper(tokens, place + 1) in _QUERY_WORDS


def is_anchor(tokens: list[RawToken], place: int) -> bool:
    """Tell whether a constraint starts at a token: CONSTRAINT, a name, a key word."""
    if _upper(tokens, place) != "CONSTRAINT" or tokens[place].kind != WORD:
        return False
    return _is_name(tokens, place + 1) and (
        _upper(tokens, place + 2) in _KEYS or _upper(tokens, place + 1) == "EXPECT"
    )


def _starts_query(tokens: list[RawToken], place: int) -> bool:
    """Tell whether a query starts at a token outside all brackets, with AS or without."""
    if tokens[place].kind != WORD or _upper(tokens, place - 1) == ".":
        return False
    word = _upper(tokens, place)
    if word == "WITH":
        return _upper(tokens, place + 1) != "ROW"
    return word in ("SELECT", "VALUES", "FROM") or _opens_query(tokens, place)


def _find_list(tokens: list[RawToken], first: int) -> int | None:
    for place in range(first, len(tokens)):
        token = tokens[place]
        if _starts_query(tokens, place) or is_expectation(tokens, place):
            return None
        if token.text.upper() == "FLOW" and _upper(tokens, place + 1) in _FLOW_WORDS:
            return None
        if token.text == "(" and place > first and is_type_name(_upper(tokens, place - 1)):
            continue
        if token.text == "(" and _upper(tokens, place - 1) not in _NO_LIST_BEFORE:
            is_query = _upper(tokens, place + 1) in ("SELECT", "WITH") and _is_name(
                tokens, place + 2
            )
            return None if is_query and _upper(tokens, place + 3) not in (",", ")") else place
    return None


def _find_name(tokens: list[RawToken]) -> tuple[QualifiedName | None, int]:
    place = next((i for i, token in enumerate(tokens[:8]) if token.text.upper() in _OBJECTS), None)
    if place is None:
        return None, 0
    place += 1
    if _upper(tokens, place) == "IF" and _upper(tokens, place + 2) == "EXISTS":
        place += 3
    parts: list[Name] = []
    while _is_name(tokens, place):
        token = tokens[place]
        quoted = token.kind == QUOTED
        written = token.text[1:-1].replace("``", "`") if quoted else token.text
        parts.append(Name(span=Span(token.start, token.end), text=written, quoted=quoted))
        place += 1
        if _upper(tokens, place) != ".":
            break
        place += 1
    if not parts:
        return None, place
    span = Span(parts[0].span.start, parts[-1].span.end)
    return QualifiedName(span=span, parts=tuple(parts)), place


class _ListCutter:
    """Cuts a list at its commas and anchors."""

    def __init__(
        self, tokens: list[RawToken], opening: int, *, ends_at_clauses: bool = False
    ) -> None:
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
        tokens = self._tokens
        for place in range(self._first, len(tokens)):
            text = tokens[place].text
            if place > self._first and is_anchor(tokens, place):
                # Behind an unclosed parenthesis the comma before the anchor was no border.
                is_behind_comma = self._depth > 1 and tokens[place - 1].text == ","
                self._close_item(place - 1 if is_behind_comma else place)
                is_missing = self._depth == 1 or not is_behind_comma
                self._comma_at = tokens[place - 1].end if is_missing else None
                self._first, self._depth, self._angles = place, 1, 0
            elif text == "<" and _upper(tokens, place - 1) in _BRACKETED_TYPES:
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
                    self._inner.append(Span(tokens[place].start, tokens[place].end))
                    continue
                self._close_item(place)
                self._first, self._comma_at = place + 1, None
            elif self._depth == 1 and self._ends_before(place):
                self.closing = place
                break
            elif self._ends_at_clauses and text.upper() == "ON" and self._is_violation(place):
                self._depth = 1
        self._close_item(self.closing)

    def _goes_on_behind(self, comma: int) -> bool:
        """Tell a comma that cuts a constraint in two: before EXPECT, before ON VIOLATION."""
        tokens, first = self._tokens, self._first
        if comma < first + 2 or _upper(tokens, first) != "CONSTRAINT":
            return False
        following, next_one = _upper(tokens, comma + 1), _upper(tokens, comma + 2)
        if following == "ON" and next_one == "VIOLATION":
            return self._is_constraint()
        return comma == first + 2 and following in _KEYS and next_one in ("(", "KEY")

    def _ends_before(self, place: int) -> bool:
        """Tell whether what starts here cannot stand in a list."""
        if _opens_query(self._tokens, place):
            return True
        if not self._ends_at_clauses or place == self._first:
            return False
        if _upper(self._tokens, place) == "COMMENT" and not self._is_constraint():
            return False
        return _opens_clause(self._tokens, place)

    def _is_constraint(self) -> bool:
        """Tell whether the item at hand is a constraint: it has no COMMENT of its own."""
        return is_anchor(self._tokens, self._first)

    def _is_violation(self, place: int) -> bool:
        return self._is_constraint() and _upper(self._tokens, place + 1) == "VIOLATION"

    def _closes(self, place: int) -> bool:
        """Take a closing parenthesis; tell whether it is the list's own."""
        self._depth -= 1
        if self._depth > 0:
            return False
        if _goes_on(self._tokens, place):
            self._depth = 1
            return False
        if place > self._opening + 1:
            self._close_item(place)
        if self._opens_second(place + 1):
            self.second = Span(self._tokens[place + 1].start, self._tokens[place + 1].end)
            self._depth, self._first, self._comma_at = 0, place + 2, None
            return False
        self.closing, self.is_closed = place, True
        return True

    def _opens_second(self, place: int) -> bool:
        """Tell whether one more list opens right behind one, with constraints or columns."""
        tokens = self._tokens
        if _upper(tokens, place) != "(" or self.second is not None:
            return False
        return is_anchor(tokens, place + 1) or (
            _is_name(tokens, place + 1)
            and _is_name(tokens, place + 2)
            and not _starts_query(tokens, place + 1)
        )

    def _close_item(self, stop: int) -> None:
        tokens, first = self._tokens, self._first
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
        comma = tokens[stop if _upper(tokens, stop) == "," else stop - 1]
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


def _opens_clause(tokens: list[RawToken], place: int) -> bool:
    """Tell whether a clause of the statement starts at a token, which no list item does."""
    word, following = _upper(tokens, place), _upper(tokens, place + 1)
    if word in ("CLUSTER", "PARTITIONED"):
        return following == "BY"
    if word in ("TBLPROPERTIES", "OPTIONS"):
        return following == "("
    return word in ("COMMENT", "LOCATION") and following[:1] in ("'", '"')


def _goes_on(tokens: list[RawToken], place: int) -> bool:
    """Tell whether a list goes on behind a parenthesis that should have closed it."""
    after = place + 1
    while _upper(tokens, after) == ")":
        after += 1
    following = _upper(tokens, after)
    if following == "ON":
        return _upper(tokens, after + 1) == "VIOLATION"
    if following != "," or _opens_clause(tokens, after + 1):
        return False
    return is_anchor(tokens, after + 1) or (after == place + 1 and _is_name(tokens, after + 1))


def _find_query(tokens: list[RawToken], place: int, end: int) -> Span | None:
    depth = 0
    for i in range(place, len(tokens)):
        text = tokens[i].text
        if text == "(":
            depth += 1
        elif text == ")":
            depth = max(0, depth - 1)
        elif depth == 0 and _starts_query(tokens, i):
            return Span(tokens[i + 1 if text.upper() == "AS" else i].start, end)
    return None
