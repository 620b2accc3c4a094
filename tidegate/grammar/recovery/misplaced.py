"""A statement comes in; clauses that stand where nobody reads them, and their move, go out."""

import re

import msgspec

from tidegate.grammar.nodes import ClusterByClause, CreateDataset
from tidegate.grammar.tokens import (
    OPERATOR,
    QUOTED,
    STRING,
    WORD,
    RawToken,
    raw_tokens,
    word_set,
)
from tidegate.source.diagnostic import Fault
from tidegate.source.edit import Edit, Fix, Safety
from tidegate.source.span import Span

_HINT = re.compile(r"\b(?:expect|constraint|tblproperties|comment|cluster)\b", re.IGNORECASE)
# What may follow a relation called `expect`.
_AFTER_ALIAS = word_set(
    "ON USING WHERE GROUP ORDER HAVING QUALIFY LIMIT OFFSET WINDOW CLUSTER DISTRIBUTE SORT UNION "
    "EXCEPT INTERSECT MINUS JOIN INNER LEFT RIGHT FULL CROSS NATURAL SEMI ANTI LATERAL PIVOT "
    "UNPIVOT TABLESAMPLE AND OR IS IN LIKE BETWEEN AS FROM THEN ELSE END WHEN DESC ASC NOT RLIKE "
    "REGEXP ILIKE DIV COLLATE ESCAPE NULLS WATERMARK VERSION TIMESTAMP FOR"
)
# What asks for an operand or a relation, so that EXPECT behind it is a name.
_BEFORE_NAME = word_set(
    "FROM JOIN SELECT DISTINCT ALL BY WHERE ON AND OR HAVING QUALIFY NOT CASE WHEN THEN ELSE LIKE "
    "ILIKE RLIKE REGEXP ESCAPE BETWEEN IN IS DIV STREAM TABLE LIMIT OFFSET INTERVAL COLLATE OF"
)
_BEFORE_QUERY = word_set("AS FLOW SELECT VALUES")
_CLAUSE_WORDS = word_set(
    "COMMENT TBLPROPERTIES PARTITIONED CLUSTER USING LOCATION OPTIONS AS SCHEDULE TRIGGER REFRESH "
    "WITH DEFAULT"
)


class Segment(msgspec.Struct, frozen=True):
    """One misplaced constraint or clause."""

    span: Span
    is_constraint: bool
    stop: int
    """Where it ends with the comma behind it."""


class Tail(msgspec.Struct, frozen=True):
    """What stands after a query, and where the query itself ends."""

    query_end: int
    segments: tuple[Segment, ...]
    brackets: Span | None = None
    """The parentheses around them, if they stand in a list of their own."""


def after_query(text: str, query: Span) -> Tail | None:
    """Return the constraints and clauses that stand after a query, in order, if any do."""
    if not _HINT.search(text, query.start, query.end):
        return None
    tokens = list(raw_tokens(text, query.start, query.end))
    if listed := _list_behind(tokens):
        return listed
    starts = [
        (place, is_constraint)
        for place in _outermost(tokens, 1)
        if (is_constraint := _opens(tokens, place)) is not None
    ]
    if not starts or not any(is_constraint for _, is_constraint in starts):
        starts = [one for one in starts if _is_certain(tokens, one[0])]
    if not starts:
        return None
    last = starts[0][0] - 1
    while last > 0 and tokens[last].text == ",":
        last -= 1
    return Tail(tokens[last].end, _segments(tokens, starts, len(tokens)))


def _list_behind(tokens: list[RawToken]) -> Tail | None:
    """Return the constraints of a list in parentheses behind a query."""
    depth = opening = 0
    starts: list[tuple[int, bool]] = []
    for place, token in enumerate(tokens):
        if token.text == "(":
            if depth == 0 and place and place + 1 < len(tokens) and is_anchor(tokens, place + 1):
                opening = place
            depth += 1
        elif token.text == ")":
            depth -= 1
            if opening and depth == 0:
                brackets = Span(tokens[opening].start, token.end)
                segments = _segments(tokens, starts, place)
                return Tail(tokens[opening - 1].end, segments, brackets)
        elif opening and depth == 1 and is_anchor(tokens, place):
            starts.append((place, True))
    return None


def before_query(tokens: list[RawToken], first: int) -> tuple[Segment, ...]:
    """Return the constraints that stand between a name and AS without a list around them."""
    starts: list[tuple[int, bool]] = []
    stop = len(tokens)
    for place in _outermost(tokens, first):
        word = tokens[place].text.upper()
        if tokens[place].kind == WORD and word in _BEFORE_QUERY and place + 1 < len(tokens):
            stop = place
            break
        if is_anchor(tokens, place):
            starts.append((place, True))
        elif tokens[place].kind == WORD and word in _CLAUSE_WORDS:
            starts.append((place, False))
    return tuple(one for one in _segments(tokens, starts, stop) if one.is_constraint)


