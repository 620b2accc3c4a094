"""The three actions on every kind of dataset, and figures that equal plain counts."""

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyspark.sql import Observation

from runner.pipelines import (
    FOUR_ROWS,
    Bench,
    counts,
    figures,
    materialized_view,
    of,
    positive,
    source,
    streaming_table,
    temporary_view,
)
from tidegate.model.verdict import NullPolicy
from tidegate.transpiler.runtime.gates import Gate, counted, decoded, guarded
from tidegate.transpiler.runtime.spec import Rule

pytestmark = pytest.mark.spark

KINDS = {"m": materialized_view, "s": streaming_table}
TABLES = pytest.mark.parametrize("kind", list(KINDS))

RULES = {
    "warn": [positive("warn")],
    "drop": [positive("drop")],
    "fail": [positive("fail")],
    "both": [Rule("present", "fail", "amount IS NOT NULL"), positive("drop")],
    "many": [Rule(f"r{n}", "warn", f"id > {n}") for n in range(13)] + [positive("fail")],
    "ratio": [positive("warn"), Rule("ratio", "warn", "10 / amount > 1")],
}


@pytest.fixture(scope="module")
def ran(spark, tmp_path_factory):
    """One run of every set of rules on every kind of table, over the same four rows."""
    bench = Bench(spark, tmp_path_factory.mktemp("gates"))
    bench.write("orders/a.csv", FOUR_ROWS)
    tables = [
        make(f"{name}_{kind}", rules=rules)
        for name, rules in RULES.items()
        for kind, make in KINDS.items()
    ]
    return bench, bench.run(*tables)


@TABLES
def test_warn_counts_and_keeps_every_row(ran, kind):
    bench, outcome = ran
    assert figures(outcome, f"warn_{kind}") == {"positive": (1, 3, 1)}
    assert counts(outcome, f"warn_{kind}") == (4, 4, 0)
    assert len(bench.rows(f"default.warn_{kind}")) == 4


@TABLES
def test_drop_keeps_the_one_row_that_passes(ran, kind):
    bench, outcome = ran
    assert figures(outcome, f"drop_{kind}") == {"positive": (1, 3, 1)}
    assert counts(outcome, f"drop_{kind}") == (4, 1, 3)
    assert bench.rows(f"default.drop_{kind}") == [(1, 10)]


@TABLES
def test_fail_writes_nothing_and_names_rule_counts_and_rows(ran, kind):
    bench, outcome = ran
    assert of(outcome, f"fail_{kind}").status == "FAILED"
    assert counts(outcome, f"fail_{kind}") == (4, 0, 0)
    (broken,) = of(outcome, f"fail_{kind}").violations
    assert (broken.name, broken.predicate) == ("positive", "amount > 0")
    assert (broken.failed, broken.null) == (3, 1)
    assert broken.rows == [
        '{"id":2,"amount":null}',
        '{"id":3,"amount":-5}',
        '{"id":4,"amount":0}',
    ]
    assert bench.rows(f"default.fail_{kind}") == []


@TABLES
def test_fail_sees_the_rows_that_drop_removes(ran, kind):
    bench, outcome = ran
    broken = of(outcome, f"both_{kind}").violations
    assert [(each.name, each.failed) for each in broken] == [("present", 1)]
    assert bench.rows(f"default.both_{kind}") == []


@TABLES
def test_fail_among_many_rules_writes_nothing(ran, kind):
    bench, outcome = ran
    broken = of(outcome, f"many_{kind}").violations
    assert [(each.name, each.failed, each.null) for each in broken] == [("positive", 3, 1)]
    assert bench.rows(f"default.many_{kind}") == []


@TABLES
def test_a_predicate_that_raises_is_named_and_nothing_is_written(ran, kind):
    bench, outcome = ran
    assert of(outcome, f"ratio_{kind}").error.startswith("expectation `ratio`: Division by zero")
    assert bench.rows(f"default.ratio_{kind}") == []


