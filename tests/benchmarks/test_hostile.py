"""Texts that are made to be slow: no exception, and time that grows with the text."""

import sys
import time
from pathlib import Path

import pytest

from tidegate.grammar.parser import parse
from tidegate.linter.engine import lint
from tidegate.linter.settings import LintSettings
from tidegate.model.binding import bind
from tidegate.model.binding_settings import BindSettings
from tidegate.source.text import SourceFile

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))
from hostile import HOSTILE

SMALL, LARGE = 3_000, 30_000


def check(text: str) -> float:
    """Check a text and return the CPU time that it took."""
    began = time.process_time()
    lint(bind([parse(SourceFile(path="x.sql", text=text))], BindSettings()), LintSettings())
    return time.process_time() - began


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_text_is_checked_in_time_that_grows_with_it(name: str):
    small, large = HOSTILE[name](SMALL), HOSTILE[name](LARGE)
    check(small)
    # Ten times the text may take ten times the time, and some more: the clock is not alone.
    assert check(large) < 30 * max(check(small), 0.01)


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_text_has_the_size_asked_for(name: str):
    assert LARGE * 0.6 < len(HOSTILE[name](LARGE)) < LARGE * 1.4
