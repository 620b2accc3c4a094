"""Streaming tables: what is new is read once, and a batch that comes again changes nothing."""

import json
import os
import shutil
import time

import pytest

from runner.pipelines import (
    FOUR_ROWS,
    batches_of_one,
    counts,
    figures,
    materialized_view,
    of,
    positive,
    source,
    streaming_table,
    temporary_view,
)
from tidegate.runner.errors import RunError
from tidegate.transpiler.runtime.figures import totals
from tidegate.transpiler.runtime.spec import Column, Rule

pytestmark = pytest.mark.spark

CHECKPOINT = ("_tidegate", "checkpoints", "default.t")


def test_a_second_run_reads_nothing_and_a_third_exactly_the_new_file(bench):
    table = streaming_table("t", rules=[positive("drop")])
    bench.write("orders/a.csv", FOUR_ROWS)
    bench.run(table)
    assert counts(bench.run(table), "t") == (0, 0, 0)
    bench.write("orders/b.csv", "id,amount\n5,50\n6,-6\n")
    outcome = bench.run(table)
    assert counts(outcome, "t") == (2, 1, 1)
    assert figures(outcome, "t") == {"positive": (1, 1, 0)}
    assert bench.rows("default.t") == [(1, 10), (5, 50)]
    assert totals(bench.warehouse, "default.t") == {
        "rows_read": 6,
        "rows_written": 2,
        "rows_dropped": 4,
        "expectations": [
            {"name": "positive", "action": "drop", "passed": 2, "failed": 4, "null": 1}
        ],
    }


def test_a_single_file_is_read_as_a_stream(bench):
    bench.write("orders", FOUR_ROWS)
    assert counts(bench.run(streaming_table("t")), "t") == (4, 4, 0)


def test_a_table_feeds_the_next_one_as_a_stream(bench):
    bench.write("orders/a.csv", FOUR_ROWS)
    tables = (
        streaming_table("a", rules=[Rule("present", "drop", "amount IS NOT NULL")]),
        streaming_table(
            "b",
            "SELECT * FROM a",
            reads=[source("default.a", view="a", streaming=True)],
            rules=[positive("warn")],
        ),
        materialized_view(
            "c", "SELECT count(*) AS n FROM b", reads=[source("default.b", view="b")]
        ),
    )
    outcome = bench.run(*tables)
    assert figures(outcome, "b") == {"positive": (1, 2, 0)}
    assert bench.rows("default.c") == [(3,)]
    bench.write("orders/b.csv", "id,amount\n5,50\n")
    assert counts(bench.run(*tables), "b") == (1, 1, 0)
    assert bench.rows("default.c") == [(4,)]


def test_a_stream_without_rows_leaves_an_empty_table_as_declared(bench):
    bench.write("orders/a.csv", "id,amount\n")
    columns = (
        Column("id", "BIGINT", not_null=True, comment="the number"),
        Column("amount", "DOUBLE"),
    )
    table = streaming_table(
        "t", columns=columns, comment="it's empty", properties=(("quality", "silver"),)
    )
    outcome = bench.run(table)
    assert (outcome.exit_code, counts(outcome, "t")) == (0, (0, 0, 0))
    assert bench.rows("default.t") == []
    place = bench.warehouse / "default" / "t"
    described = bench.spark.sql(f"DESCRIBE DETAIL delta.`{place}`").first()
    assert (described.description, described.properties["quality"]) == ("it's empty", "silver")
    schema = bench.spark.read.format("delta").load(str(place)).schema
    assert [field.dataType.simpleString() for field in schema] == ["bigint", "double"]
    assert schema["id"].metadata["comment"] == "the number"


