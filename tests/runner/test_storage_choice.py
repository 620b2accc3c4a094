"""Which storage a run takes when nobody names one and the Delta jars cannot be had."""

import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.spark

VIEW = "CREATE MATERIALIZED VIEW m (CONSTRAINT one EXPECT (x = 1)) AS SELECT 1 AS x"


@pytest.fixture
def without_jars(tmp_path):
    """Run the command where Ivy's folder is empty and the way to Maven Central is cut."""
    (tmp_path / "m.sql").write_text(VIEW, encoding="utf-8")
    home = tmp_path / "home"
    home.mkdir()
    java = f"-Duser.home={home} -Dhttps.proxyHost=127.0.0.1 -Dhttps.proxyPort=1"
    command = [sys.executable, "-m", "tidegate", "run", "m.sql", "--warehouse", "out"]

    def run(*more: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*command, *more],
            cwd=tmp_path,
            env=os.environ | {"JDK_JAVA_OPTIONS": java},
            capture_output=True,
            text=True,
            check=False,
        )

    return run


def test_plain_parquet_is_taken_with_a_warning_where_no_storage_was_named(without_jars, tmp_path):
    done = without_jars()
    assert done.returncode == 0, done.stderr
    assert "warning: the Delta Lake jars are not on this machine" in done.stderr
    assert "plain Parquet, not Delta" in done.stderr
    assert "Traceback" not in done.stderr
    assert list((tmp_path / "out" / "default" / "m").glob("*.parquet"))
    assert not (tmp_path / "out" / "default" / "m" / "_delta_log").exists()


def test_delta_by_name_is_never_replaced(without_jars, tmp_path):
    done = without_jars("--storage", "delta")
    assert done.returncode == 2
    assert "the Delta Lake jars are not on this machine" in done.stderr
    assert "--storage parquet" in done.stderr
    assert not (tmp_path / "out" / "default").exists()


def test_a_warehouse_of_delta_tables_stays_one(without_jars, tmp_path):
    state = tmp_path / "out" / "_tidegate"
    state.mkdir(parents=True)
    (state / "warehouse.json").write_text('{"storage": "delta", "version": 1}', encoding="utf-8")
    done = without_jars()
    assert done.returncode == 2
    assert "the Delta Lake jars are not on this machine" in done.stderr
