"""A dataset with a query comes in; what cannot start it, or go on behind it, goes out."""

import msgspec

from tidegate.grammar.nodes import CreateDataset, Query
from tidegate.grammar.recovery.messages import nearest
from tidegate.grammar.recovery.stretch import safe, unsafe
from tidegate.grammar.tokens import OPERATOR, STRING, WORD, RawToken, raw_tokens, word_set
from tidegate.source.diagnostic import Fault, Related
from tidegate.source.edit import Edit, Fix
from tidegate.source.span import Span

_STARTS = word_set("SELECT WITH FROM VALUES TABLE MAP REDUCE")
_CLAUSES = word_set("COMMENT TBLPROPERTIES PARTITIONED CLUSTER LOCATION USING")
_FLOW_WORDS = word_set("INSERT AUTO REPLACE")
# What may follow an alias called `select`.
_BEHIND_ALIAS = word_set(
    "FROM WHERE GROUP ORDER HAVING LIMIT UNION EXCEPT INTERSECT MINUS JOIN INNER LEFT RIGHT FULL "
    "CROSS ON USING LATERAL WINDOW QUALIFY CLUSTER DISTRIBUTE SORT"
)
_HEAD_LENGTH = 200


def with_whole_query(text: str, statement: CreateDataset) -> tuple[CreateDataset, list[Fault]]:
    """Return a statement with its query alone in the query's place, and what stood there too."""
    query = statement.query
    if query is None:
        return statement, []
    faults: list[Fault] = []
    start, end = query.span.start, query.span.end
    first = next(raw_tokens(text, start, min(end, start + _HEAD_LENGTH)), None)
    if first is not None and first.kind == WORD and first.text.upper() not in _STARTS:
        found = _odd_start(text, query.span, first)
        if found is not None:
            fault, start = found
            faults.append(fault)
    if _may_hold_second(text[start:end]) and (second := _second_query(text, Span(start, end))):
        at = statement.as_span
        related = (Related(message="the first query", span=at),) if at else ()
        faults.append(msgspec.structs.replace(second, related=related))
        end = start + len(text[start : second.span.start].rstrip())
    if faults:
        shortened = Query(span=Span(start, max(start, end)))
        statement = msgspec.structs.replace(statement, query=shortened)
    return statement, faults


def _odd_start(text: str, query: Span, first: RawToken) -> tuple[Fault, int] | None:
    """Return the fault of a word that starts no query, and where the query starts."""
    if not first.text.isascii() or not first.text.isalpha():
        return None
    word, where = first.text.upper(), Span(first.start, first.end)
    if meant := nearest(word, tuple(_STARTS)):
        edit = Edit(where, meant)
        message = f"found `{first.text}`, expected a query; did you mean `{meant}`?"
        fix = unsafe(f"Write {meant}", edit)
        return _fault(where, message, f"write `{meant}`", fix), query.start
    start = _start_behind(text, query)
    if start is None:
        return _fault(where, f"found `{first.text}`, expected a query", None), query.start
    if word == "AS":
        edit = Edit(Span(first.start, start), "")
        message = "found a second `AS` before the query"
        return _fault(where, message, "remove it", safe("Remove AS", edit)), start
    if word in _CLAUSES:
        span = Span(first.start, first.start + len(text[first.start : start].rstrip()))
        fault = Fault(
            name="clause-out-of-place",
            span=span,
            message=f"{word} stands behind AS",
            help="move it before AS",
        )
        return fault, start
    return _fault(where, f"found `{first.text}`, expected a query", None), start


def _start_behind(text: str, query: Span) -> int | None:
    """Return where a query starts behind what does not belong to it."""
    depth = 0
    for token in raw_tokens(text, query.start, query.end):
        if token.kind == OPERATOR:
            depth += (token.text == "(") - (token.text == ")")
        elif depth == 0 and token.kind == WORD and token.text.upper() in ("SELECT", "WITH"):
            return token.start
    return None


def _may_hold_second(written: str) -> bool:
    """Tell whether a word of a query is one behind which a second may start."""
    written = written.upper()
    return _holds(written, "AS", ("SELECT", "WITH")) or (
        "FLOW" in written and _holds(written, "FLOW", ("INSERT", "AUTO", "REPLACE"))
    )


def _holds(written: str, word: str, followers: tuple[str, ...]) -> bool:
    # Cutting at the rare words is ten times as fast as a pattern that tries every place.
    return any(
        before.rstrip().endswith(word)
        for follower in followers
        for before in written.split(follower)[:-1]
    )


def _second_query(text: str, query: Span) -> Fault | None:
    """Return the fault of a second AS or FLOW behind a query."""
    tokens = list(raw_tokens(text, query.start, query.end))
    depth = 0
    for place, token in enumerate(tokens[:-2]):
        if token.kind == OPERATOR:
            depth += (token.text == "(") - (token.text == ")")
        if depth != 0 or token.kind != WORD or place == 0:
            continue
        word, following = token.text.upper(), tokens[place + 1].text.upper()
        if word == "FLOW" and following in _FLOW_WORDS and tokens[place - 1].text != ".":
            said = "a FLOW stands behind the query of AS"
        elif word == "AS" and following in ("SELECT", "WITH") and _opens(tokens, place + 2):
            said = "an AS with a query stands behind a query"
        else:
            continue
        return Fault(
            name="clause-out-of-place",
            span=Span(token.start, tokens[-1].end),
            message=said,
            help="keep one query: AS, or a FLOW",
        )
    return None


def _opens(tokens: list[RawToken], place: int) -> bool:
    """Tell the word SELECT from an alias of this name, by what follows."""
    token = tokens[place]
    if token.kind == STRING or token.text in ("*", "("):
        return True
    return token.kind != OPERATOR and token.text.upper() not in _BEHIND_ALIAS


def _fault(span: Span, message: str, advice: str | None, fix: Fix | None = None) -> Fault:
    return Fault(name="syntax-error", span=span, message=message, help=advice, fix=fix)
