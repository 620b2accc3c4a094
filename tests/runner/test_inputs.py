"""Where rows come from: formats, bindings, schemas that stay, and what is refused."""

import gzip

import pytest

from runner.pipelines import (
    FOUR_ROWS,
    Bench,
    counts,
    materialized_view,
    of,
    source,
    streaming_table,
    temporary_view,
)
from tidegate.runner.errors import RunError
from tidegate.transpiler.runtime.spec import METADATA_COLUMN, Column, FileRead, Read, Rule

pytestmark = pytest.mark.spark


def error_of(bench: Bench, *datasets, **how) -> str:
    """Give what is said about a dataset that failed, in one line."""
    outcome = bench.run(*datasets, **how)
    assert outcome.exit_code == 2
    assert "\n" not in outcome.errors[0].message
    return f"{outcome.errors[0].message} | {outcome.errors[0].help}"


def refusal_of(bench: Bench, *datasets, **how) -> str:
    """Give what is said about a run that was refused before anything ran."""
    with pytest.raises(RunError) as caught:
        bench.run(*datasets, **how)
    assert not (bench.warehouse / "default").exists()
    return f"{caught.value.message} | {caught.value.help}"


def test_formats_are_told_by_suffix_or_by_content(bench):
    bench.write("lines/a.jsonl", '{"id": 1, "amount": 10}\n')
    bench.write("tabs/a.tsv", "id\tamount\n1\t10\n")
    bench.write("plain", FOUR_ROWS)
    bench.write("bare", '{"id": 1, "amount": 10}\n')
    packed = bench.root / "in" / "packed"
    packed.mkdir()
    (packed / "a.csv.gz").write_bytes(gzip.compress(FOUR_ROWS.encode()))
    rows = bench.spark.createDataFrame([(1, 10)], "id INT, amount INT")
    rows.write.parquet(str(bench.root / "in" / "columns"))
    rows.write.format("delta").save(str(bench.root / "in" / "table"))
    names = ("lines", "tabs", "plain", "bare", "packed", "columns", "table")
    reads = [source(f"raw.{name}", view=name) for name in names]
    sums = " UNION ALL ".join(f"SELECT '{n}' AS n, max(amount) AS top FROM {n}" for n in names)
    bench.run(materialized_view("t", sums, reads=reads), inputs=tuple(f"raw.{n}" for n in names))
    assert bench.rows("default.t") == sorted((name, 10) for name in names)


def test_a_rule_may_read_nothing_but_the_column_of_broken_lines(bench):
    bench.write("orders", '{"a": 1}\n{"a": 2, "b":\n{"a": 3}\n')
    view = temporary_view("w", rules=[Rule("readable", "drop", "_corrupt_record IS NULL")])
    reader = materialized_view("x", "SELECT a FROM w", reads=[source("default.w", view="w")])
    outcome = bench.run(view, reader)
    assert outcome.exit_code == 0
    assert counts(outcome, "w") == (3, 2, 1)


def test_a_name_without_a_schema_is_bound_in_the_default_one(bench):
    bench.write("Orders/a.csv", FOUR_ROWS)
    table = materialized_view("t", reads=[source("default.orders")])
    assert bench.run(table, inputs=("Orders",)).exit_code == 0


def test_a_table_of_an_earlier_run_can_be_read_by_its_name(bench):
    bench.write("orders/a.csv", FOUR_ROWS)
    bench.run(materialized_view("Made"))
    bench.run(materialized_view("t", reads=[source("default.made")]), inputs=())
    assert len(bench.rows("default.t")) == 4


def test_an_unbound_name_is_named_with_the_way_out(bench):
    told = refusal_of(
        bench, materialized_view("s", "SELECT 1", reads=()), materialized_view("t"), inputs=()
    )
    assert "`raw.orders`" in told
    assert "--input raw.orders=PATH" in told


def test_inputs_that_cannot_be_read_are_told_in_one_sentence(bench):
    table = materialized_view("t")
    place = bench.root / "in" / "orders"
    assert f"there is no file or folder `{place}`" in refusal_of(bench, table)
    place.mkdir(parents=True)
    assert "holds no file" in refusal_of(bench, table)
    bench.write("orders/a.csv", "")
    assert "has no columns" in error_of(bench, table)
    bench.write("orders/b.jsonl", "{}")
    assert "mixes csv (`a.csv`) and json (`b.jsonl`)" in refusal_of(bench, table)
    (place / "a.csv").unlink()
    (place / "b.jsonl").write_bytes('{"a": 1}'.encode("utf-16"))
    assert "is UTF-16 text | convert it to UTF-8" in refusal_of(bench, table)
    (place / "b.jsonl").rename(place / "c.bin")
    assert "the format of" in refusal_of(bench, table)


def test_folders_inside_the_folder_are_read_too(bench):
    bench.write("orders/2024/01/a.csv", FOUR_ROWS)
    bench.write("orders/2024/02/a.csv", FOUR_ROWS)
    outcome = bench.run(materialized_view("t"), streaming_table("s"))
    assert (counts(outcome, "t")[0], counts(outcome, "s")[0]) == (8, 8)


def test_partitions_inside_the_folder_become_a_column(bench):
    bench.write("orders/day=1/a.csv", FOUR_ROWS)
    bench.run(materialized_view("t"))
    assert bench.rows("default.t")[0] == (1, 10, 1)


def test_a_folder_that_was_emptied_is_no_error_later(bench):
    file = bench.write("orders/a.csv", FOUR_ROWS)
    bench.run(streaming_table("s"))
    file.unlink()
    assert counts(bench.run(streaming_table("s")), "s") == (0, 0, 0)


