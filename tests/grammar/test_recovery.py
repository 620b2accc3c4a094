"""What survives in a broken statement, and what is said about it."""

import pytest

from tidegate.grammar.nodes import (
    AlterTable,
    BrokenStatement,
    CreateDataset,
    Dialect,
    ExplainStatement,
    ObjectKind,
    OtherStatement,
    SetStatement,
    Statement,
    UseStatement,
    expectations_of,
    kind_of,
)
from tidegate.grammar.parser import parse
from tidegate.source.edit import apply_edits
from tidegate.source.text import SourceFile


def only(text: str) -> Statement:
    (statement,) = parse(SourceFile(path="x.sql", text=text)).statements
    return statement


def names(statement: Statement) -> list[str]:
    assert isinstance(statement, CreateDataset | BrokenStatement)
    return [one.name.text for one in statement.expectations if one.name]


def test_a_broken_predicate_costs_only_itself():
    statement = only(
        "CREATE STREAMING TABLE t (CONSTRAINT a EXPECT (x > ) ON VIOLATION DROP ROW,"
        " CONSTRAINT b EXPECT (y > 0)) AS SELECT 1"
    )
    assert isinstance(statement, CreateDataset)
    first, second = statement.expectations
    assert first.predicate is None
    assert first.action is not None
    assert first.action.text == "DROP ROW"
    assert second.predicate is not None
    (fault,) = statement.faults
    assert (fault.dataset, fault.constraint) == ("t", "a")


@pytest.mark.parametrize(
    "middle",
    [
        "CONSTRAINT m EXPCT (y > 0)",
        "CONSTRAINT m EXPECT y > 0",
        "CONSTRAINT EXPECT (y > 0)",
        "CONSTRAINT m EXPECT (y > (0)",
        "CONSTRAINT m EXPECT (y > 0))) ON VIOLATION DROP ROW",
        "CONSTRAINT m EXPECT (y > 0) ON DROP ROW",
        "id INT INT",
        "",
        "!",
    ],
)
def test_a_broken_item_costs_only_itself(middle: str):
    statement = only(
        f"CREATE STREAMING TABLE t (CONSTRAINT a EXPECT (x > 0), {middle},"
        " CONSTRAINT b EXPECT (z > 0)) AS SELECT 1"
    )
    assert isinstance(statement, CreateDataset)
    found = names(statement)
    assert (found[0], found[-1]) == ("a", "b")
    assert len(statement.expectations) == (3 if "CONSTRAINT" in middle else 2)
    assert len(statement.faults) == 1
    assert statement.query is not None


@pytest.mark.parametrize(
    "text",
    [
        "CREATE OR REFRESH STREMING TABLE t (CONSTRAINT a EXPECT (x > 0)) AS SELECT 1",
        "CREATE STREAMING TABLE t (CONSTRAINT a EXPECT (x > 0)) COMENT 'x' AS SELECT 1",
        "CREATE STREAMING TABLE t (CONSTRAINT a EXPECT (x > 0)) CLUSTER BY x AS SELECT 1",
        "CREATE STREAMING TABLE t (CONSTRAINT a EXPECT (x > 0)) SELECT 1",
    ],
)
def test_a_mended_shell_makes_a_whole_statement_with_one_fault(text: str):
    statement = only(text)
    assert isinstance(statement, CreateDataset)
    assert names(statement) == ["a"]
    assert statement.name is not None
    assert statement.name.text == "t"
    assert len(statement.faults) == 1


@pytest.mark.parametrize(
    "text",
    [
        "CREATE STREAMING TABLE (CONSTRAINT a EXPECT (x > 0)) AS SELECT 1",
        "CREATE GIANT STREAMING TABLE t (CONSTRAINT a EXPECT (x > 0)) AS SELECT 1",
    ],
)
def test_a_broken_head_keeps_its_expectations(text: str):
    statement = only(text)
    assert isinstance(statement, BrokenStatement)
    assert names(statement) == ["a"]
    assert len(statement.faults) == 1


