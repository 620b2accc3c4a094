"""Rules, fixes and suppressions where SQL and expectations stand in Python files and notebooks."""

import json
import textwrap
from collections.abc import Sequence

import pytest
from checking import DEFAULTS

from tidegate.grammar.parser import ParsedFile, parse
from tidegate.linter.engine import lint
from tidegate.linter.fixing import fix_until_stable
from tidegate.linter.result import LintResult
from tidegate.model.binding import bind
from tidegate.model.binding_settings import BindSettings
from tidegate.source.edit import Safety
from tidegate.source.text import SourceFile


def found(*texts: str) -> LintResult:
    files = [
        parse(SourceFile(path=f"file_{number}.{_suffix(text)}", text=textwrap.dedent(text)))
        for number, text in enumerate(texts, 1)
    ]
    return lint(bind(files, BindSettings()), DEFAULTS)


def _suffix(text: str) -> str:
    return "py" if "import" in text else "sql"


def names(*texts: str) -> list[str]:
    return [each.name for each in found(*texts).diagnostics]


def fixed(text: str, path: str = "a.py") -> str:
    """Return a file after all its fixes."""

    def again(files: Sequence[ParsedFile]) -> LintResult:
        return lint(bind(files, BindSettings()), DEFAULTS)

    parsed = parse(SourceFile(path=path, text=text))
    result = fix_until_stable([parsed], again, {Safety.SAFE, Safety.UNSAFE})
    return result.files[0].source.original


def dataset(decorators: str, before: str = "") -> str:
    return (
        f"import dlt\n{before}\n@dlt.table\n{decorators}\ndef t(): return spark.read.table('x')\n"
    )


@pytest.mark.parametrize(
    ("decorators", "name"),
    [
        ('@dlt.expect("given", "a = NULL")', "null-comparison"),
        ('@dlt.expect("rule_1", "a > 0")', "counter-name"),
        ('@dlt.expect("ok", "no_such_function(a) > 0")', "unknown-function"),
        ('@dlt.expect("ok", "a >")', "syntax-error"),
        ('@dlt.expect("ok", "a > 0")\n@dlt.expect_or_drop("OK", "b > 0")', "duplicate-name"),
        ('@dlt.expect_all({"ok": "a > 0", "ok": "b > 0"})', "duplicate-name"),
    ],
)
def test_the_rules_for_expectations_hold_in_python_too(decorators: str, name: str):
    assert names(dataset(decorators)) == [name]


def test_a_good_python_dataset_is_silent():
    assert names(dataset('@dlt.expect_or_drop("total_positive", "total > 0")')) == []


def test_what_is_not_known_is_counted_with_its_reason():
    result = found(dataset("@dlt.expect_all(rules_of(spark))"))
    assert (result.expectations, result.checked) == (1, 0)
    assert [each.reason for each in result.not_analysed] == [
        "it is not statically known: `rules_of(spark)` is not a constant"
    ]


@pytest.mark.parametrize(
    ("written", "then"),
    [
        ('"a = NULL"', '"a IS NULL"'),
        ("'b = \\'x\\' AND a = NULL'", "'b = \\'x\\' AND a IS NULL'"),
        ('"""\n  a = NULL\n"""', '"""\n  a IS NULL\n"""'),
        ('"b" " AND a = NULL"', '"b" " AND a IS NULL"'),
        ('f"b AND a = NULL"', 'f"b AND a IS NULL"'),
    ],
)
def test_a_fix_changes_the_text_inside_the_string(written: str, then: str):
    before = dataset(f'@dlt.expect("given", {written})')
    assert fixed(before) == dataset(f'@dlt.expect("given", {then})')


def test_a_fix_of_a_constant_that_is_used_twice_is_made_once():
    before = dataset("@dlt.expect_all(R)", 'R = {"given": "a = NULL"}')
    twice = before + before.partition("\n\n")[2].replace("def t", "def u")
    assert fixed(twice) == twice.replace("= NULL", "IS NULL")


def test_text_that_is_put_together_is_not_edited():
    before = dataset('@dlt.expect_all({f"{c}_ok": f"{c} = NULL" for c in ("a", "b")})')
    assert fixed(before) == before


def test_a_name_in_a_string_is_renamed_as_python_writes_it():
    after = fixed(dataset('@dlt.expect("rule_1", "a > 0")'))
    assert '@dlt.expect("a_positive", "a > 0")' in after


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_a_fix_in_a_cell_keeps_its_marks(ends: str):
    lines = [
        "# Databricks notebook source",
        "# MAGIC %sql",
        "# MAGIC CREATE OR REFRESH STREAMING TABLE t (",
        "# MAGIC   CONSTRAINT given EXPECT (a = NULL)",
        "# MAGIC ) AS SELECT * FROM STREAM s",
        "",
    ]
    text = ends.join(lines)
    assert fixed(text) == text.replace("= NULL", "IS NULL")


