"""A run killed anywhere and run again gives what an undisturbed run gives, figures included."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from runner.killed_run import FILES, datasets
from runner.pipelines import Bench
from tidegate.transpiler.runtime.figures import totals

pytestmark = pytest.mark.spark

TABLES = ("a", "b", "c", "d")
DATASETS = ("a", "v", "b", "c", "w", "d")


class Kill(NamedTuple):
    """Where a run ends: how many times the point is reached, and how long after it."""

    point: str
    dataset: str = ""
    times: int = 1
    delay: float = 0


ONCE = [
    Kill("lock taken"),
    Kill("dataset started", "a"),
    Kill("table ready", "a"),
    Kill("checkpoint ready", "a"),
    Kill("stream started", "a"),
    Kill("stream ended", "a"),
    Kill("dataset ended", "a"),
    Kill("table ready", "c"),
    Kill("before data", "c"),
    Kill("before data", "c", delay=0.1),
    Kill("before data", "c", delay=0.3),
    Kill("after data", "c"),
    Kill("before figures", "c"),
    Kill("after figures", "c"),
    Kill("view judged", "w"),
    Kill("before run record"),
    Kill("after run record"),
]
IN_A_BATCH = [
    ("batch entered", 0),
    ("before data", 0),
    ("before data", 0.1),
    ("before data", 0.3),
    ("after data", 0),
    ("before figures", 0),
    ("after figures", 0),
    ("after figures", 0.02),
]
POINTS = [
    *ONCE,
    *(Kill(point, "a", times, delay) for point, delay in IN_A_BATCH for times in (1, 3)),
    *(Kill("views judged", "b", times) for times in (1, 2)),
    *(Kill("after data", "b", times) for times in (1, 2)),
    Kill("before figures", "b", 2),
]
SHORT = [
    Kill("after data", "a", 2),
    Kill("before data", "b", 2, delay=0.15),
    Kill("after data", "c"),
]
CHAIN = [
    Kill("after data", "a", 1),
    Kill("before figures", "a", 2),
    Kill("views judged", "b", 1),
    Kill("after data", "b", 1),
    Kill("before data", "c", 1, 0.2),
]
ON_PARQUET = [
    Kill("before data", "a", 1, 0.1),
    Kill("after data", "a", 2),
    Kill("before data", "a", 3, 0.2),
    Kill("after data", "b", 1),
    Kill("before data", "c", 1, 0.2),
    Kill("after data", "c", 1),
]
ALONE = [
    Kill("before data", "a", 2, 0.1),
    Kill("after data", "a", 1),
    Kill("before data", "c"),
]
REFRESH = [Kill("lock taken"), Kill("table emptied", "b"), Kill("after data", "b", 2)]


def killed(bench: Bench, kill: Kill, refresh: str = "", victims: str = "jvm python") -> str:
    """Run in a process that is killed, and give what it said; it must not come to its end."""
    here = Path(__file__).parent
    path = os.pathsep.join([str(here.parent), str(here.parent.parent)])
    command = [
        sys.executable, str(here / "killed_run.py"), str(bench.root), bench.storage,
        kill.point, kill.dataset, str(kill.times), str(kill.delay), refresh, *victims.split(),
    ]  # fmt: skip
    done = subprocess.run(
        command, env={**os.environ, "PYTHONPATH": path}, capture_output=True, check=False
    )
    said = done.stderr.decode()
    assert done.returncode == (-signal.SIGKILL if "python" in victims else 1), said[-2000:]
    return said


def state(bench: Bench) -> dict[str, object]:
    """All rows of all tables, and the stored figures of all datasets."""
    rows = {name: bench.rows(f"default.{name}") for name in TABLES}
    return rows | {
        f"totals of {name}": totals(bench.warehouse, f"default.{name}") for name in DATASETS
    }


@pytest.fixture(scope="module")
def undisturbed(spark, tmp_path_factory):
    return state(_completed(Bench(spark, tmp_path_factory.mktemp("undisturbed"))))


def _prepared(bench: Bench) -> Bench:
    for place, text in FILES.items():
        bench.write(place, text)
    return bench


def _completed(bench: Bench) -> Bench:
    outcome = _prepared(bench).run(*datasets(bench.root))
    assert outcome.exit_code == 0, outcome.errors
    return bench


def test_the_undisturbed_run_is_what_plain_counting_gives(undisturbed):
    assert undisturbed["a"] == [(1, 10), (5, 50), (7, 7), (9, 90)]
    assert undisturbed["c"] == [(1, 20), (7, 14)]
    assert undisturbed["d"] == [(157,)]
    assert undisturbed["totals of v"]["expectations"][0] == {
        "name": "present", "action": "drop", "passed": 7, "failed": 2, "null": 0
    }  # fmt: skip


def test_runs_killed_one_after_the_other_are_made_good_by_the_next(bench, undisturbed):
    _prepared(bench)
    for kill in SHORT:
        killed(bench, kill)
    assert state(_completed(bench)) == undisturbed


@pytest.mark.long
@pytest.mark.parametrize("kill", POINTS, ids=str)
def test_a_run_killed_anywhere_is_made_good_by_the_next(bench, undisturbed, kill):
    killed(_prepared(bench), kill)
    assert state(_completed(bench)) == undisturbed


@pytest.mark.long
def test_a_long_chain_of_kills_is_made_good_by_the_next_run(bench, undisturbed):
    _prepared(bench)
    for kill in CHAIN:
        killed(bench, kill)
    assert state(_completed(bench)) == undisturbed


@pytest.mark.long
@pytest.mark.parametrize("kill", ALONE, ids=str)
def test_a_run_of_which_only_python_was_killed_is_made_good_by_the_next(bench, undisturbed, kill):
    killed(_prepared(bench), kill, victims="python")
    assert state(_completed(bench)) == undisturbed


@pytest.mark.long
@pytest.mark.parametrize("kill", ALONE, ids=str)
def test_a_run_whose_jvm_was_killed_says_so_in_one_sentence(bench, undisturbed, kill):
    said = killed(_prepared(bench), kill, victims="jvm")
    assert said.startswith("the Java process of Spark has ended in the middle of the run | ")
    assert len(said.splitlines()) == 1
    assert state(_completed(bench)) == undisturbed


@pytest.mark.long
@pytest.mark.parametrize("kill", REFRESH, ids=str)
def test_a_full_refresh_killed_halfway_is_finished_by_the_next_run(bench, undisturbed, kill):
    _completed(bench)
    killed(bench, kill, refresh="default.b")
    assert state(_completed(bench)) == undisturbed


@pytest.mark.long
@pytest.mark.parametrize("kill", ON_PARQUET, ids=str)
def test_a_killed_run_on_parquet_is_made_good_by_the_next(spark, tmp_path, undisturbed, kill):
    bench = _prepared(Bench(spark, tmp_path, "parquet"))
    killed(bench, kill)
    assert state(_completed(bench)) == undisturbed
