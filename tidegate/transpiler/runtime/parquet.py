"""Plain Parquet folders as tables, for where the Delta jars cannot be had.

A write is staged, then published by renaming files; a journal lets the next run finish what a
killed one began. Readers may see a part of a batch for a moment.
"""

import json
import shutil
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import StructType

from tidegate.transpiler.runtime.gates import quoted
from tidegate.transpiler.runtime.layout import Layout, folder_name, get_json, put_json
from tidegate.transpiler.runtime.spec import Dataset
from tidegate.transpiler.runtime.storage import Transaction


@dataclass(frozen=True, slots=True)
class ParquetStorage:
    """Folders of Parquet files, written by staging and publishing."""

    spark: SparkSession
    layout: Layout

    def on(self, spark: SparkSession) -> "ParquetStorage":
        """Give the same storage for another session."""
        return replace(self, spark=spark)

    def exists(self, table: Path) -> bool:
        """Tell whether the folder is a table of ours or holds Parquet files."""
        return self._record(table).exists() or _holds_parquet(table)

    def create(self, table: Path, dataset: Dataset, schema: StructType, *, anew: bool) -> None:
        """Keep the columns in a record: a folder without files has none."""
        if anew or not self.exists(table):
            shutil.rmtree(table, ignore_errors=True)
            table.mkdir(parents=True)
            record = {"apps": {}, "schema": schema.json(), "rows": 0}
            put_json(self._record(table), record)

    def schema(self, table: Path) -> StructType:
        """Give the columns in the order of the query."""
        record = get_json(self._record(table))
        if record is None:
            return self.spark.read.parquet(str(table)).schema
        return StructType.fromJson(json.loads(record["schema"]))

    def read(self, table: Path) -> DataFrame:
        """Read all files."""
        schema = self.schema(table)
        rows = self.spark.read.schema(schema).parquet(str(table))
        return rows.select(*(quoted(name) for name in schema.names))

    def stream(self, table: Path) -> DataFrame:
        """Read the files and those published later."""
        schema = self.schema(table)
        rows = self.spark.readStream.schema(schema).parquet(str(table))
        return rows.select(*(quoted(name) for name in schema.names))

    def append(self, rows: DataFrame, table: Path, dataset: Dataset, once: Transaction) -> None:
        """Stage a batch and publish its files under names of its own, unless that has happened."""
        if self.transactions(table).get(once.app, -1) >= once.version:
            return
        staged = self._staged(table)
        _stage(rows, staged, dataset)
        written = self._count(rows.schema, staged)
        name = f"{folder_name(once.app)}-{once.version:08d}"
        moves = [
            (str(file), str(table / file.parent.relative_to(staged) / f"{name}-{n:05d}.parquet"))
            for n, file in enumerate(sorted(staged.rglob("*.parquet")))
        ]
        self._publish(
            table, {"moves": moves, "app": once.app, "version": once.version, "rows": written}
        )

    def replace(self, rows: DataFrame, table: Path, dataset: Dataset) -> None:
        """Stage all rows and exchange the folders."""
        staged = self._staged(table)
        _stage(rows, staged, dataset)
        written = self._count(rows.schema, staged)
        self._publish(table, {"folder": str(staged), "schema": rows.schema.json(), "rows": written})

    def transactions(self, table: Path) -> dict[str, int]:
        """Read the last version of every app from the record beside the table."""
        record = get_json(self._record(table)) or {}
        return {app: int(done["version"]) for app, done in record.get("apps", {}).items()}

    def rows_of(self, table: Path, once: Transaction | None) -> int | None:
        """Read from the record what the last write, or one batch, wrote."""
        record = get_json(self._record(table)) or {}
        done = record.get("apps", {}).get(once.app, {}) if once else record
        if once is not None and done.get("version") != once.version:
            return None
        rows = done.get("rows")
        return None if rows is None else int(rows)

    def recover(self) -> None:
        """Finish every write that a killed run had staged completely."""
        for journal in sorted(self.layout.state("journals").glob("*.json")):
            self._finish(journal)

    def _count(self, schema: StructType, folder: Path) -> int:
        return self.spark.read.schema(schema).parquet(str(folder)).count()

    def _publish(self, table: Path, write: dict[str, Any]) -> None:
        journal = self.layout.state("journals", f"{self._key(table)}.json")
        put_json(journal, {"table": str(table), **write})
        self._finish(journal)

    def _finish(self, journal: Path) -> None:
        write = get_json(journal)
        if write is None:
            return
        table = Path(write["table"])
        record = get_json(self._record(table)) or {"apps": {}}
        if "folder" in write:
            _exchange(Path(write["folder"]), table)
            record = {"apps": {}, "schema": write["schema"], "rows": write["rows"]}
        else:
            for source, target in write["moves"]:
                Path(target).parent.mkdir(parents=True, exist_ok=True)
                if Path(source).exists():
                    Path(source).replace(target)
            record["apps"][write["app"]] = {"version": write["version"], "rows": write["rows"]}
        put_json(self._record(table), record)
        journal.unlink()
        shutil.rmtree(self._staged(table), ignore_errors=True)

    def _key(self, table: Path) -> str:
        return folder_name(".".join(table.relative_to(self.layout.warehouse).parts))

    def _record(self, table: Path) -> Path:
        return self.layout.state("tables", f"{self._key(table)}.json")

    def _staged(self, table: Path) -> Path:
        return self.layout.state("staging", self._key(table))


def _stage(rows: DataFrame, folder: Path, dataset: Dataset) -> None:
    write = rows.write.mode("overwrite")
    if dataset.partition_by:
        write = write.partitionBy(*dataset.partition_by)
    write.parquet(str(folder))


def _holds_parquet(folder: Path) -> bool:
    return next(folder.rglob("*.parquet"), None) is not None


def _exchange(staged: Path, table: Path) -> None:
    if not staged.exists():
        return
    table.parent.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(table, ignore_errors=True)
    staged.replace(table)
