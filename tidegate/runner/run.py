"""Runs a pipeline on Spark: a pipeline and options enter, tables and the outcome leave."""

import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from tidegate.model.outcome import RunOutcome
from tidegate.runner.errors import JarsMissing, RunError
from tidegate.runner.session import close_session, open_session

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from tidegate.transpiler.runtime.spec import Pipeline
    from tidegate.transpiler.runtime.update import Event


class RunOptions(msgspec.Struct, frozen=True, kw_only=True):
    """What the caller of a run decides."""

    warehouse: Path
    inputs: tuple[tuple[str, str], ...] = ()
    """Names, or literal paths of ``read_files``, and the places bound to them."""
    storage: str | None = None
    """``delta`` or ``parquet``; ``None`` takes Delta, and Parquet where its jars cannot be had."""
    full_refresh: tuple[str, ...] = ()
    wait: bool = True
    settings: dict[str, str] = {}
    """Settings of the Spark session that the user gives."""


def run(
    pipeline: "Pipeline", options: RunOptions, on_event: "Callable[[Event], None]"
) -> RunOutcome:
    """Start a session, run the pipeline in it and stop it again."""
    _require_writable(options.warehouse)
    session, storage = _open(options, on_event)
    try:
        opened = msgspec.structs.replace(options, storage=storage)
        return run_in(session, pipeline, opened, on_event)
    finally:
        close_session(session)


def _open(options: RunOptions, on_event: "Callable[[Event], None]") -> "tuple[SparkSession, str]":
    """Start a session for the storage asked for, or for plain Parquet where nothing else goes."""
    from tidegate.transpiler.runtime.engine import kept_storage  # noqa: PLC0415
    from tidegate.transpiler.runtime.update import Event  # noqa: PLC0415

    log, storage = _log_file(options.warehouse), options.storage or "delta"
    try:
        return open_session(storage, log, options.settings), storage
    except JarsMissing as missing:
        if options.storage is not None or kept_storage(options.warehouse) == "delta":
            raise
        told = {
            "message": f"{missing.message}, so that the tables are plain Parquet, not Delta",
            "help": "run once with a network; --storage delta refuses instead",
        }
        on_event(Event("notice", None, told))
    return open_session("parquet", log, options.settings), "parquet"


def run_in(
    session: "SparkSession",
    pipeline: "Pipeline",
    options: RunOptions,
    on_event: "Callable[[Event], None]",
) -> RunOutcome:
    """Run the pipeline in a session that is there already, made for the storage asked for."""
    from tidegate.transpiler.runtime.engine import run_pipeline  # noqa: PLC0415
    from tidegate.transpiler.runtime.failures import ENGINE_ERRORS, Refusal, sentence  # noqa: PLC0415
    from tidegate.transpiler.runtime.update import Options  # noqa: PLC0415

    _require_writable(options.warehouse)
    given = Options(
        warehouse=options.warehouse,
        inputs=options.inputs,
        storage=options.storage or "delta",
        full_refresh=options.full_refresh,
        wait=options.wait,
    )
    try:
        outcome = run_pipeline(session, pipeline, given, on_event)
    except Refusal as refusal:
        raise RunError(refusal.message, refusal.advice) from refusal
    except ENGINE_ERRORS as error:
        raise RunError(sentence(error)) from error
    return msgspec.convert(outcome, RunOutcome)


def _log_file(warehouse: Path) -> Path:
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S")
    return warehouse / "_tidegate" / "logs" / f"{stamp}-{os.getpid()}.log"


def _require_writable(warehouse: Path) -> None:
    try:
        warehouse.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        message = f"the warehouse `{warehouse}` cannot be made: {error.strerror}"
        raise RunError(message, "choose another folder") from error
    if not warehouse.is_dir() or not os.access(warehouse, os.R_OK | os.W_OK | os.X_OK):
        raise RunError(f"the warehouse `{warehouse}` cannot be written", "choose another folder")
