"""Python files and notebooks among the paths of a call."""

import json
from pathlib import Path

import pytest

from tidegate.linter.python_functions import RegisteredFunctions
from tidegate.project.files import gather
from tidegate.project.python_files import look_at

DOOR = "import dlt\n@dlt.table\ndef t(): ...\n"


def files(folder: Path, **texts: str) -> Path:
    for name, text in texts.items():
        path = folder / name.replace("__", "/").replace("_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def found(*paths: Path) -> list[str]:
    return [Path(each.path).name for each in gather([str(path) for path in paths], None).files]


@pytest.mark.parametrize(
    "text",
    [
        DOOR,
        "from pyspark import pipelines as dp\n@dp.table\ndef t(): ...\n",
        "# Databricks notebook source\n# MAGIC %sql\n# MAGIC CREATE LIVE TABLE t AS SELECT 1\n",
        'spark.sql("CREATE STREAMING TABLE t AS SELECT 1")\n',
    ],
)
def test_a_folder_gives_the_python_files_that_hold_something(tmp_path: Path, text: str):
    assert found(files(tmp_path, a_py=text, b_sql="SELECT 1")) == ["a.py", "b.sql"]


@pytest.mark.parametrize(
    "text",
    [
        "print('hello')\n",
        'spark.sql("SELECT 1")\n',
        "import dlt\ndlt.pipeline('x')\n",
        "def broken(:\n",
        "expected = 1\n",
        "\x00\x01",
    ],
)
def test_a_folder_does_not_give_other_python_files(tmp_path: Path, text: str):
    assert found(files(tmp_path, a_py=text, b_sql="SELECT 1")) == ["b.sql"]


def test_a_broken_file_with_datasets_is_named(tmp_path: Path):
    files(tmp_path, a_py="import dlt\n@dlt.table\ndef t(:\n", b_sql="SELECT 1")
    gathered = gather([str(tmp_path)], None)
    assert [Path(each.path).name for each in gathered.files] == ["b.sql"]
    (unhandled,) = gathered.unhandled
    assert unhandled.reason == "line 3, column 7: it is not valid Python: invalid syntax"
    assert not unhandled.is_partial


def test_a_folder_gives_notebooks(tmp_path: Path):
    cell = {"cell_type": "code", "source": "%sql\nCREATE LIVE TABLE t AS SELECT 1"}
    files(tmp_path, a_ipynb=json.dumps({"cells": [cell]}), b_ipynb=json.dumps({"cells": []}))
    assert found(tmp_path) == ["a.ipynb"]


def test_environments_of_python_are_left_out(tmp_path: Path):
    files(tmp_path, a_py=DOOR, venv__b_py=DOOR, venv__pyvenv_cfg="home = /\n")
    assert found(tmp_path) == ["a.py"]


def test_a_named_file_with_any_sql_is_taken(tmp_path: Path):
    files(tmp_path, a_py='spark.sql("SELECT 1")\n')
    assert found(tmp_path / "a.py") == ["a.py"]


def test_a_named_file_that_holds_nothing_is_told(tmp_path: Path):
    path = files(tmp_path, a_py="print(1)\n") / "a.py"
    gathered = gather([str(path)], None)
    assert gathered.files == ()
    assert gathered.idle == (str(path),)
    assert gathered.empty == ()


def test_a_folder_without_anything_is_empty(tmp_path: Path):
    files(tmp_path, a_py="print(1)\n")
    assert gather([str(tmp_path)], None).empty == (str(tmp_path),)


def test_functions_are_known_whether_or_not_their_file_is_a_source(tmp_path: Path):
    files(
        tmp_path,
        a_py='import dlt\nspark.udf.register("one", f)\n@dlt.table\ndef t(): ...\n',
        b_py='@udf("int")\ndef two(x): ...\nspark.udf.registerJavaFunction("three", "x.Y")\n',
    )
    gathered = gather([str(tmp_path)], None)
    assert [Path(each.path).name for each in gathered.files] == ["a.py"]
    assert gathered.python_udfs == ("one", "two")
    assert gathered.java_udfs == ("three",)


def test_functions_of_a_notebook_are_known(tmp_path: Path):
    cell = {"cell_type": "code", "source": ["%pip install x\n", 'spark.udf.register("one", f)']}
    path = files(tmp_path, a_ipynb=json.dumps({"cells": [cell]})) / "a.ipynb"
    assert look_at(str(path), is_named=False).functions == RegisteredFunctions(
        python=frozenset({"one"})
    )


def test_a_file_that_cannot_be_read_is_left_to_whoever_reads_it(tmp_path: Path):
    assert look_at(str(tmp_path / "no.py"), is_named=True).is_source
