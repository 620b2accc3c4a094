"""The pipeline as a run sees it: names are full, queries are Spark SQL over named views."""

from dataclasses import dataclass

from tidegate.model.verdict import NullPolicy

STREAMING_TABLE = "streaming_table"
MATERIALIZED_VIEW = "materialized_view"
TEMPORARY_VIEW = "temporary_view"

METADATA_COLUMN = "__tidegate_metadata"
"""Where a view keeps the ``_metadata`` of its source when the query asks for it."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One expectation; ``action`` is ``warn``, ``drop`` or ``fail``."""

    name: str
    action: str
    predicate: str


@dataclass(frozen=True, slots=True)
class Read:
    """A relation of the query, by the view that stands for it in the query text."""

    view: str
    of: str
    """The full name of a dataset of the pipeline, of an input or of a table in the warehouse."""
    streaming: bool = False
    metadata: bool = False


@dataclass(frozen=True, slots=True)
class FileRead:
    """A ``read_files(...)`` of the query, by the view that stands for it."""

    view: str
    path: str
    format: str | None = None
    options: tuple[tuple[str, str], ...] = ()
    schema: str | None = None
    """Column definitions as in DDL; without them the schema is inferred once and kept."""
    streaming: bool = False
    metadata: bool = False


@dataclass(frozen=True, slots=True)
class Column:
    """A declared column. With types, the query's columns are taken by name; without, by place."""

    name: str
    type: str | None = None
    not_null: bool = False
    comment: str | None = None


@dataclass(frozen=True, slots=True)
class Dataset:
    """A table or view that the pipeline makes."""

    name: str
    """The full name as shown, such as ``dev.silver.orders`` or ``default.t``."""
    path: tuple[str, ...]
    """The parts of the name, which are folders below the warehouse."""
    kind: str
    query: str
    reads: tuple[Read | FileRead, ...] = ()
    rules: tuple[Rule, ...] = ()
    columns: tuple[Column, ...] = ()
    comment: str | None = None
    properties: tuple[tuple[str, str], ...] = ()
    partition_by: tuple[str, ...] = ()
    cluster_by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Pipeline:
    """Datasets, each after those it reads, and the choices that hold for all of them."""

    datasets: tuple[Dataset, ...]
    null_policy: NullPolicy = NullPolicy.VIOLATION
    fail_sees_dropped: bool = True
    """Whether warn and fail rules judge the rows that a drop rule removes."""
    on_fail: str = "dependents"
    """What a broken fail rule skips: ``dependents`` of the dataset, or ``all`` that follows."""
    sample_rows: int = 5
    redact: tuple[str, ...] = ()
    """Columns whose values are not shown in offending rows."""
    settings: tuple[tuple[str, str], ...] = ()
    """The ``SET key = value`` statements of the text."""
    variables: tuple[str, ...] = ()
    """Names of ``${name}`` that have no value yet."""
    version: str = ""
    """The version of Tidegate that made this description."""
