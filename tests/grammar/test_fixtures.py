"""The fixtures under ``fixtures/grammar``; ``UPDATE_FIXTURES=1`` writes what is read now."""

import os
from pathlib import Path

import pytest
from trees import FIXTURES, render_faults, render_tree

from tidegate.grammar.nodes import BrokenStatement, CreateDataset
from tidegate.grammar.parser import parse, parse_with_lark
from tidegate.source.edit import Safety, apply_edits
from tidegate.source.text import SourceFile

OK = sorted((FIXTURES / "grammar" / "ok").glob("*.sql"))
ERR = sorted((FIXTURES / "grammar" / "err").glob("*.sql"))
FIELD = sorted((FIXTURES / "field").rglob("*.sql"))
MISPLACED = sorted((FIXTURES / "field" / "4-misplaced").glob("*.sql"))


def read(path: Path) -> SourceFile:
    return SourceFile(path=path.name, text=path.read_bytes().decode())


def compare(found: str, path: Path) -> None:
    if os.environ.get("UPDATE_FIXTURES") or not path.exists():
        path.write_text(found, encoding="utf-8")
    assert found == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("path", OK, ids=lambda path: path.stem)
def test_a_valid_text_has_its_tree_and_no_fault(path: Path):
    parsed = parse(read(path))
    assert [fault for one in parsed.statements for fault in one.faults] == []
    compare(render_tree(parsed), path.with_suffix(".tree"))


@pytest.mark.parametrize("path", ERR, ids=lambda path: path.stem)
def test_a_broken_text_has_its_faults(path: Path):
    compare(render_faults(parse(read(path))), path.with_suffix(".txt"))


@pytest.mark.parametrize("path", [*OK, *ERR, *FIELD], ids=lambda path: path.stem)
def test_both_drivers_read_a_fixture_alike(path: Path):
    source = read(path)
    assert parse(source) == parse_with_lark(source)


@pytest.mark.parametrize("path", FIELD, ids=lambda path: path.stem)
def test_a_text_of_the_field_breaks_no_statement(path: Path):
    parsed = parse(read(path))
    assert parsed.statements
    assert not any(isinstance(one, BrokenStatement) for one in parsed.statements)


@pytest.mark.parametrize("path", MISPLACED, ids=lambda path: path.stem)
def test_expectations_after_the_query_are_moved_before_it(path: Path):
    source = read(path)
    (statement,) = parse(source).statements
    assert isinstance(statement, CreateDataset)
    assert [one.name.text for one in statement.misplaced if one.name] == [
        "not_null_id",
        "valid_amount",
    ]
    assert statement.query is not None
    assert source.slice(statement.query.span).endswith("STREAM(LIVE.orders_bronze)")
    (fault,) = statement.faults
    assert fault.name == "clause-out-of-place"
    assert fault.fix is not None
    assert fault.fix.safety is Safety.SAFE
    fixed = SourceFile(path="fixed", text=apply_edits(source.text, fault.fix.edits))
    (moved,) = parse(fixed).statements
    assert moved.faults == ()
    assert isinstance(moved, CreateDataset)
    before = [source.slice(one.span) for one in statement.misplaced]
    assert [fixed.slice(one.span) for one in moved.expectations] == before
