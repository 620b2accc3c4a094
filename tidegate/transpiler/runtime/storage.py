"""Tables as folders of the warehouse, behind one small interface; this is how Delta does it."""

import json
import re
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from py4j.java_gateway import JavaObject
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import StructField, StructType

from tidegate.transpiler.runtime.gates import literal, quoted
from tidegate.transpiler.runtime.spec import Column, Dataset


@dataclass(frozen=True, slots=True)
class Transaction:
    """One write of a flow that must not happen twice."""

    app: str
    version: int


class Storage(Protocol):
    """What flows need of the tables that they write and read."""

    def exists(self, table: Path) -> bool:
        """Tell whether the folder holds a table."""

    def on(self, spark: SparkSession) -> "Storage":
        """Give the same storage for another session."""

    def create(self, table: Path, dataset: Dataset, schema: StructType, *, anew: bool) -> None:
        """Make an empty table as declared, unless it is there; ``anew`` empties what is there."""

    def schema(self, table: Path) -> StructType:
        """Give the columns of a table."""

    def read(self, table: Path) -> DataFrame:
        """Read a table as a batch."""

    def stream(self, table: Path) -> DataFrame:
        """Read a table as a stream of what is appended to it."""

    def append(self, rows: DataFrame, table: Path, dataset: Dataset, once: Transaction) -> None:
        """Add rows in one transaction; nothing happens if it has happened before."""

    def replace(self, rows: DataFrame, table: Path, dataset: Dataset) -> None:
        """Put rows in the place of all others in one transaction."""

    def transactions(self, table: Path) -> dict[str, int]:
        """Give the last version of every app that appended to the table."""

    def rows_of(self, table: Path, once: Transaction | None) -> int | None:
        """Count what one append, or the last replacement, wrote; ``None`` if that is not known."""

    def recover(self) -> None:
        """Finish what a killed run left half done."""


@dataclass(frozen=True, slots=True)
class DeltaStorage:
    """Delta tables, read and written by their path."""

    spark: SparkSession

    def exists(self, table: Path) -> bool:
        """Tell whether the folder holds a Delta table."""
        return any((table / "_delta_log").glob("*.json"))

    def on(self, spark: SparkSession) -> "DeltaStorage":
        """Give the same storage for another session."""
        return replace(self, spark=spark)

    def create(self, table: Path, dataset: Dataset, schema: StructType, *, anew: bool) -> None:
        """Create the table by its definition, so that it is there before its first row."""
        if anew and table.exists():
            # REPLACE TABLE on a path only compares the definitions (Delta 4.4.0).
            shutil.rmtree(table)
            place = java_classes(self.spark).org.apache.hadoop.fs.Path(str(table))
            self._log_class().invalidateCache(self.spark._jsparkSession, place)
        if not self.exists(table):
            self.spark.sql(create_statement(table, dataset, schema))

    def schema(self, table: Path) -> StructType:
        """Give the columns of the table."""
        return self.read(table).schema

    def read(self, table: Path) -> DataFrame:
        """Read the current version."""
        return self.spark.read.format("delta").load(str(table))

    def stream(self, table: Path) -> DataFrame:
        """Read the table's content and what is appended to it later."""
        return self.spark.readStream.format("delta").load(str(table))

    def append(self, rows: DataFrame, table: Path, dataset: Dataset, once: Transaction) -> None:
        """Append in one commit that carries the transaction's name."""
        write = rows.write.format("delta").mode("append")
        write = write.option("txnAppId", once.app).option("txnVersion", once.version)
        write.save(str(table))

    def replace(self, rows: DataFrame, table: Path, dataset: Dataset) -> None:
        """Overwrite in one commit; a changed shape takes the place of the old one."""
        write = rows.write.format("delta").mode("overwrite")
        # Only a change of shape may replace the definition: it would lose NOT NULL and comments.
        if not same_columns(self.schema(table), rows.schema):
            write = write.option("overwriteSchema", "true")
            if dataset.partition_by:
                write = write.partitionBy(*dataset.partition_by)
        write.save(str(table))

    def transactions(self, table: Path) -> dict[str, int]:
        """Ask the table's log for its application transactions."""
        log = self._log_class().forTable(self.spark._jsparkSession, str(table))
        nothing = java_classes(self.spark).scala.Option.empty()
        versions = log.update(False, nothing, nothing).transactions()
        convert = java_classes(self.spark).scala.jdk.javaapi.CollectionConverters.asJava
        return {str(app): int(version) for app, version in dict(convert(versions)).items()}

    def rows_of(self, table: Path, once: Transaction | None) -> int | None:
        """Read the number of rows from the newest commit, or from that of the transaction."""
        for commit in sorted((table / "_delta_log").glob("*.json"), reverse=True):
            if not re.fullmatch(r"\d{20}\.json", commit.name):
                continue
            actions = [json.loads(line) for line in commit.read_text("utf-8").splitlines() if line]
            if once is None or {"appId": once.app, "version": once.version}.items() <= (
                _action(actions, "txn").items()
            ):
                metrics = _action(actions, "commitInfo").get("operationMetrics", {})
                written = metrics.get("numOutputRows")
                return None if written is None else int(written)
        return None

    def recover(self) -> None:
        """Delta leaves nothing half done."""

    def _log_class(self) -> JavaObject:
        return java_classes(self.spark).org.apache.spark.sql.delta.DeltaLog


def java_classes(spark: SparkSession) -> JavaObject:
    """Give the JVM behind a session, by whose attributes its classes are named."""
    return spark._jvm


def create_statement(table: Path, dataset: Dataset, schema: StructType) -> str:
    """Write the definition of a dataset's table."""
    declared = {column.name.casefold(): column for column in dataset.columns}
    columns = []
    for each in schema.fields:
        column = declared.get(each.name.casefold(), Column(each.name))
        parts = [StructType([StructField(each.name, each.dataType)]).toDDL()]
        parts += ["NOT NULL"] if column.not_null else []
        parts += [f"COMMENT {literal(column.comment)}"] if column.comment is not None else []
        columns.append(" ".join(parts))
    clauses = [f"CREATE TABLE delta.{quoted(str(table))} ({', '.join(columns)}) USING delta"]
    if dataset.partition_by:
        clauses.append(f"PARTITIONED BY ({_names(dataset.partition_by)})")
    if dataset.cluster_by:
        clauses.append(f"CLUSTER BY ({_names(dataset.cluster_by)})")
    if dataset.comment is not None:
        clauses.append(f"COMMENT {literal(dataset.comment)}")
    if dataset.properties:
        pairs = (f"{literal(key)} = {literal(value)}" for key, value in dataset.properties)
        clauses.append(f"TBLPROPERTIES ({', '.join(pairs)})")
    return " ".join(clauses)


def same_columns(one: StructType, other: StructType) -> bool:
    """Tell whether two tables have the same columns, whatever may be NULL in them."""
    return _shape(one) == _shape(other)


def _shape(schema: StructType) -> list[tuple[str, str]]:
    return [(field.name.casefold(), field.dataType.simpleString()) for field in schema.fields]


def _names(names: Sequence[str]) -> str:
    return ", ".join(quoted(name) for name in names)


def _action(actions: Sequence[dict[str, Any]], kind: str) -> dict[str, Any]:
    return next((dict(action[kind]) for action in actions if kind in action), {})
