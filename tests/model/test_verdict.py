import itertools

import pytest

from tidegate.model.verdict import NullPolicy, enclosed, is_null, satisfied, violated


def test_a_null_verdict_violates_unless_the_policy_lets_it_pass():
    assert violated("a > 0", NullPolicy.VIOLATION) == "(a > 0) IS NOT TRUE"
    assert violated("a > 0", NullPolicy.PASS) == "(a > 0) IS FALSE"


def test_satisfied_is_the_opposite_of_violated_and_never_null():
    assert satisfied("a > 0", NullPolicy.VIOLATION) == "(a > 0) IS TRUE"
    assert satisfied("a > 0", NullPolicy.PASS) == "(a > 0) IS NOT FALSE"


def test_null_is_asked_of_the_whole_predicate():
    assert is_null("a OR b") == "(a OR b) IS NULL"


@pytest.mark.parametrize("predicate", ["a > 0 -- why", "a > 0 -- why \\", "'--' = a"])
def test_a_comment_at_the_end_cannot_swallow_the_parenthesis(predicate):
    text = enclosed(predicate)
    assert text.endswith("\n)")
    assert not text[:-2].endswith("\\")


@pytest.mark.spark
def test_spark_agrees_on_all_verdicts(spark):
    asked = [
        f"{question('v', policy)} AS {question.__name__}_{policy.value}"
        for question, policy in itertools.product((violated, satisfied), NullPolicy)
    ]
    rows = spark.createDataFrame([(True,), (False,), (None,)], "v boolean").selectExpr("v", *asked)
    found = {row["v"]: row.asDict() for row in rows.collect()}
    expected = {
        True: {"violation": False, "pass": False},
        False: {"violation": True, "pass": True},
        None: {"violation": True, "pass": False},
    }
    for value, by_policy in expected.items():
        for policy, breaks in by_policy.items():
            assert found[value][f"violated_{policy}"] is breaks
            assert found[value][f"satisfied_{policy}"] is not breaks
