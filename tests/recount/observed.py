"""What a run says and what it leaves behind: the JSON document, and the rows of the tables."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from recount.counting import Recounted

ROOT = Path(__file__).parents[2]
READER = Path(__file__).with_name("read_tables.py")
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


def read_tables(warehouse: Path, names: Iterable[str]) -> dict[str, Multiset]:
    """Read tables in a process of its own; rows as in ``counting.multiset``."""
    done = subprocess.run(
        [sys.executable, str(READER), str(warehouse), *names],
        cwd=ROOT,
        env=os.environ | {"TZ": "UTC"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    tables = {}
    for line in done.stdout.splitlines():
        table = json.loads(line)
        columns = table["columns"]
        tables[table["name"]] = Counter(
            {
                tuple((name, text) for name, text in zip(columns, row, strict=True)): count
                for row, count in table["rows"]
            }
        )
    return tables


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
