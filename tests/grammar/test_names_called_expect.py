"""A column, relation or alias called `expect` is a name, wherever a name may stand."""

import pytest

from tidegate.grammar.nodes import CreateDataset
from tidegate.grammar.parser import parse
from tidegate.source.text import SourceFile


@pytest.mark.parametrize(
    "query",
    [
        "SELECT CASE WHEN active THEN expect RLIKE 'a' END AS x FROM t",
        "SELECT * FROM t WHERE CASE WHEN expect RLIKE 'a' THEN true END",
        "SELECT CASE expect WHEN 1 THEN 2 ELSE expect DIV 2 END AS x FROM t",
        "SELECT DISTINCT expect COLLATE utf8_binary AS x FROM t",
        "SELECT a FROM t WHERE b LIKE expect ESCAPE '/'",
        "SELECT a FROM t WHERE b BETWEEN expect AND 3 AND c IN (expect)",
        "SELECT a, b DIV expect FROM t QUALIFY expect > 1",
        "SELECT a FROM STREAM expect",
        "SELECT a FROM t expect WATERMARK ts DELAY OF INTERVAL 1 DAY",
        "SELECT a FROM t ORDER BY a, expect NULLS LAST",
        "SELECT expect REGEXP 'a', expect ILIKE 'a' FROM t",
    ],
)
def test_it_is_no_expectation_out_of_place(query):
    text = f"CREATE MATERIALIZED VIEW m AS {query}"
    (found,) = parse(SourceFile(path="x.sql", text=text)).statements
    assert found.faults == ()
    assert isinstance(found, CreateDataset)
    assert found.misplaced == ()
    assert found.query is not None
    assert text[found.query.span.start : found.query.span.end] == query
