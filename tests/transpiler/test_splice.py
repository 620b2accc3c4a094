import pytest

from tidegate.transpiler.plan import FileRead, TableRead
from transpiler.lowered import planned


def spliced(query: str, kind: str = "MATERIALIZED VIEW") -> str:
    return planned(f"CREATE {kind} made AS {query}").query


@pytest.mark.parametrize(
    ("written", "run"),
    [
        ("SELECT * FROM t", "SELECT * FROM t"),
        ("SELECT * FROM bronze.orders", "SELECT * FROM orders"),
        ("SELECT * FROM dev.bronze.orders", "SELECT * FROM orders"),
        ("SELECT * FROM LIVE.orders", "SELECT * FROM orders"),
        ("SELECT * FROM `dev`.`bronze`.`my orders`", "SELECT * FROM my_orders AS `my orders`"),
        ("SELECT o.id FROM bronze.orders o", "SELECT o.id FROM orders o"),
        ("SELECT orders.id FROM bronze.orders", "SELECT orders.id FROM orders"),
        ("SELECT bronze.orders.id FROM bronze.orders", "SELECT orders.id FROM orders"),
        ("SELECT LIVE.orders.id FROM LIVE.orders", "SELECT orders.id FROM orders"),
        ("SELECT dev.b.o.id FROM dev.b.o AS x", "SELECT x.id FROM o AS x"),
        ("SELECT a.b.c FROM s.a", "SELECT a.b.c FROM a"),
        ("SELECT 'bronze.orders' FROM bronze.orders", "SELECT 'bronze.orders' FROM orders"),
        (
            "SELECT 1 -- FROM bronze.orders, d'un\nFROM bronze.orders",
            "SELECT 1 -- FROM bronze.orders, d'un\nFROM orders",
        ),
    ],
)
def test_a_relation_becomes_a_view_named_like_it_and_the_rest_stays(written, run):
    assert spliced(written) == run


@pytest.mark.parametrize(
    "relation",
    ["STREAM(bronze.orders)", "STREAM bronze.orders", "STREAM(LIVE.orders)", "stream( orders )"],
)
def test_stream_goes_since_the_view_is_the_stream(relation):
    dataset = planned(f"CREATE STREAMING TABLE made AS SELECT * FROM {relation}")
    assert dataset.query == "SELECT * FROM orders"
    assert [read.streaming for read in dataset.reads] == [True]


def test_two_relations_that_end_alike_get_views_of_their_own():
    query = spliced("SELECT a.t.x, b.t.y FROM a.t JOIN b.t ON a.t.id = b.t.id")
    assert query == "SELECT t.x, b_t.y FROM t JOIN b_t ON t.id = b_t.id"


def test_a_stream_and_a_batch_read_of_one_table_are_two_views():
    dataset = planned(
        "CREATE STREAMING TABLE made AS SELECT s.id FROM STREAM(t) s JOIN t AS b ON s.id = b.id"
    )
    assert dataset.query == "SELECT s.id FROM t s JOIN t_2 AS b ON s.id = b.id"
    assert [read.streaming for read in dataset.reads] == [True, False]


def test_the_same_table_twice_is_one_view():
    dataset = planned("CREATE MATERIALIZED VIEW m AS SELECT a.x FROM s.t a JOIN s.t b ON a.x = b.x")
    assert dataset.query == "SELECT a.x FROM t a JOIN t b ON a.x = b.x"
    assert len(dataset.reads) == 1


def test_a_view_never_takes_the_name_of_a_common_table_expression():
    query = spliced("WITH orders AS (SELECT * FROM bronze.orders) SELECT * FROM orders")
    assert query == ("WITH orders AS (SELECT * FROM bronze_orders AS orders) SELECT * FROM orders")


def test_read_files_becomes_a_view_and_its_arguments_become_options():
    dataset = planned(
        """CREATE STREAMING TABLE made AS SELECT id FROM STREAM read_files(
             '/data/in', -- source d'un client (vieux)
             format => 'csv',
             -- header => false,
             header => true,
             sep => '(;)'
           )"""
    )
    assert dataset.query == "SELECT id FROM files"
    assert dataset.reads == (
        FileRead(
            view="files",
            path="/data/in",
            format="csv",
            options={"header": "true", "sep": "(;)", "inferSchema": "true"},
            schema=None,
            streaming=True,
            metadata=False,
        ),
    )


def test_cloud_files_is_a_stream_by_itself():
    dataset = planned(
        "CREATE STREAMING TABLE made AS SELECT * FROM "
        "cloud_files('/in', 'json', "
        "map('cloudFiles.inferColumnTypes', 'true', 'multiLine', 'true'))"
    )
    assert dataset.reads[0].streaming
    assert dataset.reads[0].options == {"multiLine": "true"}


def test_a_path_in_backticks_is_read_as_files():
    dataset = planned("CREATE MATERIALIZED VIEW m AS SELECT * FROM parquet.`/data/x`")
    assert dataset.query == "SELECT * FROM files"
    assert (dataset.reads[0].format, dataset.reads[0].path) == ("parquet", "/data/x")


def test_metadata_comes_through_the_view_and_stays_out_of_the_star():
    dataset = planned(
        "CREATE STREAMING TABLE made AS "
        "SELECT *, _metadata.file_name AS f FROM STREAM read_files('/in', format => 'csv')"
    )
    assert dataset.query == (
        "SELECT * EXCEPT (files.__tidegate_metadata), __tidegate_metadata.file_name AS f FROM files"
    )
    assert dataset.reads[0].metadata


@pytest.mark.parametrize(
    ("written", "run"),
    [
        (
            "SELECT * EXCEPT (a), _metadata.file_path FROM t",
            "SELECT * EXCEPT (t.__tidegate_metadata, a), __tidegate_metadata.file_path FROM t",
        ),
        ("SELECT _metadata FROM t", "SELECT __tidegate_metadata AS _metadata FROM t"),
        (
            "SELECT x.*, x._metadata.file_size FROM s.t x",
            "SELECT x.* EXCEPT (x.__tidegate_metadata), x.__tidegate_metadata.file_size FROM t x",
        ),
        (
            "WITH c AS (SELECT *, _metadata.file_name AS f FROM t) SELECT * FROM c",
            "WITH c AS (SELECT * EXCEPT (t.__tidegate_metadata), "
            "__tidegate_metadata.file_name AS f FROM t) SELECT * FROM c",
        ),
        ("SELECT count(*), 2 * 3 FROM t", "SELECT count(*), 2 * 3 FROM t"),
    ],
)
def test_only_stars_over_a_view_with_metadata_leave_it_out(written, run):
    assert spliced(written) == run


def test_a_read_knows_the_full_name_of_what_it_reads():
    dataset = planned("CREATE MATERIALIZED VIEW m AS SELECT * FROM t JOIN s.u JOIN c.s.v")
    assert [read.of for read in dataset.reads if isinstance(read, TableRead)] == [
        "default.t",
        "s.u",
        "c.s.v",
    ]
