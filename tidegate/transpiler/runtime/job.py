"""The command line of a job: arguments enter, tables, a report and an exit code leave."""

import argparse
import json
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

from pyspark import SparkContext

from tidegate.transpiler.runtime.engine import run_pipeline
from tidegate.transpiler.runtime.failures import ENGINE_ERRORS, Refusal, sentence
from tidegate.transpiler.runtime.layout import Layout
from tidegate.transpiler.runtime.results import exit_code
from tidegate.transpiler.runtime.session import start_session
from tidegate.transpiler.runtime.sources import parse_binding
from tidegate.transpiler.runtime.spec import Pipeline
from tidegate.transpiler.runtime.update import Event, Options
from tidegate.transpiler.runtime.variables import parse_value, with_values


def main(pipeline: Pipeline, arguments: list[str] | None = None) -> int:
    """Run the pipeline as the command line says."""
    given = _parser().parse_args(arguments)
    try:
        pipeline = with_values(pipeline, dict(parse_value(text) for text in given.var))
        options = Options(
            warehouse=Path(given.warehouse),
            inputs=tuple(parse_binding(text) for text in given.input),
            storage=given.storage,
            full_refresh=tuple(given.full_refresh),
            wait=not given.no_wait,
        )
        require_writable(options.warehouse)
        scratch = Layout(options.warehouse.absolute()).state("spark")
        spark = start_session("tidegate job", options.storage, scratch)
        try:
            outcome = run_pipeline(spark, pipeline, options, _show)
        finally:
            with suppress(*ENGINE_ERRORS):
                spark.stop()
    except Refusal as refusal:
        _complain(refusal.message, refusal.advice)
        return 2
    except KeyboardInterrupt:
        return 130
    except ENGINE_ERRORS as error:
        _complain(sentence(error), None)
        return 2
    if given.output_format == "json":
        print(json.dumps({"schema_version": 1, **outcome}, ensure_ascii=False))
    else:
        print("\n".join(_report(outcome)))
    return exit_code(outcome)


def require_writable(warehouse: Path) -> None:
    """Refuse a warehouse in which nothing can be made, before Spark starts."""
    try:
        warehouse.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Refusal(f"the warehouse `{warehouse}` cannot be made: {error.strerror}") from error
    if not os.access(warehouse, os.R_OK | os.W_OK | os.X_OK):
        raise Refusal(f"the warehouse `{warehouse}` cannot be written", "choose another folder")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Run the pipeline that this job holds.")
    parser.add_argument("--warehouse", required=True, metavar="DIR", help="where tables lie")
    parser.add_argument(
        "--input", action="append", default=[], metavar="NAME=PATH", help="bind a source to files"
    )
    parser.add_argument(
        "--var", action="append", default=[], metavar="NAME=VALUE", help="give ${NAME} a value"
    )
    parser.add_argument("--storage", choices=["delta", "parquet"], default="delta")
    parser.add_argument(
        "--full-refresh",
        action="append",
        default=[],
        metavar="NAME",
        help="empty a streaming table and read its sources from the start",
    )
    parser.add_argument(
        "--no-wait", action="store_true", help="refuse when another run works on the warehouse"
    )
    parser.add_argument("--output-format", choices=["text", "json"], default="text")
    return parser


def _show(event: Event) -> None:
    if event.point == "lock awaited":
        _tell("waiting for another run on this warehouse")
    elif event.point == "notice":
        message, advice = event.detail["message"], event.detail["help"]
        _tell(f"{event.dataset}: {message}\n  help: {advice}")
    elif event.point == "dataset started":
        _tell(f"{event.dataset} ...")


def _complain(message: str, advice: str | None) -> None:
    _tell(f"error: {message}" + (f"\n  help: {advice}" if advice else ""))


def _tell(text: str) -> None:
    """Write beside the results, also where spark-submit joins our two streams to one."""
    jvm: Any = SparkContext._jvm if "PYSPARK_GATEWAY_PORT" in os.environ else None
    if jvm is None:
        print(text, file=sys.stderr)
    else:
        with suppress(*ENGINE_ERRORS):
            jvm.java.lang.System.err.println(text)


def _report(outcome: dict[str, Any]) -> list[str]:
    lines = [f"update {outcome['update_id']}: {outcome['status']}"]
    for dataset in outcome["datasets"]:
        lines.append(f"\n{dataset['name']} ({dataset['kind']}): {dataset['status']}")
        if dataset["rows_read"] is not None:
            read, written = dataset["rows_read"], dataset["rows_written"]
            dropped = dataset["rows_dropped"]
            lines.append(f"  rows read {read}, written {written}, dropped {dropped}")
        for rule in dataset["expectations"]:
            if rule["passed"] is None:
                lines.append(f"  {rule['name']} [{rule['action']}]: not judged")
                continue
            counts = f"passed {rule['passed']}, failed {rule['failed']}, NULL {rule['null']}"
            lines.append(f"  {rule['name']} [{rule['action']}]: {counts}")
        for broken in dataset["violations"]:
            lines += [f"    {broken['name']}: {row}" for row in broken["rows"]]
        if dataset["error"]:
            lines.append(f"  error: {dataset['error']}")
    return lines
