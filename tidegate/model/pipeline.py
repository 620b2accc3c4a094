"""The bound pipeline: datasets with resolved names, their expectations, and who reads whom."""

from collections.abc import Mapping
from enum import Enum

import msgspec

from tidegate.grammar.nodes import (
    AutoCdc,
    CdcBody,
    CreateDataset,
    CreateFlow,
    ExpectClause,
    InsertBody,
    ObjectKind,
)
from tidegate.grammar.outlines.outline import Outline, Relation, RelationKind
from tidegate.grammar.outlines.scan import outline
from tidegate.grammar.parser import ParsedFile
from tidegate.model.names import DatasetName, Namespace
from tidegate.source.diagnostic import Fault
from tidegate.source.text import SourceFile

STREAMING_FUNCTIONS = frozenset({"cloud_files"})
"""Table functions that are a stream without STREAM around them."""


class Action(Enum):
    """What happens to a row that breaks an expectation."""

    WARN = "warn"
    DROP = "drop"
    FAIL = "fail"


class Expectation(msgspec.Struct, frozen=True, kw_only=True):
    """One rule of one dataset."""

    name: str
    predicate: str
    """The exact text between the parentheses."""
    action: Action | None
    """``None`` when the text names an action that does not exist."""
    clause: ExpectClause


class Reference(msgspec.Struct, frozen=True, kw_only=True):
    """A dataset's query reads something."""

    relation: Relation
    name: DatasetName | None
    """``None`` for table functions, paths, and names with more than three parts."""

    @property
    def is_stream(self) -> bool:
        """Tell whether its own words make it a stream, whatever is behind its name."""
        relation = self.relation
        if relation.streaming:
            return True
        is_function = relation.kind is RelationKind.FUNCTION
        return is_function and relation.parts[-1].casefold() in STREAMING_FUNCTIONS


class Dataset(msgspec.Struct, frozen=True, kw_only=True):
    """A statement that makes a dataset, bound."""

    name: DatasetName
    kind: ObjectKind
    source: SourceFile
    statement: CreateDataset
    expectations: tuple[Expectation, ...]
    references: tuple[Reference, ...]
    namespace: Namespace
    """What was in force where the statement stands."""
    variables: Mapping[str, str]
    """Values of ``${name}`` in force there: of the call, of SET above it, configured ones."""

    @property
    def outline(self) -> Outline | None:
        """The whole outline of the query, read anew each time; ``None`` without one."""
        query = self.statement.query
        return outline(self.source.text, query.span) if query is not None else None


class Flow(msgspec.Struct, frozen=True, kw_only=True):
    """What fills a dataset beside or instead of its own query, bound."""

    name: str | None
    """As CREATE FLOW gives it; a flow inside a CREATE, or a change feed alone, has none."""
    target: DatasetName | None
    """The dataset that it writes; ``None`` for a name with more than three parts."""
    source: SourceFile
    statement: CreateFlow | AutoCdc | CreateDataset
    body: InsertBody | CdcBody
    references: tuple[Reference, ...]
    """What it reads."""
    namespace: Namespace
    variables: Mapping[str, str]


class LocatedFault(msgspec.Struct, frozen=True):
    """A fault and the file it stands in."""

    source: SourceFile
    fault: Fault


class Pipeline(msgspec.Struct, frozen=True, kw_only=True):
    """All files of one pipeline, seen together."""

    files: tuple[ParsedFile, ...]
    datasets: tuple[Dataset, ...]
    settings: dict[str, str]
    """``SET key = value`` of all files, values without their quotes."""
    faults: tuple[LocatedFault, ...]
    """What binding found; the faults of parsing stay on the statements."""
    flows: tuple[Flow, ...] = ()

    def by_key(self) -> dict[str, Dataset]:
        """Return the datasets by the key of their name; of duplicates, the first."""
        return {each.name.key: each for each in reversed(self.datasets)}

    def find(self, name: DatasetName) -> Dataset | None:
        """Return the dataset of that name, if the pipeline defines it."""
        key = name.key
        return next((each for each in self.datasets if each.name.key == key), None)
