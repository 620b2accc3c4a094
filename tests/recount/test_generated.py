"""A pipeline that nobody wrote, drawn from a seed, against its recount."""

from __future__ import annotations

import pytest

from recount.counting import multiset
from recount.generated import Generated, generate
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


def run_generated(pipeline: Generated, folder) -> tuple[Run, object]:
    print(f"seed {pipeline.seed}")
    folder.mkdir(exist_ok=True)
    sources, inputs = pipeline.write(folder)
    warehouse = folder / "warehouse"
    return run_pipeline(*sources, warehouse=warehouse, inputs=inputs), warehouse


def check_whole_run(seed: int, folder) -> None:
    pipeline = generate(seed)
    run, warehouse = run_generated(pipeline, folder)
    assert run.exit_code == 0, run.document["errors"]
    assert_envelope(run, "COMPLETED")
    assert_figures(run, [each.counted for each in pipeline.datasets])
    tables = read_tables(warehouse, [each.name for each in pipeline.tables])
    assert_rows(tables, {each.name: multiset(each.counted.kept) for each in pipeline.tables})


def test_one_seed_gives_one_pipeline():
    first, second = generate(SEED), generate(SEED)
    assert [each.sql for each in first.datasets] == [each.sql for each in second.datasets]
    assert [each.rows for each in first.datasets] != []


def test_the_pipeline_of_the_normal_run_has_every_action_on_every_kind():
    seen = {(each.kind, rule.action) for each in generate(SEED).datasets for rule, _ in each.rules}
    assert len(seen) == 9


@pytest.mark.spark
def test_every_figure_and_row_of_a_generated_pipeline_equals_the_recount(tmp_path):
    check_whole_run(SEED, tmp_path)


@pytest.mark.spark
@pytest.mark.long
@pytest.mark.parametrize("seed", MORE_SEEDS)
def test_every_figure_and_row_of_many_generated_pipelines_equals_the_recount(tmp_path, seed):
    check_whole_run(seed, tmp_path)
