"""``tidegate.toml`` and its table in ``pyproject.toml``."""

from pathlib import Path

import pytest

from tidegate.model.verdict import NullPolicy
from tidegate.project.config import KEYS, Config, find_config
from tidegate.project.refusal import Refusal

EVERYTHING = """
null_policy = "pass"

[pipeline]
sources = ["pipelines/*.sql"]
catalog = "dev"
schema = "silver"
settings = "conf/prod.yml"

[inputs]
"raw.orders" = "data/orders"
raw.customers = "data/customers.csv"

[variables]
limit = 10
env = "dev"
full = true

[lint]
select = ["P", "null-comparison"]
ignore = ["N101"]
targets = ["spark-4.2", "delta"]
profile = "strict"
functions = ["main.dq.ok"]
python_udfs = ["is_mail"]

[run]
on_fail = "all"
sample_rows = 3
redact = ["mail"]
fail_sees_dropped = false
storage = "parquet"
"""


def write(folder: Path, text: str, name: str = "tidegate.toml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def refusal(folder: Path, text: str, name: str = "tidegate.toml") -> Refusal:
    write(folder, text, name)
    with pytest.raises(Refusal) as caught:
        find_config(str(folder))
    return caught.value


def test_every_key_is_read(tmp_path):
    path = write(tmp_path, EVERYTHING)
    assert find_config(str(tmp_path)) == Config(
        path=str(path),
        folder=str(tmp_path),
        sources=("pipelines/*.sql",),
        catalog="dev",
        schema="silver",
        settings="conf/prod.yml",
        inputs={"raw.orders": "data/orders", "raw.customers": "data/customers.csv"},
        variables={"limit": "10", "env": "dev", "full": "true"},
        parameters=frozenset({"limit", "env", "full"}),
        select=("P", "null-comparison"),
        ignore=("N101",),
        targets=("spark-4.2", "delta"),
        profile="strict",
        functions=("main.dq.ok",),
        python_udfs=("is_mail",),
        null_policy=NullPolicy.PASS,
        on_fail="all",
        sample_rows=3,
        redact=("mail",),
        fail_sees_dropped=False,
        storage="parquet",
    )


def test_every_known_key_appears_in_the_test_above():
    words = set(EVERYTHING.replace("[", " ").replace("]", " ").split())
    assert {key.rpartition(".")[2] for key in KEYS} <= words


def test_the_nearest_file_above_counts(tmp_path):
    write(tmp_path, '[pipeline]\nschema = "outer"\n')
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    write(tmp_path / "a", '[pipeline]\nschema = "inner"\n')
    assert find_config(str(inner)).schema == "inner"


def test_a_table_in_pyproject_counts(tmp_path):
    write(tmp_path, '[tool.tidegate.pipeline]\nschema = "s"\n', "pyproject.toml")
    assert find_config(str(tmp_path)).schema == "s"


def test_a_pyproject_without_our_table_is_passed_over(tmp_path):
    write(tmp_path, '[pipeline]\nschema = "outer"\n')
    inner = tmp_path / "a"
    inner.mkdir()
    write(inner, '[project]\nname = "x"\ndependencies = ["tidegate"]\n', "pyproject.toml")
    assert find_config(str(inner)).schema == "outer"


def test_our_own_file_goes_before_pyproject(tmp_path):
    write(tmp_path, '[tool.tidegate.pipeline]\nschema = "b"\n', "pyproject.toml")
    write(tmp_path, '[pipeline]\nschema = "a"\n')
    assert find_config(str(tmp_path)).schema == "a"


def test_an_unknown_key_is_refused_with_its_line_and_the_key_meant(tmp_path):
    found = refusal(tmp_path, '[lint]\nprofile = "strict"\nslect = ["P"]\n')
    assert found.message == f"{tmp_path}/tidegate.toml:3: there is no key `lint.slect`"
    assert found.way_out == "did you mean `lint.select`?"


def test_a_key_in_the_wrong_table_is_refused_with_the_right_one(tmp_path):
    assert refusal(tmp_path, 'schema = "s"\n').way_out == "did you mean `pipeline.schema`?"


def test_an_unknown_table_is_refused(tmp_path):
    found = refusal(tmp_path, "[runs]\nsample_rows = 1\n")
    assert found.message == f"{tmp_path}/tidegate.toml:1: there is no key `runs`"
    assert found.way_out == "did you mean `run`?"


def test_the_line_is_found_in_pyproject_too(tmp_path):
    found = refusal(tmp_path, "[tool.tidegate.run]\nsample = 1\n", "pyproject.toml")
    assert found.message.startswith(f"{tmp_path}/pyproject.toml:2: ")


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("[run]\nsample_rows = true", "`run.sample_rows` must be a whole number from 0"),
        ("[run]\nsample_rows = -1", "`run.sample_rows` must be a whole number from 0"),
        ('[run]\nfail_sees_dropped = "no"', "`run.fail_sees_dropped` must be true or false"),
        ('[run]\nstorage = "csv"', '`run.storage` must be one of "delta", "parquet"'),
        ('[lint]\nselect = "P"', "`lint.select` must be a list of texts"),
        ("[lint]\nselect = [1]", "`lint.select` must be a list of texts"),
        ('[lint]\ntargets = ["oracle"]', "`lint.targets` must be a list of"),
        ('[pipeline]\ncatalog = ""', "`pipeline.catalog` must be a text that is not empty"),
        ("[inputs]\nx = 1", '`inputs` must be a table of NAME = "PATH"'),
        ("inputs = 1", '`inputs` must be a table of NAME = "PATH"'),
        ("[variables]\nx = [1]", "`variables` must be a table of plain values"),
        ("lint = 1", "`lint` must be a table"),
        ('null_policy = "maybe"', '`null_policy` must be one of "violation", "pass"'),
    ],
)
def test_a_value_of_the_wrong_shape_is_refused(tmp_path, text, wanted):
    assert wanted in refusal(tmp_path, text).message


def test_text_that_is_no_toml_is_refused_with_its_place(tmp_path):
    message = refusal(tmp_path, "[lint\n").message
    assert message.startswith(f"the configuration `{tmp_path}/tidegate.toml` is not TOML: ")
    assert "line 1" in message


def test_a_configuration_that_is_not_utf8_is_refused(tmp_path):
    (tmp_path / "tidegate.toml").write_bytes(b"\xff\xfe[\x00")
    with pytest.raises(Refusal, match="is not UTF-8"):
        find_config(str(tmp_path))


def test_a_byte_order_mark_before_the_configuration_is_no_harm(tmp_path):
    (tmp_path / "tidegate.toml").write_bytes(b'\xef\xbb\xbf[pipeline]\nschema = "s"\n')
    assert find_config(str(tmp_path)).schema == "s"
