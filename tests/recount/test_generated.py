"""A pipeline that nobody wrote, drawn from a seed, against its recount."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from recount.counting import multiset, recount
from recount.drawn import Drawn, Generated
from recount.generated import generate
from recount.observed import (
    Run,
    assert_envelope,
    assert_figures,
    assert_rows,
    read_tables,
    run_pipeline,
)

SEED = 7
MORE_SEEDS = range(100, 112)
NOTHING = {
    "status": "SKIPPED",
    "rows_read": None,
    "rows_written": None,
    "rows_dropped": None,
    "rows_quarantined": 0,
}
UNJUDGED = {"passed": None, "failed": None, "null": None}


def run_generated(pipeline: Generated, folder: Path) -> tuple[Run, Path]:
    print(f"seed {pipeline.seed}")
    sources, inputs = pipeline.write(folder)
    warehouse = folder / "warehouse"
    return run_pipeline(*sources, warehouse=warehouse, inputs=inputs), warehouse


def check_whole_run(spark, seed: int, folder: Path) -> None:
    pipeline = generate(seed)
    run, warehouse = run_generated(pipeline, folder)
    assert run.exit_code == 0, run.document["errors"]
    assert_envelope(run, "COMPLETED")
    assert_figures(run, [each.counted for each in pipeline.datasets])
    tables = read_tables(spark, warehouse, [each.name for each in pipeline.tables])
    assert_rows(tables, {each.name: multiset(each.counted.kept) for each in pipeline.tables})


def check_broken_run(spark, broken: str, folder: Path) -> None:
    pipeline = generate(SEED, broken)
    victim = next(each for each in pipeline.datasets if each.counted.figures["status"] == "FAILED")
    skipped = pipeline.dependents(victim.name)
    run, warehouse = run_generated(pipeline, folder)
    assert run.exit_code == 1, run.document["errors"]
    assert_envelope(run, "FAILED")
    assert_figures(
        run,
        [
            replace(each.counted, figures=unstarted(each, victim))
            if each.name in skipped
            else each.counted
            for each in pipeline.datasets
        ],
    )
    assert run.datasets[victim.name]["violations"] == victim.violations
    assert [each["dataset"] for each in run.document["errors"]] == [victim.name]
    rule = victim.violations[0]["name"]
    assert rule in run.datasets[victim.name]["error"]
    assert rule in run.document["errors"][0]["message"]
    silent = {victim.name, *skipped}
    tables = [each for each in pipeline.tables if each.name not in silent]
    assert_rows(
        read_tables(spark, warehouse, [each.name for each in tables]),
        {each.name: multiset(each.counted.kept) for each in tables},
    )
    for each in pipeline.tables:
        if each.name in silent and warehouse.joinpath(*each.name.split(".")).exists():
            assert read_tables(spark, warehouse, [each.name])[each.name].total() == 0


def unstarted(skipped: Drawn, victim: Drawn) -> dict[str, object]:
    """Give the figures of a dataset that did not run because another failed."""
    rules = [each.rule for each in skipped.rules]
    if skipped.kind == "streaming_table" and victim.kind == "temporary_view":
        # Rows of a view that streams are judged by its reader, which ends without having read any.
        nothing = recount(skipped.name, skipped.kind, [], rules).figures
        return nothing | {"status": "SKIPPED"}
    unjudged = [{"name": each.name, "action": each.action} | UNJUDGED for each in rules]
    return NOTHING | {"expectations": unjudged}


def test_one_seed_gives_one_pipeline():
    first, second = generate(SEED), generate(SEED)
    assert [each.sql for each in first.datasets] == [each.sql for each in second.datasets]
    assert str(first.inputs) == str(second.inputs)


def test_the_pipeline_of_the_normal_run_has_every_action_on_every_kind():
    seen = {
        (each.kind, rule.action) for each in generate(SEED).datasets for rule, _, _ in each.rules
    }
    assert len(seen) == 9


def test_one_dataset_has_more_rules_than_are_counted_one_by_one():
    assert max(len(each.rules) for each in generate(SEED).datasets) > 12


@pytest.mark.spark
def test_every_figure_and_row_of_a_generated_pipeline_equals_the_recount(spark, tmp_path):
    check_whole_run(spark, SEED, tmp_path)


@pytest.mark.spark
def test_a_broken_fail_rule_of_a_stream_writes_nothing_and_skips_its_readers(spark, tmp_path):
    check_broken_run(spark, "streaming_table", tmp_path)


@pytest.mark.spark
@pytest.mark.long
@pytest.mark.parametrize("broken", ["materialized_view", "temporary_view", "default.fresh_rows"])
def test_a_broken_fail_rule_of_a_view_writes_nothing_and_skips_its_readers(spark, tmp_path, broken):
    check_broken_run(spark, broken, tmp_path)


@pytest.mark.spark
@pytest.mark.long
@pytest.mark.parametrize("seed", MORE_SEEDS)
def test_every_figure_and_row_of_many_generated_pipelines_equals_the_recount(spark, tmp_path, seed):
    check_whole_run(spark, seed, tmp_path)
