"""Rules that visit datasets and the pipeline, which the index knows by their kinds alone."""

from collections.abc import Iterator

import pytest
from checking import check, under

from tidegate.linter import engine
from tidegate.linter.context import Context
from tidegate.linter.registry import RuleEntry
from tidegate.linter.rule import Category, Rule
from tidegate.linter.settings import LintSettings
from tidegate.model.pipeline import Dataset, Pipeline
from tidegate.source.diagnostic import Diagnostic, Severity


class LastDataset(Rule[Pipeline]):
    """Reports the last dataset of a pipeline, in the file where it stands."""

    code, category, severity = "G901", Category.STYLE, Severity.INFO

    def check(self, node: Pipeline, ctx: Context) -> Iterator[Diagnostic]:
        last = node.datasets[-1]
        yield self.at(last.statement.name.span, "the last one", path=last.source.path)


class EachDataset(Rule[Dataset]):
    """Reports every dataset, views as errors."""

    code, category, severity = "G902", Category.STYLE, Severity.INFO

    def check(self, node: Dataset, ctx: Context) -> Iterator[Diagnostic]:
        severity = Severity.ERROR if "view" in node.kind.value else None
        yield self.at(node.statement.name.span, f"it is {node.name.full}", severity=severity)


def entry(rule: type[Rule], kind: str, **fields: object) -> RuleEntry:
    return RuleEntry(
        name=rule.name,
        code=rule.code,
        category=rule.category.value,
        severity=rule.severity,
        kinds=(kind,),
        **fields,
    )


@pytest.fixture
def only(monkeypatch: pytest.MonkeyPatch):
    """Put a rule in the place of all others."""

    def put(rule: type[Rule], kind: str, **fields: object) -> None:
        monkeypatch.setattr(engine, "entries", lambda: {rule.name: entry(rule, kind, **fields)})
        monkeypatch.setattr(engine, "load_rule", lambda entry: rule())

    return put


FIRST = under("a > 0")
SECOND = "CREATE MATERIALIZED VIEW v AS SELECT 1 AS n;\n"


def test_a_rule_over_the_pipeline_reports_in_the_file_it_names(only):
    only(LastDataset, "Pipeline")
    (found,) = check(FIRST, SECOND)
    assert (found.path, found.name, found.message) == ("file_2.sql", "last-dataset", "the last one")


def test_a_rule_over_datasets_sees_each_with_its_name(only):
    only(EachDataset, "Dataset")
    found = check(FIRST, SECOND)
    assert [each.message for each in found] == ["it is default.t", "it is default.v"]
    assert [each.dataset for each in found] == ["default.t", "default.v"]
    assert [each.constraint for each in found] == [None, None]


def test_a_severity_of_its_own_stays_unless_it_is_configured(only):
    only(EachDataset, "Dataset")
    assert [each.severity for each in check(FIRST, SECOND)] == [Severity.INFO, Severity.ERROR]
    settings = LintSettings(severities={"G902": Severity.WARNING})
    found = check(FIRST, SECOND, settings=settings)
    assert [each.severity for each in found] == [Severity.WARNING, Severity.WARNING]


def test_the_strict_profile_can_raise_a_severity(only):
    only(EachDataset, "Dataset", severity_strict=Severity.WARNING)
    (found,) = check(FIRST, settings=LintSettings(profile="strict"))
    assert found.severity is Severity.WARNING


def test_a_rule_that_is_off_runs_when_it_is_selected(only):
    only(EachDataset, "Dataset", on_by_default=False)
    assert check(FIRST) == []
    assert len(check(FIRST, settings=LintSettings(extend_select=("G9",)))) == 1


def test_a_rule_runs_only_where_one_of_its_words_stands(only):
    only(EachDataset, "Dataset", triggers=("materialized",))
    assert [each.path for each in check(FIRST, SECOND)] == ["file_2.sql"]


def test_a_repeated_finding_is_shown_once(only):
    class Twice(EachDataset):
        """Says everything twice."""

        def check(self, node: Dataset, ctx: Context) -> Iterator[Diagnostic]:
            yield from super().check(node, ctx)
            yield from super().check(node, ctx)

    only(Twice, "Dataset")
    assert len(check(FIRST)) == 1
