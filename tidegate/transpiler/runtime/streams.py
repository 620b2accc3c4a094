"""Runs streaming tables: what is new in the sources is judged and appended, exactly once.

Spark's checkpoint says which rows a micro-batch holds, the table's log which batches are in it.
"""

import re
import shutil
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from pyspark.sql import DataFrame
from pyspark.sql.types import StructType

from tidegate.transpiler.runtime.checkpoints import app_of, check_checkpoint, damaged
from tidegate.transpiler.runtime.cuts import Cut, cut_of, micro_batch_rows
from tidegate.transpiler.runtime.failures import ENGINE_ERRORS, Refusal, sentence
from tidegate.transpiler.runtime.figures import forget, forget_flow, keep_batch
from tidegate.transpiler.runtime.gates import Figures, gate_of
from tidegate.transpiler.runtime.judging import judge_and_write, reconciled
from tidegate.transpiler.runtime.layout import folder_name, identity, put_json
from tidegate.transpiler.runtime.notices import (
    changed_definition,
    changed_files,
    forget_definition,
    keep_definition,
)
from tidegate.transpiler.runtime.queries import query_rows
from tidegate.transpiler.runtime.spec import Dataset
from tidegate.transpiler.runtime.storage import Transaction
from tidegate.transpiler.runtime.update import Update

_CHECKPOINT_ERRORS = re.compile(
    r"batch \d+ doesn't exist|Incomplete log file|MALFORMED_LOG_FILE|STREAMING_CHECKPOINT_MISSING|"
    r"CONCURRENT_STREAM_LOG_UPDATE|Failed to read log file"
)
_SOURCE_REBUILT = re.compile(
    r"DIFFERENT_DELTA_TABLE_READ_BY_STREAMING_SOURCE|DELTA_SOURCE_TABLE_IGNORE_CHANGES"
)


@dataclass(slots=True)
class Flow:
    """What one run of a streaming table has seen so far."""

    dataset: Dataset
    update: Update
    batches: list[Figures] = field(default_factory=list)
    on_views: dict[str, list[Figures]] = field(default_factory=dict)
    failure: BaseException | None = None
    ended: bool = False
    """Whether the stream came to its end without a failure."""


def stream_into(flow: Flow) -> None:
    """Read everything that is new and append what passes; figures collect in the flow."""
    dataset, update = flow.dataset, flow.update
    cut = cut_of(dataset, update)
    rows = query_rows(dataset, update) if cut is None else cut.rows
    if not rows.isStreaming:
        raise Refusal("a streaming table must read a stream", "write STREAM before a source")
    checkpoint = _prepared(dataset, update, rows.schema if cut is None else cut.schema)
    update.tell("checkpoint ready", dataset)
    _tell_notices(dataset, update, checkpoint)
    try:
        query = (
            rows.writeStream.queryName(dataset.name)
            .option("checkpointLocation", str(checkpoint))
            .trigger(availableNow=True)
            .foreachBatch(_taker(flow, cut, checkpoint))
            .start()
        )
        update.tell("stream started", dataset)
        try:
            query.awaitTermination()
        finally:
            with suppress(*ENGINE_ERRORS):
                query.stop()
    except Exception as error:
        if flow.failure is not None:
            raise flow.failure from None
        if _CHECKPOINT_ERRORS.search(str(error)):
            raise damaged(dataset, sentence(error)) from error
        if _SOURCE_REBUILT.search(str(error)):
            raise Refusal(
                "a table that it reads as a stream was rewritten, not appended to",
                f"run with --full-refresh {dataset.name} to read it from the start",
            ) from error
        raise
    flow.ended = True
    keep_definition(dataset, update.layout)
    update.tell("stream ended", dataset)


def _tell_notices(dataset: Dataset, update: Update, checkpoint: Path) -> None:
    if changed := changed_definition(dataset, update.layout):
        advice = f"run with --full-refresh {dataset.name} to apply it to all rows"
        update.tell("notice", dataset, message=changed, help=advice)
    for file in changed_files(checkpoint):
        message = f"`{file}` was changed after it had been read, and a file is read once"
        update.tell("notice", dataset, message=message, help="write new rows to a new file")


