"""Statements with the marks of a template come in; they go out with one fault for each blank.

What does not parse because something was never filled in is no fault of its own.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence

import msgspec

from tidegate.grammar.nodes import (
    BrokenStatement,
    CreateDataset,
    ExpectClause,
    Name,
    Statement,
    expectations_of,
)
from tidegate.source.diagnostic import Fault, Severity
from tidegate.source.span import Span
from tidegate.source.templates import Mark, Marked, MarkKind

_FAULT = "unrendered-template"
_OF_A_TEMPLATE = (MarkKind.VALUE, MarkKind.TAG)
_OF_STRUCTURE = frozenset(
    (
        "syntax-error",
        "unparenthesised-expectation",
        "missing-constraint-name",
        "missing-or-extra-comma",
        "missing-as-before-query",
        "duplicate-or-conflicting-clause",
        "wrong-dataset-keyword",
    )
)
"""Faults that come and go with what is filled in; the others are mistakes whatever that is."""
_MOST_SHOWN = 40


def template_fault(file: Marked) -> Fault | None:
    """Return the one fault that says that a file is a template; ``None`` for one with blanks."""
    first = next((mark for mark in file.marks if mark.kind in _OF_A_TEMPLATE), None)
    if first is None:
        return None
    return Fault(
        name=_FAULT,
        span=first.span,
        message="this file is a template, which is read only as far as it can be",
        help="check what it renders to; compile and run take rendered files only",
        severity=Severity.INFO,
    )


def with_blanks(statements: Iterable[Statement], file: Marked) -> list[Statement]:
    """Return the statements with their blanks named, and without what only follows from marks."""
    marks = file.marks
    found: list[Statement] = []
    at = 0
    for statement in statements:
        while at < len(marks) and marks[at].span.end <= statement.span.start:
            at += 1
        behind = at
        while behind < len(marks) and marks[behind].span.start < statement.span.end:
            behind += 1
        inside = marks[at:behind]
        found.append(_judged(statement, file, inside) if inside else statement)
        at = behind
    return found


def loose_blanks(statements: Sequence[Statement], file: Marked) -> list[Fault]:
    """Name the blanks that stand in no statement."""
    starts = [each.span.start for each in statements]
    loose: list[Fault] = []
    for mark in file.marks:
        before = bisect_right(starts, mark.span.start) - 1
        inside = before >= 0 and mark.span.start < statements[before].span.end
        if mark.kind is MarkKind.BLANK and not (inside or mark.is_argument):
            loose.append(_blank(file, mark, None, None))
    return loose


def _judged(statement: Statement, file: Marked, marks: Sequence[Mark]) -> Statement:
    dataset = None
    if isinstance(statement, CreateDataset | BrokenStatement) and statement.name:
        dataset = statement.name.text
    clauses = sorted(expectations_of(statement), key=lambda each: each.span)
    around = _Surroundings(marks, clauses)
    faults = [each for each in statement.faults if not around.explain(each)]
    # What a decorator takes is no text that a call could still fill in.
    is_made = isinstance(statement, CreateDataset) and statement.in_python
    named: set[tuple[int, str]] = set()
    for mark in marks:
        if mark.kind is MarkKind.BLANK and (is_made or not mark.is_argument):
            clause = around.clause_at(mark.span)
            # What stands twice in one expectation is filled in once.
            key = (clause.span.start if clause else -1, file.source.slice(mark.span))
            if key not in named:
                named.add(key)
                faults.append(_blank(file, mark, dataset, clause.name if clause else None))
    faults.sort(key=lambda each: (each.span, each.message))
    return msgspec.structs.replace(statement, faults=tuple(faults))


class _Surroundings:
    """The marks of a statement among its expectations, both in order."""

    def __init__(self, marks: Sequence[Mark], clauses: Sequence[ExpectClause]) -> None:
        self._marks = marks
        self._clauses = clauses
        self._has_tags = any(mark.kind is MarkKind.TAG for mark in marks)
        outside = (mark for mark in marks if self.clause_at(mark.span) is None)
        self._first_outside = next(outside, None)

    def clause_at(self, span: Span) -> ExpectClause | None:
        """Return the expectation that holds a span."""
        place = bisect_right(self._clauses, span.start, key=lambda each: each.span.start) - 1
        found = self._clauses[place] if place >= 0 else None
        return found if found and _holds(found.span, span) else None

    def explain(self, fault: Fault) -> bool:
        """Tell whether a fault is there only because something was not filled in."""
        if self._is_met(fault.span):
            return True
        if fault.name not in _OF_STRUCTURE:
            return False
        if self._has_tags:
            return True
        clause = self.clause_at(fault.span)
        if clause is not None:
            place = bisect_left(self._marks, clause.span.start, key=lambda each: each.span.start)
            return place < len(self._marks) and _holds(clause.span, self._marks[place].span)
        # Outside the expectations, one blank may upset all that stands behind it.
        first = self._first_outside
        return first is not None and fault.span.end >= first.span.start

    def _is_met(self, span: Span) -> bool:
        """Tell whether a mark overlaps a span."""
        place = bisect_left(self._marks, span.end, key=lambda each: each.span.start) - 1
        return place >= 0 and self._marks[place].span.end > span.start


def _blank(file: Marked, mark: Mark, dataset: str | None, constraint: Name | None) -> Fault:
    place = file.source.place(mark.span)
    written = file.source.original[place.start : place.end].partition("\n")[0]
    shown = written if len(written) <= _MOST_SHOWN else f"{written[:_MOST_SHOWN]}..."
    if written[0] in "f%{":
        message = f"`{shown}` was to be filled in by Python"
        advice = "write the rendered text into this file"
    else:
        message = f"`{shown}` is a blank that was never filled in"
        advice = "write what belongs here"
    return Fault(
        name=_FAULT,
        span=mark.span,
        message=message,
        help=advice,
        dataset=dataset,
        constraint=constraint.text if constraint else None,
    )


def _holds(outer: Span, inner: Span) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end
