"""The outcome of a run, for people and for programs."""

import json

import pytest

from tidegate.model.outcome import (
    DatasetOutcome,
    ErrorOutcome,
    RuleOutcome,
    RunOutcome,
    ViolationOutcome,
)
from tidegate.report.json_output import encode
from tidegate.report.json_run import run_document
from tidegate.report.progress import Lines, Silent
from tidegate.report.run_text import render_run
from tidegate.report.terminal import PLAIN


def rule(**more: object) -> RuleOutcome:
    values = {"name": "valid_id", "action": "drop", "passed": 9000, "failed": 1000, "null": 200}
    return RuleOutcome(**{**values, **more})


def dataset(**more: object) -> DatasetOutcome:
    values = {
        "name": "main.orders",
        "kind": "streaming_table",
        "status": "COMPLETED",
        "rows_read": 10000,
        "rows_written": 9000,
        "rows_dropped": 1000,
        "rows_quarantined": 0,
        "duration_ms": 1500,
        "expectations": [rule()],
        "violations": [],
        "error": None,
    }
    return DatasetOutcome(**{**values, **more})


def outcome(*datasets: DatasetOutcome, errors=(), status: str = "COMPLETED") -> RunOutcome:
    return RunOutcome(
        update_id="u-1",
        status=status,
        started_at="2026-01-01T00:00:00.000Z",
        ended_at="2026-01-01T00:00:02.500Z",
        datasets=list(datasets),
        errors=list(errors),
    )


def lines(*datasets: DatasetOutcome, **more: object) -> list[str]:
    return "".join(render_run(outcome(*datasets, **more), PLAIN)).splitlines()


def test_a_dataset_shows_its_rows_and_a_table_of_its_expectations():
    warn = rule(name="positive", action="warn", passed=10000, failed=0, null=0)
    assert lines(dataset(expectations=[rule(), warn])) == [
        "main.orders  streaming table, completed, 1.5 s",
        "  rows read 10,000, written 9,000, dropped 1,000",
        "    expectation  action  passed  failed  NULL     share",
        "    valid_id     drop     9,000   1,000   200   90.00 %",
        "    positive     warn    10,000       0     0  100.00 %",
        "",
        "1 dataset: 1 completed",
        "tables: rows read 10,000, written 9,000, dropped 1,000",
        "2 expectations: 1 held, 1 broken",
        "update u-1: COMPLETED in 2.5 s",
    ]


def test_the_rows_of_a_view_are_in_no_total():
    view = dataset(name="main.v", kind="temporary_view")
    assert "tables: rows read 10,000, written 9,000, dropped 1,000" in lines(dataset(), view)


def test_a_share_is_never_rounded_up_to_all():
    shown = lines(dataset(expectations=[rule(passed=999_999, failed=1, null=0)]))
    assert shown[3].endswith(" 99.99 %")


def test_a_rule_that_judged_nothing_has_no_share():
    shown = lines(dataset(expectations=[rule(passed=0, failed=0, null=0)]))
    assert shown[3].split() == ["valid_id", "drop", "0", "0", "0", "-"]


def test_a_broken_fail_rule_shows_counts_and_rows():
    broken = ViolationOutcome(
        name="adult", predicate="age\n  >= 18", failed=7, null=2, rows=['{"age":1}', '{"age":2}']
    )
    shown = lines(
        dataset(status="FAILED", rows_written=0, expectations=[], violations=[broken], error="e"),
        status="FAILED",
    )
    assert shown[2:6] == [
        "  broken: `adult` by 7 rows, 2 of them NULL: age >= 18",
        '    {"age":1}',
        '    {"age":2}',
        "    and 5 more",
    ]
    assert shown[-1] == "update u-1: FAILED in 2.5 s"


def test_a_failed_dataset_shows_its_error_and_the_way_out():
    failed = dataset(
        status="FAILED", rows_read=None, rows_written=None, rows_dropped=None, expectations=[],
        error="the disk is full",
    )  # fmt: skip
    error = ErrorOutcome(dataset="main.orders", message="the disk is full", help="make room")
    shown = lines(failed, errors=[error], status="FAILED")
    assert shown[1:3] == ["  error: the disk is full", "  help: make room"]


