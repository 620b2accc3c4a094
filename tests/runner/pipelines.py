"""Small pipelines and warehouses for tests of the run time."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pyspark.sql import Row, SparkSession

from tidegate.model.outcome import DatasetOutcome, RunOutcome
from tidegate.runner.run import RunOptions, run_in
from tidegate.transpiler.runtime.spec import (
    MATERIALIZED_VIEW,
    STREAMING_TABLE,
    TEMPORARY_VIEW,
    Dataset,
    FileRead,
    Pipeline,
    Read,
    Rule,
)
from tidegate.transpiler.runtime.update import Event

FOUR_ROWS = "id,amount\n1,10\n2,\n3,-5\n4,0\n"


@dataclass
class Bench:
    """A warehouse and inputs in a folder of the test's own."""

    spark: SparkSession
    root: Path
    storage: str = "delta"
    events: list[Event] = field(default_factory=list)

    @property
    def warehouse(self) -> Path:
        return self.root / "warehouse"

    def write(self, place: str, text: str) -> Path:
        file = self.root / "in" / place
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        return file

    def run(
        self,
        *datasets: Dataset,
        inputs: Sequence[str] = ("raw.orders",),
        full_refresh: tuple[str, ...] = (),
        on_event: Callable[[Event], None] | None = None,
        wait: bool = True,
        **choices,
    ) -> RunOutcome:
        places = tuple(
            (name, str(self.root / "in" / Path(name).name.split(".")[-1])) for name in inputs
        )
        options = RunOptions(
            warehouse=self.warehouse,
            inputs=places,
            storage=self.storage,
            full_refresh=full_refresh,
            wait=wait,
        )
        pipeline = Pipeline(datasets, **choices)
        return run_in(self.spark, pipeline, options, on_event or self.events.append)

    def rows(self, name: str) -> list[Row]:
        table = self.spark.read.format(self.storage).load(
            str(self.warehouse.joinpath(*name.split(".")))
        )
        return sorted(table.collect(), key=lambda row: [(v is not None, v) for v in row])

    def has_table(self, name: str) -> bool:
        return self.warehouse.joinpath(*name.split("."), "_delta_log").is_dir()


def source(of: str = "raw.orders", *, view: str = "src", streaming: bool = False) -> Read:
    return Read(view, of, streaming=streaming)


def streaming_table(
    name: str, query: str = "SELECT * FROM src", *, reads=None, rules=(), **more
) -> Dataset:
    reads = (source(streaming=True),) if reads is None else tuple(reads)
    return Dataset(
        name=f"default.{name}",
        path=("default", name),
        kind=STREAMING_TABLE,
        query=query,
        reads=reads,
        rules=tuple(rules),
        **more,
    )


def materialized_view(
    name: str, query: str = "SELECT * FROM src", *, reads=None, rules=(), **more
) -> Dataset:
    reads = (source(),) if reads is None else tuple(reads)
    return Dataset(
        name=f"default.{name}",
        path=("default", name),
        kind=MATERIALIZED_VIEW,
        query=query,
        reads=reads,
        rules=tuple(rules),
        **more,
    )


def temporary_view(
    name: str, query: str = "SELECT * FROM src", *, reads=None, rules=(), **more
) -> Dataset:
    reads = (source(),) if reads is None else tuple(reads)
    return Dataset(
        name=f"default.{name}",
        path=("default", name),
        kind=TEMPORARY_VIEW,
        query=query,
        reads=reads,
        rules=tuple(rules),
        **more,
    )


def batches_of_one(path: Path, *, view: str = "src", schema: str | None = None) -> FileRead:
    """Files read as a stream, one file per micro-batch."""
    options = (("header", "true"), ("maxFilesPerTrigger", "1"))
    return FileRead(
        view=view, path=str(path), format="csv", options=options, schema=schema, streaming=True
    )


def positive(action: str) -> Rule:
    return Rule("positive", action, "amount > 0")


def figures(outcome: RunOutcome, name: str) -> dict[str, tuple[int, int, int]]:
    return {
        each.name: (each.passed, each.failed, each.null) for each in of(outcome, name).expectations
    }


def of(outcome: RunOutcome, name: str) -> DatasetOutcome:
    return next(each for each in outcome.datasets if each.name == f"default.{name}")


def counts(outcome: RunOutcome, name: str) -> tuple[int | None, int | None, int | None]:
    found = of(outcome, name)
    return found.rows_read, found.rows_written, found.rows_dropped
