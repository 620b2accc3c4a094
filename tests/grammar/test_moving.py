"""Predicates that come again are taken from memory and moved; nobody may see a difference."""

import pytest

from tidegate.grammar.nodes import expectations_of
from tidegate.grammar.parser import parse
from tidegate.source.span import Span
from tidegate.source.text import SourceFile

PREDICATES = (
    "a IS NOT NULL",
    "t.a IN ('x', 'y') AND NOT b <=> 2",
    "CASE a WHEN 1 THEN b ELSE c END BETWEEN INTERVAL 3 DAYS AND cast(d AS DECIMAL(3, 1))",
    "exists(tags, x -> x RLIKE r'^[a-z]') OR a[0].b:c.d LIKE ANY ('p', 'q') ESCAPE '!'",
    "count(DISTINCT a) FILTER (WHERE b > ${limit}) OVER (PARTITION BY c) > (SELECT 1)",
    "struct(a AS b, 2).b IS TRUE AND f(k => 1, *) IS DISTINCT FROM DATE '2024-02-29'",
)


@pytest.mark.parametrize("predicate", PREDICATES)
def test_a_predicate_that_comes_again_has_the_spans_of_its_place(predicate: str):
    text = (
        f"CREATE MATERIALIZED VIEW v (CONSTRAINT c EXPECT ({predicate}),\n"
        f" CONSTRAINT longer EXPECT ( {predicate} )) AS SELECT 1;"
    )
    statement = parse(SourceFile(path="x.sql", text=text)).statements[0]
    first, again = (one.predicate for one in expectations_of(statement))
    assert not statement.faults
    assert first is not None
    assert again is not None
    by = again.span.start - first.span.start
    assert text[again.span.start : again.span.end] == predicate
    assert _places(again) == [(start + by, end + by) for start, end in _places(first)]


def test_what_an_earlier_file_held_is_not_read_where_patience_has_ended():
    last = "CREATE STREAMING TABLE u (CONSTRAINT d EXPECT (a > 1)) AS SELECT 1"
    parse(SourceFile(path="x.sql", text=last))
    broken = ", ".join(["CONSTRAINT c EXPECT (a >)"] * 1000)
    text = f"CREATE VIEW t ({broken}) AS SELECT 1; {last}"
    second = parse(SourceFile(path="y.sql", text=text)).statements[1]
    assert [one.predicate for one in expectations_of(second)] == [None]


def _places(node: object) -> list[tuple[int, int]]:
    """Return every span of a tree."""
    if isinstance(node, tuple):
        return [place for each in node for place in _places(each)]
    fields = getattr(node, "__struct_fields__", ())
    if isinstance(node, Span):
        return [(node.start, node.end)]
    return [place for field in fields for place in _places(getattr(node, field))]
