"""Values for ``${name}``: where they come from, and names that no list holds."""

import pytest

from tidegate.grammar.parser import parse
from tidegate.model.binding import bind
from tidegate.model.binding_settings import BindSettings
from tidegate.model.pipeline import Action, Pipeline
from tidegate.source.text import SourceFile

VIEW = "CREATE MATERIALIZED VIEW ${env}_t AS SELECT * FROM raw.t WHERE a > '${low}' -- ${gone}\n;"


def bound(text: str, **settings: object) -> Pipeline:
    return bind([parse(SourceFile(path="x.sql", text=text))], BindSettings(**settings))


def unlisted(text: str, **settings: object) -> list[str]:
    pipeline = bound(text, **settings)
    return [text[f.fault.span.start : f.fault.span.end] for f in pipeline.faults]


def name_of(text: str, **settings: object) -> str:
    return bound(text, **settings).datasets[-1].name.name


def test_a_value_of_the_call_wins_over_set_and_set_over_the_configuration():
    configured = {"env": "configured"}
    assert name_of(VIEW, variables=configured) == "configured_t"
    assert name_of("SET env = set;" + VIEW, variables=configured) == "set_t"
    given = {"env": "given"}
    assert name_of("SET env = set;" + VIEW, variables=configured, given=given) == "given_t"


def test_without_a_list_of_parameters_every_name_may_stand():
    assert unlisted(VIEW) == []


def test_a_name_that_the_list_lacks_is_named_where_it_stands():
    assert unlisted(VIEW, parameters=frozenset({"env"})) == ["${low}"]
    assert unlisted(VIEW, parameters=frozenset()) == ["${env}", "${low}"]


@pytest.mark.parametrize(
    "settings", [{"given": {"low": "1"}}, {"variables": {"low": "1"}}, {"parameters": {"low"}}]
)
def test_a_name_that_something_gives_is_none_of_them(settings):
    settings = {"parameters": frozenset(), **settings}
    settings["parameters"] = frozenset({"env", *settings["parameters"]})
    assert unlisted(VIEW, **settings) == []


def test_a_set_above_gives_a_name_and_one_below_does_not():
    listed = frozenset({"env"})
    assert unlisted("SET low = 1;" + VIEW, parameters=listed) == []
    assert unlisted(VIEW + "SET low = 1;", parameters=listed) == ["${low}"]


def test_names_of_the_engine_are_its_own_business():
    text = "CREATE VIEW v AS SELECT '${spark.app.name}', '${env:HOME}';"
    assert unlisted(text, parameters=frozenset()) == []


def test_the_name_that_was_probably_meant_is_suggested():
    (located,) = bound(
        "CREATE VIEW ${scheme}.v AS SELECT 1", parameters=frozenset({"schema"})
    ).faults
    assert located.fault.help.startswith("did you mean `${schema}`? Else give it a value under")


def test_the_value_of_a_placeholder_is_an_action():
    text = (
        "CREATE MATERIALIZED VIEW m (CONSTRAINT c EXPECT (a > 0) ON VIOLATION ${act}) AS SELECT 1"
    )
    dropping = bound(text, variables={"act": "drop row"}).datasets[0].expectations
    assert [each.action for each in dropping] == [Action.DROP]
    assert [each.action for each in bound(text).datasets[0].expectations] == [None]
