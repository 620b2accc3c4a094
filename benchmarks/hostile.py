"""A size comes in; texts of about that many characters, made to be slow or to break, go out."""

from collections.abc import Callable

OPEN = "CREATE STREAMING TABLE t ("
CLOSE = ") AS SELECT * FROM STREAM s"
PREDICATE = OPEN + "CONSTRAINT c EXPECT ("


def _again(piece: str, before: str = "", after: str = "") -> Callable[[int], str]:
    """Repeat one piece up to the size."""
    return lambda size: before + piece * (size // len(piece)) + after


def _nested(opening: str, closing: str) -> Callable[[int], str]:
    """Open brackets in a predicate, and close all of them."""

    def make(size: int) -> str:
        depth = size // len(opening + closing)
        return f"{PREDICATE}{opening * depth}a{closing * depth})){CLOSE[1:]}"

    return make


def _numbered(piece: str, before: str, joint: str, after: str) -> Callable[[int], str]:
    """Repeat a piece with a number in it."""

    def make(size: int) -> str:
        count = size // len(piece.format(10_000) + joint)
        return before + joint.join(piece.format(number) for number in range(count)) + after

    return make


def _view(number: int, source: int) -> str:
    return f"CREATE MATERIALIZED VIEW v{number} AS SELECT * FROM v{source};\n"


def _chain(size: int) -> str:
    return "".join(_view(number, number - 1) for number in range(size // 50))


def _circle(size: int) -> str:
    count = size // 50
    return "".join(_view(number, (number + 1) % count) for number in range(count))


HOSTILE: dict[str, Callable[[int], str]] = {
    # marks and blanks
    "semicolons": _again(";"),
    "single quotes": _again("'"),
    "double quotes": _again('"'),
    "backticks": _again("`"),
    "blanks": _again(" "),
    "line ends": _again("\n"),
    "backslashes": _again("\\", "'"),
    "control characters": _again("\x01\x02"),
    "private characters": _again("\ue000\x1e\x1f"),
    "letters of many bytes": _again("é\u2028日"),
    "words": _again("foo "),
    # what is never closed
    "open comment": _again("x ", "/* "),
    "open comments": _again("a /* "),
    "open string": _again("x ", PREDICATE + "b = '"),
    "open strings": _again("\nCREATE TABLE x AS SELECT 'y"),
    "open brackets": _again("(", OPEN),
    "open brackets in a query": _again("(", "CREATE STREAMING TABLE t AS SELECT "),
    "open subscripts": _again("[", PREDICATE + "a"),
    "open types": _again("ARRAY<", OPEN + "a "),
    "open placeholders": _again("${", "CREATE STREAMING TABLE "),
    "open templates": _again("{{", "CREATE STREAMING TABLE "),
    "open quotes in a query": _again("' \" ` ", "CREATE STREAMING TABLE t AS SELECT "),
    "comments with statements": _again("/*\nCREATE TABLE t (a INT)\n"),
    # what is nested
    "brackets": _nested("(", ")"),
    "calls": _nested("f(", ")"),
    "lambdas": _nested("f(x -> ", ")"),
    "negations": _again("NOT ", PREDICATE),
    "signs": _again("- ", PREDICATE),
    "cases": _again("CASE WHEN ", PREDICATE),
    "ranges": _again("a BETWEEN ", PREDICATE),
    "positions": _again("POSITION(", PREDICATE),
    "subqueries": _again("EXISTS (", PREDICATE),
    "queries": _again("SELECT * FROM (", "CREATE STREAMING TABLE t AS "),
    "constraints in constraints": _again("CONSTRAINT a EXPECT (", OPEN),
    # what is long
    "digits": _again("1", PREDICATE + "a > ", "))" + CLOSE[1:]),
    "one long word": _again("a", PREDICATE, "))" + CLOSE[1:]),
    "IN list": _again("1,", PREDICATE + "a IN (", "1)))" + CLOSE[1:]),
    "fields": _again(".b", PREDICATE + "a", "))" + CLOSE[1:]),
    "path": _again("b.", PREDICATE + "a:", "b))" + CLOSE[1:]),
    "casts": _again("::int", PREDICATE + "a", "))" + CLOSE[1:]),
    "strings side by side": _again("'x' ", PREDICATE + "a = ", "))" + CLOSE[1:]),
    "intervals": _again("INTERVAL 1 DAY + ", PREDICATE, "b))" + CLOSE[1:]),
    "disjunction": _again("a = b OR ", PREDICATE, "c))" + CLOSE[1:]),
    "columns": _numbered("c{} INT", OPEN, ", ", CLOSE),
    "constraints": _numbered(
        "CONSTRAINT c{} EXPECT (a > 0) ON VIOLATION DROP ROW", OPEN, ",\n", CLOSE
    ),
    "constraints of one name": _again("CONSTRAINT c EXPECT (a > 0), ", OPEN, "a INT" + CLOSE),
    "properties": _numbered("'p{}' = 'x'", "CREATE VIEW t TBLPROPERTIES (", ", ", ") AS SELECT 1"),
    "clauses": _again("COMMENT 'x' ", "CREATE VIEW t ", "AS SELECT 1"),
    "words of CREATE": _again("OR REFRESH ", "CREATE "),
    "relations": _again(", a", "CREATE VIEW t AS SELECT 1 FROM a"),
    "select items": _numbered("a{}", "CREATE VIEW t AS SELECT ", ", ", " FROM x"),
    "common table expressions": _numbered(
        "a{} AS (SELECT 1 FROM x)", "CREATE VIEW t AS WITH ", ", ", " SELECT 1 FROM a1"
    ),
    "names with dots": _again(".b", "CREATE VIEW t AS SELECT * FROM a"),
    "keys of a change feed": _numbered(
        "a{}", "APPLY CHANGES INTO t FROM STREAM s KEYS (", ", ", ") SEQUENCE BY b"
    ),
    # what is many
    "statements": _again("CREATE STREAMING TABLE t (CONSTRAINT c EXPECT (a > 0)) AS SELECT 1;\n"),
    "statements without an end": _again(
        "CREATE STREAMING TABLE t (CONSTRAINT c EXPECT (a > 0)) AS SELECT 1\n"
    ),
    "settings": _again("SET a = b;\n"),
    "schemas": _again("USE a;\n"),
    "flows": _again("CREATE FLOW f AS INSERT INTO t BY NAME SELECT * FROM STREAM s;\n"),
    "change feeds": _again("APPLY CHANGES INTO t FROM s KEYS (a) SEQUENCE BY b;\n"),
    "chain of views": _chain,
    "circle of views": _circle,
    "line comments": _again("-- x\n", "", "SELECT 1"),
    "cell borders": _again("-- COMMAND ----------\n"),
    "cells of SQL": _again("-- MAGIC %sql\n-- MAGIC SELECT 1\n", "-- Databricks notebook source\n"),
    "suppressions": _again("-- tidegate: ignore counter-name\n"),
    "template marks": _again("{% if x %} {{ y }} {# z #} "),
    "blanks to fill in": _again("CONSTRAINT a EXPECT (FILL_IN), ", OPEN),
    "strings of Python": _again('f""" {x} '),
    "placeholders": _again("CONSTRAINT ${a} EXPECT (${b}), ", OPEN),
    # what is wrong, many times
    "broken statements": _again("CREATE STREAMING TABL;\n"),
    "broken lists": _again("CREATE TABLE x ((;\n"),
    "ends in brackets": _again("CREATE STREAMING TABLE t (CONSTRAINT a EXPECT (b > 1; c\n"),
    "ends in one bracket": _again("b; ", OPEN),
    "items of one letter": _again("CREATE STREAMING TABLE t (a; b; c; d; e;"),
    "broken items": _again("CONSTRAINT c EXPCT (a > 0), ", OPEN),
    "broken predicates": _again("CONSTRAINT c EXPECT (a >), ", OPEN, ")"),
    "missing commas": _again("CONSTRAINT c EXPECT (a > 0) ", OPEN, CLOSE),
    "short actions": _again("CONSTRAINT c EXPECT (a > 0) ON VIOLATION DROP, ", OPEN, CLOSE),
    "constraints behind a query": _again(
        "CONSTRAINT c EXPECT (a > 0) ", "CREATE STREAMING TABLE t AS SELECT 1 "
    ),
    "typographic quotes": _again("CONSTRAINT c EXPECT (a = \u2018x\u2019), ", OPEN, CLOSE),
    "words of Python": _again("CONSTRAINT c EXPECT (col('a').isNotNull()), ", OPEN, CLOSE),
    "comparisons with NULL": _again("a = NULL OR ", PREDICATE, "b))" + CLOSE[1:]),
    "unknown functions": _again("fooo(a) OR ", PREDICATE, "b))" + CLOSE[1:]),
}
"""By name; what is behind a name need not be valid, but no check may raise or take long."""