def test_earlier_batches_stay_when_a_later_one_fails(bench):
    bench.write("orders/a.csv", "id,amount\n1,10\n")
    bench.write("orders/b.csv", "id,amount\n2,-2\n3,3\n")
    reads = [batches_of_one(bench.root / "in" / "orders", schema="id INT, amount INT")]
    table = streaming_table("t", reads=reads, rules=[positive("fail")])
    outcome = bench.run(table)
    assert (outcome.exit_code, counts(outcome, "t")) == (1, (3, 1, 0))
    assert figures(outcome, "t") == {"positive": (2, 1, 0)}
    assert of(outcome, "t").violations[0].failed == 1
    assert bench.rows("default.t") == [(1, 10)]
    assert bench.run(table).exit_code == 1
    relaxed = streaming_table("t", reads=reads, rules=[positive("warn")])
    assert counts(bench.run(relaxed), "t") == (2, 2, 0)
    assert bench.rows("default.t") == [(1, 10), (2, -2), (3, 3)]


def test_a_replayed_batch_is_counted_again_but_not_written_again(bench):
    table = streaming_table("t", rules=[positive("drop")])
    bench.write("orders/a.csv", FOUR_ROWS)
    bench.run(table)
    checkpoint = bench.warehouse.joinpath(*CHECKPOINT)
    shutil.rmtree(bench.warehouse / "_tidegate" / "figures")
    for file in (checkpoint / "commits").iterdir():
        file.unlink()
    outcome = bench.run(table)
    assert counts(outcome, "t") == (4, 1, 3)
    assert figures(outcome, "t") == {"positive": (1, 3, 1)}
    assert bench.rows("default.t") == [(1, 10)]
    assert totals(bench.warehouse, "default.t")["rows_read"] == 4


def _lose_newest(folder):
    max(folder.iterdir(), key=lambda f: (f.name.isdecimal(), f.name)).unlink()


DAMAGE = {
    "the checkpoint is gone": lambda c, t: shutil.rmtree(c),
    "the table is gone": lambda c, t: shutil.rmtree(t),
    "the newest batch is gone": lambda c, t: (
        _lose_newest(c / "offsets"),
        _lose_newest(c / "commits"),
    ),
    "the newest plan is gone": lambda c, t: _lose_newest(c / "offsets"),
    "the newest plan is garbage": lambda c, t: (c / "offsets" / "0").write_text("garbage"),
    "the newest commit is cut short": lambda c, t: (c / "commits" / "0").write_text("v1"),
    "the newest commit is empty": lambda c, t: (c / "commits" / "0").write_text(""),
    "the metadata is gone": lambda c, t: (c / "metadata").unlink(),
    "the metadata is garbage": lambda c, t: (c / "metadata").write_bytes(b"\xff\x00"),
}


def test_no_damage_to_a_checkpoint_loses_rows_silently(bench):
    table = streaming_table("t")
    bench.write("orders/a.csv", FOUR_ROWS)
    bench.run(table)
    kept = bench.root / "kept"
    shutil.copytree(bench.warehouse, kept)
    bench.write("orders/b.csv", "id,amount\n5,50\n")
    for what, damage in DAMAGE.items():
        shutil.rmtree(bench.warehouse)
        shutil.copytree(kept, bench.warehouse)
        damage(bench.warehouse.joinpath(*CHECKPOINT), bench.warehouse / "default" / "t")
        outcome = bench.run(table)
        assert outcome.exit_code == 2, what
        assert "checkpoint of `default.t`" in of(outcome, "t").error, what
        assert "--full-refresh default.t" in outcome.errors[0].help, what
    outcome = bench.run(table, full_refresh=("T",))
    assert counts(outcome, "t") == (5, 5, 0)
    assert len(bench.rows("default.t")) == 5


def test_a_full_refresh_forgets_the_figures_and_takes_a_new_shape(bench):
    bench.write("orders/a.csv", FOUR_ROWS)
    bench.run(streaming_table("t", rules=[positive("drop")]))
    wider = streaming_table("t", "SELECT *, id * 2 AS double FROM src", rules=[positive("drop")])
    refused = bench.run(wider)
    assert refused.exit_code == 2
    assert "`double` is new" in of(refused, "t").error
    assert bench.rows("default.t") == [(1, 10)]
    bench.run(wider, full_refresh=("default.t",))
    assert bench.rows("default.t") == [(1, 10, 2)]
    assert totals(bench.warehouse, "default.t")["rows_read"] == 4