def is_anchor(tokens: list[RawToken], place: int) -> bool:
    """Tell whether an expectation starts at a token: CONSTRAINT, a name, EXPECT."""
    if tokens[place].kind != WORD or tokens[place].text.upper() != "CONSTRAINT":
        return False
    name, key = place + 1, place + 2
    if key >= len(tokens) or tokens[name].kind not in (WORD, QUOTED):
        return False
    return tokens[key].text.upper() == "EXPECT" or (
        tokens[name].text.upper() == "EXPECT" and tokens[key].text == "("
    )


def _outermost(tokens: list[RawToken], first: int) -> list[int]:
    """Return the places outside all brackets."""
    places: list[int] = []
    depth = 0
    for place, token in enumerate(tokens):
        if token.kind == OPERATOR and token.text in "([":
            depth += 1
        elif token.kind == OPERATOR and token.text in ")]":
            depth -= 1
        elif depth == 0 and place >= first:
            places.append(place)
    return places


def _opens(tokens: list[RawToken], place: int) -> bool | None:
    """Say what starts at a token behind a query: a constraint, a clause, or nothing."""
    token = tokens[place]
    if token.kind != WORD or tokens[place - 1].text in (".", "AS", "as"):
        return None
    word = token.text.upper()
    after = tokens[place + 1] if place + 1 < len(tokens) else None
    if after is None:
        return None
    if is_anchor(tokens, place):
        return True
    if word == "EXPECT" and tokens[place - 1].kind in (WORD, QUOTED, OPERATOR):
        return True if _has_predicate(tokens, place) else None
    if word == "COMMENT" and after.kind == STRING:
        return False
    if word == "TBLPROPERTIES" and after.text == "(":
        return False
    return False if word == "CLUSTER" and after.text.upper() == "BY" else None


def _has_predicate(tokens: list[RawToken], place: int) -> bool:
    """Tell EXPECT with a predicate from a name: a relation, alias or column called `expect`."""
    before, after = tokens[place - 1], tokens[place + 1]
    if before.kind == OPERATOR and before.text != ")":
        return False
    if _is_named(tokens, place):
        return False
    if after.text == "(":
        return _is_no_name_list(tokens, place + 1)
    return after.kind == QUOTED or (after.kind == WORD and after.text.upper() not in _AFTER_ALIAS)


def _is_named(tokens: list[RawToken], place: int) -> bool:
    """Tell whether this EXPECT belongs to a CONSTRAINT before it, or is what a word asks for."""
    if tokens[place - 1].kind == WORD and tokens[place - 1].text.upper() in _BEFORE_NAME:
        return True
    return place >= 2 and tokens[place - 2].text.upper() == "CONSTRAINT"


def _is_no_name_list(tokens: list[RawToken], opening: int) -> bool:
    """Tell a predicate in brackets from names for an alias's columns."""
    place = opening + 1
    while place + 1 < len(tokens) and tokens[place].kind in (WORD, QUOTED):
        if tokens[place + 1].text == ")":
            return False
        if tokens[place + 1].text != ",":
            return True
        place += 2
    return True


def _is_certain(tokens: list[RawToken], place: int) -> bool:
    """Tell whether a clause cannot belong to the query: CLUSTER BY (a) can."""
    if tokens[place].text.upper() != "CLUSTER":
        return True
    mode = tokens[place + 2].text.upper() if place + 2 < len(tokens) else ""
    return mode in ("AUTO", "NONE") and place + 3 == len(tokens)


def _segments(
    tokens: list[RawToken], starts: list[tuple[int, bool]], stop: int
) -> tuple[Segment, ...]:
    segments: list[Segment] = []
    for (place, is_constraint), following in zip(
        starts, [*(place for place, _ in starts), stop][1:], strict=True
    ):
        last = following - 1
        stop = tokens[last].end
        if last > place and tokens[last].text == ",":
            last -= 1
        segments.append(Segment(Span(tokens[place].start, tokens[last].end), is_constraint, stop))
    return tuple(segments)


# ---------------------------------------------------------------- the fault and the move


def misplaced_fault(
    text: str,
    statement: CreateDataset,
    segments: tuple[Segment, ...],
    *,
    is_complete: bool,
    brackets: Span | None = None,
) -> Fault:
    """Return the one fault of a statement with clauses out of place."""
    query = statement.query
    behind_query = query is not None and query.span.end <= segments[0].span.start
    place = "after the query" if behind_query else "before AS without parentheses around them"
    constraints = [one for one in segments if one.is_constraint]
    count = len(constraints)
    what = f"{count} expectations stand" if count > 1 else "an expectation stands"
    if not constraints:
        what = "a clause stands" if len(segments) == 1 else f"{len(segments)} clauses stand"
    elif count == 1 and not behind_query:
        place = "before AS without parentheses around it"
    them = "it" if len(segments) == 1 else "them"
    where = "into a list in parentheses before AS" if constraints else "before AS"
    fix = None
    if is_complete and brackets is None:
        written = [text[one.span.start : one.span.end] for one in constraints]
        edits = move_edits(text, statement, segments, written)
        fix = Fix(f"Move {them} {where}", edits, Safety.SAFE)
    return Fault(
        name="clause-out-of-place",
        span=brackets or Span(segments[0].span.start, segments[-1].span.end),
        message=f"{what} {place}, where nothing reads {them}",
        help=f"move {them} {where}",
        dataset=statement.name.text,
        fix=fix,
    )


