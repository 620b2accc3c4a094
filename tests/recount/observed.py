"""What a run says and what it leaves behind: the JSON document, and the rows of the tables."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from pyspark.sql import Row, SparkSession

from recount.counting import Recounted, spell

ROOT = Path(__file__).parents[2]
Multiset = Counter[tuple[tuple[str, str], ...]]


@dataclass(frozen=True)
class Run:
    """One finished ``tidegate run``."""

    exit_code: int
    document: dict
    stderr: str

    @property
    def datasets(self) -> dict[str, dict]:
        """The datasets of the document by their full names."""
        return {each["name"]: each for each in self.document["datasets"]}


def run_pipeline(
    *sources: Path,
    warehouse: Path,
    inputs: Sequence[tuple[str, Path]] = (),
    more: Sequence[str] = (),
) -> Run:
    """Run a pipeline to its end and parse what it prints."""
    named = [part for name, path in inputs for part in ("--input", f"{name}={path}")]
    command = [
        *(sys.executable, "-m", "tidegate", "run", *map(str, sources)),
        *("--warehouse", str(warehouse), *named, "--output-format", "json", *more),
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    try:
        document = json.loads(done.stdout)
    except ValueError:
        raise AssertionError(
            f"no JSON from {' '.join(command)}, exit {done.returncode}:\n{done.stdout}{done.stderr}"
        ) from None
    return Run(done.returncode, document, done.stderr)


def read_tables(spark: SparkSession, warehouse: Path, names: Iterable[str]) -> dict[str, Multiset]:
    """Read Delta tables; rows as in ``counting.multiset``."""
    return {name: _read_table(spark, warehouse.joinpath(*name.split("."))) for name in names}


def _read_table(spark: SparkSession, path: Path) -> Multiset:
    table = spark.read.format("delta").load(str(path))
    # PySpark gives timestamps in the zone of this process; as text they stay in the session's.
    moments = {name for name, of in table.dtypes if of == "timestamp"}
    shown = {name: table[name].cast("string") for name in moments}
    columns = sorted(table.columns)
    return Counter(
        tuple((name, _spelled(name in moments, row[name])) for name in columns)
        for row in table.withColumns(shown).collect()
    )


def _spelled(is_moment: bool, value: object) -> str:
    if is_moment and value is not None:
        return f"timestamp {value}"
    return spell(value.asDict(recursive=True) if isinstance(value, Row) else value)


def assert_figures(run: Run, expected: Iterable[Recounted]) -> None:
    """Compare every figure of a run's datasets with the recount; none may be missing or more."""
    wanted = {each.name: each for each in expected}
    assert sorted(run.datasets) == sorted(wanted)
    assert len(run.document["datasets"]) == len(wanted)
    differences = []
    for name, recounted in wanted.items():
        seen = dict(run.datasets[name])
        duration = seen.pop("duration_ms")
        assert isinstance(duration, int)
        assert duration >= 0
        whole = {"name": name, "kind": recounted.kind, **recounted.figures}
        if recounted.figures["status"] == "COMPLETED":
            whole |= {"violations": [], "error": None}
        else:
            del seen["violations"], seen["error"]
        if seen != whole:
            differences.append(f"{name}\n  run     {seen}\n  recount {whole}")
    assert not differences, "\n".join(differences)


def assert_envelope(run: Run, status: str) -> None:
    """Compare what a run says of itself as a whole."""
    document = run.document
    assert document["schema_version"] == 1
    assert document["status"] == status
    assert document["update_id"]
    started, ended = (datetime.fromisoformat(document[key]) for key in ("started_at", "ended_at"))
    assert started <= ended
    assert sorted(document) == sorted(
        ("schema_version", "update_id", "status", "started_at", "ended_at", "datasets", "errors")
    )


def assert_rows(tables: dict[str, Multiset], wanted: dict[str, Multiset]) -> None:
    """Compare tables row by row, as multisets."""
    assert sorted(tables) == sorted(wanted)
    differences = []
    for name, rows in wanted.items():
        missing, extra = rows - tables[name], tables[name] - rows
        if missing or extra:
            some = [str(row) for row in [*list(missing)[:2], "but found", *list(extra)[:2]]]
            counts = f"{missing.total()} rows missing, {extra.total()} too many"
            differences.append("\n  ".join([f"{name}: {counts}", *some]))
    assert not differences, "\n".join(differences)
