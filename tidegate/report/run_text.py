"""The outcome of a run comes in; tables of its figures go out, for people."""

from collections.abc import Iterator, Sequence
from datetime import datetime

from tidegate.model.outcome import (
    DatasetOutcome,
    ErrorOutcome,
    RuleOutcome,
    RunOutcome,
    ViolationOutcome,
)
from tidegate.report.counting import counted
from tidegate.report.terminal import Palette, visible, width

_HEADINGS = ("expectation", "action", "passed", "failed", "NULL", "share")
_LEFT_ALIGNED = 2


def render_run(outcome: RunOutcome, palette: Palette) -> Iterator[str]:
    """Yield a table for each dataset, then the totals and the status."""
    for dataset in outcome.datasets:
        yield "\n".join(_dataset(dataset, outcome, palette)) + "\n\n"
    yield "\n".join(_closing(outcome, palette)) + "\n"


def _dataset(dataset: DatasetOutcome, outcome: RunOutcome, palette: Palette) -> Iterator[str]:
    name = f"{palette.strong}{visible(dataset.name)}{palette.reset}"
    status = f"{_color(dataset.status, palette)}{dataset.status.lower()}{palette.reset}"
    seconds = f", {dataset.duration_ms / 1000:.1f} s" if dataset.duration_ms else ""
    yield f"{name}  {dataset.kind.replace('_', ' ')}, {status}{seconds}"
    if dataset.rows_read is not None:
        yield (
            f"  rows read {_number(dataset.rows_read)}, written {_number(dataset.rows_written)}, "
            f"dropped {_number(dataset.rows_dropped)}"
        )
    if dataset.expectations and not any(_is_judged(rule) for rule in dataset.expectations):
        yield f"  {counted(len(dataset.expectations), 'expectation')}: not judged"
    elif dataset.expectations:
        yield from _table([_HEADINGS, *(_row(rule) for rule in dataset.expectations)], palette)
    for violation in dataset.violations:
        yield from _violation(violation, palette)
    if dataset.error and not dataset.violations:
        color = palette.error if dataset.status == "FAILED" else palette.dim
        word = "error" if dataset.status == "FAILED" else "because"
        yield f"  {color}{word}:{palette.reset} {visible(dataset.error)}"
        for error in outcome.errors:
            if error.dataset == dataset.name:
                yield from _place_and_help(error, palette)


def _place_and_help(error: ErrorOutcome, palette: Palette) -> Iterator[str]:
    if error.path:
        yield f"  {palette.dim}-->{palette.reset} {visible(error.path)}:{error.line}:{error.column}"
    if error.help:
        yield f"  {palette.strong}help:{palette.reset} {visible(error.help)}"


def _is_judged(rule: RuleOutcome) -> bool:
    return rule.passed is not None


def _number(value: int | None) -> str:
    return "-" if value is None else f"{value:,}"


def _row(rule: RuleOutcome) -> tuple[str, ...]:
    return (
        visible(rule.name),
        rule.action,
        _number(rule.passed),
        _number(rule.failed),
        _number(rule.null),
        _share(rule.passed or 0, (rule.passed or 0) + (rule.failed or 0)),
    )


def _share(passed: int, judged: int) -> str:
    if not judged:
        return "-"
    # Rounded down: a rule that was ever broken never shows 100 %.
    hundredths = passed * 10_000 // judged
    return f"{hundredths // 100}.{hundredths % 100:02} %"


def _table(rows: Sequence[Sequence[str]], palette: Palette) -> Iterator[str]:
    widths = [max(width(row[column]) for row in rows) for column in range(len(rows[0]))]
    for number, row in enumerate(rows):
        cells = []
        for column, (cell, wanted) in enumerate(zip(row, widths, strict=True)):
            blanks = " " * (wanted - width(cell))
            cells.append(cell + blanks if column < _LEFT_ALIGNED else blanks + cell)
        line = "  ".join(cells).rstrip()
        yield f"    {palette.dim}{line}{palette.reset}" if number == 0 else f"    {line}"


def _violation(violation: ViolationOutcome, palette: Palette) -> Iterator[str]:
    null = f", {_number(violation.null)} of them NULL" if violation.null else ""
    predicate = visible(" ".join(violation.predicate.split()))
    yield (
        f"  {palette.error}broken:{palette.reset} `{visible(violation.name)}` by "
        f"{counted(violation.failed, 'row')}{null}: {predicate}"
    )
    yield from (f"    {visible(row)}" for row in violation.rows)
    more = violation.failed - len(violation.rows)
    if violation.rows and more > 0:
        yield f"    {palette.dim}and {_number(more)} more{palette.reset}"


def _closing(outcome: RunOutcome, palette: Palette) -> Iterator[str]:
    statuses = [dataset.status for dataset in outcome.datasets]
    parts = [
        f"{statuses.count(status)} {status.lower()}"
        for status in ("COMPLETED", "FAILED", "SKIPPED", "EXCLUDED")
        if status in statuses
    ]
    tables = [each for each in outcome.datasets if each.kind != "temporary_view"]
    rules = [rule for each in outcome.datasets for rule in each.expectations]
    judged = [rule for rule in rules if _is_judged(rule)]
    broken = sum(bool(rule.failed) for rule in judged)
    verdicts = f"{len(judged) - broken} held, {broken} broken"
    if len(judged) < len(rules):
        verdicts += f", {len(rules) - len(judged)} not judged"
    yield f"{counted(len(statuses), 'dataset')}: {', '.join(parts) or 'none'}"
    yield (
        f"tables: rows read {_total(tables, 'rows_read')}, "
        f"written {_total(tables, 'rows_written')}, dropped {_total(tables, 'rows_dropped')}"
    )
    yield f"{counted(len(rules), 'expectation')}: {verdicts}"
    color = _color(outcome.status, palette)
    yield (
        f"update {outcome.update_id}: {color}{outcome.status}{palette.reset} "
        f"in {_seconds(outcome):.1f} s"
    )


def _total(datasets: Sequence[DatasetOutcome], field: str) -> str:
    return _number(sum(getattr(each, field) or 0 for each in datasets))


def _seconds(outcome: RunOutcome) -> float:
    started = datetime.fromisoformat(outcome.started_at)
    return (datetime.fromisoformat(outcome.ended_at) - started).total_seconds()


def _color(status: str, palette: Palette) -> str:
    if status == "COMPLETED":
        return palette.good
    return palette.error if status == "FAILED" else palette.warning
