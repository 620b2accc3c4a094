"""What kind of file a text is, where no name tells."""

import time

import pytest

from tidegate.source.guesses import is_program, suffix_of_text
from tidegate.source.text import SourceFile, holds_python


@pytest.mark.parametrize(
    ("text", "suffix"),
    [
        ("# Databricks notebook source\nimport dlt\n", ".py"),
        ("# Databricks notebook source\r\n# MAGIC %sql\r\n", ".py"),
        ('{"cells": [], "nbformat": 4}', ".ipynb"),
        ('\n {\n "metadata": {}, "cells": []}', ".ipynb"),
        ("-- Databricks notebook source\nSELECT 1", ""),
        ("{{ config() }} SELECT 'cells'", ""),
        ('{"a": 1}', ""),
        ("import dlt\n", ""),
        ("", ""),
    ],
)
def test_notebooks_are_known_by_their_text(text: str, suffix: str):
    assert suffix_of_text(text) == suffix


@pytest.mark.parametrize(
    "text",
    [
        "import dlt",
        "import os, sys\n",
        "import dlt as d  # pipelines\n",
        "\n# comment\n\nfrom pyspark import pipelines as dp\n",
        "@dlt.table\ndef t(): ...",
        "def t():\n    pass",
        "async def t(): ...",
        "class A:\n    pass",
        '"""About it."""\n',
        "RULES = {}",
        'dlt.create_streaming_table("s")',
        'spark.sql("SELECT 1")',
    ],
)
def test_programs_are_known_by_how_they_start(text: str):
    assert is_program(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "-- import dlt\nSELECT 1",
        "/* import dlt */ SELECT 1",
        "CREATE TABLE t AS SELECT 1",
        "FROM t SELECT a",
        "from imports select a",
        "SET a = 1;",
        "import_all",
        "{{ config() }}",
        "WITH a AS (SELECT 1) SELECT * FROM a",
        "'import dlt'",
    ],
)
def test_sql_is_no_program(text: str):
    assert not is_program(text)


@pytest.mark.parametrize("part", ["#", "\n", " \n", "# \n", "a.", "import ", "@a", "'"])
def test_a_guess_takes_no_time(part: str):
    start = time.perf_counter()
    is_program(part * 200_000)
    suffix_of_text(part * 200_000)
    assert time.perf_counter() - start < 1


def test_a_name_that_is_given_is_believed():
    text = "# Databricks notebook source\n"
    assert holds_python(SourceFile(path="<stdin>", text=text))
    assert not holds_python(SourceFile(path="a.sql", text=text))
    assert holds_python(SourceFile(path="A.IPYNB", text="SELECT 1"))