def test_what_was_not_judged_is_neither_held_nor_broken():
    unjudged = rule(passed=None, failed=None, null=None)
    failed = dataset(
        name="main.late", status="FAILED", rows_read=None, rows_written=None, rows_dropped=None,
        expectations=[unjudged, unjudged], error="expectation `valid_id`: no such column",
    )  # fmt: skip
    error = ErrorOutcome(
        dataset="main.late", constraint="valid_id", message="m", help="correct the name",
        path="late.sql", line=3, column=9,
    )  # fmt: skip
    shown = lines(failed, dataset(), errors=[error], status="FAILED")
    assert shown[1:5] == [
        "  2 expectations: not judged",
        "  error: expectation `valid_id`: no such column",
        "  --> late.sql:3:9",
        "  help: correct the name",
    ]
    assert "3 expectations: 0 held, 1 broken, 2 not judged" in shown


def test_a_skipped_dataset_says_why():
    skipped = dataset(
        status="SKIPPED", rows_read=None, rows_written=None, rows_dropped=None, expectations=[],
        error="its source `main.a` failed", duration_ms=0,
    )  # fmt: skip
    assert lines(skipped)[:2] == [
        "main.orders  streaming table, skipped",
        "  because: its source `main.a` failed",
    ]


def test_control_characters_of_rows_never_reach_the_terminal():
    broken = ViolationOutcome(name="a", predicate="x", failed=1, null=0, rows=["\x1b[2J"])
    assert "\x1b" not in "".join(lines(dataset(violations=[broken], status="FAILED")))


def test_the_run_document():
    broken = ViolationOutcome(name="adult", predicate="age >= 18", failed=7, null=2, rows=["{}"])
    error = ErrorOutcome(dataset="main.orders", message="m", help=None)
    made = outcome(dataset(violations=[broken], error="m"), errors=[error], status="FAILED")
    assert json.loads(encode(run_document(made))) == {
        "schema_version": 1,
        "update_id": "u-1",
        "status": "FAILED",
        "started_at": "2026-01-01T00:00:00.000Z",
        "ended_at": "2026-01-01T00:00:02.500Z",
        "datasets": [
            {
                "name": "main.orders",
                "kind": "streaming_table",
                "status": "COMPLETED",
                "rows_read": 10000,
                "rows_written": 9000,
                "rows_dropped": 1000,
                "rows_quarantined": 0,
                "duration_ms": 1500,
                "expectations": [
                    {
                        "name": "valid_id",
                        "action": "drop",
                        "passed": 9000,
                        "failed": 1000,
                        "null": 200,
                    }
                ],
                "violations": [
                    {
                        "name": "adult",
                        "predicate": "age >= 18",
                        "failed": 7,
                        "null": 2,
                        "rows": ["{}"],
                    }
                ],
                "error": "m",
            }
        ],
        "errors": [
            {
                "dataset": "main.orders",
                "constraint": None,
                "message": "m",
                "help": None,
                "path": None,
                "line": None,
                "column": None,
            }
        ],
    }


EVENTS = [
    ("lock awaited", None, {}),
    ("lock taken", None, {}),
    ("dataset started", "a", {}),
    ("after figures", "a", {"batch": 0, "rows_read": 1000}),
    ("after figures", "a", {"batch": 1, "rows_read": 500}),
    ("dataset ended", "a", {"status": "COMPLETED"}),
    ("dataset skipped", "b", {"reason": "r"}),
    ("notice", "c", {"message": "its query changed", "help": "run anew"}),
    ("dataset started", "c", {}),
]
NOTICE = "warning: `c`: its query changed\n  help: run anew"
WAITING = "waiting for another run on this warehouse to end"


@pytest.mark.parametrize(
    ("display", "said"),
    [
        (Silent, [WAITING, NOTICE]),
        (Lines, [WAITING, "1 of 3  a", "1 of 3  a: 1,000 rows", "1 of 3  a: 1,500 rows",
                 NOTICE, "3 of 3  c"]),
    ],
)  # fmt: skip
def test_a_display_says_no_more_than_its_place_can_take(display, said):
    heard: list[str] = []
    shown = display(heard.append, 3) if display is Lines else display(heard.append)
    with shown:
        for event in EVENTS:
            shown.on_event(*event)
    assert heard == said
