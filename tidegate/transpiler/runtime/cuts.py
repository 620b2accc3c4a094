"""Cuts a stream at the views with expectations that it passes through.

Below the cut Spark runs a stream. Above it every micro-batch is judged and queried as a batch, so
that figures are exact, a broken fail rule is seen whatever the consumer filters, and a replayed
batch gives the same rows.
"""

from dataclasses import dataclass
from functools import reduce

from py4j.java_gateway import JavaObject
from pyspark.sql import DataFrame
from pyspark.sql.functions import col, lit, struct
from pyspark.sql.types import StructType

from tidegate.transpiler.runtime.failures import Refusal
from tidegate.transpiler.runtime.gates import Figures, gate_of, kept
from tidegate.transpiler.runtime.judging import judge
from tidegate.transpiler.runtime.layout import identity
from tidegate.transpiler.runtime.queries import Answer, query_rows, read_rows
from tidegate.transpiler.runtime.spec import Dataset, FileRead, Read
from tidegate.transpiler.runtime.update import Update

_LEAF = "__tidegate_leaf"
# What treats every row by itself gives the same rows batch by batch as over the whole stream.
_STATELESS = {
    "Project", "Filter", "SubqueryAlias", "View", "Union", "Generate", "Expand", "Unpivot",
    "WithCTE", "CTERelationDef", "CTERelationRef", "StreamingRelation", "StreamingRelationV2",
    "StreamingRelationExec", "Repartition", "RepartitionByExpression", "UnresolvedHint",
    "ResolvedHint", "LateralJoin", "Join",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Cut:
    """A dataset's query above the cut, and the streams below it."""

    leaves: dict[str, DataFrame]
    schema: StructType

    @property
    def rows(self) -> DataFrame:
        """All streams as one: a number says which, a struct per stream holds the row."""
        if len(self.leaves) == 1:
            return next(iter(self.leaves.values()))
        tagged = []
        for n, rows in enumerate(self.leaves.values()):
            structs = [
                (struct("*") if at == n else lit(None).cast(each.schema)).alias(f"{_LEAF}_{at}")
                for at, each in enumerate(self.leaves.values())
            ]
            tagged.append(rows.select(lit(n).alias(_LEAF), *structs))
        return reduce(DataFrame.unionAll, tagged)

    def split(self, batch: DataFrame) -> dict[str, DataFrame]:
        """Give the rows of a micro-batch by the stream they came from."""
        if len(self.leaves) == 1:
            return {next(iter(self.leaves)): batch}
        return {
            key: batch.where(col(_LEAF) == n).select(f"{_LEAF}_{n}.*")
            for n, key in enumerate(self.leaves)
        }


def cut_of(dataset: Dataset, update: Update) -> Cut | None:
    """Cut the streams of a dataset at its views with expectations; ``None`` if it has none."""
    if not _passes_judgment(dataset, update):
        return None
    leaves = _leaves(dataset, update)

    def placeholder(reader: Dataset, read: Read | FileRead) -> DataFrame | None:
        view = update.view(read)
        if view is not None and update.is_judged_stream(view) and _passes_judgment(view, update):
            return query_rows(view, update, placeholder)
        leaf = leaves.get(_key(reader, read, update))
        return None if leaf is None else _empty_stream(leaf.schema, update)

    above = query_rows(dataset, update, placeholder)
    _require_stateless(dataset, above)
    return Cut(leaves, above.schema)


def micro_batch_rows(
    dataset: Dataset, update: Update, frames: dict[str, DataFrame], seen: dict[str, Figures]
) -> DataFrame:
    """Run a query above the cut over one micro-batch; what the views found is put in ``seen``."""
    done: dict[str, DataFrame] = {}

    def answer(reader: Dataset, read: Read | FileRead) -> DataFrame | None:
        view = update.view(read)
        if view is None or not update.is_judged_stream(view):
            return frames.get(_key(reader, read, update))
        if view.name not in done:
            done[view.name] = _judged(view, update, frames, seen, answer)
        return done[view.name]

    return query_rows(dataset, update, answer)


def _judged(
    view: Dataset,
    update: Update,
    frames: dict[str, DataFrame],
    seen: dict[str, Figures],
    answer: Answer,
) -> DataFrame:
    rows = frames.get(identity(view.name))
    if rows is None:
        rows = query_rows(view, update, answer)
    gate = gate_of(view, update.pipeline)
    if view.rules:
        seen[view.name] = judge(rows, gate)
    return kept(rows, gate)


def _passes_judgment(dataset: Dataset, update: Update) -> bool:
    return any(update.is_judged_stream(update.view(read)) for read in dataset.reads)


def _key(reader: Dataset, read: Read | FileRead, update: Update) -> str:
    """Name a stream below the cut: a judged view by its name, any other by who reads it."""
    view = update.view(read)
    if view is not None and update.is_judged_stream(view):
        return identity(view.name)
    return f"{identity(reader.name)}/{read.view}"


def _leaves(dataset: Dataset, update: Update) -> dict[str, DataFrame]:
    leaves: dict[str, DataFrame] = {}
    for read in dataset.reads:
        view = update.view(read)
        if view is not None and update.is_judged_stream(view):
            below = _passes_judgment(view, update)
            leaves |= (
                _leaves(view, update) if below else {identity(view.name): query_rows(view, update)}
            )
        elif read.streaming or (view is not None and update.is_streaming(view)):
            leaves[_key(dataset, read, update)] = read_rows(dataset, read, update)
    return leaves


def _empty_stream(schema: StructType, update: Update) -> DataFrame:
    nothing = update.spark.readStream.format("rate").load()
    return nothing.select(*(lit(None).cast(f.dataType).alias(f.name) for f in schema.fields))


def _require_stateless(dataset: Dataset, rows: DataFrame) -> None:
    for node in _nodes(rows._jdf.queryExecution().analyzed()):
        if not node.isStreaming():
            continue
        name = str(node.nodeName())
        if name == "Join" and all(child.isStreaming() for child in _children(node)):
            name = "a join of two streams"
        elif name in _STATELESS:
            continue
        raise Refusal(
            f"`{dataset.name}` needs rows of more than one micro-batch ({name}) from a view with "
            "expectations",
            "put the view's query and expectations into a streaming table and read that",
        )


def _nodes(plan: JavaObject) -> list[JavaObject]:
    return [plan, *(node for child in _children(plan) for node in _nodes(child))]


def _children(plan: JavaObject) -> list[JavaObject]:
    children = plan.children()
    return [children.apply(n) for n in range(children.size())]