def test_a_broken_fail_rule_gives_one_and_any_other_failure_two(ran):
    _, outcome = ran
    assert (outcome.status, outcome.exit_code) == ("FAILED", 2)
    others = [each for each in outcome.datasets if not each.name.startswith("default.ratio")]
    assert msgspec.structs.replace(outcome, datasets=others).exit_code == 1


@TABLES
def test_null_passes_where_the_policy_says_so(bench, kind):
    bench.write("orders/a.csv", FOUR_ROWS)
    table = KINDS[kind]("t", rules=[positive("drop")])
    outcome = bench.run(table, null_policy=NullPolicy.PASS)
    assert figures(outcome, "t") == {"positive": (2, 2, 1)}
    assert bench.rows("default.t") == [(1, 10), (2, None)]


def test_fail_is_spared_the_rows_that_drop_removes_where_that_is_chosen(bench):
    bench.write("orders/a.csv", FOUR_ROWS)
    rules = [
        Rule("present", "fail", "amount IS NOT NULL"),
        Rule("large", "warn", "amount > 100"),
        positive("drop"),
    ]
    outcome = bench.run(streaming_table("t", rules=rules), fail_sees_dropped=False)
    assert outcome.exit_code == 0
    assert figures(outcome, "t") == {
        "present": (1, 0, 0),
        "large": (0, 1, 0),
        "positive": (1, 3, 1),
    }
    assert bench.rows("default.t") == [(1, 10)]


def test_a_refresh_that_fails_keeps_the_rows_of_the_one_before(bench):
    table = materialized_view("t", rules=[positive("fail")])
    file = bench.write("orders/a.csv", "id,amount\n1,10\n")
    bench.run(table)
    file.write_text(FOUR_ROWS, encoding="utf-8")
    assert bench.run(table).exit_code == 1
    assert bench.rows("default.t") == [(1, 10)]


def test_all_broken_fail_rules_are_named(bench):
    bench.write("orders/a.csv", FOUR_ROWS)
    rules = [
        positive("fail"),
        Rule("low", "fail", "id < 4"),
        Rule("sane", "fail", "id > 0"),
        Rule("odd", "warn", "id % 2 = 1"),
    ]
    outcome = bench.run(materialized_view("t", rules=rules))
    assert [(v.name, v.failed) for v in of(outcome, "t").violations] == [
        ("positive", 3),
        ("low", 1),
    ]


def test_hidden_columns_are_redacted_in_offending_rows(bench):
    bench.write("orders/a.csv", FOUR_ROWS)
    outcome = bench.run(materialized_view("t", rules=[positive("fail")]), redact=("ID",))
    assert of(outcome, "t").violations[0].rows[0] == '{"id":"***","amount":-5}'


def test_a_predicate_may_end_in_a_comment(bench):
    bench.write("orders/a.csv", FOUR_ROWS)
    rules = [Rule("positive", "drop", "amount > 0 -- that is paid")]
    assert counts(bench.run(materialized_view("t", rules=rules)), "t") == (4, 1, 3)


def test_a_broken_predicate_is_named(bench):
    bench.write("orders/a.csv", FOUR_ROWS)
    rules = [positive("warn"), Rule("lost", "warn", "nowhere > 0")]
    outcome = bench.run(materialized_view("t", rules=rules))
    assert outcome.exit_code == 2
    assert "expectation `lost`" in of(outcome, "t").error
    assert "`nowhere`" in of(outcome, "t").error


def test_a_query_that_raises_is_told_in_one_sentence(bench):
    bench.write("orders/a.csv", FOUR_ROWS)
    outcome = bench.run(materialized_view("t", "SELECT 1 / amount AS x FROM src WHERE id = 4"))
    assert outcome.exit_code == 2
    assert of(outcome, "t").error.startswith("Division by zero")
    assert "\n" not in of(outcome, "t").error


def test_a_value_missing_from_a_not_null_column_fails_the_dataset(bench):
    from tidegate.transpiler.runtime.spec import Column

    bench.write("orders/a.csv", FOUR_ROWS)
    columns = (Column("id", "INT"), Column("amount", "INT", not_null=True))
    outcome = bench.run(materialized_view("t", columns=columns))
    assert of(outcome, "t").error == "column `amount` is NOT NULL but a row has no value for it"
    assert bench.rows("default.t") == []