@pytest.mark.parametrize(
    ("text", "fixed"),
    [
        (
            "CREATE STREAMING TABLE t (id INT CONSTRAINT a EXPECT (x)) AS SELECT 1",
            "CREATE STREAMING TABLE t (id INT, CONSTRAINT a EXPECT (x)) AS SELECT 1",
        ),
        (
            "CREATE STREAMING TABLE t (CONSTRAINT a EXPECT (x),) AS SELECT 1",
            "CREATE STREAMING TABLE t (CONSTRAINT a EXPECT (x)) AS SELECT 1",
        ),
        (
            "CREATE STREAMING TABLE t COMMENT 'x' SELECT 1",
            "CREATE STREAMING TABLE t COMMENT 'x' AS SELECT 1",
        ),
        (
            "CREATE STREAMING TABLE t (CONSTRAINT a EXPECT (x) ON VIOLATION WARN) AS SELECT 1",
            "CREATE STREAMING TABLE t (CONSTRAINT a EXPECT (x)) AS SELECT 1",
        ),
        (
            "CREATE STREAMING TABLE t (CONSTRAINT a EXPECT (x) /* so */ ON VIOLATION DROP)"
            " AS SELECT 1",
            "CREATE STREAMING TABLE t (CONSTRAINT a EXPECT (x) /* so */ ON VIOLATION DROP ROW)"
            " AS SELECT 1",
        ),
        (
            "CREATE STREAMING TABLE t (CONSTRAINT a EXPECT (x > 0 ON VIOLATION DROP ROW))",
            "CREATE STREAMING TABLE t (CONSTRAINT a EXPECT (x > 0) ON VIOLATION DROP ROW)",
        ),
        (
            "CREATE STREAMING TABLE t COMMENT 'c' (CONSTRAINT a EXPECT (x)) AS SELECT 1",
            "CREATE STREAMING TABLE t (CONSTRAINT a EXPECT (x)) COMMENT 'c' AS SELECT 1",
        ),
        (
            "CREATE STREAMING TABLE t (CONSTRAINT a EXPECT (größe > 0)) AS SELECT 1",
            "CREATE STREAMING TABLE t (CONSTRAINT a EXPECT (`größe` > 0)) AS SELECT 1",
        ),
    ],
)  # fmt: skip
def test_a_plain_mistake_is_mended(text: str, fixed: str):
    (fault,) = only(text).faults
    assert fault.fix is not None
    assert apply_edits(text, fault.fix.edits) == fixed
    assert only(fixed).faults == ()


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("CREATE STREAMING TABLE t", ObjectKind.STREAMING_TABLE),
        ("CREATE LIVE TABLE t AS SELECT 1", ObjectKind.MATERIALIZED_VIEW),
        ("CREATE INCREMENTAL LIVE TABLE t AS SELECT 1", ObjectKind.STREAMING_TABLE),
        ("CREATE STREAMING LIVE VIEW v AS SELECT 1", ObjectKind.TEMPORARY_VIEW),
        ("CREATE OR REPLACE TEMP VIEW v AS SELECT 1", ObjectKind.TEMPORARY_VIEW),
        ("CREATE VIEW v AS SELECT 1", ObjectKind.VIEW),
        ("CREATE TABLE t (a INT)", ObjectKind.TABLE),
        ("ALTER TABLE t DROP CONSTRAINT c", ObjectKind.ALTER_TABLE),
        ("SET a = b", ObjectKind.CONFIG),
        ("USE SCHEMA s", ObjectKind.CONFIG),
        ("SELECT 1", ObjectKind.OTHER),
        ("CREATE FLOW f AS INSERT INTO t BY NAME SELECT 1", ObjectKind.FLOW),
        ("APPLY CHANGES INTO t FROM s KEYS (id) SEQUENCE BY ts", ObjectKind.AUTO_CDC),
        ("ALTER TABLE t ADD COLUMNS (a INT)", ObjectKind.OTHER),
        ("CREATE EXTERNAL TABLE t (a INT) STORED AS PARQUET", ObjectKind.OTHER),
        ("CREATE STREAMING TABLE (", ObjectKind.BROKEN),
    ],
)
def test_a_statement_has_its_kind(text: str, kind: ObjectKind):
    assert kind_of(only(text)) is kind


@pytest.mark.parametrize(
    "text",
    [
        "CREATE TABLE a LIKE b",
        "CREATE TABLE a DEEP CLONE b",
        "ALTER TABLE t RENAME TO u",
        "EXPLAIN x",
        "x",
    ],
)
def test_what_is_no_business_of_ours_is_left_alone(text: str):
    statement = only(text)
    assert isinstance(statement, OtherStatement)
    assert statement.faults == ()


@pytest.mark.parametrize(
    ("text", "key", "value"),
    [
        ("SET startDate='2025-01-01'", "startDate", "'2025-01-01'"),
        ("SET a.b = c = d", "a.b", "c = d"),
        ("SET spark.source", "spark.source", None),
    ],
)
def test_a_setting_keeps_its_value_as_written(text: str, key: str, value: str | None):
    statement = only(text)
    assert isinstance(statement, SetStatement)
    assert (statement.key, statement.value) == (key, value)


