"""A statement that does not parse comes in; its parts, as far as they can be told apart, go out."""

import msgspec

from tidegate.grammar.building.literals import is_type_name
from tidegate.grammar.nodes import Name, QualifiedName
from tidegate.grammar.recovery.cutting import Item, ListCutter, Tokens
from tidegate.grammar.recovery.misplaced import Segment, before_query
from tidegate.grammar.recovery.misplaced import is_anchor as is_expectation
from tidegate.grammar.tokens import QUOTED, RawToken, raw_tokens, word_set
from tidegate.source.diagnostic import Fault
from tidegate.source.edit import Edit, Fix, Safety
from tidegate.source.span import Span

_NO_LIST_BEFORE = word_set("TBLPROPERTIES OPTIONS BY IDENTIFIER ON USING KEYS")
_FLOW_WORDS = word_set("INSERT AUTO REPLACE")
_OBJECTS = frozenset(("TABLE", "VIEW"))
_CLAUSE_WORDS = word_set("COMMENT TBLPROPERTIES PARTITIONED CLUSTER USING LOCATION OPTIONS")


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
    tokens = Tokens(list(raw_tokens(text, begin, end)))
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
        cutter = ListCutter(tokens, opening)
        cutter.cut()
        if not cutter.is_closed:
            # The parenthesis that is missing may be the list's own, or that of its last predicate.
            cutter = ListCutter(tokens, opening, ends_at_clauses=True)
            cutter.cut()
        items, closing, second = tuple(cutter.items), cutter.closing, cutter.second
        if cutter.is_closed:
            closing += outer < opening and tokens.words[closing + 1] == ")"
            stop = tokens.all[closing].end
            fault = None if is_opened else _unopened_fault(tokens.all[opening + 1])
        else:
            stop = tokens.all[closing - 1].end
            fault, is_open = _unclosed_list(tokens.all[opening]), True
        if outer < opening and fault is None:
            fault = _doubled_fault(tokens.all[opening])
        list_span = Span(tokens.all[outer if is_opened else opening + 1].start, stop)
        after = closing + 1
    has_more = "CONSTRAINT" in tokens.words[after:]
    return Parts(
        tokens=tokens.all,
        name=name,
        list_span=list_span,
        items=items,
        query=_find_query(tokens, after, end),
        fault=fault,
        second_list=second,
        is_open=is_open,
        misplaced=before_query(tokens.all, after) if name and has_more else (),
    )


def _is_doubled(tokens: Tokens, opening: int) -> bool:
    """Tell whether a list of constraints opens twice."""
    return tokens.words[opening + 1] == "(" and tokens.is_anchor(opening + 2)


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


def _unopened_list(tokens: Tokens, first: int) -> int | None:
    """Return the place before a list that only its closing parenthesis tells of."""
    is_column = tokens.is_name(first) and is_type_name(tokens.words[first + 1])
    start = first if is_column else None
    depth = 0
    for place in range(first, len(tokens)):
        if tokens.starts_query(place):
            return None
        depth += (tokens.words[place] == "(") - (tokens.words[place] == ")")
        if start is None and _is_expectation(tokens, place):
            start = place if tokens.words[first] in _CLAUSE_WORDS else first
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


def _find_list(tokens: Tokens, first: int) -> int | None:
    for place in range(first, len(tokens)):
        word = tokens.words[place]
        if tokens.starts_query(place) or _is_expectation(tokens, place):
            return None
        if word == "FLOW" and tokens.words[place + 1] in _FLOW_WORDS:
            return None
        if word == "(" and place > first and is_type_name(tokens.words[place - 1]):
            continue
        if word == "(" and tokens.words[place - 1] not in _NO_LIST_BEFORE:
            is_query = tokens.words[place + 1] in ("SELECT", "WITH") and tokens.is_name(place + 2)
            return None if is_query and tokens.words[place + 3] not in (",", ")") else place
    return None


def _is_expectation(tokens: Tokens, place: int) -> bool:
    return tokens.words[place] == "CONSTRAINT" and is_expectation(tokens.all, place)


def _find_name(tokens: Tokens) -> tuple[QualifiedName | None, int]:
    place = next((at for at, word in enumerate(tokens.words[:8]) if word in _OBJECTS), None)
    if place is None:
        return None, 0
    place += 1
    if tokens.words[place] == "IF" and tokens.words[place + 2] == "EXISTS":
        place += 3
    parts: list[Name] = []
    while tokens.is_name(place):
        token = tokens.all[place]
        quoted = token.kind == QUOTED
        written = token.text[1:-1].replace("``", "`") if quoted else token.text
        parts.append(Name(span=Span(token.start, token.end), text=written, quoted=quoted))
        place += 1
        if tokens.words[place] != ".":
            break
        place += 1
    if not parts:
        return None, place
    span = Span(parts[0].span.start, parts[-1].span.end)
    return QualifiedName(span=span, parts=tuple(parts)), place


def _find_query(tokens: Tokens, first: int, end: int) -> Span | None:
    depth = 0
    for place in range(first, len(tokens)):
        word = tokens.words[place]
        if word == "(":
            depth += 1
        elif word == ")":
            depth = max(0, depth - 1)
        elif depth == 0 and tokens.starts_query(place):
            return Span(tokens.all[place + 1 if word == "AS" else place].start, end)
    return None
