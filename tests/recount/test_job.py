"""The job that ``compile`` writes and the run that ``run`` makes cannot be told apart."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pyspark
import pytest

from recount.observed import ROOT, Run, read_tables, run_pipeline
from tidegate.runner.java import find_java_home
from tidegate.transpiler.runtime.session import DELTA_PACKAGE, delta_excludes

pytestmark = pytest.mark.spark

EXAMPLE = ROOT / "fixtures" / "example"
INPUTS = {
    "raw.orders": EXAMPLE / "inputs" / "orders",
    "raw.customers": EXAMPLE / "inputs" / "customers.csv",
    "raw.payments": EXAMPLE / "inputs" / "payments",
}
SUBMIT = [
    str(Path(sys.executable).with_name("spark-submit")),
    *("--packages", DELTA_PACKAGE, "--conf", f"spark.jars.excludes={delta_excludes()}"),
]
SPARK = {
    "SPARK_HOME": str(Path(pyspark.__file__).parent),
    "PYSPARK_PYTHON": sys.executable,
    "JAVA_HOME": str(find_java_home()),
}
VARYING = {"update_id", "started_at", "ended_at", "duration_ms"}
# A job stands without the files that it was compiled from.
OF_SOURCES = {"path", "line", "column"}


def compiled(source: Path, folder: Path) -> Path:
    command = [sys.executable, "-m", "tidegate", "compile", str(source), "--to", "pyspark"]
    subprocess.run([*command, "-o", str(folder)], cwd=ROOT, check=True, capture_output=True)
    (job,) = folder.glob("*.py")
    return job


def submitted(job: Path, warehouse: Path, inputs: dict[str, Path]) -> Run:
    named = [part for name, path in inputs.items() for part in ("--input", f"{name}={path}")]
    command = [*SUBMIT, str(job), "--warehouse", str(warehouse), *named]
    # Outside the repository, so that no import can find our package by accident.
    done = subprocess.run(
        [*command, "--output-format", "json"],
        cwd=warehouse.parent,
        env=os.environ | SPARK,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.startswith("{"), done.stderr[-3000:]
    return Run(done.returncode, json.loads(done.stdout), done.stderr)


def steady(value):
    """The same document without what no two runs share."""
    if isinstance(value, dict):
        left_out = VARYING | OF_SOURCES
        return {key: steady(each) for key, each in value.items() if key not in left_out}
    return [steady(each) for each in value] if isinstance(value, list) else value


def test_the_job_gives_the_tables_and_figures_of_a_run(spark, tmp_path):
    job = compiled(EXAMPLE, tmp_path / "job")
    by_run = run_pipeline(EXAMPLE, warehouse=tmp_path / "run")
    by_job = submitted(job, tmp_path / "submitted", INPUTS)
    assert by_run.exit_code == by_job.exit_code == 0
    assert steady(by_job.document) == steady(by_run.document)
    names = [
        each["name"] for each in by_run.document["datasets"] if each["kind"] != "temporary_view"
    ]
    tables = [read_tables(spark, tmp_path / each, names) for each in ("run", "submitted")]
    assert tables[0] == tables[1]
    assert sum(len(rows) for rows in tables[0].values()) > 50_000

    again = submitted(job, tmp_path / "submitted", INPUTS)
    streams = [each for each in again.document["datasets"] if each["kind"] == "streaming_table"]
    assert {each["rows_read"] for each in streams} == {0}


def test_the_job_fails_like_a_run(tmp_path):
    source = tmp_path / "failing.sql"
    source.write_text(
        "CREATE MATERIALIZED VIEW m (\n"
        "  CONSTRAINT positive EXPECT (amount > 0) ON VIOLATION FAIL UPDATE\n"
        ") AS SELECT * FROM t;\n"
        "CREATE MATERIALIZED VIEW after AS SELECT * FROM m",
        encoding="utf-8",
    )
    data = tmp_path / "t.csv"
    data.write_text("id,amount\n1,10\n2,\n3,-5\n4,0\n", encoding="utf-8")
    by_run = run_pipeline(source, warehouse=tmp_path / "run", inputs=[("t", data)])
    by_job = submitted(compiled(source, tmp_path / "job"), tmp_path / "out", {"t": data})
    assert by_run.exit_code == by_job.exit_code == 1
    assert steady(by_job.document) == steady(by_run.document)
    (broken,) = by_job.document["datasets"][0]["violations"]
    assert (broken["name"], broken["failed"], broken["null"]) == ("positive", 3, 1)
