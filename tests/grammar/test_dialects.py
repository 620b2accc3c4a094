"""Which dialects accept what, and whether the rows say so for all there is."""

import pytest

from tidegate.grammar import nodes
from tidegate.grammar.availability import (
    ALONE_ROWS,
    CREATE_ROWS,
    FLOW_ROWS,
    Alone,
    FlowPart,
    Part,
)
from tidegate.grammar.dialects import dialects_of, parts_of
from tidegate.grammar.parser import parse
from tidegate.source.text import SourceFile

# What stands for anything says nothing of dialects.
UNKNOWN = {nodes.PlaceholderClause, nodes.PlaceholderCdc}
CLAUSES = """
COMMENT 'x' TBLPROPERTIES (a = 1) OPTIONS (a = 1) PARTITIONED BY (a) CLUSTER BY (a) USING delta
LOCATION '/x' SCHEDULE EVERY 1 HOUR REFRESH POLICY AUTO WITH ROW FILTER f ON () DEFAULT COLLATION c
"""
CDC_CLAUSES = """
KEYS (a) WHERE a > 0 IGNORE NULL UPDATES APPLY AS DELETE WHEN a SEQUENCE BY a COLUMNS (a)
STORED AS SCD TYPE 1 TRACK HISTORY ON (a) COLUMNS TO UPDATE a
"""


def only(text: str) -> nodes.Statement:
    (statement,) = parse(SourceFile(path="x.sql", text=text)).statements
    return statement


def letters(text: str) -> str:
    return "".join(
        {"pipeline": "p", "standalone": "d", "spark": "s"}[each.value]
        for each in dialects_of(only(text))
    )


def test_every_part_has_a_row():
    assert [row.part for row in CREATE_ROWS] == list(Part)
    assert list(FLOW_ROWS) == list(FlowPart)
    assert list(ALONE_ROWS) == list(Alone)


def test_every_clause_is_a_part():
    statement = only(f"CREATE STREAMING TABLE t {CLAUSES}")
    assert isinstance(statement, nodes.CreateDataset)
    known = {type(node) for _, node, _ in parts_of(statement)}
    assert {type(clause) for clause in statement.clauses} <= known
    assert set(nodes.Clause.__subclasses__()) - known == UNKNOWN - {nodes.PlaceholderCdc}


def test_every_clause_of_a_change_feed_is_a_part():
    known = {type(node) for _, node, _ in parts_of(only(f"AUTO CDC INTO t FROM s {CDC_CLAUSES}"))}
    assert set(nodes.CdcClause.__subclasses__()) - known == UNKNOWN - {nodes.PlaceholderClause}


@pytest.mark.parametrize(
    ("text", "accepting"),
    [
        ("CREATE OR REFRESH VIEW v AS SELECT 1", "p"),
        ("CREATE OR REPLACE TEMPORARY VIEW v AS SELECT 1", "pds"),
        ("CREATE TEMPORARY VIEW v (a INT) AS SELECT 1", ""),
        ("CREATE VIEW v (CONSTRAINT c EXPECT (a > 0)) AS SELECT 1", ""),
        ("CREATE MATERIALIZED VIEW m SCHEDULE EVERY 1 HOUR AS SELECT 1", "d"),
        ("CREATE MATERIALIZED VIEW m (a INT DEFAULT 1) AS SELECT 1", "s"),
        ("CREATE STREAMING TABLE t CLUSTER BY AUTO", "pd"),
        ("CREATE STREAMING TABLE t USING parquet", "s"),
        ("CREATE STREAMING TABLE t USING DELTA LOCATION '/x'", "p"),
        ("CREATE STREAMING TABLE t FLOW INSERT BY NAME SELECT 1", "pd"),
        ("CREATE STREAMING TABLE t FLOW INSERT ONCE BY NAME SELECT 1", "p"),
        ("CREATE STREAMING TABLE t FLOW AUTO CDC FROM STREAM s KEYS (a) SEQUENCE BY b", "pds"),
        ("CREATE STREAMING TABLE t FLOW AUTO CDC FROM s KEYS (a) TRACK HISTORY ON *", "pd"),
        ("CREATE TABLE t (CONSTRAINT c EXPECT (a > 0)) FLOW INSERT BY NAME SELECT 1", "p"),
        ("CREATE TABLE t AS SELECT 1", "ds"),
        ("CREATE FLOW f AS INSERT INTO t BY NAME SELECT 1", "ps"),
        ("CREATE FLOW f AS INSERT INTO t SELECT 1", "s"),
        ("CREATE FLOW f AS INSERT ONCE INTO t BY NAME SELECT 1", "p"),
        ("CREATE FLOW f AS AUTO CDC INTO t FROM s KEYS (a) SEQUENCE BY b", "ps"),
        ("CREATE FLOW f AS AUTO CDC INTO t FROM s KEYS (a) COLUMNS a, b", "p"),
        ("CREATE FLOW f AS AUTO CDC INTO t FROM s KEYS a SEQUENCE BY b", ""),
        ("CREATE FLOW f AS AUTO CDC INTO t FROM s KEYS (a) STORED AS SCD TYPE '2'", ""),
        ("APPLY CHANGES INTO t FROM s KEYS (a) SEQUENCE BY b", "p"),
        ("ALTER STREAMING TABLE t DROP SCHEDULE", "d"),
        ("ALTER VIEW v AS SELECT 1", "ds"),
        ("REFRESH MATERIALIZED VIEW m", "d"),
        ("REFRESH TABLE t", "ds"),
        ("EXPLAIN CREATE MATERIALIZED VIEW m AS SELECT 1", "d"),
        ("EXPLAIN CREATE PRIVATE MATERIALIZED VIEW m AS SELECT 1", ""),
        ("DROP TABLE t", "ds"),
        ("SET a = b", "pds"),
        ("USE CATALOG c", "pd"),
        ("SELECT 1", ""),
    ],
)
def test_a_statement_is_accepted_where_all_its_parts_are(text: str, accepting: str):
    assert letters(text) == accepting
