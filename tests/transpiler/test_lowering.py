import pytest

from tidegate.model.pipeline import Action
from transpiler.lowered import fault_names, lowered, planned


def test_datasets_stand_behind_what_they_read_whatever_their_order_in_the_files():
    result = lowered(
        "CREATE MATERIALIZED VIEW c AS SELECT * FROM b",
        "CREATE MATERIALIZED VIEW b AS SELECT * FROM v; CREATE TEMPORARY VIEW v AS SELECT * FROM a",
        "CREATE MATERIALIZED VIEW a AS SELECT 1 AS x",
    )
    assert result.faults == ()
    names = [each.name for each in result.plan.datasets]
    assert names == ["default.a", "default.v", "default.b", "default.c"]


def test_a_thousand_datasets_in_a_chain_are_no_recursion():
    statements = ["CREATE MATERIALIZED VIEW d0 AS SELECT 1 AS x"]
    statements += [
        f"CREATE MATERIALIZED VIEW d{n} AS SELECT * FROM d{n - 1}" for n in range(1, 1500)
    ]
    result = lowered(";\n".join(reversed(statements)))
    assert [each.name for each in result.plan.datasets] == [f"default.d{n}" for n in range(1500)]


def test_a_circle_is_named_and_forbids_the_run():
    result = lowered(
        "CREATE MATERIALIZED VIEW a AS SELECT * FROM b;"
        "CREATE MATERIALIZED VIEW b AS SELECT * FROM a"
    )
    assert fault_names(result) == ["dependency-cycle"]
    assert "default.a -> default.b -> default.a" in result.faults[0].fault.message


def test_a_dataset_that_reads_itself_is_a_circle():
    result = lowered("CREATE MATERIALIZED VIEW a AS SELECT * FROM A")
    assert fault_names(result) == ["dependency-cycle"]


def test_gates_keep_names_predicates_and_actions():
    dataset = planned(
        """CREATE MATERIALIZED VIEW m (
             CONSTRAINT Keep_It EXPECT ( a >  0 -- why
             ),
             CONSTRAINT `two words` EXPECT (b) ON VIOLATION DROP ROW,
             CONSTRAINT c EXPECT (c) ON  violation FAIL UPDATE
           ) AS SELECT * FROM t"""
    )
    found = [(gate.name, gate.predicate, gate.action) for gate in dataset.gates]
    assert found == [
        ("Keep_It", "a >  0 -- why", Action.WARN),
        ("two words", "b", Action.DROP),
        ("c", "c", Action.FAIL),
    ]


