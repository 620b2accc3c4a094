"""A statement that does not parse comes in; what could be saved of it goes out."""

import msgspec

from tidegate.grammar.attempts import Attempts
from tidegate.grammar.building.literals import is_type_name
from tidegate.grammar.driver import Failure
from tidegate.grammar.lexer import END
from tidegate.grammar.nodes import (
    BrokenStatement,
    CreateDataset,
    ExpectClause,
    ListItem,
    ObjectKind,
    Query,
    Statement,
)
from tidegate.grammar.recovery.actions import action_faults
from tidegate.grammar.recovery.cutting import Item
from tidegate.grammar.recovery.draft import Draft
from tidegate.grammar.recovery.finishing import (
    finish,
    in_order,
    read_segments,
    take_misplaced,
    with_constraints,
)
from tidegate.grammar.recovery.item_repairs import repair_item
from tidegate.grammar.recovery.leaving import left_alone
from tidegate.grammar.recovery.mending import Mended, mend
from tidegate.grammar.recovery.messages import explain, extra_comma, missing_comma
from tidegate.grammar.recovery.parts import Parts, take_apart
from tidegate.grammar.recovery.salvage import salvage_all, salvage_item, salvage_tokens
from tidegate.grammar.recovery.shell_repairs import repair_shell
from tidegate.grammar.recovery.typography import plain_edits, typography_faults
from tidegate.grammar.tokens import WORD, match_token
from tidegate.source.diagnostic import Fault, Related
from tidegate.source.edit import Edit
from tidegate.source.span import Span

# Whoever leaves more brackets open wrote no list.
_MOST_OPEN = 1000


def recover(
    attempts: Attempts, failure: Failure, kind: ObjectKind | None, begin: int, end: int
) -> Statement:
    """Take a statement apart, and return it as whole as its parts make it."""
    text = attempts.text
    if edits := plain_edits(text, begin, end):
        return _recover_plain(attempts, edits, kind, Span(begin, end))
    if attempts.patience <= 0 or _is_endless(text, begin, end):
        return _left_broken(attempts, failure, kind, Span(begin, end))
    parts = take_apart(text, begin, end)
    known = len(attempts.faults)
    items = _read_items(attempts, parts)
    shell = _read_shell(attempts, parts, Span(begin, end))
    if isinstance(shell.value, CreateDataset):
        attempts.faults += shell.faults
        whole = shell.value
        if parts.list_span is not None:
            items += whole.items
            whole = msgspec.structs.replace(
                whole, items=tuple(items), list_span=parts.list_span, span=Span(begin, end)
            )
        whole = msgspec.structs.replace(whole, span=Span(begin, end))
        if parts.misplaced:
            whole = take_misplaced(attempts, whole, parts.misplaced)
        if len(attempts.faults) == known:
            attempts.faults.append(explain(failure, text, where="statement"))
        return finish(attempts, whole)
    if isinstance(shell.value, Statement):
        attempts.faults += shell.faults
        return finish(attempts, msgspec.structs.replace(shell.value, span=Span(begin, end)))
    # What is wrong in the list may be why the rest does not parse.
    if len(attempts.faults) == known:
        attempts.faults += shell.faults
    outside, _ = read_segments(attempts, parts.misplaced)
    inside = (item for item in items if isinstance(item, ExpectClause))
    expectations = tuple(sorted((*inside, *outside), key=lambda clause: clause.span))
    name = parts.name.text if parts.name else None
    for item in expectations:
        attempts.faults += action_faults(item, text, name)
    return BrokenStatement(
        span=Span(begin, end),
        kind=kind,
        name=parts.name,
        expectations=expectations,
        query=Query(span=parts.query) if parts.query else None,
        faults=in_order(with_constraints(attempts.faults, expectations), name),
    )


def _is_endless(text: str, begin: int, end: int) -> bool:
    """Tell whether so many brackets stay open that no part of a statement can be told."""
    return any(
        text.count(opening, begin, end) - text.count(closing, begin, end) > _MOST_OPEN
        for opening, closing in ("()", "[]")
    )


def _left_broken(
    attempts: Attempts, failure: Failure, kind: ObjectKind | None, span: Span
) -> BrokenStatement:
    """Keep what can be seen at a glance of a statement in a file of many mistakes."""
    fault = explain(failure, attempts.text, where="statement")
    return BrokenStatement(
        span=span,
        kind=kind,
        name=None,
        expectations=left_alone(salvage_all(attempts.text, span)),
        faults=in_order([*attempts.faults, fault], None),
    )


def _recover_plain(
    attempts: Attempts, edits: tuple[Edit, ...], kind: ObjectKind | None, span: Span
) -> Statement:
    """Read a statement as if its typographic characters were plain."""
    text, outside = attempts.text, attempts.faults
    draft = Draft(text, span, edits)
    attempts.text, attempts.faults = draft.text, []
    size = len(draft.text)
    result = attempts.parse("statement", 0, size)
    if isinstance(result, Failure):
        attempts.faults = []
        statement = recover(attempts, result, kind, 0, size)
    else:
        statement = finish(attempts, result)
    attempts.text = text
    is_mended = not isinstance(result, Failure)
    faults = [*outside, *map(draft.moved_fault, statement.faults)]
    faults += typography_faults(text, edits, is_mended=is_mended)
    moved = draft.moved(statement)
    name = getattr(getattr(moved, "name", None), "text", None)
    return msgspec.structs.replace(moved, span=span, faults=in_order(faults, name))


