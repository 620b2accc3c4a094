"""The JSON documents, field by field, against their published shapes."""

import json

import pytest

from tidegate.linter.result import FileFindings, LintResult, NotAnalysed
from tidegate.project.files import Gathered
from tidegate.project.parse import parse_files
from tidegate.report.compiled import (
    CompiledDataset,
    CompiledFile,
    CompileResult,
    MappedLine,
)
from tidegate.report.findings import CheckResult, Unhandled
from tidegate.report.json_check import check_document
from tidegate.report.json_compile import compile_document
from tidegate.report.json_output import encode
from tidegate.report.json_parse import parse_document
from tidegate.source.diagnostic import Diagnostic, Related, Severity
from tidegate.source.edit import Edit, Fix, Safety
from tidegate.source.span import Span
from tidegate.source.text import SourceFile

TEXT = "-- größe\nSELECT a\n"
SOURCE = SourceFile(path="a.sql", text=TEXT)
FOUND = Diagnostic(
    code="P301",
    name="null-comparison",
    severity=Severity.WARNING,
    message="m",
    path="a.sql",
    span=Span(16, 17),
    help="h",
    dataset="main.t",
    constraint="c",
    related=(Related(message="r", span=Span(0, 2)),),
    fix=Fix("t", (Edit(Span(16, 17), "b"),), Safety.SAFE),
    fingerprint="f",
)
SHOWN = {
    "code": "P301",
    "name": "null-comparison",
    "severity": "warning",
    "message": "m",
    "help": "h",
    "path": "a.sql",
    "start": {"offset": 16, "line": 2, "column": 8},
    "end": {"offset": 17, "line": 2, "column": 9},
    "dataset": "main.t",
    "constraint": "c",
    "related": [
        {
            "message": "r",
            "path": "a.sql",
            "start": {"offset": 0, "line": 1, "column": 1},
            "end": {"offset": 2, "line": 1, "column": 3},
        }
    ],
    "fix": {
        "title": "t",
        "safety": "safe",
        "edits": [
            {
                "start": {"offset": 16, "line": 2, "column": 8},
                "end": {"offset": 17, "line": 2, "column": 9},
                "text": "b",
            }
        ],
    },
    "fingerprint": "f",
}


def test_the_check_document():
    left = NotAnalysed(
        path="a.sql", dataset="main.t", constraint=None, span=Span(0, 1), reason="it is broken"
    )
    lint = LintResult(
        files=(FileFindings(path="a.sql", diagnostics=(FOUND,)),),
        statements=3,
        expectations=2,
        checked=1,
        broken=1,
        other=0,
        suppressed=4,
        not_analysed=(left,),
    )
    document = check_document(CheckResult(lint=lint, sources=(SOURCE,)))
    assert json.loads(encode(document)) == {
        "schema_version": 1,
        "files": [{"path": "a.sql", "diagnostics": [SHOWN]}],
        "summary": {
            "files": 1,
            "statements": 3,
            "expectations": 2,
            "checked": 1,
            "broken": 1,
            "not_analysed": [
                {
                    "path": "a.sql",
                    "dataset": "main.t",
                    "constraint": None,
                    "start": {"offset": 0, "line": 1, "column": 1},
                    "end": {"offset": 1, "line": 1, "column": 2},
                    "reason": "it is broken",
                }
            ],
            "by_severity": {"error": 0, "warning": 1, "info": 0},
            "suppressed": 4,
            "baselined": 0,
            "templates": 0,
            "not_shown": 0,
        },
    }


def test_the_compile_document():
    file = CompiledFile(
        path="out/a.py",
        text="x",
        sha256="abc",
        source_map=(MappedLine(line=7, path="a.sql", span=Span(9, 15)),),
    )
    result = CompileResult(
        target="pyspark",
        sources=(SOURCE,),
        faults=(),
        losses=(FOUND,),
        files=(file,),
        datasets=(CompiledDataset(name="main.t", gates=("c", "d")),),
        left_alone=(),
    )
    assert json.loads(encode(compile_document(result))) == {
        "schema_version": 1,
        "target": "pyspark",
        "files": [
            {
                "path": "out/a.py",
                "sha256": "abc",
                "source_map": [
                    {
                        "line": 7,
                        "path": "a.sql",
                        "start": {"offset": 9, "line": 2, "column": 1},
                        "end": {"offset": 15, "line": 2, "column": 7},
                    }
                ],
            }
        ],
        "losses": [SHOWN],
        "datasets": [{"name": "main.t", "gates": ["c", "d"]}],
    }