def test_declared_columns_and_clauses_are_kept():
    dataset = planned(
        """CREATE OR REFRESH STREAMING TABLE t (
             id BIGINT NOT NULL COMMENT 'key', s STRUCT<a: INT, b: MAP<STRING, INT>>
           ) PARTITIONED BY (id) COMMENT 'd''un' TBLPROPERTIES ('quality' = 'gold', x.y = 1)
           AS SELECT * FROM STREAM(r)"""
    )
    assert [(c.name, c.type, c.not_null, c.comment) for c in dataset.columns] == [
        ("id", "BIGINT", True, "key"),
        ("s", "STRUCT<a: INT, b: MAP<STRING, INT>>", False, None),
    ]
    assert dataset.comment == "d'un"
    assert dataset.properties == {"quality": "gold", "x.y": "1"}
    assert dataset.partition_by == ("id",)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("CREATE STREAMING TABLE t", "not-supported"),
        ("CREATE STREAMING TABLE t (${more}) AS SELECT * FROM STREAM r", "not-supported"),
        ("CREATE STREAMING TABLE t ${clauses} AS SELECT * FROM STREAM r", "not-supported"),
        (
            "CREATE STREAMING TABLE t (CONSTRAINT c EXPECT (a > 0) ON VIOLATION ${x}) "
            "AS SELECT * FROM STREAM r",
            "not-supported",
        ),
        ("CREATE STREAMING TABLE t FLOW INSERT ONCE BY NAME SELECT * FROM r", "not-supported"),
        (
            "CREATE STREAMING TABLE t FLOW AUTO CDC FROM STREAM r KEYS (a) SEQUENCE BY b",
            "not-supported",
        ),
        ("CREATE STREAMING TABLE t FLOW REPLACE WHERE a > 1 BY NAME SELECT 1", "not-supported"),
        (
            "CREATE STREAMING TABLE t (a INT) WITH ROW FILTER f ON (a) AS SELECT * FROM STREAM r",
            "not-supported",
        ),
        ("CREATE STREAMING TABLE IDENTIFIER(:p) AS SELECT * FROM STREAM r", "not-supported"),
        ("CREATE MATERIALIZED VIEW m AS SELECT * FROM STREAM(t)", "stream-in-materialized-view"),
        ("CREATE STREAMING TABLE t AS SELECT * FROM r", "streaming-table-without-stream"),
        ("CREATE MATERIALIZED VIEW m AS SELECT * FROM a.b.c.d", "not-supported"),
        ("CREATE MATERIALIZED VIEW m AS SELECT * FROM event_log('x')", "not-supported"),
        ("CREATE MATERIALIZED VIEW m AS SELECT * FROM read_files(p)", "not-supported"),
        ("CREATE MATERIALIZED VIEW m AS SELECT * FROM read_files()", "not-supported"),
        (
            "CREATE MATERIALIZED VIEW m (a INT GENERATED ALWAYS AS (1)) AS SELECT 1 AS a",
            "not-supported",
        ),
        ("CREATE MATERIALIZED VIEW m AS SELECT * FROM ${x}.t", "unbound-placeholder"),
        (
            "CREATE MATERIALIZED VIEW m (CONSTRAINT n EXPECT (a > ${low})) AS SELECT 1 AS a",
            "unbound-placeholder",
        ),
        (
            "CREATE MATERIALIZED VIEW m (CONSTRAINT n EXPECT (a), CONSTRAINT N EXPECT (b)) "
            "AS SELECT 1 AS a",
            "duplicate-name",
        ),
        (
            "CREATE MATERIALIZED VIEW m AS SELECT 1 AS a;"
            "CREATE MATERIALIZED VIEW M AS SELECT 2 AS a",
            "duplicate-dataset",
        ),
        (
            "CREATE TEMPORARY VIEW v AS SELECT * FROM t; "
            "CREATE STREAMING TABLE s AS SELECT * FROM STREAM(v)",
            "stream-over-batch-view",
        ),
    ],
)
def test_what_cannot_run_is_refused_by_name(text, name):
    assert fault_names(lowered(text)) == [name]


@pytest.mark.parametrize(
    "text",
    [
        "CREATE MATERIALIZED VIEW m SCHEDULE EVERY 1 DAY AS SELECT 1 AS a",
        "CREATE MATERIALIZED VIEW m TRIGGER ON UPDATE AS SELECT 1 AS a",
        "CREATE MATERIALIZED VIEW m REFRESH POLICY FULL AS SELECT 1 AS a",
        "CREATE MATERIALIZED VIEW m DEFAULT COLLATION UTF8_BINARY AS SELECT 1 AS a",
        "CREATE VIEW v AS SELECT 1 AS a",
        "CREATE MATERIALIZED VIEW m CLUSTER BY AUTO AS SELECT 1 AS a",
        "CREATE MATERIALIZED VIEW m USING ICEBERG AS SELECT 1 AS a",
        "CREATE MATERIALIZED VIEW m (a INT, CONSTRAINT pk PRIMARY KEY (a)) AS SELECT 1 AS a",
        "CREATE MATERIALIZED VIEW m AS SELECT * FROM read_files('/x', schemaHints => 'a INT')",
    ],
)
def test_what_is_lost_is_named(text):
    assert fault_names(lowered(text)) == ["clause-not-kept"]


def test_a_job_is_told_which_values_are_missing_each_once():
    result = lowered(
        "CREATE MATERIALIZED VIEW m (CONSTRAINT n EXPECT (a > ${low})) "
        "AS SELECT ${low} AS a FROM ${where}.t"
    )
    assert result.plan.variables == ("where", "low")


