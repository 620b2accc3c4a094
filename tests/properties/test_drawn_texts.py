"""What holds for every text: 10,000 of them, drawn from the written grammar and then damaged.

``TIDEGATE_SEED`` draws others, ``TIDEGATE_INPUTS`` more or fewer.
"""

import os
import random
from collections.abc import Iterator
from functools import cache

import pytest
from drawing import Drawer, mutated

from tidegate.grammar import _tables
from tidegate.grammar.formatting.concrete import Branch, Concrete, ConcreteReader
from tidegate.grammar.formatting.formatter import Layout, format_file
from tidegate.grammar.formatting.proof import unproven
from tidegate.grammar.nodes import (
    BrokenStatement,
    Expression,
    Node,
    OtherStatement,
    Statement,
)
from tidegate.grammar.outlines.scan import outline
from tidegate.grammar.parser import ParsedFile, parse, parse_predicate, parse_with_lark
from tidegate.grammar.printing.printer import print_node
from tidegate.grammar.printing.same_tree import difference
from tidegate.grammar.splitter import split
from tidegate.source.span import Span
from tidegate.source.text import SourceFile

SEED = int(os.environ.get("TIDEGATE_SEED", "1"))
INPUTS = int(os.environ.get("TIDEGATE_INPUTS", "10000"))
# What the grammar derives and no platform takes together: clauses, words and objects.
UNFIT = {
    "wrong-dataset-keyword",
    "duplicate-or-conflicting-clause",
    "check-instead-of-expect",
    "unknown-violation-action",
    "ctas-with-columns",
    "missing-cdc-clause",
    # Bitwise operators between what need not be true or false.
    "dataframe-api-in-sql",
}


def drawn(share: float, name: str, inputs: int = INPUTS) -> Iterator[tuple[Drawer, random.Random]]:
    for at in range(int(inputs * share)):
        chance = random.Random(f"{SEED} {name} {at}")
        yield Drawer(chance, with_comments=at % 2 == 0), chance


@cache
def statements() -> list[str]:
    return [drawer.draw("statement") for drawer, _ in drawn(0.4, "statement")]


@cache
def predicates() -> list[str]:
    return [drawer.draw("predicate", 4) for drawer, _ in drawn(0.1, "predicate")]


@cache
def files() -> list[str]:
    return [drawer.file() for drawer, _ in drawn(0.1, "file")]


@cache
def damaged() -> list[str]:
    return [mutated(drawer.file(), chance) for drawer, chance in drawn(0.4, "damaged")]


def read(text: str) -> ParsedFile:
    return parse(SourceFile(path="x.sql", text=text))


def show(text: str, *more: object) -> str:
    return "\n".join([f"seed {SEED}", text, *map(str, more)])


@pytest.fixture(autouse=True, scope="module")
def _seed(request):
    with request.config.pluginmanager.getplugin("capturemanager").global_and_fixture_disabled():
        print(f"[{INPUTS} drawn texts, TIDEGATE_SEED={SEED}]", end=" ", flush=True)


def test_a_drawn_statement_is_read_whole():
    for text in statements():
        parsed = read(text)
        faults = [fault for one in parsed.statements for fault in one.faults] + [*parsed.faults]
        assert len(parsed.statements) == 1, show(text)
        assert not isinstance(parsed.statements[0], BrokenStatement | OtherStatement), show(
            text, faults
        )
        assert {fault.name for fault in faults} <= UNFIT, show(text, faults)


def test_a_drawn_predicate_is_read_whole():
    for text in predicates():
        assert isinstance(found := parse_predicate(text), Expression), show(text, found)


def test_every_rule_of_the_grammar_is_drawn():
    reader = ConcreteReader()
    seen: set[str] = set()
    # However few are drawn for the other tests: the rarest rules need as many as this.
    for drawer, _ in drawn(0.4, "statement", max(INPUTS, 10_000)):
        text = drawer.draw("statement")
        if (tree := reader.read(text, 0, len(text))) is not None:
            productions(tree, seen)
            bodies(reader, tree, text, seen)
    for drawer, _ in drawn(0.1, "predicate", max(INPUTS, 10_000)):
        text = drawer.draw("predicate", 4)
        productions(reader.read_predicate(text, 0, len(text)), seen)
    names = {builder for _, _, builder, _, unwraps in _tables.REDUCTIONS if builder and not unwraps}
    assert sorted(names - seen) == []


