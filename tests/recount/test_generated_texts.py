"""Drawn pipelines as text: every rule of every dataset is found, as it was written."""

from __future__ import annotations

import pytest

from recount.generated import generate
from tidegate.project.configs import Configs
from tidegate.project.pipeline import open_pipeline
from tidegate.project.planning import Overrides, plan_pipeline


@pytest.mark.parametrize("seed", range(201, 213))
def test_a_plan_holds_every_rule_that_was_drawn(tmp_path, seed):
    pipeline = generate(seed)
    sources, _ = pipeline.write(tmp_path)
    opened = open_pipeline([str(path) for path in sources], None, Configs(isolated=True))
    planned = plan_pipeline(opened, Overrides())
    assert planned.faults == ()
    assert planned.losses == ()
    assert {
        (dataset.name, gate.name, gate.action.value, without_last_comment(gate.predicate))
        for dataset in planned.plan.datasets
        for gate in dataset.gates
    } == {
        (drawn.name, each.rule.name, each.rule.action, each.predicate)
        for drawn in pipeline.datasets
        for each in drawn.rules
    }


def without_last_comment(predicate: str) -> str:
    return predicate.removesuffix("-- the end)").rstrip()
