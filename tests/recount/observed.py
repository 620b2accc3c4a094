"""What a run says and what it leaves behind: the JSON document, and the rows of the tables."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import ROUND_DOWN, Decimal
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


def run_pipeline(*sources: Path, warehouse: Path, inputs: Sequence[tuple[str, Path]] = ()) -> Run:
    """Run a pipeline to its end and parse the JSON that it prints."""
    done = _run(sources, warehouse, inputs, "json")
    try:
        document = json.loads(done.stdout)
    except ValueError:
        raise AssertionError(f"exit {done.returncode}:\n{done.stdout}{done.stderr}") from None
    return Run(done.returncode, document, done.stderr)


def run_for_people(*sources: Path, warehouse: Path) -> str:
    """Run a pipeline to its end and return the tables that it prints."""
    done = _run(sources, warehouse, (), "full")
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def _run(
    sources: Sequence[Path], warehouse: Path, inputs: Sequence[tuple[str, Path]], shown_as: str
) -> subprocess.CompletedProcess[str]:
    named = [part for name, path in inputs for part in ("--input", f"{name}={path}")]
    command = [
        *(sys.executable, "-m", "tidegate", "run", *map(str, sources)),
        *("--warehouse", str(warehouse), *named, "--output-format", shown_as),
    ]
    # A JVM that compiles little is done twice as fast with runs as short as these.
    java = {"JDK_JAVA_OPTIONS": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC", "NO_COLOR": "1"}
    return subprocess.run(
        command, cwd=ROOT, env=os.environ | java, capture_output=True, text=True, check=False
    )


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


def assert_shown(text: str, expected: Sequence[Recounted]) -> None:
    """Compare every figure that a run prints for people with the recount."""
    head, *_ = text.partition(f"{len(expected)} datasets: ")
    paragraphs = [part.splitlines() for part in head.strip().split("\n\n")]
    shown = {lines[0].split()[0]: [line.split() for line in lines[1:]] for lines in paragraphs}
    assert sorted(shown) == sorted(each.name for each in expected)
    wanted = {each.name: list(_lines(each)) for each in expected}
    assert shown == wanted
    tables = [each.figures for each in expected if each.kind != "temporary_view"]
    rules = [rule for each in expected for rule in each.figures["expectations"]]
    broken = sum(rule["failed"] > 0 for rule in rules)
    read, written, dropped = (
        f"{sum(each[name] for each in tables):,}"
        for name in ("rows_read", "rows_written", "rows_dropped")
    )
    closing = text.splitlines()[-4:]
    assert closing[:3] == [
        f"{len(expected)} datasets: {len(expected)} completed",
        f"tables: rows read {read}, written {written}, dropped {dropped}",
        f"{len(rules)} expectations: {len(rules) - broken} held, {broken} broken",
    ]
    assert ": COMPLETED in " in closing[3]


def _lines(each: Recounted) -> Iterator[list[str]]:
    figures = each.figures
    read, written, dropped = (figures[f"rows_{name}"] for name in ("read", "written", "dropped"))
    yield f"rows read {read:,}, written {written:,}, dropped {dropped:,}".split()
    if figures["expectations"]:
        yield ["expectation", "action", "passed", "failed", "NULL", "share"]
    for rule in figures["expectations"]:
        judged = rule["passed"] + rule["failed"]
        exact = Decimal(100 * rule["passed"]) / judged if judged else None
        # A rule that was ever broken must not show 100 %, so shares are rounded down.
        share = f"{exact.quantize(Decimal('0.01'), ROUND_DOWN)} %" if judged else "-"
        counts = f"{rule['passed']:,} {rule['failed']:,} {rule['null']:,}"
        yield f"{rule['name']} {rule['action']} {counts} {share}".split()


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
