"""Several processes: equal answers, and nobody left behind."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tidegate.linter.settings import LintSettings
from tidegate.model.binding_settings import BindSettings
from tidegate.project import jobs, workers
from tidegate.project.jobs import Answer, Batch, Bench, Job
from tidegate.project.question import Question
from tidegate.project.workers import Workers

ROOT = Path(__file__).parents[2]
QUESTIONS = (Question(LintSettings(), BindSettings()),)
TEXT = "CREATE MATERIALIZED VIEW v{0} (CONSTRAINT c EXPECT (a = NULL)) AS SELECT {0} AS a;\n"


def jobs_in(folder: Path, count: int) -> tuple[Job, ...]:
    for number in range(count):
        (folder / f"{number}.sql").write_text(TEXT.format(number), encoding="utf-8")
    paths = [str(folder / f"{number}.sql") for number in range(count)]
    return tuple(
        Job(number=number, path=path, shown=path, size=100, question=0, is_alone=True)
        for number, path in enumerate(paths)
    )


def by_number(answers: list[Answer]) -> list[Answer]:
    return sorted(answers, key=lambda each: each.number)


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_processes_answer_like_a_bench(tmp_path, monkeypatch, method):
    monkeypatch.setattr(workers, "start_method", lambda: method)
    batch = Batch(jobs=jobs_in(tmp_path, 7))
    several = Workers(QUESTIONS, 2, Bench(QUESTIONS))
    several.start()
    try:
        found = by_number(list(several.run(batch)))
    finally:
        several.close()
    assert found == by_number(list(Bench(QUESTIONS).run(batch)))


def test_what_a_dead_process_owes_is_done_here(tmp_path):
    batch = Batch(jobs=jobs_in(tmp_path, 6))
    several = Workers(QUESTIONS, 2, Bench(QUESTIONS))
    several.start()
    try:
        assert len(list(several.run(batch))) == 6
        os.kill(several.processes[0].pid, signal.SIGKILL)
        several.processes[0].join()
        assert [each.number for each in by_number(list(several.run(batch)))] == list(range(6))
    finally:
        several.close()


def test_an_error_of_ours_is_raised_here(tmp_path, monkeypatch):
    class Broken:
        def __init__(self, *_: object) -> None:
            raise ZeroDivisionError

    monkeypatch.setattr(jobs, "Unit", Broken)
    several = Workers(QUESTIONS, 2, Bench(QUESTIONS))
    several.start()
    try:
        with pytest.raises(ZeroDivisionError):
            list(several.run(Batch(jobs=jobs_in(tmp_path, 3))))
    finally:
        several.close()


def children_of(pid: int) -> list[int]:
    path = Path(f"/proc/{pid}/task/{pid}/children")
    return [int(each) for each in path.read_text().split()] if path.exists() else []


@pytest.mark.skipif(sys.platform != "linux", reason="asks /proc")
@pytest.mark.parametrize("to_all", [True, False], ids=["terminal", "kill"])
def test_an_interrupt_ends_all_processes(tmp_path, to_all):
    for number in range(4):
        text = "".join(TEXT.format(each) for each in range(30_000))
        (tmp_path / f"{number}.sql").write_text(text, encoding="utf-8")
    run = subprocess.Popen(
        [sys.executable, "-m", "tidegate", "check", ".", "--jobs", "2", "--no-cache"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        start_new_session=True,
    )
    deadline = time.monotonic() + 30
    while len(children_of(run.pid)) < 2 and time.monotonic() < deadline:
        time.sleep(0.02)
    children = children_of(run.pid)
    assert len(children) == 2
    if to_all:
        os.killpg(run.pid, signal.SIGINT)
    else:
        run.send_signal(signal.SIGINT)
    _, told = run.communicate(timeout=30)
    assert (run.returncode, told.decode().strip()) == (130, "interrupted")
    assert not any(Path(f"/proc/{child}").exists() for child in children)