def test_what_holds_for_new_rows_only_is_said(bench):
    file = bench.write("orders/a.csv", FOUR_ROWS)
    bench.run(streaming_table("t", rules=[positive("drop")]))
    assert "notice" not in [event.point for event in bench.events]
    file.write_text(FOUR_ROWS + "5,50\n", encoding="utf-8")
    os.utime(file, (time.time() + 5,) * 2)
    changed = streaming_table("t", rules=[positive("warn")])
    outcome = bench.run(changed)
    assert counts(outcome, "t") == (0, 0, 0)
    told = [event.detail["message"] for event in bench.events if event.point == "notice"]
    assert told[0] == "its expectations changed, which holds for new rows only"
    assert told[1].startswith(f"`{file}` was changed after it had been read")
    bench.events.clear()
    assert counts(bench.run(changed, full_refresh=("t",)), "t") == (5, 5, 0)
    assert "notice" not in [event.point for event in bench.events]


def test_the_inferred_schema_stays_when_later_files_look_different(bench):
    table = streaming_table("t")
    bench.write("orders/a.csv", FOUR_ROWS)
    bench.run(table)
    shutil.rmtree(bench.root / "in")
    bench.write("orders/b.csv", "id,amount\nseven,7\n")
    assert bench.run(table).exit_code == 0
    assert bench.rows("default.t")[0] == (None, 7)


def test_a_file_with_other_columns_is_not_read_by_place(bench):
    table = streaming_table("t")
    bench.write("orders/a.csv", FOUR_ROWS)
    bench.run(table)
    bench.write("orders/b.csv", "amount,id\n5,50\n")
    outcome = bench.run(table)
    assert outcome.exit_code == 2
    assert "header" in of(outcome, "t").error
    assert "b.csv" in of(outcome, "t").error
    assert len(bench.rows("default.t")) == 4


def test_two_views_with_rules_in_a_row_judge_a_stream(bench):
    bench.write("orders/a.csv", FOUR_ROWS)
    datasets = (
        temporary_view(
            "v",
            reads=[source(streaming=True)],
            rules=[Rule("present", "drop", "amount IS NOT NULL")],
        ),
        temporary_view(
            "w",
            "SELECT id, amount + 5 AS amount FROM v",
            reads=[source("default.v", view="v", streaming=True)],
            rules=[positive("drop")],
        ),
        streaming_table(
            "t",
            "SELECT * FROM w WHERE id <> 1",
            reads=[source("default.w", view="w", streaming=True)],
            rules=[Rule("odd", "warn", "id % 2 = 1")],
        ),
    )
    outcome = bench.run(*datasets)
    assert outcome.exit_code == 0
    assert figures(outcome, "v") == {"present": (3, 1, 0)}
    assert figures(outcome, "w") == {"positive": (2, 1, 0)}
    assert figures(outcome, "t") == {"odd": (0, 1, 0)}
    assert bench.rows("default.t") == [(4, 5)]
    bench.write("orders/b.csv", "id,amount\n5,50\n")
    again = bench.run(*datasets)
    assert (counts(again, "v"), counts(again, "t")) == ((1, 1, 0), (1, 1, 0))
    assert counts(bench.run(*datasets), "v") == (0, 0, 0)
    assert totals(bench.warehouse, "default.v")["rows_read"] == 5


def test_a_fail_rule_on_a_view_fails_whatever_its_consumers_filter(bench):
    bench.write("orders/a.csv", FOUR_ROWS)
    outcome = bench.run(
        temporary_view("batch", rules=[positive("fail")]),
        materialized_view(
            "m",
            "SELECT * FROM batch WHERE amount > 0 LIMIT 1",
            reads=[source("default.batch", view="batch")],
        ),
        temporary_view("stream", reads=[source(streaming=True)], rules=[positive("fail")]),
        streaming_table(
            "s",
            "SELECT * FROM stream WHERE amount > 0",
            reads=[source("default.stream", view="stream", streaming=True)],
        ),
        materialized_view("n", "SELECT * FROM s", reads=[source("default.s", view="s")]),
        materialized_view("free"),
    )
    assert outcome.exit_code == 1
    assert {each.name.split(".")[1]: each.status for each in outcome.datasets} == {
        "batch": "FAILED",
        "m": "SKIPPED",
        "stream": "FAILED",
        "s": "SKIPPED",
        "n": "SKIPPED",
        "free": "COMPLETED",
    }
    for view in ("batch", "stream"):
        assert of(outcome, view).violations[0].failed == 3
    assert not bench.has_table("default.m")
    assert bench.rows("default.s") == []