def _prepared(dataset: Dataset, update: Update, schema: StructType) -> Path:
    """Make sure that the table is there and that the checkpoint belongs to it."""
    layout, storage, table = update.layout, update.storage, update.table(dataset)
    checkpoint = layout.checkpoint(dataset.name)
    # The mark outlives a kill, so that the next run finishes what this one began.
    mark = layout.state("resets", f"{folder_name(dataset.name)}.json")
    if identity(dataset.name) in update.full_refresh:
        put_json(mark, {"dataset": dataset.name})
    if mark.exists():
        shutil.rmtree(checkpoint, ignore_errors=True)
        forget(layout, dataset.name)
        forget_flow(layout, dataset.name)
        forget_definition(dataset, layout)
        storage.create(table, dataset, schema, anew=True)
        mark.unlink()
        update.tell("table emptied", dataset)
        return checkpoint
    known = storage.transactions(table) if storage.exists(table) else None
    check_checkpoint(dataset, checkpoint, known)
    storage.create(table, dataset, schema, anew=False)
    update.tell("table ready", dataset)
    if difference := _difference(storage.schema(table), schema):
        raise Refusal(
            f"the query of `{dataset.name}` gives other columns than the table has: {difference}",
            f"run with --full-refresh {dataset.name} to build the table anew",
        )
    return checkpoint


def _taker(flow: Flow, cut: Cut | None, checkpoint: Path) -> Callable[[DataFrame, int], None]:
    def take(batch: DataFrame, number: int) -> None:
        try:
            _take(flow, cut, Transaction(app_of(flow.dataset, checkpoint), number), batch)
        except BaseException as error:
            # The JVM keeps only the text of what is raised here.
            flow.failure = error
            raise

    return take


def _take(flow: Flow, cut: Cut | None, once: Transaction, batch: DataFrame) -> None:
    """Judge and append one micro-batch; a batch that is in already is only counted again."""
    dataset, number = flow.dataset, once.version
    # Spark hands out micro-batches in a session of their own.
    session = batch.sparkSession
    update = replace(flow.update, spark=session, storage=flow.update.storage.on(session))
    update.tell("batch entered", dataset, batch=number)
    on_views: dict[str, Figures] = {}
    if cut is None:
        seen = _append(dataset, update, once, batch)
    else:
        batch.persist()
        try:
            rows = micro_batch_rows(dataset, update, cut.split(batch), on_views)
            update.tell("views judged", dataset, batch=number)
            seen = _append(dataset, update, once, rows)
        finally:
            batch.unpersist()
    update.tell("before figures", dataset, batch=number)
    keep_batch(update.layout, (dataset.name, dataset.name, number), seen, update.id)
    for view, found in on_views.items():
        keep_batch(update.layout, (view, dataset.name, number), found, update.id)
        flow.on_views.setdefault(view, []).append(found)
    flow.batches.append(seen)
    update.tell("after figures", dataset, batch=number, rows_read=seen.rows_read)


def _append(dataset: Dataset, update: Update, once: Transaction, rows: DataFrame) -> Figures:
    table, storage, gate = update.table(dataset), update.storage, gate_of(dataset, update.pipeline)

    def write(judged: DataFrame) -> None:
        update.tell("before data", dataset, batch=once.version)
        storage.append(judged, table, dataset, once)
        update.tell("after data", dataset, batch=once.version)

    seen = judge_and_write(rows, gate, write)
    return reconciled(seen, storage.rows_of(table, once), rows, gate)


def _difference(table: StructType, query: StructType) -> str:
    old = {f.name.casefold(): f for f in table.fields}
    new = {f.name.casefold(): f for f in query.fields}
    parts = [f"`{field.name}` is new" for name, field in new.items() if name not in old]
    parts += [f"`{field.name}` is gone" for name, field in old.items() if name not in new]
    for name in old.keys() & new.keys():
        was, now = old[name].dataType.simpleString(), new[name].dataType.simpleString()
        parts += [f"`{old[name].name}` was {was} and is {now}"] if was != now else []
    return ", ".join(parts)