def test_a_fix_in_a_jupyter_notebook_is_written_as_json():
    sql = (
        "%sql\nCREATE LIVE TABLE t (\n"
        "  CONSTRAINT given EXPECT (a = NULL AND b = 'é\\\\')\n) AS SELECT 1"
    )
    program = dataset('@dlt.expect("given", "a = NULL AND b = \'é\'")')
    cells = [
        {"cell_type": "code", "source": sql.splitlines(keepends=True)},
        {"cell_type": "code", "source": program},
    ]
    text = json.dumps({"cells": cells}, indent=1)
    after = fixed(text, "a.ipynb")
    assert after == text.replace("a = NULL", "a IS NULL")
    assert json.loads(after)["cells"][1]["source"] == program.replace("= NULL", "IS NULL")


def test_datasets_of_both_languages_know_each_other():
    python = """
        import dlt
        @dlt.view
        def v(): return dlt.read_stream("raw")
        """
    sql = "CREATE OR REFRESH STREAMING TABLE s AS SELECT * FROM v;\n"
    assert names(python, sql) == []
    assert names(python.replace("read_stream", "read"), sql) == ["streaming-table-without-stream"]


def test_a_dataset_made_in_both_languages_is_there_twice():
    python = "import dlt\n@dlt.table\ndef t(): ...\n"
    sql = "CREATE OR REFRESH MATERIALIZED VIEW t AS SELECT 1 AS a;\n"
    assert names(sql, python) == ["duplicate-dataset"]


def test_a_circle_through_both_languages_is_found():
    python = 'import dlt\n@dlt.table\ndef a(): return dlt.read("b")\n'
    sql = "CREATE OR REFRESH MATERIALIZED VIEW b AS SELECT * FROM a;\n"
    assert names(python, sql) == ["dependency-cycle"]


def test_a_name_from_an_expression_is_no_duplicate_of_itself():
    text = 'import x\nspark.sql(f"CREATE LIVE TABLE {n} AS SELECT 1")\n'
    assert names(text + text) == []


def test_a_view_that_may_stream_is_no_fault_of_its_reader():
    python = "import dlt\n@dlt.view\ndef v(): return load()\n"
    sql = "CREATE OR REFRESH STREAMING TABLE s AS SELECT * FROM v;\n"
    assert names(python, sql) == []


IGNORE = "# tidegate: ignore[null-comparison] meant so"


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (dataset(f'{IGNORE}\n@dlt.expect("a", "a = NULL")\n@dlt.expect("b", "b = NULL")'), ["b"]),
        (dataset(f'@dlt.expect("a", "a = NULL")  {IGNORE}\n@dlt.expect("b", "b = NULL")'), ["b"]),
        (f'import dlt\n{IGNORE}\n@dlt.table\n@dlt.expect("a", "a = NULL")\ndef t(): ...\n', []),
        (dataset("@dlt.expect_all(R)",
                 f'R = {{\n  {IGNORE}\n  "a": "a = NULL",\n  "b": "b = NULL",\n}}'), ["b"]),
        (dataset("@dlt.expect_all(R)",
                 f'R = {{\n  "a": "a = NULL",  {IGNORE}\n  "b": "b = NULL",\n}}'), ["b"]),
        (IGNORE.replace("ignore", "ignore-file") + "\n" + dataset('@dlt.expect("a", "a = NULL")'),
         []),
        ('import x\nspark.sql("""CREATE LIVE TABLE t (\n-- tidegate: ignore[null-comparison] so\n'
         'CONSTRAINT a EXPECT (a = NULL), CONSTRAINT b EXPECT (b = NULL)) AS SELECT 1""")', ["b"]),
    ],
)  # fmt: skip
def test_comments_of_both_languages_suppress(text: str, left: list[str]):
    assert [each.constraint for each in found(text).diagnostics] == left


def test_a_comment_above_a_shared_rule_covers_it_for_all_datasets():
    text = dataset("@dlt.expect_all(R)", f'R = {{\n  {IGNORE}\n  "a": "a = NULL",\n}}')
    twice = text + text.partition("}\n")[2].replace("def t", "def u")
    result = found(twice)
    assert list(result.diagnostics) == []
    assert result.suppressed == 2


def test_a_comment_that_suppresses_nothing_is_named():
    text = dataset(f'{IGNORE}\n@dlt.expect("a", "a > 0")')
    assert names(text) == ["suppression-hygiene"]
    assert IGNORE.replace(IGNORE, "") in fixed(text)