def test_of_several_consumers_the_first_supplies_the_figures_of_a_view(bench):
    bench.write("orders/a.csv", FOUR_ROWS)
    read = source("default.v", view="v", streaming=True)
    outcome = bench.run(
        temporary_view("v", reads=[source(streaming=True)], rules=[positive("drop")]),
        streaming_table("t", "SELECT * FROM v", reads=[read]),
        streaming_table("u", "SELECT id FROM v", reads=[read]),
    )
    assert figures(outcome, "v") == {"positive": (1, 3, 1)}
    assert (bench.rows("default.t"), bench.rows("default.u")) == ([(1, 10)], [(1,)])
    assert totals(bench.warehouse, "default.v")["rows_read"] == 4


def test_a_union_of_a_judged_view_and_another_stream_is_cut_into_both(bench):
    bench.write("orders/a.csv", FOUR_ROWS)
    bench.write("late/a.csv", "id,amount\n9,-9\n")
    outcome = bench.run(
        temporary_view("v", reads=[source(streaming=True)], rules=[positive("drop")]),
        streaming_table(
            "t",
            "SELECT * FROM v UNION ALL SELECT * FROM late",
            reads=[
                source("default.v", view="v", streaming=True),
                source("raw.late", view="late", streaming=True),
            ],
        ),
        inputs=("raw.orders", "raw.late"),
    )
    assert (counts(outcome, "v"), counts(outcome, "t")) == ((4, 1, 3), (2, 2, 0))
    assert bench.rows("default.t") == [(1, 10), (9, -9)]


@pytest.mark.parametrize(
    "query",
    [
        "SELECT id, count(*) AS n FROM v GROUP BY id",
        "SELECT DISTINCT id FROM v",
        "SELECT a.id FROM v a JOIN v b ON a.id = b.id",
    ],
)
def test_a_query_over_many_batches_of_a_judged_view_is_refused(bench, query):
    bench.write("orders/a.csv", FOUR_ROWS)
    outcome = bench.run(
        temporary_view("v", reads=[source(streaming=True)], rules=[positive("drop")]),
        streaming_table("t", query, reads=[source("default.v", view="v", streaming=True)]),
    )
    assert outcome.exit_code == 2
    assert "more than one micro-batch" in of(outcome, "t").error


def test_a_run_is_recorded_with_its_settings(bench):
    bench.write("orders/a.csv", FOUR_ROWS)
    outcome = bench.run(
        streaming_table("t"), settings=(("spark.sql.session.timeZone", "Asia/Tokyo"),)
    )
    file = bench.warehouse / "_tidegate" / "runs" / f"{outcome.update_id}.json"
    record = json.loads(file.read_text(encoding="utf-8"))
    assert record["settings"]["spark.sql.session.timeZone"] == "Asia/Tokyo"
    assert record["settings"]["spark.sql.ansi.enabled"] == "true"
    assert record["datasets"][0]["rows_read"] == 4
    assert bench.spark.conf.get("spark.sql.session.timeZone") == "UTC"


def test_a_second_run_on_one_warehouse_is_refused_where_it_may_not_wait(bench):
    bench.write("orders/a.csv", FOUR_ROWS)
    refused = []

    def second(event):
        if event.point == "dataset started":
            with pytest.raises(RunError) as caught:
                bench.run(streaming_table("t"), wait=False)
            refused.append(caught.value.message)

    bench.run(streaming_table("t"), on_event=second)
    assert len(refused) == 1
    assert "another run works on" in refused[0]
