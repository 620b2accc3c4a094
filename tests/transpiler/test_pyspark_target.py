import importlib.util
import re
import subprocess
import sys

import pytest

from tidegate.transpiler.embedding import embed
from tidegate.transpiler.emission import Emission
from tidegate.transpiler.plan import Lowered
from tidegate.transpiler.targets.pyspark import PySparkJob
from transpiler.lowered import lowered

TEXT = r"""
SET spark.sql.session.timeZone = 'UTC';
CREATE OR REFRESH STREAMING TABLE dev.silver.orders (
  id BIGINT NOT NULL COMMENT 'the "key"',
  CONSTRAINT valid_id EXPECT (id IS NOT NULL) ON VIOLATION DROP ROW,
  CONSTRAINT `says "no"` EXPECT (note RLIKE '^\\d+$' AND note <> 'it''s') ON VIOLATION FAIL UPDATE
) COMMENT 'geprüft, 検査' TBLPROPERTIES ('quality' = 'silver') PARTITIONED BY (id)
AS SELECT CAST(id AS BIGINT) AS id,
  '\n' AS note  -- a "note"
FROM STREAM(dev.bronze.orders);
CREATE MATERIALIZED VIEW m (CONSTRAINT low EXPECT (c > 0)) AS
SELECT count(*) AS c FROM read_files('/in', format => 'csv', header => true)
"""


def emitted(result: Lowered) -> Emission:
    return PySparkJob().emit(result.plan, stem="job", version="1.2.3")


@pytest.fixture(scope="module")
def result():
    found = lowered(TEXT)
    assert found.faults == ()
    return found


@pytest.fixture(scope="module")
def job(result, tmp_path_factory):
    path = tmp_path_factory.mktemp("job") / "job.py"
    path.write_text(emitted(result).files["job.py"], encoding="utf-8")
    return path


def test_the_job_describes_exactly_the_pipeline_that_a_run_executes(result, job):
    from tidegate.runner.from_plan import to_spec

    spec = importlib.util.spec_from_file_location("emitted_job", job)
    module = importlib.util.module_from_spec(spec)
    sys.modules["emitted_job"] = module
    try:
        spec.loader.exec_module(module)
        assert repr(module.pipeline()) == repr(to_spec(result.plan, version="1.2.3"))
    finally:
        del sys.modules["emitted_job"]


def test_the_job_needs_nothing_of_ours(job):
    assert not re.search(r"^\s*(from|import) tidegate", job.read_text("utf-8"), re.MULTILINE)


def test_the_same_plan_gives_the_same_text(result):
    assert emitted(result) == emitted(lowered(TEXT))


def test_the_job_has_no_undefined_or_doubled_name(job):
    done = subprocess.run(
        [sys.executable, "-m", "ruff", "check", "--isolated", "--select", "F,E9", str(job)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


def test_the_job_explains_itself(job):
    done = subprocess.run(
        [sys.executable, str(job), "--help"], capture_output=True, text=True, check=True
    )
    assert "--warehouse" in done.stdout
    assert "--input" in done.stdout


def test_the_source_map_leads_from_each_rule_to_its_clause(result):
    emission = emitted(result)
    lines = emission.files["job.py"].splitlines()
    mapped = {
        each.source.slice(each.span).split()[1]: lines[each.line - 1].strip()
        for each in emission.source_map["job.py"]
        if each.source.slice(each.span).startswith("CONSTRAINT")
    }
    assert set(mapped) == {"valid_id", "`says", "low"}
    assert all(line.startswith("Rule(") for line in mapped.values())


def test_the_version_and_the_hash_of_the_sources_stand_in_the_head(result):
    text = emitted(result).files["job.py"]
    assert "Tidegate 1.2.3 from 0.sql" in text
    assert re.search(r"Source hash: [0-9a-f]{64}$", text, re.MULTILINE)
    changed = emitted(lowered(TEXT.replace("c > 0", "c > 1"))).files["job.py"]
    hashes = [re.search(r"Source hash: (\w+)", each)[1] for each in (text, changed)]
    assert hashes[0] != hashes[1]


def test_names_of_the_runtime_modules_do_not_collide():
    import ast

    body = ast.parse(embed("tidegate.transpiler.runtime.job").body)
    names = [
        node.name
        for node in body.body
        if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef)
    ]
    names += [
        target.id
        for node in body.body
        if isinstance(node, ast.Assign | ast.AnnAssign)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Name)
    ]
    assert sorted(names) == sorted(set(names))
