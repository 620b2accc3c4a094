"""Run as a script: read Delta tables with Spark and write their rows, counted, as JSON lines.

``python read_tables.py WAREHOUSE NAME...`` prints, per table, one line
``{"name": ..., "columns": [...], "rows": [[[spelled value, ...], count], ...]}``.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path

from pyspark.sql import Row, SparkSession

sys.path.insert(0, str(Path(__file__).parents[1]))

from recount.counting import spell

SHIPPED_WITH_SPARK = (
    "com.fasterxml.jackson.core:jackson-annotations",
    "com.fasterxml.jackson.core:jackson-core",
    "com.fasterxml.jackson.core:jackson-databind",
    "com.fasterxml.jackson.datatype:jackson-datatype-jdk8",
    "com.github.luben:zstd-jni",
    "com.google.code.findbugs:jsr305",
    "commons-logging:commons-logging",
    "commons-pool:commons-pool",
    "io.airlift:aircompressor",
    "javax.annotation:javax.annotation-api",
    "org.apache.hadoop:hadoop-client-api",
    "org.apache.hadoop:hadoop-client-runtime",
    "org.apache.logging.log4j:log4j-api",
    "org.apache.logging.log4j:log4j-core",
    "org.apache.logging.log4j:log4j-slf4j2-impl",
    "org.apache.parquet:parquet-column",
    "org.apache.parquet:parquet-common",
    "org.apache.parquet:parquet-encoding",
    "org.apache.parquet:parquet-format-structures",
    "org.apache.parquet:parquet-hadoop",
    "org.apache.parquet:parquet-jackson",
    "org.locationtech.jts:jts-core",
    "org.roaringbitmap:RoaringBitmap",
    "org.roaringbitmap:shims",
    "org.slf4j:slf4j-api",
    "org.xerial.snappy:snappy-java",
)


def session() -> SparkSession:
    """Start Spark with the Delta jars."""
    return (
        SparkSession.builder.master("local[2]")
        .config("spark.jars.packages", "io.delta:delta-spark_4.2_2.13:4.4.0")
        .config("spark.jars.excludes", ",".join(SHIPPED_WITH_SPARK))
        .config("spark.sql.extensions", "io.delta.sql.DeltaSparkSessionExtension")
        .config(
            "spark.sql.catalog.spark_catalog", "org.apache.spark.sql.delta.catalog.DeltaCatalog"
        )
        .config("spark.sql.session.timeZone", "UTC")
        .config("spark.sql.shuffle.partitions", "1")
        .config("spark.databricks.delta.snapshotPartitions", "1")
        .config("spark.ui.enabled", "false")
        .getOrCreate()
    )


def plain(value: object) -> object:
    """Turn nested rows into dictionaries."""
    return value.asDict(recursive=True) if isinstance(value, Row) else value


def main(warehouse: Path, names: list[str]) -> None:
    """Print every table."""
    spark = session()
    for name in names:
        table = spark.read.format("delta").load(str(warehouse.joinpath(*name.split("."))))
        columns = sorted(table.columns)
        rows = Counter(
            tuple(spell(plain(value)) for value in row) for row in table.select(*columns).collect()
        )
        print(json.dumps({"name": name, "columns": columns, "rows": list(rows.items())}))
    spark.stop()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
