"""One mistake costs one expectation at most, and is told once."""

import os
import random

import pytest
from mutations import Figures, measure, mutant

SEED = int(os.environ.get("TIDEGATE_SEED", "20261"))


def figures(seed: int, count: int) -> Figures:
    chance = random.Random(seed)
    found = measure([mutant(chance) for _ in range(count)])
    print(f"seed {seed}: {found}")
    return found


def hold(found: Figures) -> None:
    assert found.others_share >= 0.99
    assert found.own_share >= 0.90
    assert found.faults_per_error <= 1.5


def test_one_mistake_leaves_the_other_expectations():
    hold(figures(SEED, 400))


@pytest.mark.long
def test_one_mistake_leaves_the_other_expectations_at_length():
    hold(figures(SEED + 1, 20_000))


def test_most_mistakes_are_noticed():
    """What stays unnoticed is legal text, a missing last terminator for one."""
    found = figures(SEED, 400)
    assert found.detected / found.cases >= 0.8


def test_no_kind_of_mistake_is_worse_than_the_floors():
    for kind, (cases, others, own, faults) in figures(SEED, 1000).kinds.items():
        assert (kind, others) == (kind, 0)
        assert own <= cases * 0.1, kind
        assert faults <= cases * 1.5, kind