def test_values_of_set_and_of_the_configuration_are_put_in_as_text():
    result = lowered(
        "SET low = '2020-01-01';"
        "CREATE MATERIALIZED VIEW m (CONSTRAINT n EXPECT (d > ${low})) AS SELECT * FROM t_${env}",
        variables={"env": "dev"},
    )
    dataset = result.plan.datasets[0]
    assert dataset.gates[0].predicate == "d > '2020-01-01'"
    assert dataset.reads[0].of == "default.t_dev"


def test_a_stream_comes_through_views_to_a_table_that_does_not_say_stream():
    result = lowered(
        "CREATE TEMPORARY VIEW v AS SELECT * FROM STREAM(r);"
        "CREATE TEMPORARY VIEW w AS SELECT * FROM v;"
        "CREATE STREAMING TABLE t AS SELECT * FROM w"
    )
    assert result.faults == ()
    assert [read.streaming for each in result.plan.datasets for read in each.reads] == [True] * 3


def test_statements_that_no_update_runs_are_listed_with_the_reason():
    result = lowered(
        "CREATE TABLE employees (age INT); ALTER TABLE employees ADD CONSTRAINT a CHECK (age > 0);"
        "SELECT 1; CREATE MATERIALIZED VIEW m AS SELECT 1 AS a; SET x = 1; USE SCHEMA s"
    )
    assert [each.what.split()[0] for each in result.plan.skipped] == ["CREATE", "ALTER", "SELECT"]


@pytest.mark.parametrize(
    "text",
    [
        "APPLY CHANGES INTO t FROM STREAM(s) KEYS (id) SEQUENCE BY ts",
        "CREATE FLOW f AS INSERT INTO t BY NAME SELECT * FROM STREAM(s)",
        "auto  cdc into t FROM STREAM s KEYS (id) SEQUENCE BY ts",
    ],
)
def test_a_flow_is_refused_since_its_target_would_lack_rows(text):
    result = lowered(text + "; CREATE MATERIALIZED VIEW m AS SELECT 1 AS a")
    assert fault_names(result) == ["not-supported"]
    assert result.plan.skipped == ()


def test_placeholders_in_paths_and_options_are_bound_and_named():
    text = (
        "CREATE MATERIALIZED VIEW m AS SELECT * FROM "
        "read_files('${root}/in', format => 'csv', sep => ${sep})"
    )
    (read,) = lowered(text, variables={"root": "/data", "sep": "';'"}).plan.datasets[0].reads
    assert (read.path, read.options["sep"]) == ("/data/in", ";")
    assert lowered(text).plan.variables == ("root", "sep")
    (open_read,) = lowered(text).plan.datasets[0].reads
    assert (open_read.path, open_read.options["sep"]) == ("${root}/in", "${sep}")


def test_use_fills_the_missing_parts_of_names_that_follow():
    result = lowered(
        "USE CATALOG dev; USE SCHEMA silver; CREATE MATERIALIZED VIEW m AS SELECT * FROM t"
    )
    assert result.plan.datasets[0].name == "dev.silver.m"
    assert result.plan.datasets[0].path == ("dev", "silver", "m")
    assert result.plan.datasets[0].reads[0].of == "dev.silver.t"


def test_session_settings_go_into_the_plan_and_other_values_do_not():
    result = lowered("SET spark.sql.ansi.enabled = false; SET start = '2020'")
    assert result.plan.settings == {"spark.sql.ansi.enabled": "false"}


def test_an_inline_insert_is_the_query():
    dataset = planned("CREATE STREAMING TABLE t FLOW INSERT BY NAME SELECT * FROM STREAM r")
    same = planned("CREATE STREAMING TABLE t AS SELECT * FROM STREAM r")
    assert (dataset.query, dataset.reads) == (same.query, same.reads)


def test_identifier_with_one_string_is_the_name():
    assert (
        planned("CREATE STREAMING TABLE IDENTIFIER('a.b') AS SELECT * FROM STREAM r").name == "a.b"
    )
