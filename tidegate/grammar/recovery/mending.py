"""A stretch that does not parse comes in; it is repaired step by step, and its value goes out."""

from collections.abc import Callable

import msgspec

from tidegate.grammar.attempts import Attempts
from tidegate.grammar.building.pieces import Child
from tidegate.grammar.driver import Failure
from tidegate.grammar.recovery.draft import Draft
from tidegate.grammar.recovery.messages import explain
from tidegate.source.diagnostic import Fault
from tidegate.source.edit import Edit

# Whoever makes more mistakes in one stretch gets the rest told when these are mended.
_MOST_REPAIRS = 6


class Repair(msgspec.Struct, frozen=True, kw_only=True):
    """A mistake that is understood: what to read in its place, and what to say about it."""

    edits: tuple[Edit, ...]
    fault: Fault


Suggest = Callable[[str, Failure], Repair | None]


class Mended(msgspec.Struct, frozen=True, kw_only=True):
    """What came of a stretch."""

    value: Child
    """The value, with the spans of what was written; ``None`` if it cannot be repaired."""
    faults: list[Fault]
    draft: Draft
    """The text that was read in the end."""


def mend(attempts: Attempts, start: str, draft: Draft, suggest: Suggest, *, where: str) -> Mended:
    """Parse a draft; where it fails, read on with what was probably meant."""
    text, outside = attempts.text, attempts.faults
    attempts.patience -= 1
    faults: list[Fault] = []
    tried: set[tuple[Edit, ...]] = set()
    while True:
        attempts.text, attempts.faults = draft.text, []
        result = attempts.parse(start, 0, len(draft.text))
        if not isinstance(result, Failure):
            value = draft.moved(result)
            # Where a parenthesis was put in by guess, what stands in it is no second mistake.
            if not any(one.message.endswith("is never closed") for one in faults):
                faults += map(draft.moved_fault, attempts.faults)
            break
        repair = suggest(draft.text, result) if len(tried) < _MOST_REPAIRS else None
        following = draft.edited(repair.edits) if repair and repair.edits not in tried else None
        if repair is None or following is None:
            value = None
            if not faults:
                faults.append(draft.moved_fault(explain(result, draft.text, where=where)))
            break
        tried.add(repair.edits)
        faults.append(draft.moved_fault(repair.fault))
        draft = following
    attempts.text, attempts.faults = text, outside
    return Mended(value=value, faults=faults, draft=draft)
