"""``tidegate run`` as a process: what it prints where, and how it ends."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from transcripts import environment

pytestmark = pytest.mark.spark

PIPELINE = """\
CREATE OR REFRESH STREAMING TABLE orders (
  CONSTRAINT valid_id EXPECT (id IS NOT NULL) ON VIOLATION DROP ROW,
  CONSTRAINT positive EXPECT (amount > 0)
) AS SELECT * FROM STREAM(raw.orders);

CREATE MATERIALIZED VIEW big (
  CONSTRAINT small_enough EXPECT (amount < ${limit}) ON VIOLATION FAIL UPDATE
) AS SELECT * FROM orders WHERE amount > 5;
"""


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tidegate", "run", "shop", "--warehouse", "out", *words],
        cwd=folder, capture_output=True, text=True, timeout=300, check=False, env=environment(),
    )  # fmt: skip


def test_a_run_prints_json_alone_and_a_tripped_fail_prints_its_rows(tmp_path):
    shop = tmp_path / "shop"
    (shop / "in").mkdir(parents=True)
    (shop / "in" / "1.csv").write_text("id,amount\n1,10\n2,\n3,-5\n,7\n")
    (shop / "shop.sql").write_text(PIPELINE)
    config = '[pipeline]\nsources = ["shop.sql"]\n[inputs]\n"raw.orders" = "in"\n[variables]\n'
    (shop / "tidegate.toml").write_text(config + "limit = 100\n")

    first = run(tmp_path, "--output-format", "json")
    assert (first.returncode, first.stderr) == (0, "")
    document = json.loads(first.stdout)
    assert (document["schema_version"], document["status"]) == (1, "COMPLETED")
    orders, big = document["datasets"]
    assert (orders["name"], orders["kind"]) == ("default.orders", "streaming_table")
    assert (orders["rows_read"], orders["rows_written"], orders["rows_dropped"]) == (4, 3, 1)
    assert orders["expectations"] == [
        {"name": "valid_id", "action": "drop", "passed": 3, "failed": 1, "null": 0},
        {"name": "positive", "action": "warn", "passed": 2, "failed": 2, "null": 1},
    ]
    assert (big["rows_read"], big["rows_written"]) == (1, 1)

    (shop / "in" / "2.csv").write_text("id,amount\n9,500\n")
    second = run(tmp_path)
    assert (second.returncode, second.stderr) == (1, "")
    shown = second.stdout.splitlines()
    assert shown[1] == "  rows read 1, written 1, dropped 0"
    assert "  broken: `small_enough` by 1 row: amount < 100" in shown
    assert '    {"id":9,"amount":500}' in shown
    assert "FAILED" in shown[-1]


def test_an_interrupted_run_ends_with_130_and_without_traceback(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "1.csv").write_text("id,amount\n1,10\n")
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "shop.sql").write_text(PIPELINE.replace("${limit}", "9"))
    words = ["run", "shop", "--warehouse", "out", "--input", "raw.orders=in"]
    process = subprocess.Popen(
        [sys.executable, "-m", "tidegate", *words, "--output-format", "json"],
        cwd=tmp_path, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    wait_for(tmp_path / "out" / "_tidegate" / "checkpoints", process)
    process.send_signal(signal.SIGINT)
    out, told = process.communicate(timeout=120)
    assert (process.returncode, told) == (130, b"interrupted\n")
    assert json.loads(out)["status"] == "CANCELED"


def wait_for(path: Path, process: subprocess.Popen[bytes]) -> None:
    for _ in range(1200):
        if path.exists() or process.poll() is not None:
            return
        time.sleep(0.1)
