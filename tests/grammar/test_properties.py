"""What holds for every text, valid or not."""

from hypothesis import given, settings
from hypothesis import strategies as st
from texts import broken, files, flows, predicates, statements

from tidegate.grammar.nodes import AutoCdc, CreateDataset, CreateFlow, Expression, OtherStatement
from tidegate.grammar.outlines.scan import outline
from tidegate.grammar.parser import ParsedFile, parse, parse_predicate, parse_with_lark
from tidegate.grammar.splitter import split
from tidegate.source.span import Span
from tidegate.source.text import SourceFile

seeds = st.integers(0, 2**32)
quickly = settings(deadline=None, max_examples=150)


def read(text: str) -> ParsedFile:
    return parse(SourceFile(path="x.sql", text=text))


@given(predicates)
@quickly
def test_a_generated_predicate_parses(text: str):
    assert isinstance(parse_predicate(text), Expression)


@given(statements)
@quickly
def test_a_generated_statement_parses_whole(text: str):
    (statement,) = read(text).statements
    assert isinstance(statement, CreateDataset)
    # The strategy joins parts that do not go together, but each of them is well written.
    assert {fault.name for fault in statement.faults} <= {
        "unknown-violation-action",
        "wrong-dataset-keyword",
        "ctas-with-columns",
        "missing-cdc-clause",
        "duplicate-or-conflicting-clause",
    }
    assert len(statement.expectations) == text.count(" EXPECT (")


@given(flows)
@quickly
def test_a_generated_flow_parses_whole(text: str):
    (statement,) = read(text).statements
    assert isinstance(statement, CreateFlow | AutoCdc)
    # Clauses come twice, or beside others that they exclude; each of them is well written.
    assert {fault.name for fault in statement.faults} <= {
        "missing-cdc-clause",
        "duplicate-or-conflicting-clause",
    }


@given(files)
@quickly
def test_both_drivers_read_a_generated_file_alike(text: str):
    source = SourceFile(path="x.sql", text=text)
    assert parse(source) == parse_with_lark(source)


@given(files, seeds)
@quickly
def test_both_drivers_read_a_broken_file_alike(text: str, seed: int):
    source = SourceFile(path="x.sql", text=broken(text, seed))
    assert parse(source) == parse_with_lark(source)


@given(st.text(max_size=200))
@quickly
def test_no_text_raises(text: str):
    read(text)
    parse_predicate(text)
    outline(text, Span(0, len(text)))


@given(st.text(alphabet="'\"`();,-/*\\\n \tr$}{:AS1.x<>=!|&", max_size=60))
@quickly
def test_no_soup_of_marks_raises(text: str):
    source = SourceFile(path="x.sql", text=f"CREATE STREAMING TABLE t ({text}")
    assert parse(source) == parse_with_lark(source)
    outline(text, Span(0, len(text)))


@given(files, seeds)
@quickly
def test_slices_joined_are_the_text(text: str, seed: int):
    text = broken(text, seed)
    slices = split(text)
    assert "".join(text[one.start : one.stop] for one in slices) == text
    for one in slices:
        assert one.start <= one.statement.start <= one.statement.end <= one.stop


@given(files, seeds)
@quickly
def test_every_span_lies_in_its_text(text: str, seed: int):
    text = broken(text, seed)
    for statement in read(text).statements:
        assert text[statement.span.start : statement.span.end].strip()
        for fault in statement.faults:
            assert 0 <= fault.span.start <= fault.span.end <= len(text)


@given(statements, files, seeds)
@quickly
def test_a_broken_statement_harms_no_other(good: str, bad: str, seed: int):
    damaged = broken(bad, seed).replace(";", " ")
    text = f"{good};\n{damaged}"
    first = read(text).statements[0]
    assert first == read(good).statements[0]


@given(statements, seeds)
@quickly
def test_a_fault_of_a_broken_statement_is_reported(text: str, seed: int):
    parsed = read(broken(text, seed))
    for statement in parsed.statements:
        # What a template's values may mend is no fault; such a file is told as a whole.
        whole = isinstance(statement, CreateDataset | OtherStatement) or parsed.is_template
        assert whole or statement.faults or type(statement).__name__ != "BrokenStatement"
