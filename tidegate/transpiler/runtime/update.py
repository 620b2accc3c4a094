"""One run of a pipeline: what every step of it is given, and the events that it reports."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pyspark.sql import SparkSession

from tidegate.transpiler.runtime.layout import Layout, identity
from tidegate.transpiler.runtime.sources import Inputs
from tidegate.transpiler.runtime.spec import TEMPORARY_VIEW, Dataset, Pipeline, Read
from tidegate.transpiler.runtime.storage import Storage


@dataclass(frozen=True, slots=True)
class Options:
    """What the caller of a run decides."""

    warehouse: Path
    inputs: tuple[tuple[str, str], ...] = ()
    storage: str = "delta"
    full_refresh: tuple[str, ...] = ()
    """Streaming tables to be emptied and read again from the start."""
    wait: bool = True
    """Whether to wait for another run on the same warehouse."""


@dataclass(frozen=True, slots=True)
class Event:
    """A point that a run has reached."""

    point: str
    dataset: str | None = None
    detail: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Update:
    """The pipeline, the place and the session of one run."""

    id: str
    spark: SparkSession
    pipeline: Pipeline
    layout: Layout
    storage: Storage
    inputs: Inputs
    full_refresh: frozenset[str]
    on_event: Callable[[Event], None]

    def tell(self, point: str, dataset: Dataset | None = None, **detail: object) -> None:
        """Report that the run has reached a point."""
        self.on_event(Event(point, dataset.name if dataset else None, detail))

    def dataset(self, name: str) -> Dataset | None:
        """Find a dataset of the pipeline by its name."""
        wanted = identity(name)
        found = (each for each in self.pipeline.datasets if identity(each.name) == wanted)
        return next(found, None)

    def view(self, read: object) -> Dataset | None:
        """Give the temporary view of the pipeline that is read, if it is one."""
        found = self.dataset(read.of) if isinstance(read, Read) else None
        return found if found is not None and found.kind == TEMPORARY_VIEW else None

    def table(self, dataset: Dataset) -> Path:
        """Give the folder of a dataset's table."""
        return self.layout.table(dataset.path)

    def is_streaming(self, dataset: Dataset) -> bool:
        """Tell whether the query of a dataset reads a stream, directly or through views."""
        return any(
            read.streaming or ((view := self.view(read)) is not None and self.is_streaming(view))
            for read in dataset.reads
        )

    def judged_streams(self, dataset: Dataset) -> list[Dataset]:
        """Give the views with rules that the streams of a dataset pass through."""
        views = [view for read in dataset.reads if (view := self.view(read)) is not None]
        found = [each for view in views for each in (*self.judged_streams(view), view)]
        return [view for view in found if view.rules and self.is_streaming(view)]

    def is_judged_stream(self, view: Dataset | None) -> bool:
        """Tell whether rows of this view have been judged inside a stream."""
        if view is None or view.kind != TEMPORARY_VIEW or not self.is_streaming(view):
            return False
        return bool(view.rules) or any(self.is_judged_stream(self.view(r)) for r in view.reads)
