"""The baked tables belong to the written grammar, and a parse loads nothing heavy."""

import subprocess
import sys
from pathlib import Path

import lark

from tidegate.grammar import _tables, baking
from tidegate.grammar.building.builder import Builder

HEAVY = ("lark", "sqlglot", "pyspark", "dataclasses", "logging", "asyncio")
PARSE = """
import sys
from tidegate.grammar.outlines.scan import outline
from tidegate.grammar.parser import parse
from tidegate.source.span import Span
from tidegate.source.text import SourceFile
text = "CREATE STREAMING TABLE t (CONSTRAINT c EXPECT (a > 0 AND)) AS SELECT 1 COMMENT 'late'"
parsed = parse(SourceFile(path="x", text=text))
assert parsed.statements[0].faults
outline(text, Span(60, len(text)))
print(" ".join(sys.modules))
"""


def test_the_baked_tables_are_fresh():
    assert Path(_tables.__file__).read_text(encoding="utf-8") == baking.bake()


def test_baking_twice_gives_the_same():
    assert baking.bake() == baking.bake()


def test_every_production_has_its_builder():
    names = {one.builder for one in baking.analyze().reductions if one.builder and not one.unwraps}
    assert [name for name in sorted(names) if not hasattr(Builder, name)] == []


def test_every_keyword_is_declared():
    assert {"CONSTRAINT", "EXPECT", "VIOLATION", "BETWEEN"} <= set(_tables.WORDS)
    assert not {"NUMBER", "STRING", "IDENT", "COMPARE"} & set(_tables.WORDS)


def test_a_parse_loads_nothing_heavy():
    run = subprocess.run(
        [sys.executable, "-c", PARSE], capture_output=True, text=True, check=True, timeout=60
    )
    loaded = set(run.stdout.split())
    assert [name for name in HEAVY if name in loaded] == []


def test_lark_is_new_enough_for_texts_of_our_own():
    assert tuple(map(int, lark.__version__.split(".")[:2])) >= (1, 3)
