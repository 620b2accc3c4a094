"""A slice with a quote that is never closed comes in; its statements, read with it, go out."""

import msgspec

from tidegate.grammar.nodes import Statement, expectations_of
from tidegate.grammar.recovery.draft import Draft
from tidegate.grammar.recovery.quotes import missing_quote
from tidegate.grammar.splitter import Slice, split
from tidegate.source.diagnostic import Fault
from tidegate.source.span import Span

_MOST_QUOTES = 3


class Requoted(msgspec.Struct, frozen=True):
    """A slice as it reads with the quotes that were forgotten."""

    draft: Draft
    slices: list[Slice]
    faults: list[Fault]
    """One for each quote, in the place of the text as written."""


def requoted(text: str, piece: Slice) -> Requoted | None:
    """Put in the quotes that a slice lacks, or give up where they cannot be told."""
    if piece.fault is None or text[piece.fault.span.start] not in "'\"`":
        return None
    draft = Draft(text, Span(piece.start, piece.stop))
    faults: list[Fault] = []
    for _ in range(_MOST_QUOTES):
        found = missing_quote(draft.text, Span(0, len(draft.text)))
        following = draft.edited((found.edit,)) if found else None
        if found is None or following is None:
            return None
        faults.append(draft.moved_fault(found.fault))
        draft = following
        slices = split(draft.text)
        if not any(one.fault and one.fault.message.endswith("closed") for one in slices):
            return Requoted(draft, slices, faults)
    return None


def moved_back(text: str, found: Requoted, statements: list[Statement]) -> list[Statement]:
    """Return statements of the draft in the place of the text, the quotes' faults among theirs."""
    moved: list[Statement] = []
    left = list(found.faults)
    for statement in statements:
        back = found.draft.moved(statement)
        faults = [found.draft.moved_fault(fault) for fault in statement.faults]
        while left and left[0].span.start < back.span.end:
            quote = _named(left.pop(0), back)
            faults = [one for one in faults if not _is_explained(text, one, quote.span.start)]
            faults.append(quote)
        faults.sort(key=lambda fault: fault.span)
        moved.append(msgspec.structs.replace(back, faults=tuple(faults)))
    return moved


def _named(quote: Fault, statement: Statement) -> Fault:
    """Name the dataset and the expectation that a quote stands in."""
    name = getattr(statement, "name", None)
    around = next(
        (
            clause.name.text
            for clause in expectations_of(statement)
            if clause.name and clause.span.start <= quote.span.start < clause.span.end
        ),
        None,
    )
    dataset = name.text if name else None
    return msgspec.structs.replace(quote, dataset=dataset, constraint=around)


def _is_explained(text: str, fault: Fault, opening: int) -> bool:
    """Tell a fault behind a quote on its line: it may come of the guess where the quote ends."""
    is_behind = fault.name == "syntax-error" and fault.span.start >= opening
    return is_behind and "\n" not in text[opening : fault.span.start]
