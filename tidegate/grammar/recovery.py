"""A statement that does not parse comes in; its parts, as far as they can be told apart, go out."""

import msgspec

from tidegate.grammar.misplaced import Segment, before_query
from tidegate.grammar.misplaced import is_anchor as is_expectation
from tidegate.grammar.nodes import Name, QualifiedName
from tidegate.grammar.tokens import QUOTED, WORD, RawToken, raw_tokens, word_set
from tidegate.source.diagnostic import Fault
from tidegate.source.span import Span

_KEYS = word_set("EXPECT CHECK PRIMARY FOREIGN UNIQUE")
_QUERY_WORDS = word_set("SELECT WITH FROM VALUES TABLE (")
_NO_LIST_BEFORE = word_set("TBLPROPERTIES OPTIONS BY IDENTIFIER")
_OBJECTS = frozenset(("TABLE", "VIEW"))


class Item(msgspec.Struct, frozen=True, kw_only=True):
    """One item of a list, alone."""

    start: int
    end: int
    missing_comma_at: int | None = None
    extra_comma: Span | None = None
    """The comma that makes an item where nothing stands."""


class Parts(msgspec.Struct, frozen=True, kw_only=True):
    """What a broken statement is made of."""

    name: QualifiedName | None
    list_span: Span | None
    items: tuple[Item, ...]
    query: Span | None
    fault: Fault | None
    """Why the list could not be told from what follows it."""
    misplaced: tuple[Segment, ...]
    """Constraints without a list around them."""

    @property
    def holes(self) -> tuple[Span, ...]:
        """What to leave out when the shell is parsed without its items."""
        spans = [segment.span for segment in self.misplaced]
        return tuple(sorted([*spans, self.list_span] if self.list_span else spans))


def take_apart(text: str, begin: int, end: int) -> Parts:
    """Find name, list, items and query of a statement from its tokens alone."""
    tokens = list(raw_tokens(text, begin, end))
    opening = _find_list(tokens)
    name, behind_name = _find_name(tokens)
    items: tuple[Item, ...] = ()
    list_span, fault = None, None
    after = behind_name
    if opening is not None:
        items, closing, fault = _cut_items(tokens, opening)
        stop = tokens[closing].end if fault is None else tokens[closing - 1].end
        list_span = Span(tokens[opening].start, stop)
        after = closing + 1
    return Parts(
        name=name,
        list_span=list_span,
        items=items,
        query=_find_query(tokens, after, end),
        fault=fault,
        misplaced=before_query(tokens, after) if name else (),
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


def _find_list(tokens: list[RawToken]) -> int | None:
    for place, token in enumerate(tokens):
        if _opens_query(tokens, place) or is_expectation(tokens, place):
            return None
        if token.text == "(" and _upper(tokens, place - 1) not in _NO_LIST_BEFORE:
            return place
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


def _cut_items(tokens: list[RawToken], opening: int) -> tuple[tuple[Item, ...], int, Fault | None]:
    """Cut a list at its commas and anchors; return the items and where the list closes."""
    items: list[Item] = []
    depth, first, comma_at = 1, opening + 1, None
    place = opening + 1

    def close_item(stop: int) -> None:
        if stop > first:
            start, end = tokens[first].start, tokens[stop - 1].end
        else:
            start = end = tokens[stop].start if stop < len(tokens) else tokens[-1].end
            comma = tokens[stop if _upper(tokens, stop) == "," else stop - 1]
            items.append(Item(start=start, end=end, extra_comma=Span(comma.start, comma.end)))
            return
        items.append(Item(start=start, end=end, missing_comma_at=comma_at))

    while place < len(tokens):
        text = tokens[place].text
        if place > first and is_anchor(tokens, place):
            close_item(place)
            comma_at = tokens[place - 1].end if depth == 1 else None
            first, depth = place, 1
        elif text == "(":
            depth += 1
        elif text == ")":
            depth -= 1
            if depth == 0:
                if not _goes_on(tokens, place):
                    if place > opening + 1:
                        close_item(place)
                    return tuple(items), place, None
                depth = 1
        elif text == "," and depth == 1:
            close_item(place)
            first, comma_at = place + 1, None
        elif depth == 1 and _opens_query(tokens, place):
            break
        place += 1
    close_item(place)
    fault = Fault(
        name="syntax-error",
        span=Span(tokens[opening].start, tokens[opening].end),
        message="the list opened here is never closed",
        help="close it with `)`",
    )
    return tuple(items), place, fault


def _goes_on(tokens: list[RawToken], place: int) -> bool:
    """Tell whether a list goes on behind a parenthesis that should have closed it."""
    following = _upper(tokens, place + 1)
    if following == "ON":
        return _upper(tokens, place + 2) == "VIOLATION"
    return following == "," and (is_anchor(tokens, place + 2) or _is_name(tokens, place + 2))


def _find_query(tokens: list[RawToken], place: int, end: int) -> Span | None:
    depth = 0
    for i in range(place, len(tokens)):
        text = tokens[i].text
        if text == "(":
            depth += 1
        elif text == ")":
            depth = max(0, depth - 1)
        elif depth == 0 and _opens_query(tokens, i):
            return Span(tokens[i + 1].start, end)
    return None
