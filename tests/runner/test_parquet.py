"""Plain Parquet behind the same interface: staged, published, never half replaced."""

import pytest

from runner.pipelines import (
    FOUR_ROWS,
    Bench,
    counts,
    figures,
    materialized_view,
    positive,
    source,
    streaming_table,
)
from tidegate.transpiler.runtime.spec import Rule

pytestmark = pytest.mark.spark


@pytest.fixture
def plain(spark, tmp_path):
    return Bench(spark, tmp_path, "parquet")


def test_tables_and_figures_are_those_of_delta(plain):
    plain.write("orders/a.csv", FOUR_ROWS)
    tables = (
        streaming_table("a", rules=[positive("drop")]),
        streaming_table(
            "b",
            "SELECT * FROM a",
            reads=[source("default.a", view="a", streaming=True)],
            partition_by=("id",),
        ),
        materialized_view("c", rules=[Rule("present", "fail", "amount IS NOT NULL")]),
        materialized_view("d", rules=[positive("warn")], partition_by=("amount",)),
    )
    outcome = plain.run(*tables)
    assert outcome.exit_code == 1
    assert figures(outcome, "d") == {"positive": (1, 3, 1)}
    assert (counts(outcome, "a"), counts(outcome, "b")) == ((4, 1, 3), (1, 1, 0))
    assert counts(outcome, "c") == (4, 0, 0)
    plain.write("orders/b.csv", "id,amount\n5,50\n6,-6\n")
    again = plain.run(*tables)
    assert (counts(again, "a"), counts(again, "b")) == ((2, 1, 1), (1, 1, 0))
    assert plain.rows("default.a") == [(1, 10), (5, 50)]
    assert len(plain.rows("default.b")) == 2
    assert len(plain.rows("default.d")) == 6


def test_a_failed_refresh_keeps_the_old_rows(plain):
    file = plain.write("orders/a.csv", "id,amount\n1,10\n")
    table = materialized_view("t", rules=[positive("fail")])
    plain.run(table)
    file.write_text(FOUR_ROWS, encoding="utf-8")
    assert plain.run(table).exit_code == 1
    assert plain.rows("default.t") == [(1, 10)]


def test_an_emptied_table_can_still_be_read(plain):
    file = plain.write("orders/a.csv", FOUR_ROWS)
    table = materialized_view("t", partition_by=("id",))
    reader = materialized_view("u", reads=[source("default.t")])
    plain.run(table, reader)
    file.write_text("id,amount\n", encoding="utf-8")
    outcome = plain.run(table, reader)
    assert outcome.exit_code == 0
    assert counts(outcome, "u") == (0, 0, 0)
