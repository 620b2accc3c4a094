"""Starts a Spark session on this machine; what the JVM says goes to a log file, not to ours."""

import os
import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from tidegate.runner.errors import JarsMissing, RunError
from tidegate.runner.java import find_java_home

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_NO_SPARK = "pip install 'tidegate[spark]'"


def open_session(
    storage: str, log: Path, settings: Mapping[str, str] | None = None
) -> "SparkSession":
    """Start a session that writes Delta tables or plain Parquet; ``settings`` win over ours."""
    try:
        import pyspark  # noqa: PLC0415
        from pyspark.sql import SparkSession  # noqa: PLC0415
    except ImportError as error:
        raise RunError("PySpark is not installed", _NO_SPARK) from error
    # Another Spark on this machine would be started in place of the one that came with PySpark.
    os.environ["SPARK_HOME"] = str(Path(pyspark.__file__).parent)
    os.environ["JAVA_HOME"] = str(find_java_home())
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    builder = SparkSession.builder.appName("tidegate").master("local[*]")
    for key, value in (_wanted(storage, log) | dict(settings or {})).items():
        builder = builder.config(key, value)
    try:
        with _output_to(log):
            session = builder.getOrCreate()
            session.sparkContext.setLogLevel("ERROR")
    except Exception as error:
        raise _start_error(log) from error
    return session


def close_session(session: "SparkSession") -> None:
    """Stop a session, whose JVM may be gone already."""
    from tidegate.transpiler.runtime.failures import ENGINE_ERRORS  # noqa: PLC0415

    with suppress(*ENGINE_ERRORS):
        session.stop()


def _wanted(storage: str, log: Path) -> dict[str, str]:
    from tidegate.transpiler.runtime.session import (  # noqa: PLC0415
        DELTA_PACKAGE,
        delta_excludes,
        session_settings,
        silence_logs,
    )

    silence_logs()
    jars = {"spark.jars.packages": DELTA_PACKAGE, "spark.jars.excludes": delta_excludes()}
    settings = session_settings(storage, log.parent.absolute() / "spark")
    return settings | (jars if storage == "delta" else {})


@contextmanager
def _output_to(log: Path) -> Iterator[None]:
    """Let a process that is started now write to a file in place of our two streams."""
    log.parent.mkdir(parents=True, exist_ok=True)
    sys.stdout.flush()
    sys.stderr.flush()
    kept = os.dup(1), os.dup(2)
    file = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    try:
        os.dup2(file, 1)
        os.dup2(file, 2)
        yield
    finally:
        os.dup2(kept[0], 1)
        os.dup2(kept[1], 2)
        for each in (file, *kept):
            os.close(each)


def _start_error(log: Path) -> RunError:
    text = log.read_text(encoding="utf-8", errors="replace") if log.exists() else ""
    if re.search(
        r"unresolved dependency|UNRESOLVED DEPENDENCIES|download failed|FAILED DOWNLOADS", text
    ):
        return JarsMissing(
            "the Delta Lake jars are not on this machine and cannot be fetched from Maven Central",
            "run once with a network, or take --storage parquet, which is no Delta",
        )
    errors = re.findall(
        r"^(?:Exception in thread .*?: |Error: |Caused by: )(.+)$", text, re.MULTILINE
    )
    reason = f": {errors[-1].strip()}" if errors else ""
    return RunError(f"Spark did not start{reason}", f"see {log}")
