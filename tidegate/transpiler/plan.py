"""What is to be done, in no target's words: reads, queries in Spark's dialect, gates, writes."""

import msgspec

from tidegate.model.pipeline import Action, LocatedFault
from tidegate.model.verdict import NullPolicy
from tidegate.source.span import Span
from tidegate.source.text import SourceFile


class Gate(msgspec.Struct, frozen=True, kw_only=True):
    """An expectation as the run judges it; its name is the key of its metric."""

    name: str
    predicate: str
    action: Action
    span: Span


class TableRead(msgspec.Struct, frozen=True, kw_only=True):
    """A query reads a dataset of the pipeline, an input, or a table that exists already."""

    view: str
    """The name under which the query's text reads it."""
    of: str
    """The full name of what is read."""
    streaming: bool
    metadata: bool
    """Whether the query asks for ``_metadata`` of the files behind it."""


class FileRead(msgspec.Struct, frozen=True, kw_only=True):
    """A query reads files: ``read_files``, ``cloud_files``, or ``format.`path` ``."""

    view: str
    path: str
    format: str | None
    """``None``: told from the files."""
    options: dict[str, str]
    schema: str | None
    streaming: bool
    metadata: bool


class PlannedColumn(msgspec.Struct, frozen=True, kw_only=True):
    """A declared column; the type is the text as written."""

    name: str
    type: str | None
    not_null: bool
    comment: str | None


class PlannedDataset(msgspec.Struct, frozen=True, kw_only=True):
    """One dataset: what to read, run, judge and write."""

    name: str
    path: tuple[str, ...]
    kind: str
    """``streaming_table``, ``materialized_view`` or ``temporary_view``."""
    query: str
    reads: tuple[TableRead | FileRead, ...]
    gates: tuple[Gate, ...]
    columns: tuple[PlannedColumn, ...]
    comment: str | None
    properties: dict[str, str]
    partition_by: tuple[str, ...]
    cluster_by: tuple[str, ...]
    source: SourceFile
    span: Span
    query_span: Span


class Skipped(msgspec.Struct, frozen=True, kw_only=True):
    """A statement that a run leaves alone, and why; counted and shown, never silent."""

    source: SourceFile
    span: Span
    what: str
    reason: str


class Choices(msgspec.Struct, frozen=True, kw_only=True):
    """What the platform leaves open and the configuration decides; recorded with every result."""

    null_policy: NullPolicy = NullPolicy.VIOLATION
    fail_sees_dropped: bool = True
    """Whether warn and fail rules judge the rows that a drop rule removes."""
    on_fail: str = "dependents"
    """What a broken fail rule skips: ``dependents`` of the dataset, or ``all`` that follows."""
    sample_rows: int = 5
    redact: tuple[str, ...] = ()
    """Columns whose values are not shown in offending rows."""


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """A whole pipeline in dependency order."""

    datasets: tuple[PlannedDataset, ...]
    settings: dict[str, str]
    """``SET`` keys that are settings of the session (``spark.*``)."""
    skipped: tuple[Skipped, ...]
    variables: tuple[str, ...]
    """Names of ``${name}`` without a value: a job asks for them, a run refuses."""
    choices: Choices


class Lowered(msgspec.Struct, frozen=True, kw_only=True):
    """A plan, or what stands in its way; faults below error severity are losses."""

    plan: Plan
    faults: tuple[LocatedFault, ...]
