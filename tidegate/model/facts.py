"""What each file defines and reads comes in; what is wrong between the files goes out.

The facts of a file hold no tree and no text, so that they can be kept and a file can be judged
without reading the others again.
"""

from collections.abc import Iterable, Iterator, Sequence, Set

import msgspec

from tidegate.grammar.nodes import ObjectKind
from tidegate.grammar.outlines.outline import RelationKind
from tidegate.model.graph import MOST_NAMED, in_order, streaming_views, streams
from tidegate.model.names import DatasetName
from tidegate.model.pipeline import Dataset
from tidegate.source.diagnostic import Fault, Related
from tidegate.source.edit import Edit, Fix, Safety
from tidegate.source.holes import has_hole
from tidegate.source.span import Span


class ReadFacts(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Something that a dataset's query reads."""

    name: DatasetName | None
    is_stream: bool = False


class DatasetFacts(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A dataset as others see it."""

    name: DatasetName
    kind: ObjectKind
    span: Span
    """Where its name stands."""
    references: tuple[ReadFacts, ...] = ()
    unstreamed: Fault | None = None
    """What is wrong with it if nothing that it reads turns out to be a stream."""


class FileFacts(msgspec.Struct, frozen=True, kw_only=True):
    """What a file brings into its pipeline."""

    path: str
    datasets: tuple[DatasetFacts, ...]


def facts_of(path: str, datasets: Iterable[Dataset]) -> FileFacts:
    """Return the facts of a file from its bound datasets."""
    return FileFacts(path=path, datasets=tuple(map(_dataset_facts, datasets)))


def faults_between(files: Sequence[FileFacts]) -> Iterator[tuple[int, Fault]]:
    """Yield what is wrong between datasets, each with the number of its file."""
    datasets = [(number, each) for number, file in enumerate(files) for each in file.datasets]
    first: dict[str, tuple[int, DatasetFacts]] = {}
    for number, each in datasets:
        earlier_in, earlier = first.setdefault(each.name.key, (number, each))
        # What an expression names may be another one each time.
        if earlier is not each and not has_hole(each.name.key):
            yield number, _duplicate(each, earlier, files[earlier_in].path)
    by_key = {key: each for key, (_, each) in first.items()}
    places = {id(each): number for number, each in datasets}
    for circle in in_order([each for _, each in datasets], by_key)[1]:
        yield places[id(circle[0])], _circle(circle)
    flowing = streaming_views(by_key)
    for number, each in datasets:
        if each.unstreamed is not None and not _reads_stream(each, flowing):
            yield number, each.unstreamed


def _reads_stream(dataset: DatasetFacts, flowing: Set[str]) -> bool:
    return any(streams(each, flowing) for each in dataset.references)


def _dataset_facts(dataset: Dataset) -> DatasetFacts:
    return DatasetFacts(
        name=dataset.name,
        kind=dataset.kind,
        span=dataset.statement.name.span,
        references=tuple(
            ReadFacts(name=each.name, is_stream=each.is_stream) for each in dataset.references
        ),
        unstreamed=_unstreamed(dataset),
    )


def _duplicate(dataset: DatasetFacts, earlier: DatasetFacts, path: str) -> Fault:
    return Fault(
        name="duplicate-dataset",
        span=dataset.span,
        message=f"`{dataset.name.full}` is defined twice in this pipeline",
        help="rename one of them, or remove it",
        dataset=dataset.name.full,
        related=(Related(message="first defined here", span=earlier.span, path=path),),
    )


def _circle(circle: tuple[DatasetFacts, ...]) -> Fault:
    first = circle[0]
    named = [each.name.full for each in circle[:MOST_NAMED]]
    rest = ["..."] if len(circle) > MOST_NAMED else []
    names = " -> ".join([*named, *rest, first.name.full])
    return Fault(
        name="dependency-cycle",
        span=first.span,
        message=f"datasets read each other in a circle: {names}",
        help="break the circle: let one of them read a source instead",
        dataset=first.name.full,
    )


def _unstreamed(dataset: Dataset) -> Fault | None:
    query = dataset.statement.query
    if dataset.kind is not ObjectKind.STREAMING_TABLE or query is None:
        return None
    if any(each.is_stream for each in dataset.references):
        return None
    if _holds_unknown_text(dataset.source.text[query.span.start : query.span.end]):
        return None
    leaves = (each.relation for each in dataset.references)
    tables = [each for each in leaves if each.kind is not RelationKind.PATH]
    fix = None
    if len(tables) == 1:
        edit = Edit(Span(tables[0].whole.start, tables[0].whole.start), "STREAM ")
        fix = Fix("Read it as a stream", (edit,), Safety.UNSAFE)
    return Fault(
        name="streaming-table-without-stream",
        span=tables[0].whole if tables else query.span,
        message=f"the query of streaming table `{dataset.name.full}` reads no stream",
        help="write STREAM before the table it follows, or make it a materialized view",
        dataset=dataset.name.full,
        fix=fix,
    )


def _holds_unknown_text(query: str) -> bool:
    # A placeholder or template may stand for anything, a streaming source included.
    return "${" in query or "{{" in query or "{%" in query or has_hole(query)