VALUES = st.lists(
    st.tuples(st.integers(-3, 3) | st.none(), st.integers(-3, 3) | st.none()), max_size=30
)
RULE_SETS = st.lists(
    st.tuples(
        st.sampled_from(["a > {n}", "b <= {n}", "a = b", "a IS NOT NULL OR b > {n}", "b IN ({n})"]),
        st.integers(-2, 2),
        st.sampled_from(["warn", "drop"]),
    ),
    min_size=1,
    max_size=20,
)


def _python_verdict(text: str, a: int | None, b: int | None, n: int) -> bool | None:
    match text:
        case "a > {n}":
            return None if a is None else a > n
        case "b <= {n}":
            return None if b is None else b <= n
        case "a = b":
            return None if a is None or b is None else a == b
        case "b IN ({n})":
            return None if b is None else b == n
        case _:
            return True if a is not None else (None if b is None else b > n)


@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(values=VALUES, rules=RULE_SETS, policy=st.sampled_from(NullPolicy), sees=st.booleans())
def test_figures_equal_plain_counts(spark, values, rules, policy, sees):
    made = tuple(
        Rule(f"r{i}", action, text.format(n=n)) for i, (text, n, action) in enumerate(rules)
    )
    gate = Gate("t", made, policy, sees)
    frame = spark.createDataFrame(values, "a INT, b INT")
    breaks = [
        [
            verdict is False or (verdict is None and policy is NullPolicy.VIOLATION)
            for text, n, _ in rules
            for verdict in [_python_verdict(text, a, b, n)]
        ]
        for a, b in values
    ]
    dropped = [
        any(broken for broken, (_, _, action) in zip(row, rules, strict=True) if action == "drop")
        for row in breaks
    ]
    found = counted(frame, gate)
    assert (found.rows_read, found.rows_dropped) == (len(values), sum(dropped))
    for i, (text, n, action) in enumerate(rules):
        rows = [at for at in range(len(values)) if sees or action == "drop" or not dropped[at]]
        failed = sum(breaks[at][i] for at in rows)
        null = sum(_python_verdict(text, *values[at], n) is None for at in rows)
        rule = found.rules[i]
        assert (rule.passed, rule.failed, rule.null) == (len(rows) - failed, failed, null)
    observation = Observation()
    kept = guarded(frame, gate, observation).collect()
    assert decoded(observation.get, gate) == found
    assert len(kept) == found.rows_kept


def test_many_rules_are_judged_through_codes(bench):
    bench.write("orders/a.csv", FOUR_ROWS)
    rules = [Rule(f"r{n}", "warn", f"amount > {n - 8}") for n in range(19)]
    rules += [positive("drop")]
    outcome = bench.run(materialized_view("t", rules=rules))
    found = figures(outcome, "t")
    assert found["r0"] == (3, 1, 1)
    assert found["r8"] == (1, 3, 1)
    assert found["r18"] == (0, 4, 1)
    assert counts(outcome, "t") == (4, 1, 3)


def test_a_drop_rule_that_is_always_false_still_counts(bench):
    bench.write("orders/a.csv", FOUR_ROWS)
    outcome = bench.run(materialized_view("t", rules=[Rule("never", "drop", "false")]))
    assert figures(outcome, "t") == {"never": (0, 4, 0)}
    assert counts(outcome, "t") == (4, 0, 4)


def test_a_rule_on_a_view_counts_once_and_drops_for_its_consumers(bench):
    bench.write("orders/a.csv", FOUR_ROWS)
    outcome = bench.run(
        temporary_view("v", rules=[positive("drop")]),
        materialized_view("t", "SELECT * FROM v", reads=[source("default.v", view="v")]),
        materialized_view("u", "SELECT id FROM v", reads=[source("default.v", view="v")]),
    )
    assert figures(outcome, "v") == {"positive": (1, 3, 1)}
    assert (counts(outcome, "v"), counts(outcome, "t")) == ((4, 1, 3), (1, 1, 0))
    assert bench.rows("default.u") == [(1,)]
