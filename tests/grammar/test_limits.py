"""Large, deep and hostile texts: no exception, and time that grows with the text."""

import time
from collections.abc import Callable

import pytest

from tidegate.grammar.nodes import CreateDataset
from tidegate.grammar.outlines.scan import outline
from tidegate.grammar.parser import ParsedFile, parse, parse_predicate
from tidegate.source.diagnostic import Fault
from tidegate.source.span import Span
from tidegate.source.text import SourceFile


def read(text: str) -> ParsedFile:
    return parse(SourceFile(path="x.sql", text=text))


@pytest.mark.parametrize(
    "text",
    [
        "(" * 5000 + "a" + ")" * 5000,
        "NOT " * 2000 + "a",
        "-" + " -" * 2000 + "a",
        "f(" * 2000 + "a" + ")" * 2000,
        "CASE WHEN " * 1000 + "a",
        " + ".join("a" * 3000),
        "a" + "[0]" * 3000,
        "a" + "::int" * 3000,
        "f(a)" + ".b" * 3000,
        "CAST(a AS " + "ARRAY<" * 2000 + "INT" + ">" * 2000 + ")",
    ],
    ids=lambda text: text[:12],
)
def test_a_predicate_nested_too_deeply_is_a_fault(text: str):
    fault = parse_predicate(text)
    assert isinstance(fault, Fault)
    assert "nested too deeply" in fault.message


@pytest.mark.parametrize(
    "text",
    [
        "(" * 100 + "a" + ")" * 100,
        "a IN (" + ", ".join(map(str, range(20_000))) + ")",
        " OR ".join(f"a = {i}" for i in range(10_000)),
        "f(" * 60 + "a" + ")" * 60,
        " || ".join("a" * 150),
    ],
    ids=lambda text: text[:12],
)
def test_a_long_predicate_parses(text: str):
    assert not isinstance(parse_predicate(text), Fault)


def test_a_deep_predicate_costs_only_itself():
    deep = "(" * 5000 + "a" + ")" * 5000
    (statement,) = read(
        f"CREATE STREAMING TABLE t (CONSTRAINT a EXPECT ({deep}), CONSTRAINT b EXPECT (b > 0))"
    ).statements
    assert isinstance(statement, CreateDataset)
    assert [one.predicate is None for one in statement.expectations] == [True, False]
    assert len(statement.faults) == 1


HOSTILE: dict[str, Callable[[int], str]] = {
    "semicolons": lambda n: ";" * n,
    "quotes": lambda n: "'" * n,
    "blanks": lambda n: " " * n,
    "open comments": lambda n: "a /* " * (n // 5),
    "open brackets": lambda n: "CREATE STREAMING TABLE t " + "(" * n,
    "backslashes": lambda n: "'" + "\\" * n,
    "creates in comments": lambda n: "\nCREATE TABLE x /* " * (n // 19),
    "placeholders": lambda n: "CREATE STREAMING TABLE " + "${" * (n // 2),
    "templates": lambda n: "CREATE STREAMING TABLE " + "{{" * (n // 2),
    "dollars": lambda n: "SELECT " + "$" * n,
    "creates": lambda n: "\nCREATE TABLE x AS SELECT \\'" * (n // 28),
    "open strings": lambda n: "\nCREATE TABLE x AS SELECT 'y" * (n // 28),
    "constraints": lambda n: (
        "CREATE STREAMING TABLE t (" + ", ".join(["CONSTRAINT c EXPECT (a > 0)"] * (n // 29)) + ")"
    ),
    "broken items": lambda n: (
        "CREATE STREAMING TABLE t (" + ", ".join(["CONSTRAINT c EXPCT (a > 0)"] * (n // 29))
    ),
    "broken predicates": lambda n: (
        "CREATE STREAMING TABLE t (" + ", ".join(["CONSTRAINT c EXPECT (a >)"] * (n // 27)) + ")"
    ),
    "semicolons in brackets": lambda n: "CREATE STREAMING TABLE t (" + "b; " * (n // 3),
    "cell borders": lambda n: "-- COMMAND ----------\n" * (n // 22),
    "comments never closed": lambda n: "/*\nCREATE TABLE t (a INT)\n" * (n // 26),
    "misplaced": lambda n: (
        "CREATE STREAMING TABLE t AS SELECT 1 " + "CONSTRAINT c EXPECT (a > 0) " * (n // 28)
    ),
    "cases": lambda n: "CREATE STREAMING TABLE t (CONSTRAINT c EXPECT (" + "case - " * (n // 7),
    "numbers": lambda n: "CREATE STREAMING TABLE t (CONSTRAINT c EXPECT (" + "1" * n + "))",
    "comments": lambda n: "-- x\n" * (n // 5) + "SELECT 1",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_text_takes_time_in_proportion(name: str):
    small, large = HOSTILE[name](20_000), HOSTILE[name](200_000)

    def measure(text: str) -> float:
        began = time.process_time()
        read(text)
        return time.process_time() - began

    read(small)
    # Ten times the text may take ten times the time, and some more: the clock is not alone.
    assert measure(large) < 25 * max(measure(small), 0.02)


@pytest.mark.parametrize(
    "piece", ["(", "SELECT (", "FROM ", "a.", "STREAM(", "WITH a AS (", "x, ", "'", "<"]
)
def test_the_outline_of_a_hostile_query_is_read(piece: str):
    text = "SELECT * FROM " + piece * 20_000
    outline(text, Span(0, len(text)))


def test_many_statements_are_read():
    text = "CREATE STREAMING TABLE t (CONSTRAINT c EXPECT (a > 0)) AS SELECT 1;\n" * 2000
    assert len(read(text).statements) == 2000
