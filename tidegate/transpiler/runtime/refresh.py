"""Recomputes a materialized view: its rows replace the old ones in one transaction, or none do."""

from pyspark.sql import DataFrame

from tidegate.transpiler.runtime.failures import Refusal
from tidegate.transpiler.runtime.figures import keep_refresh
from tidegate.transpiler.runtime.gates import Figures, gate_of
from tidegate.transpiler.runtime.judging import judge_and_write, reconciled
from tidegate.transpiler.runtime.queries import query_rows
from tidegate.transpiler.runtime.spec import Dataset
from tidegate.transpiler.runtime.update import Update


def refresh(dataset: Dataset, update: Update) -> Figures:
    """Run the query again, judge its rows and put them in the place of the old ones."""
    rows = query_rows(dataset, update)
    if rows.isStreaming:
        raise Refusal("a materialized view cannot read a stream", "leave out STREAM")
    table, storage, gate = update.table(dataset), update.storage, gate_of(dataset, update.pipeline)
    storage.create(table, dataset, rows.schema, anew=False)
    update.tell("table ready", dataset)

    def write(judged: DataFrame) -> None:
        update.tell("before data", dataset)
        storage.replace(judged, table, dataset)
        update.tell("after data", dataset)

    seen = judge_and_write(rows, gate, write)
    seen = reconciled(seen, storage.rows_of(table, None), rows, gate)
    update.tell("before figures", dataset)
    keep_refresh(update.layout, dataset.name, seen, update.id)
    update.tell("after figures", dataset)
    return seen
