"""Keeps the figures of runs as small files, and adds them up over all updates.

A streaming table has one file per micro-batch, written before the batch counts as done: a replayed
batch writes the same file again. A materialized view has the figures of its last refresh.
"""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tidegate.transpiler.runtime.gates import Figures
from tidegate.transpiler.runtime.layout import Layout, folder_name, get_json, put_json


def keep_batch(layout: Layout, place: tuple[str, str, int], seen: Figures, by: str) -> None:
    """Store what a flow found; the place is the dataset judged, the flow and its micro-batch."""
    name, flow, batch = place
    file = layout.figures(name) / folder_name(flow) / f"batch-{batch:08d}.json"
    put_json(file, {"update_id": by, "batch": batch, **as_record(seen)})


def keep_supplier(layout: Layout, name: str, flow: str) -> None:
    """Note which of several flows through a view supplies its figures."""
    put_json(layout.figures(name) / "supplier.json", {"flow": flow})


def keep_refresh(layout: Layout, name: str, seen: Figures, by: str) -> None:
    """Store what the last refresh of a dataset found, in place of the one before."""
    put_json(layout.figures(name) / "refresh.json", {"update_id": by, **as_record(seen)})


def forget(layout: Layout, name: str) -> None:
    """Drop all stored figures of a dataset."""
    shutil.rmtree(layout.figures(name), ignore_errors=True)


def forget_flow(layout: Layout, flow: str) -> None:
    """Drop the stored figures of a flow, those on the views it reads included."""
    for folder in layout.state("figures").glob(f"*/{folder_name(flow)}"):
        shutil.rmtree(folder, ignore_errors=True)


def totals(warehouse: Path, name: str) -> dict[str, Any] | None:
    """Add up the stored figures of a dataset over all updates; ``None`` if there are none.

    Several flows through one view judge the same rows, so that one of them supplies them.
    """
    folder = Layout(warehouse).figures(name)
    refresh = get_json(folder / "refresh.json")
    if refresh is not None:
        return _added([refresh])
    supplier = get_json(folder / "supplier.json")
    flows = sorted(child for child in folder.glob("*") if child.is_dir())
    chosen = [each for each in flows if supplier and each.name == folder_name(supplier["flow"])]
    records = [record for flow in (chosen or flows)[:1] for record in _records(flow)]
    return _added(records) if records else None


def as_record(seen: Figures) -> dict[str, Any]:
    """Give figures in the form in which they are stored and shown."""
    return {
        "rows_read": seen.rows_read,
        "rows_written": seen.rows_kept,
        "rows_dropped": seen.rows_dropped,
        "expectations": [
            {
                "name": rule.name,
                "action": rule.action,
                "passed": rule.passed,
                "failed": rule.failed,
                "null": rule.null,
            }
            for rule in seen.rules
        ],
    }


def _records(folder: Path) -> Iterator[dict[str, Any]]:
    for file in sorted(folder.glob("batch-*.json")):
        if (record := get_json(file)) is not None:
            yield record


def _added(records: list[dict[str, Any]]) -> dict[str, Any]:
    rules: dict[str, dict[str, Any]] = {}
    for record in records:
        for each in record["expectations"]:
            rule = rules.setdefault(each["name"], {**each, "passed": 0, "failed": 0, "null": 0})
            for key in ("passed", "failed", "null"):
                rule[key] += each[key]
            rule["action"] = each["action"]
    sums = {key: sum(r[key] for r in records) for key in ("rows_read", "rows_written")}
    dropped = sum(record["rows_dropped"] for record in records)
    return {**sums, "rows_dropped": dropped, "expectations": list(rules.values())}
