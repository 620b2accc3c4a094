"""Where statements start and end."""

import pytest

from tidegate.grammar.splitter import split


def statements(text: str) -> list[str]:
    return [
        text[one.statement.start : one.statement.end]
        for one in split(text)
        if one.statement.start < one.statement.end
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a; b", ["a", "b"]),
        (";;a;;", ["a"]),
        ("", []),
        (" \n-- only a comment; here\n/* ; */", []),
        ("a -- it's; x\n; b", ["a", "b"]),
        ("a /* ; /* ; */ ' */ + c; b", ["a /* ; /* ; */ ' */ + c", "b"]),
        ("'a;b'; \"c;d\"; `e;f`", ["'a;b'", '"c;d"', "`e;f`"]),
        (r"'a\';b'; r'c\'; d", [r"'a\';b'", r"r'c\'", "d"]),
        (r"bar'c\';d'; e", [r"bar'c\';d'", "e"]),
        ("'it''s;'; b", ["'it''s;'", "b"]),
        ("a -- goes on\\\n; still a comment\n; b", ["a", "b"]),
        ("a -- trailing\n/* too */ ;", ["a"]),
        ("a\n-- COMMAND ----------\nb", ["a", "b"]),
        ("a -- x\n\n-- COMMAND ----------\n-- MAGIC it's\nb", ["a", "b"]),
        ("SELECT 1\n-- COMMENT -----\n+ 2", ["SELECT 1\n-- COMMENT -----\n+ 2"]),
        ("a - b / c; d", ["a - b / c", "d"]),
    ],
)
def test_statements_end_where_they_end(text: str, expected: list[str]):
    assert statements(text) == expected
    assert "".join(text[one.start : one.stop] for one in split(text)) == text


@pytest.mark.parametrize(
    ("mark", "what"), [("'", "string"), ('"', "string"), ("`", "name"), ("/* ", "comment")]
)
def test_what_is_never_closed_ends_before_the_next_statement(mark: str, what: str):
    text = f"CREATE TABLE a AS SELECT {mark}x;\nCREATE OR REFRESH STREAMING TABLE b AS SELECT 1;"
    first, second = (one for one in split(text) if one.statement.start < one.statement.end)
    assert first.fault is not None
    assert first.fault.message == f"the {what} opened here is never closed"
    assert first.fault.span.start == text.index(mark)
    assert second.fault is None
    assert text[second.statement.start :].startswith("CREATE OR REFRESH")


def test_an_unclosed_string_that_meets_a_later_quote_is_found():
    text = (
        "CREATE TABLE a AS SELECT 'x FROM t;\n"
        "CREATE TABLE b AS SELECT 'y' FROM t;\n"
        "CREATE TABLE c AS SELECT 1;"
    )
    faults = [one.fault for one in split(text) if one.statement.start < one.statement.end]
    assert [fault.span.start if fault else None for fault in faults] == [25, None, None]


def test_a_string_may_hold_a_statement():
    text = "CREATE TABLE a COMMENT 'old:\nCREATE TABLE b AS SELECT 1;\n' AS SELECT 1;\nSELECT 2"
    assert len(statements(text)) == 2
    assert all(one.fault is None for one in split(text))


def test_a_comment_may_hold_a_statement():
    text = "CREATE TABLE a\n/*\nCREATE TABLE b AS SELECT 1;\n*/\nAS SELECT 1"
    assert statements(text) == [text]


def test_a_missing_semicolon_is_said_and_mended():
    text = "CREATE TABLE a AS SELECT 1\n-- next\nCREATE TABLE b AS SELECT 2"
    first, second = split(text)
    assert first.fault is not None
    assert first.fault.message == "`;` is missing between this statement and the next"
    assert text[first.statement.start : first.statement.end] == "CREATE TABLE a AS SELECT 1"
    assert text[second.statement.start :] == "CREATE TABLE b AS SELECT 2"


def test_create_inside_another_statement_starts_none():
    assert statements("EXPLAIN\nCREATE TABLE a AS SELECT 1") == [
        "EXPLAIN\nCREATE TABLE a AS SELECT 1"
    ]


@pytest.mark.parametrize("word", ["%python", "%md", "%run ./x", "%sh", "%%bash", "%pip install x"])
def test_a_cell_in_another_language_is_no_sql(word: str):
    border = "\n-- COMMAND ----------\n"
    text = f'SELECT 1{border}\n-- why\n{word}\nprint("it\'s; CREATE TABLE (")\n{border}SELECT 2'
    assert statements(text) == ["SELECT 1", "SELECT 2"]
    assert "".join(text[each.start : each.stop] for each in split(text)) == text


def test_a_percent_sign_inside_a_statement_is_an_operator():
    assert statements("SELECT a\n%b FROM t; SELECT c\n%d") == [
        "SELECT a\n%b FROM t",
        "SELECT c\n%d",
    ]


def test_a_border_is_a_line_of_its_own():
    assert statements("SELECT 1 -- t-- COMMAND ----------\n+ 2") == [
        "SELECT 1 -- t-- COMMAND ----------\n+ 2"
    ]


@pytest.mark.parametrize("feed", ["APPLY CHANGES INTO", "AUTO CDC INTO", "auto cdc once into"])
def test_a_change_feed_on_a_line_of_its_own_starts_a_statement(feed: str):
    text = f"CREATE STREAMING TABLE t\n{feed} t FROM s KEYS (a) SEQUENCE BY b"
    table, change_feed = split(text)
    assert table.fault is not None
    assert table.fault.message.startswith("`;` is missing")
    assert text[change_feed.statement.start :].startswith(feed)


def test_a_change_feed_belongs_to_its_flow():
    assert len(split("CREATE FLOW f AS\nAUTO CDC INTO t FROM s KEYS (a) SEQUENCE BY b")) == 1
