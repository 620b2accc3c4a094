"""No expectation leaves the counts because the text around it does not parse."""

import pytest

from tidegate.grammar.nodes import (
    BrokenStatement,
    ExpectClause,
    OtherStatement,
    Statement,
    expectations_of,
)
from tidegate.grammar.parser import parse
from tidegate.source.text import SourceFile


def statements(text: str) -> tuple[Statement, ...]:
    return parse(SourceFile(path="x.sql", text=text)).statements


def clauses(text: str) -> list[ExpectClause]:
    return [clause for one in statements(text) for clause in expectations_of(one)]


def names(text: str) -> list[str | None]:
    return [clause.name.text if clause.name else None for clause in clauses(text)]


TABLE = "CREATE OR REFRESH STREAMING TABLE t ({}) AS SELECT * FROM STREAM s;"


@pytest.mark.parametrize(
    "first",
    [
        "CONSTRAINT a EXPECT (x > 0; y)",
        "CONSTRAINT a EXPECT (x > 0);",
        "CONSTRAINT a EXPECT (f(x; y) > 0)",
        "id INT; CONSTRAINT a EXPECT (x > 0)",
        "CONSTRAINT a EXPECT (x > 0;)",
    ],
)
def test_a_semicolon_in_a_bracket_does_not_end_the_statement(first: str):
    found = statements(TABLE.format(first + ", CONSTRAINT b EXPECT (y > 0)") + " SELECT 1")
    assert len(found) == 2
    assert [clause.name.text for clause in expectations_of(found[0]) if clause.name] == ["a", "b"]
    assert any(fault.message.startswith("found `;`") for fault in found[0].faults)


@pytest.mark.parametrize(
    "lead", ["SELECT 1", "GRANT SELECT ON t TO u", "CREATE VIEW v AS SELECT 1"]
)
def test_a_statement_behind_an_unclosed_bracket_stays_one(lead: str):
    text = f"CREATE STREAMING TABLE t (CONSTRAINT a EXPECT (x > 0;\n{lead}"
    assert len(statements(text)) == 2
    assert names(text) == ["a"]


def test_a_cell_border_ends_a_statement_with_an_open_bracket():
    text = "CREATE TABLE t (a INT;\n-- COMMAND ----------\nb INT)"
    assert len(statements(text)) == 2


@pytest.mark.parametrize(
    ("item", "name"),
    [
        ("CONSTRAINT a EXPECT x > 0 ON VIOLATION DROP ROW", "a"),
        ("CONSTRAINT EXPECT (x > 0)", None),
        ("CONSTRAINT a EXPCT (x > 0)", "a"),
        ("a EXPECT (x > 0)", "a"),
        ("EXPECT (x > 0)", None),
        ("CONSTRAINT `a``b` EXPECT", "a`b"),
        ("CONSTRAINT a EXPECT (x > 0) ON VIOLATION", "a"),
        ("CONSTRAINT a EXPECT (x > 0) ON VIOLATION DROP ROW COMMENT 'c'", "a"),
        ("CONSTRAINT 'a' EXPECT (x > 0), CONSTRAINT b EXPECT (y > 0)", "b"),
    ],
)
def test_an_item_that_does_not_parse_is_still_an_expectation(item: str, name: str | None):
    assert name in names(TABLE.format(item))


def test_a_whole_predicate_in_a_broken_item_is_read():
    (clause,) = clauses(TABLE.format("CONSTRAINT a EXPECT (x > 0) ON VIOLATION"))
    assert clause.predicate is not None
    assert clause.action is None


def test_a_flow_with_expectations_keeps_them_and_is_broken():
    (statement,) = statements(
        "CREATE FLOW f (CONSTRAINT a EXPECT (x > 0) ON VIOLATION DROP ROW) AS SELECT 1"
    )
    assert isinstance(statement, BrokenStatement)
    (clause,) = statement.expectations
    assert clause.name is not None
    assert clause.name.text == "a"


@pytest.mark.parametrize(
    "text",
    [
        "CONSTRAINT a EXPECT (x > 0)",
        "CREATE SINK s (CONSTRAINT a EXPECT (x > 0",
        "CREATE TABLE z (CONSTRAINT a EXPECT (x > 0)) LIKE y",
    ],
)
def test_a_statement_that_is_not_read_keeps_its_expectations(text: str):
    (statement,) = statements(text)
    assert isinstance(statement, OtherStatement)
    (clause,) = statement.expectations
    assert clause.name is not None
    assert clause.name.text == "a"
    assert clause.predicate is None


@pytest.mark.parametrize(
    "text",
    [
        "SELECT expect(a) FROM t",
        "-- CONSTRAINT a EXPECT (x > 0)\nSELECT 1",
        "SELECT 'CONSTRAINT a EXPECT (x > 0)'",
        "GRANT SELECT ON expect TO u",
    ],
)
def test_words_alone_are_no_expectation(text: str):
    assert clauses(text) == []


def test_a_broken_shell_keeps_expectations_out_of_place():
    text = "CREATE STREAMING TABLE t COMMENT CONSTRAINT a EXPECT (x > 0) AS SELECT * FROM STREAM s"
    assert names(text) == ["a"]


@pytest.mark.parametrize(
    ("query", "start"),
    [
        ("SELECT f(a; b) FROM STREAM s", "found `;`"),
        ("SELECT f(a FROM STREAM s", "the parenthesis opened here"),
        ("SELECT f(a)) FROM STREAM s", "this `)` closes nothing"),
    ],
)
def test_a_query_with_a_wrong_bracket_is_one_statement_with_one_fault(query: str, start: str):
    (statement,) = statements(f"CREATE STREAMING TABLE t AS {query};")
    (fault,) = statement.faults
    assert fault.message.startswith(start)


@pytest.mark.parametrize(
    "query",
    ["SELECT '(' FROM STREAM s", "SELECT 1 -- (;\nFROM s", "SELECT {% if x %}f({% endif %} a"],
)
def test_brackets_in_texts_comments_and_templates_are_not_counted(query: str):
    (statement,) = statements(f"CREATE STREAMING TABLE t AS {query};")
    assert statement.faults == ()
