"""The settings of a Spark session that can write Delta tables, and a session made of them."""

import logging
import os
import sys
from pathlib import Path
from typing import Any

from pyspark import SparkContext
from pyspark.logger import PySparkLogger
from pyspark.sql import SparkSession

from tidegate.transpiler.runtime.failures import Refusal, sentence

DELTA_PACKAGE = "io.delta:delta-spark_4.2_2.13:4.4.0"
_DELTA_CLASS = "io.delta.sql.DeltaSparkSessionExtension"

# Spark ships these already. Fetching them again costs time, and a Maven folder that holds a part of
# them makes Ivy fail.
_SHIPPED = (
    ("com.fasterxml.jackson.core", "jackson-annotations jackson-core jackson-databind"),
    ("com.fasterxml.jackson.datatype", "jackson-datatype-jdk8"),
    ("com.github.luben", "zstd-jni"),
    ("com.google.code.findbugs", "jsr305"),
    ("commons-logging", "commons-logging"),
    ("commons-pool", "commons-pool"),
    ("io.airlift", "aircompressor"),
    ("javax.annotation", "javax.annotation-api"),
    ("org.apache.hadoop", "hadoop-client-api hadoop-client-runtime"),
    ("org.apache.logging.log4j", "log4j-api log4j-core log4j-slf4j2-impl"),
    (
        "org.apache.parquet",
        "parquet-column parquet-common parquet-encoding parquet-format-structures parquet-hadoop "
        "parquet-jackson",
    ),
    ("org.locationtech.jts", "jts-core"),
    ("org.roaringbitmap", "RoaringBitmap shims"),
    ("org.slf4j", "slf4j-api"),
    ("org.xerial.snappy", "snappy-java"),
)


def delta_excludes() -> str:
    """Give the artifacts that need not be fetched with Delta, as Spark wants them listed."""
    return ",".join(f"{group}:{name}" for group, names in _SHIPPED for name in names.split())


def session_settings(storage: str, scratch: Path) -> dict[str, str]:
    """Give the settings that a run on one machine wants, beside those for fetching jars.

    ``scratch`` is where Spark makes a folder for tables that a run never has.
    """
    settings = {
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.ansi.enabled": "true",
        "spark.sql.shuffle.partitions": str(os.cpu_count() or 2),
        "spark.sql.warehouse.dir": str(scratch),
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        # With some twenty rules the code for a row is longer than what the JVM compiles by default.
        "spark.driver.extraJavaOptions": "-XX:-DontCompileHugeMethods",
    }
    if storage == "delta":
        settings |= {
            "spark.sql.extensions": _DELTA_CLASS,
            "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
            "spark.databricks.delta.snapshotPartitions": "1",
            # Properties that only the platform knows are kept as text.
            "spark.databricks.delta.allowArbitraryProperties.enabled": "true",
        }
    return settings


def start_session(name: str, storage: str, scratch: Path) -> SparkSession:
    """Start a session, or take the one that is there; what spark-submit was given stays."""
    silence_logs()
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.appName(name)
    given: dict[str, str] = {}
    if "PYSPARK_GATEWAY_PORT" in os.environ:
        # spark-submit has started the JVM already, so that jars cannot come by a setting.
        SparkContext._ensure_initialized()
        given = dict(_submitted_settings())
        if storage == "delta":
            _add_delta_jars()
    elif storage == "delta":
        builder = builder.config("spark.jars.packages", DELTA_PACKAGE)
        builder = builder.config("spark.jars.excludes", delta_excludes())
    wanted = session_settings(storage, scratch)
    if not given.get("spark.master", "local").startswith("local"):
        # The processors of the driver say nothing about those of a cluster.
        del wanted["spark.sql.shuffle.partitions"]
    for key, value in wanted.items():
        if key not in given:
            builder = builder.config(key, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    return session


def silence_logs() -> None:
    """Keep PySpark and py4j from writing stacks to our streams; errors are told by us."""
    PySparkLogger.getLogger("SQLQueryContextLogger").disabled = True
    logging.getLogger("py4j").setLevel(logging.CRITICAL + 1)
    # py4j also writes to the root logger when the connection to the JVM breaks.
    logging.getLogger().addFilter(_is_not_of_py4j)


def _is_not_of_py4j(record: logging.LogRecord) -> bool:
    return "py4j" not in record.pathname


def _submitted_settings() -> list[tuple[str, str]]:
    # py4j gives the JVM's objects no types.
    jvm: Any = SparkContext._jvm
    return [(pair._1(), pair._2()) for pair in jvm.org.apache.spark.SparkConf().getAll()]


def _add_delta_jars() -> None:
    """Put the Delta jars on the class path of a running JVM, unless they are there."""
    jvm: Any = SparkContext._jvm
    loader = jvm.java.lang.Thread.currentThread().getContextClassLoader()
    try:
        loader.loadClass(_DELTA_CLASS)
        return
    except Exception as missing:
        try:
            where = f"ivy://{DELTA_PACKAGE}?transitive=true&exclude={delta_excludes()}"
            uri = jvm.java.net.URI(where)
            jars = jvm.org.apache.spark.util.DependencyUtils.resolveMavenDependencies(uri)
            for n in range(jars.size()):
                jar = str(jars.apply(n)).removeprefix("file:")
                loader.addURL(jvm.java.io.File(jar).toURI().toURL())
        except Exception as error:
            raise Refusal(
                f"the Delta Lake jars cannot be fetched: {sentence(error)}",
                f"start with spark-submit --packages {DELTA_PACKAGE}, or take --storage parquet",
            ) from missing
