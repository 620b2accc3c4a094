"""A dataset's rows against its rules: the figures that a run must report, and the rows it keeps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal

from recount.verdicts import Verdict

Row = dict[str, object]


@dataclass(frozen=True)
class Rule:
    """An expectation, judged by a Python function."""

    name: str
    action: str
    judge: Callable[[Row], Verdict]


@dataclass(frozen=True)
class Recounted:
    """One dataset, counted by hand."""

    name: str
    kind: str
    figures: dict[str, object]
    kept: list[Row] = field(repr=False)


def recount(name: str, kind: str, rows: Sequence[Row], rules: Sequence[Rule] = ()) -> Recounted:
    """Judge every rule on every row, and drop what a drop rule does not find TRUE."""
    tallies = {rule.name: Counter[Verdict]() for rule in rules}
    kept = []
    for row in rows:
        verdicts = [(rule, rule.judge(row)) for rule in rules]
        for rule, verdict in verdicts:
            tallies[rule.name][verdict] += 1
        if all(verdict is True for rule, verdict in verdicts if rule.action == "drop"):
            kept.append(row)
    expectations = [_expectation(rule, tallies[rule.name]) for rule in rules]
    failing = [each for each in expectations if each["action"] == "fail" and each["failed"]]
    figures = {
        "status": "FAILED" if failing else "COMPLETED",
        "rows_read": len(rows),
        "rows_written": 0 if failing else len(kept),
        "rows_dropped": 0 if failing else len(rows) - len(kept),
        "rows_quarantined": 0,
        "expectations": expectations,
    }
    return Recounted(name, kind, figures, [] if failing else kept)


def _expectation(rule: Rule, tally: Counter[Verdict]) -> dict[str, object]:
    return {
        "name": rule.name,
        "action": rule.action,
        "passed": tally[True],
        "failed": tally[False] + tally[None],
        "null": tally[None],
    }


def multiset(rows: Iterable[Mapping[str, object]]) -> Counter[tuple[tuple[str, str], ...]]:
    """Count rows by their contents, columns in the order of their names."""
    return Counter(
        tuple(sorted((name, spell(value)) for name, value in row.items())) for row in rows
    )


def spell(value: object) -> str:
    """Write a value so that equal text means the same type and the same value."""
    match value:
        case None:
            return "NULL"
        case Decimal():
            return f"decimal {value.normalize():f}" if value else "decimal 0"
        case float():
            return f"double {value!r}"
        case datetime():
            return f"timestamp {value.isoformat(' ')}"
        case date():
            return f"date {value.isoformat()}"
        case dict():
            inner = ", ".join(f"{name}: {spell(part)}" for name, part in sorted(value.items()))
            return f"struct {{{inner}}}"
        case _:
            return f"{type(value).__name__} {value!r}"
