"""Turns the query of a dataset into a data frame, after naming all that it reads."""

from collections.abc import Callable
from pathlib import Path

from pyspark.sql import DataFrame
from pyspark.sql.functions import expr

from tidegate.transpiler.runtime.failures import Refusal
from tidegate.transpiler.runtime.gates import gate_of, kept, quoted
from tidegate.transpiler.runtime.layout import identity
from tidegate.transpiler.runtime.sources import (
    FileSource,
    file_source,
    input_source,
    open_source,
)
from tidegate.transpiler.runtime.spec import (
    METADATA_COLUMN,
    TEMPORARY_VIEW,
    Column,
    Dataset,
    FileRead,
    Read,
)
from tidegate.transpiler.runtime.update import Update

Answer = Callable[[Dataset, Read | FileRead], DataFrame | None]
"""Gives the rows of a read where they are not the usual ones."""


def query_rows(dataset: Dataset, update: Update, answer: Answer | None = None) -> DataFrame:
    """Give the rows of a dataset's query in the shape that its columns declare."""
    frames = {}
    for read in dataset.reads:
        given = None if answer is None else answer(dataset, read)
        frames[read.view] = read_rows(dataset, read, update) if given is None else given
    # All frames first: those of a view name relations of their own.
    for view, rows in frames.items():
        rows.createOrReplaceTempView(quoted(view))
    return shaped(update.spark.sql(dataset.query), dataset)


def read_rows(dataset: Dataset, read: Read | FileRead, update: Update) -> DataFrame:
    """Give what a query reads under one name, as a batch or as a stream."""
    rows = _found(dataset, read, update)
    if read.streaming and not rows.isStreaming:
        shown = read.of if isinstance(read, Read) else read.path
        raise Refusal(f"`{shown}` is read as a stream but is none", "leave out STREAM")
    if not read.metadata:
        return rows
    return rows.select("*", expr(f"_metadata AS {METADATA_COLUMN}"))


def shaped(rows: DataFrame, dataset: Dataset) -> DataFrame:
    """Bring the result of a query to the declared columns."""
    if not dataset.columns:
        return rows
    if all(column.type is None for column in dataset.columns):
        return _renamed(rows, dataset)
    declared = {column.name.casefold() for column in dataset.columns}
    if extra := [name for name in rows.columns if name.casefold() not in declared]:
        raise Refusal(
            f"the query gives column `{extra[0]}`, which the column list does not have",
            "add it to the list or leave it out of the query",
        )
    given = {name.casefold(): name for name in rows.columns}
    return rows.selectExpr(*(_cast(column, given) for column in dataset.columns))


def _cast(column: Column, given: dict[str, str]) -> str:
    name = given.get(column.name.casefold())
    value = "NULL" if name is None else quoted(name)
    typed = value if column.type is None else f"CAST({value} AS {column.type})"
    return f"{typed} AS {quoted(column.name)}"


def _renamed(rows: DataFrame, dataset: Dataset) -> DataFrame:
    if len(dataset.columns) != len(rows.columns):
        message = f"the column list has {len(dataset.columns)} names, the query gives"
        raise Refusal(f"{message} {len(rows.columns)} columns", "list every column of the query")
    return rows.toDF(*(column.name for column in dataset.columns))


def require_sources(update: Update) -> None:
    """Refuse a pipeline that reads what is nowhere to be found, before anything runs."""
    for dataset in update.pipeline.datasets:
        for read in dataset.reads:
            _located(dataset, read, update)


def _found(dataset: Dataset, read: Read | FileRead, update: Update) -> DataFrame:
    where = _located(dataset, read, update)
    if isinstance(where, FileSource):
        return open_source(update.spark, where, update.layout, streaming=read.streaming)
    if isinstance(where, Path):
        return _of_table(where, read, update)
    if where.kind == TEMPORARY_VIEW:
        return kept(query_rows(where, update), gate_of(where, update.pipeline))
    return _of_table(update.table(where), read, update)


def _located(
    dataset: Dataset, read: Read | FileRead, update: Update
) -> FileSource | Path | Dataset:
    """Find what is read: files, a table of the warehouse or a dataset of the pipeline."""
    if isinstance(read, FileRead):
        return file_source(read, update.inputs)
    made = update.dataset(read.of)
    if made is not None:
        return made
    place = update.inputs.place(read.of)
    if place is not None:
        return input_source(read.of, place, update.layout)
    table = _existing_table(update, read.of)
    if table is None:
        raise Refusal(
            f"`{dataset.name}` reads `{read.of}`, which is no dataset of the pipeline, "
            "no input and no table in the warehouse",
            f"bind it with --input {read.of}=PATH",
        )
    return table


def _of_table(table: Path, read: Read | FileRead, update: Update) -> DataFrame:
    return update.storage.stream(table) if read.streaming else update.storage.read(table)


def _existing_table(update: Update, name: str) -> Path | None:
    """Find the folder of a table whatever the case of its name."""
    folder = update.layout.warehouse
    for part in identity(name).split("."):
        children = sorted(folder.iterdir()) if folder.is_dir() else []
        found = [each for each in children if each.is_dir() and each.name.casefold() == part]
        if not found:
            return None
        folder = found[0]
    return folder if update.storage.exists(folder) else None
