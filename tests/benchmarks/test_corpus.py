"""The corpus that speed is measured on is what it says: the same each time, and valid."""

import sys
from itertools import islice
from pathlib import Path

import pytest

from tidegate.grammar.nodes import CreateDataset, expectations_of
from tidegate.grammar.parser import parse
from tidegate.linter.engine import lint
from tidegate.linter.settings import LintSettings
from tidegate.model.binding import bind
from tidegate.model.binding_settings import BindSettings
from tidegate.source.diagnostic import Severity
from tidegate.source.text import SourceFile

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))
import corpus


@pytest.fixture(scope="module")
def some():
    return list(islice(corpus.files(), 40))


def test_the_same_seed_gives_the_same_files(some: list[tuple[str, str]]):
    assert list(corpus.files(40)) == some
    assert list(corpus.files(40, corpus.SEED + 1)) != some


def test_every_statement_is_read_whole(some: list[tuple[str, str]]):
    for name, text in some:
        parsed = parse(SourceFile(path=name, text=text))
        assert {type(each) for each in parsed.statements} == {CreateDataset}
        assert not any(each.faults for each in parsed.statements)
        found = sum(len(list(expectations_of(each))) for each in parsed.statements)
        assert found == text.count("EXPECT (") > 0


def test_no_file_has_an_error(some: list[tuple[str, str]]):
    for name, text in some:
        pipeline = bind([parse(SourceFile(path=name, text=text))], BindSettings())
        (file,) = lint(pipeline, LintSettings()).files
        assert not [each for each in file.diagnostics if each.severity is Severity.ERROR]


def test_a_single_file_has_the_size_asked_for():
    text = corpus.single(50_000)
    assert 50_000 <= len(text) < 80_000
