"""Runs the console transcripts under ``fixtures/cli``.

``UPDATE_FIXTURES=1 pytest tests/cli/test_transcripts.py`` writes what the commands do now.
"""

import os
from pathlib import Path

import pytest
from transcripts import Case, Command, read_cases, rewritten, run_case

FOLDER = Path(__file__).parents[2] / "fixtures" / "cli"
FILES = sorted(FOLDER.glob("*.md"))
CASES = [(path, case) for path in FILES for case in read_cases(path)]


@pytest.mark.parametrize(
    ("path", "case"), CASES, ids=[f"{path.stem}-{case.title}" for path, case in CASES]
)
def test_a_transcript_shows_what_happens(path: Path, case: Case, tmp_path):
    done = run_case(case, tmp_path)
    if os.environ.get("UPDATE_FIXTURES"):
        path.write_text(rewritten_one(path, case, done), encoding="utf-8")
        return
    expected = [step for step in case.steps if isinstance(step, Command)]
    assert done == expected


def rewritten_one(path: Path, case: Case, done: list[Command]) -> str:
    known = {
        each.title: [step for step in each.steps if isinstance(step, Command)]
        for each in read_cases(path)
    }
    return rewritten(path, {**known, case.title: done})


def test_there_are_transcripts():
    assert len(CASES) > 10
