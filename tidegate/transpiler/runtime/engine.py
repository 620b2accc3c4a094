"""Runs a pipeline: every dataset in its order, with a status, figures and what went wrong."""

import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic
from typing import Any

from pyspark.sql import SparkSession

from tidegate.transpiler.runtime.failures import (
    ENGINE_ERRORS,
    ExpectationsBroken,
    Refusal,
    advice_on,
    lost_java,
    sentence,
)
from tidegate.transpiler.runtime.figures import keep_refresh, keep_supplier
from tidegate.transpiler.runtime.gates import gate_of, summed
from tidegate.transpiler.runtime.judging import judge
from tidegate.transpiler.runtime.layout import STATE_FOLDER, Layout, get_json, identity, put_json
from tidegate.transpiler.runtime.lock import locked
from tidegate.transpiler.runtime.parquet import ParquetStorage
from tidegate.transpiler.runtime.queries import query_rows, require_sources
from tidegate.transpiler.runtime.refresh import refresh
from tidegate.transpiler.runtime.results import COMPLETED, FAILED, SKIPPED, Result
from tidegate.transpiler.runtime.sources import Inputs
from tidegate.transpiler.runtime.spec import (
    MATERIALIZED_VIEW,
    STREAMING_TABLE,
    TEMPORARY_VIEW,
    Dataset,
    Pipeline,
    Read,
)
from tidegate.transpiler.runtime.storage import DeltaStorage, Storage
from tidegate.transpiler.runtime.streams import Flow, stream_into
from tidegate.transpiler.runtime.update import Event, Options, Update

_STORAGE_FILE = "warehouse.json"
_DEFAULTS = {"spark.sql.session.timeZone": "UTC", "spark.sql.ansi.enabled": "true"}


def run_pipeline(
    spark: SparkSession, pipeline: Pipeline, options: Options, on_event: Callable[[Event], None]
) -> dict[str, Any]:
    """Run a pipeline on a warehouse and give its outcome, which is also kept with the run state."""
    layout = Layout(options.warehouse.absolute())
    check_places(pipeline, options)
    waiting = Event("lock awaited", None, {"warehouse": str(options.warehouse)})
    lock = layout.state("lock")
    with (
        locked(spark, lock, wait=options.wait, on_wait=lambda: on_event(waiting)),
        _settings(spark, pipeline) as settings,
    ):
        on_event(Event("lock taken"))
        storage = _storage(spark, layout, options.storage)
        storage.recover()
        update = Update(
            id=str(uuid.uuid4()),
            spark=spark,
            pipeline=pipeline,
            layout=layout,
            storage=storage,
            inputs=Inputs(options.inputs),
            full_refresh=frozenset(identity(name) for name in options.full_refresh),
            on_event=on_event,
        )
        require_sources(update)
        outcome = _run(update)
        update.tell("before run record")
        put_json(layout.state("runs", f"{update.id}.json"), {**outcome, "settings": settings})
        update.tell("after run record")
    on_event(Event("lock freed"))
    return outcome


def check_places(pipeline: Pipeline, options: Options) -> None:
    """Refuse names that are no folder, or that lie inside each other."""
    places: dict[tuple[str, ...], str] = {}
    for dataset in pipeline.datasets:
        for part in dataset.path:
            if part in {"", ".", ".."} or "/" in part or "\0" in part:
                raise Refusal(f"`{dataset.name}` cannot be the name of a folder")
        if dataset.path[0].casefold() == STATE_FOLDER:
            raise Refusal(f"`{dataset.name}` would lie in the folder of run state")
        if dataset.kind != TEMPORARY_VIEW:
            places[tuple(part.casefold() for part in dataset.path)] = dataset.name
    for parts, name in places.items():
        for length in range(1, len(parts)):
            if outer := places.get(parts[:length]):
                raise Refusal(f"the folder of `{name}` would lie inside that of `{outer}`")
    _require_known(pipeline, options.full_refresh)


def _require_known(pipeline: Pipeline, names: tuple[str, ...]) -> None:
    known = {identity(each.name) for each in pipeline.datasets}
    for name in names:
        if identity(name) not in known:
            raise Refusal(f"--full-refresh names `{name}`, which is no dataset of the pipeline")


def kept_storage(warehouse: Path) -> str | None:
    """Tell which storage made a warehouse; ``None`` for one that no run has used."""
    known = get_json(Layout(warehouse.absolute()).state(_STORAGE_FILE))
    return None if known is None else str(known["storage"])


def _storage(spark: SparkSession, layout: Layout, kind: str) -> Storage:
    known = kept_storage(layout.warehouse)
    if known is not None and known != kind:
        raise Refusal(
            f"the warehouse `{layout.warehouse}` holds {known} tables, not {kind}",
            f"run with --storage {known}, or choose another warehouse",
        )
    if known is None:
        put_json(layout.state(_STORAGE_FILE), {"storage": kind, "version": 1})
    return ParquetStorage(spark, layout) if kind == "parquet" else DeltaStorage(spark)