def test_use_knows_what_it_names():
    statement = only("use catalog `my cat`")
    assert isinstance(statement, UseStatement)
    assert (statement.what, statement.name.text) == ("CATALOG", "my cat")


def test_an_alteration_without_its_parentheses_is_broken():
    assert isinstance(only("ALTER TABLE t ADD CONSTRAINT c CHECK a > 0"), BrokenStatement)
    assert isinstance(only("ALTER TABLE t ADD CONSTRAINT c CHECK (a > 0)"), AlterTable)


@pytest.mark.parametrize(
    "query",
    [
        "SELECT expect.a, b AS expect FROM STREAM(s) expect WHERE expect.a > 1",
        "SELECT a FROM s AS expect (a, b)",
        "SELECT a FROM expect",
        "SELECT a FROM s expect JOIN t ON expect.k = t.k",
        "SELECT constraint, comment FROM s WHERE comment = 'x'",
        "SELECT 'CONSTRAINT c EXPECT (a > 0)' FROM s -- CONSTRAINT c EXPECT (a > 0)",
        "SELECT a FROM s CLUSTER BY (a)",
        "SELECT a FROM s /* CONSTRAINT c EXPECT (a > 0) */",
    ],
)
def test_words_of_a_query_are_no_misplaced_clauses(query: str):
    statement = only(f"CREATE STREAMING TABLE t AS {query}")
    assert isinstance(statement, CreateDataset)
    assert (statement.faults, statement.misplaced) == ((), ())


@pytest.mark.parametrize(
    ("text", "dialects"),
    [
        ("CREATE STREAMING TABLE t (a INT) AS SELECT 1", set(Dialect)),
        ("CREATE OR REFRESH STREAMING TABLE t", {Dialect.PIPELINE, Dialect.STANDALONE}),
        ("CREATE STREAMING TABLE IF NOT EXISTS t", {Dialect.STANDALONE, Dialect.SPARK}),
        ("CREATE PRIVATE STREAMING TABLE t", {Dialect.PIPELINE}),
        ("CREATE LIVE TABLE t AS SELECT 1", {Dialect.PIPELINE}),
        ("CREATE OR REPLACE STREAMING TABLE t", set()),
        (
            "CREATE MATERIALIZED VIEW v (CONSTRAINT c EXPECT (a > 0)) AS SELECT 1",
            {Dialect.PIPELINE, Dialect.STANDALONE},
        ),
        ("CREATE TABLE t (a INT, CHECK (a > 0))", set(Dialect)),
    ],
)
def test_a_statement_knows_its_dialects(text: str, dialects: set[Dialect]):
    statement = only(text)
    assert isinstance(statement, CreateDataset)
    assert set(statement.dialects) == dialects


@pytest.mark.parametrize(
    "text",
    [
        f"CREATE STREAMING TABLE t ({'EXPECT (x > 0), ' * 3000}) AS SELECT 1",
        f"CREATE STREAMING TABLE t ({'CONSTRAINT a EXPECT (' * 3000}",
        f"CREATE STREAMING TABLE t ({'a INT ' * 5000})",
        f"CREATE STREAMING TABLE t {chr(39).join(['COMMENT ', 'x', ' ']) * 5000}",
    ],
)
def test_a_text_of_nothing_but_mistakes_is_not_explained_to_its_end(text: str):
    assert len(only(text).faults) <= 1001


def test_expectations_behind_too_many_mistakes_are_kept():
    text = "CREATE STREAMING TABLE t (" + "CONSTRAINT a EXPCT (x), " * 3000 + "b INT) AS SELECT 1"
    statement = only(text)
    assert isinstance(statement, CreateDataset)
    assert len(statement.expectations) == 3000


def test_operators_beyond_any_tree_are_refused_at_once():
    text = f"CREATE STREAMING TABLE t (CONSTRAINT a EXPECT ({'a + ' * 300_000}a > 0)) AS SELECT 1"
    (fault,) = only(text).faults
    assert fault.message == "the predicate is nested too deeply to be read"


def test_an_explained_statement_is_recovered_like_any_other():
    statement = only(
        "EXPLAIN EXTENDED CREATE MATERIALIZED VIEW m (CONSTRAINT a EXPECT b > 0, "
        "CONSTRAINT c EXPECT (d > 0)) AS SELECT 1"
    )
    assert isinstance(statement, ExplainStatement)
    assert statement.mode == "EXTENDED"
    assert [clause.name.text for clause in expectations_of(statement)] == ["a", "c"]
    assert len(statement.faults) == 1