def parsed(text: str) -> dict[str, object]:
    source = SourceFile(path="a.sql", text=text)
    left = Unhandled(path="b.sql", reason="no such file", help="h")
    result = parse_files(Gathered(files=(source,), unhandled=(left,), empty=()))
    document = json.loads(encode(parse_document(result)))
    assert list(document) == ["schema_version", "files", "summary"]
    return document


def statement(text: str) -> dict[str, object]:
    return parsed(text)["files"][0]["statements"][0]


def test_the_parse_document():
    text = (
        "CREATE OR REFRESH STREAMING LIVE TABLE `my t` (\n"
        "  CONSTRAINT c EXPECT ( a > 0 ) ON VIOLATION DROP ROW\n"
        ") AS SELECT * FROM STREAM(LIVE.raw);\n"
    )
    start = text.index("CONSTRAINT")
    assert parsed(text) == {
        "schema_version": 1,
        "files": [
            {
                "path": "a.sql",
                "host": "sql",
                "statements": [
                    {
                        "kind": "streaming_table",
                        "name": "my t",
                        "spelling": "legacy",
                        "start": {"offset": 0, "line": 1, "column": 1},
                        "end": {"offset": len(text) - 2, "line": 3, "column": 36},
                        "query": "SELECT * FROM STREAM(LIVE.raw)",
                        "expectations": [
                            {
                                "name": "c",
                                "predicate": "a > 0",
                                "action": "drop",
                                "start": {"offset": start, "line": 2, "column": 3},
                                "end": {"offset": start + 51, "line": 2, "column": 54},
                            }
                        ],
                        "dialects": ["pipeline"],
                    }
                ],
                "diagnostics": [],
            }
        ],
        "summary": {
            "files": 1,
            "statements": 1,
            "expectations": 1,
            "broken": 0,
            "other": 0,
            "templates": 0,
            "unhandled": [{"path": "b.sql", "reason": "no such file"}],
        },
    }


@pytest.mark.parametrize(
    ("words", "action"),
    [
        ("", "warn"),
        ("ON VIOLATION DROP ROW", "drop"),
        ("on violation fail update", "fail"),
        ("ON VIOLATION DELETE ROW", None),
    ],
)
def test_the_action_of_an_expectation(words, action):
    made = statement(f"CREATE STREAMING TABLE t (CONSTRAINT c EXPECT (a > 0) {words});")
    assert [each["action"] for each in made["expectations"]] == [action]


@pytest.mark.parametrize(
    ("text", "kind", "name"),
    [
        ("CREATE MATERIALIZED VIEW a.b.c AS SELECT 1", "materialized_view", "a.b.c"),
        ("CREATE LIVE VIEW v AS SELECT 1", "temporary_view", "v"),
        ("CREATE OR REFRESH STREAMING TABLE LIVE.t", "streaming_table", "t"),
        ("CREATE TABLE t (a INT)", "table", "t"),
        ("ALTER TABLE s.t ADD CONSTRAINT c CHECK (a > 0)", "alter_table", "s.t"),
        ("SET a = 1", "config", None),
        ("USE CATALOG main", "config", None),
        ("SELECT 1", "other", None),
    ],
)
def test_the_kind_and_name_of_a_statement(text, kind, name):
    made = statement(text)
    assert (made["kind"], made["name"]) == (kind, name)


def test_a_misplaced_expectation_is_listed():
    made = statement(
        "CREATE STREAMING TABLE t AS SELECT * FROM STREAM(s) CONSTRAINT c EXPECT (a > 0)"
    )
    assert [each["name"] for each in made["expectations"]] == ["c"]


def test_every_diagnostic_of_a_parse_has_a_fingerprint_of_its_own():
    broken = "CREATE STREAMING TABLE t (CONSTRAINT c EXPECT (a >), CONSTRAINT c EXPECT (a >));"
    marks = [each["fingerprint"] for each in parsed(broken)["files"][0]["diagnostics"]]
    assert len(marks) == 2
    assert len({*marks, ""}) == 3
