"""The one layout, and what it must not touch."""

import pytest

from tidegate.grammar.formatting.formatter import Layout, format_file
from tidegate.grammar.formatting.proof import unproven
from tidegate.grammar.parser import parse
from tidegate.source.text import SourceFile


def read(text: str):
    return parse(SourceFile(path="x.sql", text=text))


def formatted(text: str, *, queries: bool = False) -> str:
    """Format, prove, and format once more."""
    before = read(text)
    made = format_file(before, Layout(queries=queries)).text
    after = read(made)
    assert unproven(before, after, queries=queries) is None
    assert format_file(after, Layout(queries=queries)).text == made
    return made


def test_a_dataset_has_a_line_for_each_item_and_clause():
    text = """create or refresh streaming table t(id bigint not null,
    constraint c expect ( a>0 ) on violation drop row) comment 'x' cluster by(id)
    as select * from stream(s)"""
    assert formatted(text) == (
        "CREATE OR REFRESH STREAMING TABLE t (\n"
        "  id BIGINT NOT NULL,\n"
        "  CONSTRAINT c EXPECT (a>0) ON VIOLATION DROP ROW\n"
        ")\n"
        "COMMENT 'x'\n"
        "CLUSTER BY (id)\n"
        "AS\n"
        "select * from stream(s)\n"
    )


def test_a_flow_has_a_line_for_each_clause():
    text = "create flow f comment 'x' as auto cdc into t from stream(s) keys(a,b) sequence by ts"
    assert formatted(text) == (
        "CREATE FLOW f\n"
        "COMMENT 'x'\n"
        "AS AUTO CDC INTO t\n"
        "FROM STREAM(s)\n"
        "KEYS (a, b)\n"
        "SEQUENCE BY ts\n"
    )


def test_names_strings_and_predicates_stay_as_written():
    items = "Id INT COMMENT \"Key\", CONSTRAINT Ok EXPECT (A  =\t'b')"
    text = f"CREATE STREAMING TABLE MyTable ({items});\n"
    shown = formatted(text)
    assert "MyTable" in shown
    assert 'Id INT COMMENT "Key"' in shown
    assert "Ok EXPECT (A  =\t'b')" in shown


def test_field_names_of_structs_are_no_keywords():
    shown = formatted("CREATE TABLE t (s struct<date: date, int int not null comment 'c'>);\n")
    assert "s STRUCT<date: DATE, int INT NOT NULL COMMENT 'c'>" in shown


def test_a_struct_that_does_not_fit_has_a_line_for_each_field():
    fields = [f"field_number_{number}: DECIMAL(10, 2)" for number in range(4)]
    shown = formatted(f"CREATE TABLE t (s struct<{', '.join(fields)}> NOT NULL);\n")
    assert "  s STRUCT<\n    " + ",\n    ".join(fields) + "\n  > NOT NULL\n" in shown


def test_a_comment_in_a_struct_keeps_its_line():
    shown = formatted("CREATE TABLE t (s struct<a: array<struct<b:int>>, -- why\nc: int>);\n")
    assert "  s STRUCT<\n    a: ARRAY<STRUCT<b: INT>>, -- why\n    c: INT\n  >\n" in shown


def test_an_action_that_does_not_fit_has_the_next_line():
    start = "CREATE STREAMING TABLE t (CONSTRAINT c EXPECT"
    # With the comma that may follow, 49 letters make a line of 100 columns.
    short, long = "a" * 49, "a" * 50
    shown = formatted(f"{start} ({short} > 0) ON VIOLATION DROP ROW);")
    assert f"  CONSTRAINT c EXPECT ({short} > 0) ON VIOLATION DROP ROW\n" in shown
    shown = formatted(f"{start} ({long} > 0) ON VIOLATION DROP ROW);")
    assert f"  CONSTRAINT c EXPECT ({long} > 0)\n    ON VIOLATION DROP ROW\n" in shown


def test_a_long_list_has_a_line_for_each_entry():
    entries = [f"'key.number.{number}' = 'value'" for number in range(5)]
    shown = formatted(f"CREATE TABLE t TBLPROPERTIES ({', '.join(entries)});\n")
    assert shown == "CREATE TABLE t\nTBLPROPERTIES (\n  " + ",\n  ".join(entries) + "\n);\n"


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("a INT -- c\n, b INT", "  a INT, -- c\n  b INT\n"),
        ("a INT, -- c\nb INT", "  a INT, -- c\n  b INT\n"),
        ("a INT\n-- c\n, b INT", "  a INT,\n  -- c\n  b INT\n"),
        ("a INT, /* c */ b INT", "  a INT,\n  /* c */ b INT\n"),
        ("a INT /* c */, b INT", "  a INT /* c */,\n  b INT\n"),
        ("\n-- c\na INT", "  -- c\n  a INT\n"),
        ("a INT -- c\n", "  a INT -- c\n"),
        ("a INT\n-- c\n", "  a INT\n  -- c\n"),
        ("a /* c */ INT", "  a /* c */ INT\n"),
        ("a INT NOT -- c\n NULL", "  a INT NOT -- c\n    NULL\n"),
        ("a INT -- one\n-- two\n, b INT", "  a INT, -- one\n  -- two\n  b INT\n"),
    ],
)
def test_a_comment_stays_with_its_item(written: str, shown: str):
    assert formatted(f"CREATE TABLE t ({written})") == f"CREATE TABLE t (\n{shown})\n"