def productions(tree: Concrete | None, seen: set[str]) -> None:
    if isinstance(tree, Branch):
        seen.add(tree.production)
        for child in tree.children:
            productions(child, seen)


def bodies(reader: ConcreteReader, tree: Concrete, text: str, seen: set[str]) -> None:
    """Add the productions of what stands in brackets and is read later."""
    if isinstance(tree, Branch):
        for child in tree.children:
            bodies(reader, child, text, seen)
    elif tree.type == "BODY_TEXT":
        productions(reader.read_predicate(text, tree.start, tree.end), seen)


def test_no_text_raises():
    for text in [*statements(), *predicates(), *files(), *damaged()]:
        read(text)
        parse_predicate(text)
        outline(text, Span(0, len(text)))


def test_slices_joined_are_the_text():
    for text in [*files(), *damaged()]:
        slices = split(text)
        assert "".join(text[one.start : one.stop] for one in slices) == text, show(text)
        for one in slices:
            assert one.start <= one.statement.start <= one.statement.end <= one.stop, show(text)


def test_spans_lie_within_each_other_and_the_text():
    for text in [*statements(), *files(), *damaged()]:
        parsed = read(text)
        end = 0
        for statement in parsed.statements:
            assert end <= statement.span.start <= statement.span.end <= len(text), show(text)
            end = statement.span.end
            assert stray(statement) is None, show(text, stray(statement))
            for fault in statement.faults:
                assert 0 <= fault.span.start <= fault.span.end <= len(text), show(text, fault)


def stray(node: Node) -> str | None:
    """Return a part that reaches out of what it is a part of."""
    for field in node.__struct_fields__:
        if field == "reading":  # starts with the word before the node
            continue
        value = getattr(node, field)
        for one in value if isinstance(value, tuple) else (value,):
            span = one.span if isinstance(one, Node) else one
            if (
                isinstance(span, Span)
                and not node.span.start <= span.start <= span.end <= node.span.end
            ):
                return f"{type(node).__name__}.{field}"
            if isinstance(one, Node) and (found := stray(one)):
                return found
    return None


def is_whole(statement: Statement) -> bool:
    return not statement.faults and not isinstance(statement, BrokenStatement | OtherStatement)


def test_what_is_printed_reads_as_the_same_tree():
    for text in [*statements(), *files(), *damaged()]:
        parsed = read(text)
        # What is still to be filled in is no text of a language, and is not read again.
        for statement in filter(is_whole, () if parsed.source.view else parsed.statements):
            printed = print_node(statement, parsed.source.text)
            again = read(printed)
            assert len(again.statements) == 1, show(text, printed)
            found = difference(
                statement, parsed.source.text, again.statements[0], again.source.text
            )
            assert found is None, show(text, printed, found)


def test_a_printed_predicate_reads_as_the_same_tree():
    for text in predicates():
        found = parse_predicate(text)
        assert isinstance(found, Expression)
        printed = print_node(found, text)
        again = parse_predicate(printed)
        assert isinstance(again, Expression), show(text, printed, again)
        assert difference(found, text, again, printed) is None, show(text, printed)


@pytest.mark.parametrize(("queries", "step"), [(False, 1), (True, 3)])
def test_formatting_keeps_the_tree_and_comments_and_is_done_after_once(queries: bool, step: int):
    options = Layout(queries=queries)
    for text in [*statements(), *files(), *damaged()][::step]:
        before = read(text)
        formatted = format_file(before, options)
        after = read(formatted.text)
        differs = unproven(before, after, queries=queries)
        assert differs is None, show(text, formatted.text, differs)
        again = format_file(after, options).text
        assert again == formatted.text, show(text, formatted.text, again)
        assert formatted.kept == 0, show(text)


def test_both_drivers_read_alike():
    for text in [*statements()[::8], *files()[::4], *damaged()[::8]]:
        source = SourceFile(path="x.sql", text=text)
        assert parse(source) == parse_with_lark(source), show(text)
