import csv
import subprocess
import sys
from pathlib import Path

import pytest

from tidegate.catalog import functions
from tidegate.catalog.functions import Function, is_known, lookup, suggest

ROOT = Path(__file__).resolve().parents[2]
TABLE = Path(functions.__file__).with_name("functions.tsv")


def rows() -> list[dict[str, str]]:
    with TABLE.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def known(name: str) -> Function:
    found = lookup(name)
    assert found is not None, name
    return found


def test_the_packed_module_is_current():
    command = [sys.executable, str(ROOT / "scripts" / "generate_functions.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_every_row_of_the_table_is_found_with_its_facts():
    table = rows()
    assert len(table) == 828
    words = {"y": "yes", "n": "no", "?": "doubtful"}
    for row in table:
        found = known(row["name"])
        assert found.name == row["name"]
        assert found.kind == row["kind"]
        assert found.determinism == row["determinism"]
        assert found.group == row["group"]
        assert found.spark_4_2 == words[row["spark_4_2"]]
        assert found.spark_4_3 == words[row["spark_4_3"]]
        assert found.databricks == words[row["databricks"]]
        assert found.min_args == (int(row["min_args"]) if row["min_args"] else None)
        bounded = row["max_args"] not in ("", "*")
        assert found.max_args == (int(row["max_args"]) if bounded else None)


def test_a_name_is_found_in_any_case():
    assert known("COALESCE") == known("coalesce")


@pytest.mark.parametrize("name", ["", " ", "lenght", "abs s", "co", "\n", "abs\n"])
def test_what_is_no_builtin_is_not_found(name):
    assert lookup(name) is None


def test_a_function_of_the_vendor_alone_is_unknown_to_spark():
    assert is_known("iff", "lakeflow")
    assert not is_known("iff", "spark-4.2")


def test_a_function_of_a_newer_release_is_unknown_to_the_older():
    assert is_known("hmac", "spark-4.3")
    assert not is_known("hmac", "spark-4.2")


def test_a_doubtful_function_counts_as_known():
    assert known("time").databricks == "doubtful"
    assert is_known("time", "lakeflow")


def test_arity_is_a_range():
    substring = known("substring")
    assert [substring.accepts(count) for count in range(1, 5)] == [False, True, True, False]


def test_unbounded_arity_accepts_many():
    assert known("greatest").accepts(40)
    assert not known("greatest").accepts(1)


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("lenght", "length"),
        ("colaesce", "coalesce"),
        ("curent_date", "current_date"),
        ("regex_like", "regexp_like"),
        ("isnumeric", "try_cast"),
        ("strlen", "length"),
        ("today", "current_date"),
    ],
)
def test_a_misspelt_or_foreign_name_has_a_suggestion(wrong, right):
    assert suggest(wrong, ["lakeflow"])[0] == right


@pytest.mark.parametrize(
    ("name", "right"),
    [("charindex", "locate"), ("getdate", "current_timestamp"), ("iff", "if")],
)
def test_a_name_of_the_vendor_is_translated_for_spark(name, right):
    assert suggest(name, ["spark-4.2"])[0] == right


def test_suggestions_exist_on_all_targets():
    assert "iff" in suggest("ifff", ["lakeflow"])
    assert "iff" not in suggest("ifff", ["lakeflow", "spark-4.2"])


@pytest.mark.parametrize("name", ["is_valid_email", "py_is_mail", "zz", "q"])
def test_a_name_of_its_own_has_no_suggestion(name):
    assert suggest(name, ["lakeflow"]) == ()