def test_a_comment_stays_between_on_and_violation():
    text = "CREATE STREAMING TABLE t (CONSTRAINT c EXPECT (a) ON -- why\n VIOLATION DROP ROW)"
    assert "EXPECT (a) ON -- why\n    VIOLATION DROP ROW\n)" in formatted(text)


def test_a_comment_at_the_end_of_a_predicate_does_not_swallow_the_bracket():
    assert "EXPECT (a > 0 -- so\n  )\n)" in formatted(
        "CREATE STREAMING TABLE t (CONSTRAINT c EXPECT (\n  a > 0 -- so\n))"
    )


def test_statements_are_one_blank_line_apart_and_keep_their_comments():
    text = (
        "-- head\n\n\n\n-- about a\nCREATE VIEW a AS SELECT 1;-- of a\n-- about b\nDROP VIEW b ; \n"
    )
    assert formatted(text) == (
        "-- head\n\n-- about a\nCREATE VIEW a\nAS\nSELECT 1; -- of a\n\n-- about b\nDROP VIEW b;\n"
    )


def test_settings_may_stand_together():
    assert formatted("USE CATALOG c;\nSET a = b;\n\n\nSET c = d\n") == (
        "USE CATALOG c;\nSET a = b;\n\nSET c = d\n"
    )


def test_broken_and_other_statements_stay_and_are_counted():
    broken = "CREATE STREAMING TABLE t (CONSTRAINT EXPECT (a));\nselect  1;\n"
    text = f"{broken}create view v as select 1;\n"
    made = format_file(read(text), Layout())
    assert made.text.startswith(f"{broken}\nCREATE VIEW")
    assert (made.broken, made.other, made.kept) == (1, 1, 0)


def test_a_template_stays_as_it_is():
    text = "create table t (id int) {% if x %} comment 'a' {% endif %}"
    made = format_file(read(text), Layout())
    assert made.text == text
    assert made.templates == 1


def test_line_ends_stay_those_of_the_file():
    text = "create table t(a int, -- c\r\nb int);\r\n"
    assert formatted(text) == "CREATE TABLE t (\r\n  a INT, -- c\r\n  b INT\r\n);\r\n"


def test_cells_of_a_notebook_stay_where_they_are():
    text = (
        "-- Databricks notebook source\n-- MAGIC %md\n-- MAGIC it's\n\n-- COMMAND ----------\n\n"
        "create view v as select 1\n\n-- COMMAND ----------\n\n-- MAGIC %python\n-- MAGIC x = 1\n"
    )
    assert formatted(text) == text.replace(
        "create view v as select 1", "CREATE VIEW v\nAS\nselect 1"
    )


def test_queries_stay_unless_they_are_asked_for():
    text = "CREATE VIEW v\nAS\nselect  a  \n from t;\n"
    assert formatted(text) == text
    assert formatted(text, queries=True) == "CREATE VIEW v\nAS\nSELECT  a\nFROM t;\n"


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("select a from t where x group by a", "SELECT a\nFROM t\nWHERE x\nGROUP BY a"),
        ("select a from t left  join u on x", "SELECT a\nFROM t\nLEFT JOIN u on x"),
        ("select 1 union all select 2", "SELECT 1\nUNION ALL\nSELECT 2"),
        ("select a from (select b from u)", "SELECT a\nFROM (SELECT b FROM u)"),
        ("select * except (a) from t", "SELECT * except (a)\nFROM t"),
        ("select a as order, b from t", "SELECT a as order, b\nFROM t"),
        ("select a, from, b from t", "SELECT a, from, b\nFROM t"),
        ("select t.where from t", "SELECT t.where\nFROM t"),
        ("select a is distinct from b", "SELECT a is distinct from b"),
        ("select 'from  x' -- from\nfrom t", "SELECT 'from  x' -- from\nFROM t"),
    ],
)
def test_only_certain_key_words_of_a_query_change(written: str, shown: str):
    assert formatted(f"CREATE VIEW v AS {written}", queries=True) == f"CREATE VIEW v\nAS\n{shown}\n"


@pytest.mark.parametrize(
    ("before", "after", "what"),
    [
        ("CREATE VIEW v AS SELECT 1", "CREATE VIEW v AS SELECT  1", "query"),
        ("CREATE VIEW v AS SELECT 1", "CREATE VIEW w AS SELECT 1", "name"),
        ("CREATE TABLE t (a INT) -- x", "CREATE TABLE t (a INT)", "comments"),
        ("/* x */ /* y */ SET a", "/* y */ /* x */ SET a", "comments"),
        ("SET a; SET b", "SET a", "number"),
        (
            "CREATE STREAMING TABLE t (CONSTRAINT c EXPECT (a > 0))",
            "CREATE STREAMING TABLE t (CONSTRAINT c EXPECT (a>0))",
            "expectations",
        ),
    ],
)
def test_what_would_change_is_named(before: str, after: str, what: str):
    assert what in (unproven(read(before), read(after), queries=False) or "")
