"""The baked driver remembers where terminals lead, within bounds, and reads the same all along."""

import pytest

from tidegate.grammar import driver, parser
from tidegate.grammar.parser import parse
from tidegate.grammar.statements import Reader
from tidegate.source.text import SourceFile

TEXT = """
CREATE OR REFRESH STREAMING TABLE t (
  a INT COMMENT 'x',
  CONSTRAINT one EXPECT (a > 0 AND f(b, -c) IN (1, 2)) ON VIOLATION DROP ROW,
  CONSTRAINT two EXPECT (CASE WHEN d THEN e ELSE NOT (g BETWEEN 1 AND 2) END)
) COMMENT 'y' AS SELECT 1;
"""
SOURCE = SourceFile(path="x.sql", text=TEXT)


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch):
    made: list[driver.BakedDriver] = []

    def make(builder):
        made.append(driver.BakedDriver(builder))
        return made[-1]

    monkeypatch.setattr(parser, "_readers", {"baked": Reader(make)})
    return made


def test_a_text_is_read_alike_before_and_after_its_stacks_are_known(fresh):
    first = parse(SOURCE)
    known = len(fresh[0]._nodes)
    assert parse(SOURCE) == first
    assert len(fresh[0]._nodes) == known > 10


def test_forgetting_stacks_changes_nothing(fresh, monkeypatch: pytest.MonkeyPatch):
    expected = parse(SOURCE)
    monkeypatch.setattr(driver, "_MOST_NODES", 7)
    fresh[0]._nodes.clear()
    assert parse(SOURCE) == expected
    assert len(fresh[0]._nodes) <= 7


def test_a_long_list_needs_no_more_stacks_than_a_short_one(fresh):
    parse(SourceFile(path="x.sql", text=TEXT.replace("1, 2", "1, 2, 3")))
    known = len(fresh[0]._nodes)
    many = ", ".join(map(str, range(1000)))
    parse(SourceFile(path="x.sql", text=TEXT.replace("1, 2", many)))
    assert len(fresh[0]._nodes) == known
