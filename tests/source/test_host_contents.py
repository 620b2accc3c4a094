"""What is taken out of Python files and notebooks."""

import json

import pytest

from tidegate.source.holes import spelled
from tidegate.source.hosts import host_of, open_host
from tidegate.source.text import SourceFile


def blocks(text: str, path: str = "a.py") -> list[str]:
    """Return the SQL of a file, block by block."""
    opened = open_host(SourceFile(path=path, text=text))
    return [spelled("".join(piece.text for piece in block)) for block in opened.sql]


def notebook(*cells: object, **metadata: object) -> str:
    made = [{"cell_type": "code", "metadata": {}, "source": source} for source in cells]
    return json.dumps({"cells": made, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5})


CREATE = "CREATE STREAMING TABLE t AS SELECT 1"


@pytest.mark.parametrize(
    ("program", "found"),
    [
        (f'spark.sql("{CREATE}")', [CREATE]),
        ('spark.sql("SELECT 1")', ["SELECT 1"]),
        ('session.sql(\n  """SELECT\n1""" # why\n)', ["SELECT\n1"]),
        ('spark.sql(sqlQuery="SELECT 1")', ["SELECT 1"]),
        ('spark.sql("SELECT 1 " "FROM t")', ["SELECT 1 FROM t"]),
        ('spark.sql(f"SELECT {a} FROM {b[0]}")', ["SELECT {a} FROM {b[0]}"]),
        ('spark.sql(textwrap.dedent("""SELECT 1"""))', ["SELECT 1"]),
        ('spark.sql("SELECT " + name + " FROM t")', ["SELECT name FROM t"]),
        ('spark.sql("SELECT {x} {{}}".format(x=1))', ["SELECT {x} {}"]),
        ('spark.sql("SELECT %s" % name)', ["SELECT %s"]),
        (f'query = "{CREATE}"', [CREATE]),
        ('query = f"""\n-- c\nCREATE OR REFRESH {x}"""', ["\n-- c\nCREATE OR REFRESH {x}"]),
        (f'all = ["{CREATE}", "APPLY CHANGES INTO t"]', [CREATE, "APPLY CHANGES INTO t"]),
        (f'def q():\n    return ("{CREATE}")', [CREATE]),
        ('x = "CREATE TABLE t (CONSTRAINT c EXPECT (a))"',
         ["CREATE TABLE t (CONSTRAINT c EXPECT (a))"]),
        ('x = "CREATE TABLE t (a INT)"', []),
        (f'print("{CREATE}")', []),
        (f'if x == "{CREATE}": pass', []),
        (f'"""{CREATE}"""', []),
        (f'# spark.sql("{CREATE}")', []),
        ('spark.sql(query)', []),
        ('spark.sql(f"{query}")', []),
        ('spark.sql(b"SELECT 1")', []),
        ('sql("SELECT 1")', []),
    ],
)  # fmt: skip
def test_sql_is_taken_out_of_the_strings_that_hold_it(program: str, found: list[str]):
    assert blocks(program) == found


def test_sql_is_found_in_a_program_that_is_none():
    assert blocks('def (:\nspark.sql("SELECT 1")\nx = """open') == ["SELECT 1"]


def test_a_cell_of_sql_is_taken_out_of_a_notebook_without_its_marks():
    text = (
        "# Databricks notebook source\n# MAGIC %md\n# MAGIC %sql\n\n# COMMAND ----------\n\n"
        "# DBTITLE 1,Orders\n# MAGIC %sql\n# MAGIC SELECT 1\n# MAGIC\n# MAGIC FROM t\n\n"
        "# COMMAND ----------\n\n# MAGIC %sql SELECT 2"
    )
    assert blocks(text) == ["\nSELECT 1\n\nFROM t\n", "SELECT 2"]


def test_a_cell_keeps_its_windows_line_ends():
    assert blocks("# MAGIC %sql\r\n# MAGIC SELECT 1\r\n# MAGIC\r\n") == ["\r\nSELECT 1\r\n\r\n"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (notebook(["%sql\n", "SELECT 1\n", "FROM t"], "%%sql\nSELECT 2"),
         ["\nSELECT 1\nFROM t", "\nSELECT 2"]),
        (notebook("SELECT 1", "%python\nx = 1", language_info={"name": "sql"}), ["SELECT 1"]),
        (notebook("SELECT 1", kernelspec={"name": "python3"}), []),
        (notebook("%pip install x\nspark.sql('SELECT 1')"), ["SELECT 1"]),
        (notebook("%md\n%sql"), []),
        (json.dumps({"worksheets": [{"cells": [
            {"cell_type": "code", "input": "%sql\nSELECT 1"}]}]}), ["\nSELECT 1"]),
        (json.dumps({"cells": [{"cell_type": "markdown", "source": "%sql\nSELECT 1"}, 3, {}]}), []),
        ('{"cells": [{"cell_type": "code", "source": "%sql\\n\\u0027\\ud83d\\ude00\\u0027"}]}',
         ["\n'😀'"]),
    ],
)  # fmt: skip
def test_cells_of_sql_are_taken_out_of_a_jupyter_notebook(text: str, found: list[str]):
    assert blocks(text, "a.ipynb") == found


def test_equal_cells_keep_their_own_places():
    text = notebook("%sql\nSELECT 1", "%sql\nSELECT 1")
    opened = open_host(SourceFile(path="a.ipynb", text=text))
    first, second = (block[-1].host for block in opened.sql)
    assert text[first.start : first.end] == text[second.start : second.end] == "SELECT 1"
    assert first.end < second.start


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "it is not valid JSON: expecting value"),
        ('{"cells": [', "it is not valid JSON: expecting value"),
        ("[]", "it has no cells, so it is no notebook"),
        ('{"cells": 3}', "it has no cells, so it is no notebook"),
        ("[" * 100_000, "its JSON is nested too deeply"),
        ('{"cells": [], "n": 1' + "0" * 5000 + "}", "it holds a number that is too long"),
    ],
)
def test_a_notebook_that_cannot_be_read_says_why(text: str, reason: str):
    (unread,) = open_host(SourceFile(path="a.ipynb", text=text)).unread
    assert unread.reason == reason


def test_kinds_of_files_are_told_apart():
    kinds = {
        ("a.sql", "SELECT 1"): "sql",
        ("a.sql", "-- Databricks notebook source\nSELECT 1"): "sql_notebook",
    }
    for (path, text), kind in kinds.items():
        assert host_of(SourceFile(path=path, text=text)).value == kind
    assert open_host(SourceFile(path="a.PY", text="")).host.value == "python"
    notebook_source = SourceFile(path="a.py", text="# Databricks notebook source\n")
    assert open_host(notebook_source).host.value == "python_notebook"


@pytest.mark.parametrize(
    "metadata", [{"vscode": {"languageId": "sql"}}, {"language": "sql"}, {"language": "SparkSQL"}]
)
def test_a_cell_may_name_its_language(metadata: dict[str, object]):
    cell = {"cell_type": "code", "metadata": metadata, "source": "SELECT 1"}
    assert blocks(json.dumps({"cells": [cell]}), "a.ipynb") == ["SELECT 1"]