@contextmanager
def _settings(spark: SparkSession, pipeline: Pipeline) -> Iterator[dict[str, str]]:
    """Set what the pipeline sets, and our defaults for what nobody set, for the time of the run."""
    chosen = spark.sparkContext.getConf()
    defaults = {key: value for key, value in _DEFAULTS.items() if not chosen.contains(key)}
    wanted = {**defaults, **dict(pipeline.settings)}
    before = {key: spark.conf.get(key, None) for key in wanted}
    try:
        for key, value in wanted.items():
            _set(spark, key, value)
        yield {key: str(spark.conf.get(key)) for key in {**_DEFAULTS, **wanted}}
    finally:
        with suppress(*ENGINE_ERRORS):
            _restore(spark, before)


def _restore(spark: SparkSession, before: dict[str, str | None]) -> None:
    for key, old in before.items():
        if old is None:
            spark.conf.unset(key)
        elif old != spark.conf.get(key, None):
            spark.conf.set(key, old)


def _set(spark: SparkSession, key: str, value: str) -> None:
    if spark.conf.get(key, None) == value:
        return
    try:
        spark.conf.set(key, value)
    except ENGINE_ERRORS as error:
        raise Refusal(f"SET {key} = {value}: {sentence(error)}") from error


def _run(update: Update) -> dict[str, Any]:
    """Take every dataset in turn; what depends on one that failed is skipped."""
    started = _now()
    results = {each.name: Result(each) for each in update.pipeline.datasets}
    status = "COMPLETED"
    try:
        for result in results.values():
            _take_turn(result, results, update)
    except KeyboardInterrupt:
        status = "CANCELED"
    if status == "COMPLETED" and any(each.status == FAILED for each in results.values()):
        status = "FAILED"
    return {
        "update_id": update.id,
        "status": status,
        "started_at": started,
        "ended_at": _now(),
        "datasets": [each.record() for each in results.values()],
        "errors": [each.error_record() for each in results.values() if each.status == FAILED],
    }


def _take_turn(result: Result, results: dict[str, Result], update: Update) -> None:
    dataset = result.dataset
    reason = _reason_to_skip(dataset, results, update)
    if reason is not None:
        result.error = reason
        update.tell("dataset skipped", dataset, reason=reason)
        return
    update.tell("dataset started", dataset)
    start = monotonic()
    try:
        _make(result, results, update)
        result.status = COMPLETED
    except ExpectationsBroken as broken:
        _blame(broken, result, results)
    except KeyboardInterrupt:
        result.fail("interrupted", None)
        raise
    except Refusal as refusal:
        result.fail(refusal.message, refusal.advice)
        result.faulty_rule = refusal.rule
    except ENGINE_ERRORS as error:
        if lost := lost_java(error):
            raise lost from error
        result.fail(sentence(error), advice_on(error))
    finally:
        result.duration_ms = round((monotonic() - start) * 1000)
    update.tell("dataset ended", dataset, status=result.status, **result.counts())


def _make(result: Result, results: dict[str, Result], update: Update) -> None:
    dataset = result.dataset
    if dataset.kind == MATERIALIZED_VIEW:
        result.seen = refresh(dataset, update)
        result.written = result.seen.rows_kept
    elif dataset.kind == STREAMING_TABLE:
        _stream(result, results, update)
    elif dataset.rules and not update.is_streaming(dataset):
        result.seen = judge(query_rows(dataset, update), gate_of(dataset, update.pipeline))
        result.written = result.seen.rows_kept
        keep_refresh(update.layout, dataset.name, result.seen, update.id)
        update.tell("view judged", dataset)


def _stream(result: Result, results: dict[str, Result], update: Update) -> None:
    flow = Flow(result.dataset, update)
    try:
        stream_into(flow)
    finally:
        if flow.batches or flow.ended:
            result.seen = summed(flow.batches, result.dataset.rules)
            result.written = result.seen.rows_kept
        for view in update.judged_streams(result.dataset):
            _supply(results[view.name], flow)


def _supply(view: Result, flow: Flow) -> None:
    """Let the first consumer that judged a view give its figures; others judge the same rows."""
    batches = flow.on_views.get(view.dataset.name, [])
    if view.supplied or (not batches and not flow.ended):
        return
    view.supplied = True
    view.seen = summed(batches, view.dataset.rules)
    view.written = view.seen.rows_kept
    keep_supplier(flow.update.layout, view.dataset.name, flow.dataset.name)


def _blame(broken: ExpectationsBroken, result: Result, results: dict[str, Result]) -> None:
    """Fail the dataset whose rules were broken; a consumer of a view only ends early."""
    failed = results[broken.dataset]
    failed.break_rules(broken)
    if failed is not result:
        result.error = f"its source `{failed.dataset.name}` failed"


def _reason_to_skip(dataset: Dataset, results: dict[str, Result], update: Update) -> str | None:
    for read in dataset.reads:
        source = update.dataset(read.of) if isinstance(read, Read) else None
        if source is not None and results[source.name].status in {FAILED, SKIPPED}:
            verb = "failed" if results[source.name].status == FAILED else "was skipped"
            return f"its source `{source.name}` {verb}"
    if update.pipeline.on_fail == "all":
        for result in results.values():
            if result.broken is not None:
                return f"`{result.dataset.name}` broke a fail rule and everything behind it stops"
    return None


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