def late_list_fault(text: str, statement: CreateDataset) -> Fault | None:
    """Return the fault of a column list behind a clause; CLUSTER BY once stood before it."""
    listed = statement.list_span
    if listed is None:
        return None
    before = [
        clause
        for clause in statement.clauses
        if clause.span.end <= listed.start and not isinstance(clause, ClusterByClause)
    ]
    if not before:
        return None
    at = statement.name.span.end
    start = at + len(text[at : listed.start].rstrip())
    moved = text[listed.start : listed.end]
    edits = (Edit(Span(at, at), f" {moved}"), Edit(Span(start, listed.end), ""))
    return Fault(
        name="clause-out-of-place",
        span=listed,
        message="the column list stands behind a clause",
        help="move it right behind the name",
        dataset=statement.name.text,
        fix=Fix("Move the list behind the name", edits, Safety.SAFE),
    )


def inner_violation_fault(text: str, body: Span, stop: Span) -> Fault | None:
    """Return the fault of an ON VIOLATION inside a predicate's parentheses, if one stops it."""
    tokens = list(raw_tokens(text, stop.start, body.end))
    if [token.text.upper() for token in tokens[:2]] != ["ON", "VIOLATION"] or len(tokens) < 3:
        return None
    if any(token.kind != WORD for token in tokens) or text[body.end : body.end + 1] != ")":
        return None
    kept = body.start + len(text[body.start : stop.start].rstrip())
    edits = (Edit(Span(kept, kept), ")"), Edit(Span(body.end, body.end + 1), ""))
    return Fault(
        name="clause-out-of-place",
        span=Span(stop.start, body.end),
        message="ON VIOLATION stands inside the parentheses of the predicate",
        help="close the parenthesis before it",
        fix=Fix("Close the parenthesis before ON VIOLATION", edits, Safety.SAFE),
    )


def move_edits(
    text: str,
    statement: CreateDataset,
    segments: tuple[Segment, ...],
    constraints: list[str],
) -> tuple[Edit, ...]:
    """Return the edits that move clauses before AS, and constraints, as given, into the list."""
    clauses = [text[s.span.start : s.span.end] for s in segments if not s.is_constraint]
    edits = [*_removals(text, statement, segments)]
    if constraints:
        edits.append(_insertion(text, statement, constraints))
    if clauses and statement.as_span:
        at = statement.as_span.start
        edits.append(Edit(Span(at, at), "".join(f"{clause}\n" for clause in clauses)))
    return tuple(sorted(edits))


def _insertion(text: str, statement: CreateDataset, constraints: list[str]) -> Edit:
    """Put the constraints into the list that is there, or into a new one behind the name."""
    span = statement.list_span
    if span is None:
        at = statement.name.span.end
        inner = ",\n  ".join(constraints)
        gap = "" if text[at : at + 1].isspace() else " "
        return Edit(Span(at, at), f" (\n  {inner}\n){gap}")
    if not statement.items:
        inner = ",\n  ".join(constraints)
        return Edit(span, f"(\n  {inner}\n)")
    last = statement.items[-1].span
    line = text.rfind("\n", span.start, last.start)
    blank = text[line + 1 : last.start] if line >= 0 else ""
    separator = f",\n{blank}" if line >= 0 and not blank.strip() else ", "
    added = "".join(separator + constraint for constraint in constraints)
    return Edit(Span(last.end, last.end), added)


def _removals(text: str, statement: CreateDataset, segments: tuple[Segment, ...]) -> list[Edit]:
    """Take the segments and the commas between them out; comments stay where they are."""
    first = segments[0].span.start
    known = [statement.query.span.end] if statement.query else []
    known += [statement.name.span.end, *(clause.span.end for clause in statement.clauses)]
    known += [statement.list_span.end] if statement.list_span else []
    at = max(end for end in known if end <= first)
    edits: list[Edit] = []
    for segment in segments:
        start, stop = segment.span.start, segment.span.end
        if not text[at:start].strip(" \t\r\n,"):
            start = at
        else:
            edits += _commas(text, at, start)
        edits.append(Edit(Span(start, stop), ""))
        at = stop
    if statement.query and statement.query.span.end <= first:
        edits += _commas(text, at, statement.span.end)
    return edits


def _commas(text: str, start: int, end: int) -> list[Edit]:
    return [
        Edit(Span(token.start, token.end), "")
        for token in raw_tokens(text, start, end)
        if token.text == ","
    ]
