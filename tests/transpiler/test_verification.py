import pytest

from tidegate.model.sql_bridge import find_problem
from tidegate.transpiler.verification import unverified
from transpiler.lowered import lowered


def hints(query: str) -> list[str]:
    plan = lowered(f"CREATE MATERIALIZED VIEW m AS {query}").plan
    return [each.fault.message for each in unverified(plan)]


@pytest.mark.parametrize(
    "query",
    [
        "SELECT a, count(*) AS n FROM s.t GROUP BY ALL",
        "SELECT * EXCEPT (a) FROM t QUALIFY row_number() OVER (PARTITION BY b ORDER BY c) = 1",
        "SELECT *, _metadata.file_name AS f FROM read_files('/in', format => 'csv')",
        "WITH c AS (SELECT 1 AS x) SELECT x::STRING FROM c",
    ],
)
def test_valid_queries_give_no_hint(query):
    assert hints(query) == []


@pytest.mark.parametrize("query", ["SELECT a b c FROM t", "SELECT a FROM WHERE b = 1"])
def test_a_slip_in_a_query_is_hinted_at(query):
    (message,) = hints(query)
    assert message.startswith("the query of `default.m` may not be valid: ")
    assert "Token" not in message


def test_a_problem_says_where_it_is():
    problem = find_problem("SELECT 1,\n  a b c FROM t")
    assert problem is not None
    assert problem.offset > len("SELECT 1,")


def test_text_that_is_no_query_is_a_problem():
    assert find_problem("OPTIMIZE t") is not None