def test_expectations_among_endless_brackets_are_kept_and_counted():
    statement = only(
        f"CREATE STREAMING TABLE t (CONSTRAINT a EXPECT (b > 0), c {'(' * 1001},"
        " CONSTRAINT d EXPECT (e)"
    )
    assert isinstance(statement, BrokenStatement)
    assert names(statement) == ["a", "d"]
    assert statement.faults


@pytest.mark.parametrize(
    "inner",
    [
        "a INT) b STRING, CONSTRAINT c EXPECT (a > 0), d INT",
        "a INT, b ) STRING, CONSTRAINT c EXPECT (a > 0), d INT",
        "a INT, b STRING) COMMENT 'x', CONSTRAINT c EXPECT (a > 0), d INT",
        "a INT, b STRING, ) CONSTRAINT c EXPECT (a > 0), d INT",
        "a INT, b STRING, CONSTRAINT c ) EXPECT (a > 0), d INT",
        ") a INT, b STRING, CONSTRAINT c EXPECT (a > 0), d INT",
        "a INT, () b STRING, CONSTRAINT c EXPECT (a > 0), d INT",
        "a INT, b () STRING, CONSTRAINT c EXPECT (a > 0), d INT",
        "a INT, b STRING, (), CONSTRAINT c EXPECT (a > 0), d INT",
    ],
)
def test_a_stray_parenthesis_is_one_mistake_and_costs_no_item(inner: str):
    statement = only(f"CREATE STREAMING TABLE t ({inner}) COMMENT 'y' AS SELECT * FROM STREAM s")
    assert isinstance(statement, CreateDataset)
    assert [one.name.text for one in statement.items if one.name] == ["a", "b", "c", "d"]
    assert len(statement.faults) == 1
    assert statement.expectations[0].predicate is not None


@pytest.mark.parametrize(
    "rest",
    [
        "COMMENT 'y') AS SELECT 1",
        "PARTITIONED BY (a, b)) AS SELECT 1",
        "TBLPROPERTIES ('p' = 'q'))",
    ],
)
def test_a_parenthesis_behind_the_clauses_leaves_the_list_what_it_is(rest: str):
    statement = only(f"CREATE STREAMING TABLE t (a INT, b STRING) {rest}")
    assert isinstance(statement, CreateDataset)
    assert len(statement.items) == 2
    assert [fault.message for fault in statement.faults] == ["this `)` closes nothing"]


def test_predicates_behind_too_many_broken_ones_stay_counted_with_a_reason():
    broken = ", ".join(["CONSTRAINT c EXPECT (a >)"] * 1000)
    last = "CREATE STREAMING TABLE u (CONSTRAINT d EXPECT (a > 1)) AS SELECT 1"
    first, second, third = parse(
        SourceFile(path="x.sql", text=f"CREATE VIEW t ({broken}) AS SELECT 1; {last}; {last}")
    ).statements
    assert {one.unknown for one in expectations_of(first)} == {None}
    assert [one.unknown for one in expectations_of(second)] == ["its file has too many mistakes"]
    assert [one.unknown for one in expectations_of(third)] == ["its file has too many mistakes"]
    told = [one.message for one in (*second.faults, *third.faults)]
    assert told == ["predicates from here on are not read: there are too many mistakes"]


def test_as_many_broken_predicates_as_anyone_writes_leave_the_others_read():
    broken = ", ".join(["CONSTRAINT c EXPECT (a >)"] * 500)
    last = "CREATE STREAMING TABLE u (CONSTRAINT d EXPECT (a > 1)) AS SELECT 1"
    statements = parse(
        SourceFile(path="x.sql", text=f"CREATE VIEW t ({broken}); {last}")
    ).statements
    assert expectations_of(statements[1])[0].predicate is not None


def test_a_list_that_never_closes_has_its_broken_predicates_told_up_to_the_limit():
    broken = "CONSTRAINT c EXPECT (a >), " * 1200
    statement = only(f"CREATE STREAMING TABLE t ({broken}")
    told = [one for one in statement.faults if one.message.startswith("the predicate ends")]
    assert len(told) == 1000
    assert len(expectations_of(statement)) == 1200


@pytest.mark.parametrize(
    "words", ["EXPECT OR REFRESH", "EXPECT OR DROP", "EXPECT OR", "CONSTRAINT"]
)
def test_a_list_that_ends_in_the_middle_of_an_expectation_is_a_fault(words: str):
    for text in (f"CREATE VIEW v (CONSTRAINT c {words}", f"CREATE VIEW I())(CONSTRAINT c {words}"):
        (statement,) = parse(SourceFile(path="p.sql", text=text)).statements
        assert statement.faults