def _read_shell(attempts: Attempts, parts: Parts, span: Span) -> Mended:
    """Parse a statement without its list."""
    blanks = tuple(Edit(hole, _blank(hole, hole == parts.list_span)) for hole in parts.holes)
    draft = Draft(attempts.text, span, blanks)
    return mend(attempts, "statement", draft, repair_shell, where="statement")


def _blank(hole: Span, is_list: bool) -> str:
    size = hole.end - hole.start
    return f"({' ' * (size - 2)})" if is_list and size > 1 else " " * size


def _read_items(attempts: Attempts, parts: Parts) -> list[ListItem]:
    """Parse each item alone; what only goes on with a broken one is not reported."""
    items: list[ListItem] = []
    failed_before = is_half_written = False
    for place, piece in enumerate(parts.items):
        if attempts.patience <= 0:
            items += _left_items(attempts, parts, place)
            break
        if piece.extra_comma is not None:
            attempts.patience -= 1
            attempts.faults.append(extra_comma(piece.extra_comma))
            continue
        if piece.missing_comma_at is not None and not is_half_written:
            attempts.faults.append(missing_comma(piece.missing_comma_at))
        attempts.faults += map(extra_comma, piece.inner_commas)
        known = len(attempts.faults)
        failed_before = _read_item(attempts, piece, items, failed_before)
        is_half_written = any(one.name == "syntax-error" for one in attempts.faults[known:])
    if parts.second_list and parts.list_span:
        attempts.faults.append(_second_list(parts.second_list, parts.list_span))
    if parts.fault and not (parts.is_open and is_half_written):
        attempts.faults.append(parts.fault)
    return items


def _left_items(attempts: Attempts, parts: Parts, place: int) -> list[ListItem]:
    """Keep the expectations of a list from an item on, without a look at their predicates."""
    left = parts.items[place:]
    attempts.faults.append(
        Fault(
            name="syntax-error",
            span=Span(left[0].start, left[0].start),
            message=f"{len(left)} more items of the list are not read: there are too many mistakes",
            help="mend those before first",
        )
    )
    found = (
        salvage_tokens(attempts.text, parts.tokens, one.first, one.stop)
        for one in left
        if one.stop > one.first
    )
    return [*left_alone(clause for clause in found if clause is not None)]


def _second_list(opening: Span, first: Span) -> Fault:
    return Fault(
        name="duplicate-or-conflicting-clause",
        span=opening,
        message="a second list: columns and constraints stand in one list",
        help="put all of them into one pair of parentheses",
        related=(Related(message="the first list", span=Span(first.start, first.start + 1)),),
    )


def _read_item(attempts: Attempts, piece: Item, items: list[ListItem], failed: bool) -> bool:
    """Parse one item, or two without a comma between them; tell whether it failed."""
    text, start = attempts.text, piece.start
    known = len(attempts.faults)
    result = attempts.parse("item", start, piece.end, piece.inner_commas)
    while isinstance(result, Failure) and _divides(text, result, piece.end):
        attempts.patience -= 1
        if attempts.patience < 0:
            break
        del attempts.faults[known:]
        middle = start + len(text[start : result.span.start].rstrip())
        items.append(attempts.parse("item", start, middle))
        attempts.faults.append(missing_comma(middle))
        known, start = len(attempts.faults), result.span.start
        result = attempts.parse("item", start, piece.end)
    if not isinstance(result, Failure):
        items.append(result)
        return False
    del attempts.faults[known:]
    blanks = tuple(Edit(comma, " ") for comma in piece.inner_commas)
    draft = Draft(text, Span(start, piece.end), blanks)
    mended = mend(attempts, "item", draft, repair_item, where="item")
    if isinstance(mended.value, ListItem):
        attempts.faults += mended.faults
        items.append(mended.value)
        return False
    opens = text[start : start + 10].upper() == "CONSTRAINT"
    if opens or not failed:
        attempts.faults += mended.faults
    if clause := _salvaged(attempts, mended.draft):
        items.append(clause)
    return True


def _salvaged(attempts: Attempts, draft: Draft) -> ExpectClause | None:
    """Return the expectation in an item that stays broken."""
    text, outside = attempts.text, attempts.faults
    attempts.text, attempts.faults = draft.text, []
    clause = salvage_item(draft.text, Span(0, len(draft.text)), attempts.read_body)
    attempts.text, attempts.faults = text, outside
    return draft.moved(clause) if clause else None


def _divides(text: str, failure: Failure, end: int) -> bool:
    """Tell whether a column starts where an item should have ended."""
    if END not in failure.expected or failure.found not in ("IDENT", "ALIAS"):
        return False
    following = match_token(text, failure.span.end, end)
    if following is None or following.lastindex != WORD:
        return False
    return is_type_name(following[WORD])
