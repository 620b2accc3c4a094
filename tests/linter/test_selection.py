import pytest

from tidegate.linter.registry import entries
from tidegate.linter.selection import select, unknown_selectors
from tidegate.linter.settings import LintSettings
from tidegate.source.diagnostic import Severity

ALL = entries().values()


def active(**settings: object) -> set[str]:
    return set(select(ALL, LintSettings(**settings)))


def test_without_a_choice_the_default_rules_run():
    assert active() == {entry.name for entry in ALL if entry.on_by_default}


@pytest.mark.parametrize("selector", ["null-comparison", "P301", "p301", " P301 "])
def test_a_name_or_a_code_selects_one_rule(selector):
    assert active(select=(selector,)) == {"null-comparison"}


@pytest.mark.parametrize("selector", ["N", "n", "N1", "N10"])
def test_the_start_of_a_code_selects_a_group(selector):
    assert active(select=(selector,)) == {"counter-name", "volatile-name", "duplicate-name"}


def test_a_category_selects_its_rules():
    assert active(select=("suspicious",)) == {"counter-name", "volatile-name"}


def test_ignore_takes_away():
    assert "counter-name" not in active(ignore=("N101",))
    assert "volatile-name" in active(ignore=("N101",))


def test_the_more_specific_selector_decides():
    assert active(select=("N",), ignore=("N101",)) == {"volatile-name", "duplicate-name"}
    assert active(select=("N101",), ignore=("N",)) == {"counter-name"}


def test_between_equals_ignore_wins():
    assert "counter-name" not in active(select=("N101",), ignore=("counter-name",))


def test_extending_keeps_the_default_rules():
    assert active(extend_select=("N101",)) == active()


def test_all_selects_everything():
    assert active(select=("ALL",)) == {entry.name for entry in ALL}


def test_a_selector_that_matches_nothing_is_reported_with_the_name_meant():
    assert unknown_selectors(["N", "counter-nam", "Z9"], ALL) == {
        "counter-nam": "counter-name",
        "Z9": None,
    }


def test_a_configured_severity_wins():
    severities = {"counter-name": Severity.ERROR}
    assert select(ALL, LintSettings(severities=severities))["counter-name"] is Severity.ERROR


def test_a_python_function_is_a_warning_where_only_spark_is_a_target():
    def severity(*targets: str) -> Severity:
        return select(ALL, LintSettings(targets=targets))["python-udf-in-expectation"]

    assert severity("lakeflow") is Severity.ERROR
    assert severity("spark-4.2", "delta") is Severity.WARNING
    assert severity("spark-4.2", "lakeflow") is Severity.ERROR
