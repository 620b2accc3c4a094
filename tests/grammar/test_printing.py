"""What is printed from the nodes alone."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tidegate.grammar import nodes
from tidegate.grammar.nodes import BrokenStatement, OtherStatement
from tidegate.grammar.parser import parse, parse_predicate
from tidegate.grammar.printing.printer import PRINTERS, print_node, print_statements
from tidegate.grammar.printing.same_tree import are_same_trees, difference
from tidegate.source.text import SourceFile

FIXTURES = Path(__file__).parents[2] / "fixtures"
TEXTS = sorted([*FIXTURES.glob("grammar/ok/*.sql"), *FIXTURES.glob("field/**/*.sql")])
ABSTRACT = {"Expression", "ListItem", "Clause", "CdcClause", "Replace", "FlowBody", "Statement"}
ABSTRACT |= {"AlterAction"}


def read(text: str):
    return parse(SourceFile(path="x.sql", text=text))


def printed(text: str) -> str:
    parsed = read(text)
    return print_statements(parsed.statements, parsed.source.text)


def kinds(base: type) -> Iterator[type]:
    for kind in base.__subclasses__():
        yield kind
        yield from kinds(kind)


def test_every_kind_of_node_has_a_printer():
    missing = {kind.__name__ for kind in kinds(nodes.Node) if kind not in PRINTERS}
    assert missing == ABSTRACT


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.stem)
def test_a_printed_file_reads_as_the_same_trees(path: Path):
    before = read(path.read_bytes().decode())
    after = read(print_statements(before.statements, before.source.text))
    assert are_same_trees(
        before.statements, before.source.text, after.statements, after.source.text
    )


def test_a_statement_is_printed_clause_by_clause():
    text = """create or refresh streaming table t(id bigint comment "it's",
      constraint c expect( a>0 ) on violation drop row)tblproperties(a.b='c')
      as select * from stream(s)"""
    assert printed(text) == (
        "CREATE OR REFRESH STREAMING TABLE t (\n"
        "  id BIGINT COMMENT 'it\\'s',\n"
        "  CONSTRAINT c EXPECT (a>0) ON VIOLATION DROP ROW\n"
        ")\n"
        "TBLPROPERTIES (a.b = 'c')\n"
        "AS\n"
        "select * from stream(s);\n"
    )


def test_a_change_feed_has_a_line_for_each_clause():
    text = "apply changes into t from stream(s) keys(a,b) apply as delete when x=1 sequence by ts"
    assert printed(text) == (
        "APPLY CHANGES INTO t\nFROM STREAM(s)\nKEYS (a, b)\n"
        "APPLY AS DELETE WHEN x=1\nSEQUENCE BY ts;\n"
    )


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("a=1 and not b", "a = 1 AND NOT b"),
        ("- -a", "- -a"),
        ("1e3 + 2.5bd", "1000.0E0 + 2.5BD"),
        ("'it''s' || \"q\"", "'it\\'s' || \"q\""),
        ("a in(1,2)", "a IN (1, 2)"),
        ("extract(year from ts)", "extract(year FROM ts)"),
        ("case when a then 1 end", "CASE WHEN a THEN 1 END"),
        ("cast(a as decimal( 10,2 ))", "CAST(a AS DECIMAL(10, 2))"),
        ("interval 1 day 2 hours", "INTERVAL 1 DAY 2 HOURS"),
        ("x->x+1", None),
    ],
)
def test_an_expression_is_printed_with_canonical_blanks(written: str, shown: str | None):
    found = parse_predicate(written)
    if shown is None:
        assert not isinstance(found, nodes.Expression)
    else:
        assert isinstance(found, nodes.Expression)
        assert print_node(found, written) == shown


def test_a_bare_placeholder_is_not_printed_as_a_string():
    text = "CREATE STREAMING TABLE t\nCOMMENT ${c}\nLOCATION '${p}';\n"
    assert printed(text) == text


def test_statements_that_are_not_read_are_printed_as_they_stand():
    text = "MERGE  INTO t USING s ON a = b WHEN MATCHED THEN DELETE;\n"
    assert printed(text) == text
    (statement,) = read(text).statements
    assert isinstance(statement, OtherStatement | BrokenStatement)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("CREATE VIEW v AS SELECT 1", "CREATE VIEW v AS SELECT 2"),
        ("CREATE VIEW v AS SELECT 1", "CREATE VIEW `v` AS SELECT 1"),
        ("CREATE TABLE t (a INT)", "CREATE TABLE t (a BIGINT)"),
        ("CREATE TABLE t (a STRUCT<b: INT>)", "CREATE TABLE t (a STRUCT<B: INT>)"),
        ("CREATE TEMP VIEW v AS SELECT 1", "CREATE TEMPORARY VIEW v AS SELECT 1"),
        ("CREATE TABLE t COMMENT 'a'", "CREATE TABLE t COMMENT 'A'"),
        ("DROP TABLE t", "DROP TABLE IF EXISTS t"),
    ],
)
def test_trees_that_say_different_things_differ(one: str, other: str):
    left, right = read(one), read(other)
    assert difference(left.statements[0], one, right.statements[0], other) is not None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("CREATE VIEW v AS SELECT 1", "create  view v\nas select 1".replace("select", "SELECT")),
        ("CREATE TABLE t (a array<int>)", "CREATE TABLE t (a ARRAY < INT >)"),
        ("CREATE TABLE t (a INT) -- x", "CREATE /* y */ TABLE t (a INT)"),
    ],
)
def test_blanks_comments_and_the_case_of_keywords_make_no_difference(one: str, other: str):
    left, right = read(one), read(other)
    assert difference(left.statements[0], one, right.statements[0], other) is None
