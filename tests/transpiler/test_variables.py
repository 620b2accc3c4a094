import pytest

from tidegate.transpiler.runtime.failures import Refusal
from tidegate.transpiler.runtime.spec import Dataset, FileRead, Pipeline, Read, Rule
from tidegate.transpiler.runtime.variables import parse_value, with_values

OPEN = Pipeline(
    datasets=(
        Dataset(
            name="${env}.orders",
            path=("${env}", "orders"),
            kind="materialized_view",
            query="SELECT * FROM t WHERE d > ${low}",
            reads=(
                Read("t", "${env}.t"),
                FileRead("files", "/in/${env}", None, (("sep", "${s}"),)),
            ),
            rules=(Rule("keep_${env}", "warn", "a > ${low}"),),
        ),
    ),
    variables=("env", "low", "s"),
)


def test_values_are_put_in_everywhere_but_into_names_of_rules():
    (dataset,) = with_values(OPEN, {"env": "dev.b", "low": "'2020'", "s": ";"}).datasets
    assert (dataset.name, dataset.path) == ("dev.b.orders", ("dev", "b", "orders"))
    assert dataset.query == "SELECT * FROM t WHERE d > '2020'"
    assert dataset.reads == (
        Read("t", "dev.b.t"),
        FileRead("files", "/in/dev.b", None, (("sep", ";"),)),
    )
    assert dataset.rules == (Rule("keep_${env}", "warn", "a > '2020'"),)


def test_a_value_that_stands_for_a_literal_loses_its_quotes():
    read = FileRead("files", "${in}", None, (("sep", "${s}"),), "${schema}")
    pipeline = Pipeline((Dataset("a", ("a",), "materialized_view", "q", (read,)),))
    values = {"in": "'/data'", "s": '";"', "schema": "a INT"}
    (filled,) = with_values(pipeline, values).datasets[0].reads
    assert filled == FileRead("files", "/data", None, (("sep", ";"),), "a INT")


def test_every_missing_value_is_named():
    with pytest.raises(Refusal) as refusal:
        with_values(OPEN, {"env": "dev"})
    assert refusal.value.message == "`${low}`, `${s}` have no value"


def test_a_value_may_be_empty_and_may_hold_an_equals_sign():
    assert parse_value("a=") == ("a", "")
    assert parse_value("a=b=c") == ("a", "b=c")


@pytest.mark.parametrize("text", ["a", "=b", " =b"])
def test_a_value_needs_a_name(text):
    with pytest.raises(Refusal):
        parse_value(text)