def test_files_are_read_with_their_own_options_and_schema(bench):
    bench.write("files/a.txt", "1;ten\n2;two\n")
    read = FileRead(
        "src",
        str(bench.root / "in" / "files"),
        format="csv",
        options=(("sep", ";"),),
        schema="id INT, word STRING NOT NULL",
        streaming=True,
    )
    bench.run(streaming_table("t", reads=[read]))
    assert bench.rows("default.t") == [(1, "ten"), (2, "two")]


def test_a_path_may_hold_wildcards(bench):
    bench.write("orders/a-1.csv", FOUR_ROWS)
    bench.write("orders/a-2.csv", FOUR_ROWS)
    bench.write("orders/b-1.csv", FOUR_ROWS)
    read = FileRead("src", str(bench.root / "in" / "orders" / "a-*"), options=(("header", "true"),))
    assert counts(bench.run(materialized_view("t", reads=[read])), "t")[0] == 8


def test_a_binding_replaces_the_literal_path_of_a_file_read(bench):
    bench.write("orders/a.csv", FOUR_ROWS)
    read = FileRead("src", "/volumes/raw/orders", format="csv", options=(("header", "true"),))
    table = materialized_view("t", reads=[read])
    told = refusal_of(bench, table, inputs=())
    assert "--input '/volumes/raw/orders=PATH'" in told
    assert counts(bench.run(table, inputs=("/volumes/raw/orders",)), "t")[0] == 4


@pytest.mark.parametrize("streaming", [False, True])
def test_metadata_of_files_is_projected_under_a_name_of_its_own(bench, streaming):
    bench.write("orders/a.csv", FOUR_ROWS)
    table = (streaming_table if streaming else materialized_view)(
        "t",
        f"SELECT * EXCEPT ({METADATA_COLUMN}), {METADATA_COLUMN}.file_name FROM src",
        reads=[Read("src", "raw.orders", streaming=streaming, metadata=True)],
    )
    bench.run(table)
    assert {row.file_name for row in bench.rows("default.t")} == {"a.csv"}


def test_declared_columns_are_taken_by_name_and_cast(bench):
    bench.write("orders/a.csv", FOUR_ROWS)
    columns = (Column("amount", "STRING"), Column("ID", "BIGINT"), Column("note", "STRING"))
    bench.run(materialized_view("t", columns=columns))
    assert bench.rows("default.t")[0] == (None, 2, None)
    told = error_of(bench, materialized_view("u", columns=columns[:1]))
    assert "column `id`, which the column list does not have" in told


def test_declared_names_without_types_are_given_by_place(bench):
    bench.write("orders/a.csv", FOUR_ROWS)
    columns = (Column("number"), Column("price", comment="in cents"))
    bench.run(materialized_view("t", columns=columns))
    assert bench.rows("default.t")[0].asDict() == {"number": 1, "price": 10}
    told = error_of(bench, materialized_view("u", columns=columns[:1]))
    assert "1 names, the query gives 2 columns" in told


def test_a_changed_shape_replaces_that_of_a_materialized_view(bench):
    bench.write("orders/a.csv", FOUR_ROWS)
    bench.run(materialized_view("t", partition_by=("id",)))
    bench.run(materialized_view("t", "SELECT id FROM src WHERE id > 2"))
    assert bench.rows("default.t") == [(3,), (4,)]


def test_the_engine_s_errors_are_one_sentence(bench):
    bench.write("orders/a.csv", FOUR_ROWS)
    told = error_of(bench, materialized_view("t", "SELECT nope FROM src"))
    assert told.startswith("A column, variable, or function parameter with name `nope`")
    told = error_of(bench, materialized_view("t", "SELECT id FRM src WHERE"))
    assert "PARSE_SYNTAX_ERROR" in told
    told = error_of(bench, materialized_view("t", "SELECT CAST('x' AS INT) AS a FROM src"))
    assert "'x'" in told


def test_folders_inside_each_other_are_refused(bench):
    outer, inner = materialized_view("t"), materialized_view("x")
    nested = type(inner)(
        **{f: getattr(inner, f) for f in inner.__slots__}
        | {"name": "default.t.x", "path": ("default", "t", "x")}
    )
    with pytest.raises(RunError, match=r"inside that of `default.t`"):
        bench.run(outer, nested)


def test_a_warehouse_that_cannot_be_made_is_refused(bench):
    (bench.root / "warehouse").write_text("a file")
    with pytest.raises(RunError, match="the warehouse"):
        bench.run(materialized_view("t"))


def test_a_warehouse_keeps_its_storage(bench):
    bench.write("orders/a.csv", FOUR_ROWS)
    bench.run(materialized_view("t"))
    bench.storage = "parquet"
    with pytest.raises(RunError, match="holds delta tables, not parquet"):
        bench.run(materialized_view("t"))


def test_a_setting_that_cannot_be_set_is_named(bench):
    with pytest.raises(RunError, match=r"SET spark.sql.warehouse.dir = x"):
        bench.run(materialized_view("t"), settings=(("spark.sql.warehouse.dir", "x"),))


def test_an_unknown_name_of_a_full_refresh_is_refused(bench):
    with pytest.raises(RunError, match=r"`default\.u`"):
        bench.run(materialized_view("t"), full_refresh=("default.u",))


def test_everything_behind_a_broken_rule_stops_where_that_is_chosen(bench):
    from runner.pipelines import positive

    bench.write("orders/a.csv", FOUR_ROWS)
    outcome = bench.run(
        materialized_view("t", rules=[positive("fail")]), materialized_view("u"), on_fail="all"
    )
    assert of(outcome, "u").status == "SKIPPED"
    assert outcome.exit_code == 1
