"""Who reads whom: streams, order and circles."""

from collections.abc import Iterable

from tidegate.grammar.nodes import ObjectKind
from tidegate.grammar.outline import RelationKind
from tidegate.model.pipeline import Dataset, Reference

VIEWS = frozenset({ObjectKind.TEMPORARY_VIEW, ObjectKind.VIEW})
"""Kinds that hold no rows: reading one is running its query."""

STREAMING_FUNCTIONS = frozenset({"cloud_files"})
"""Table functions that are a stream without STREAM around them."""


def is_streaming(dataset: Dataset, by_key: dict[str, Dataset]) -> bool:
    """Return whether the dataset's query reads a stream, through views too."""
    return any(streams(each, by_key) for each in dataset.references)


def streams(
    reference: Reference, by_key: dict[str, Dataset], seen: frozenset[str] = frozenset()
) -> bool:
    """Return whether a reference is read as a stream: by its words, or as a view that streams."""
    relation = reference.relation
    if relation.streaming:
        return True
    if relation.kind is RelationKind.FUNCTION:
        return relation.parts[-1].casefold() in STREAMING_FUNCTIONS
    if reference.name is None or reference.name.key in seen:
        return False
    target = by_key.get(reference.name.key)
    if target is None or target.kind not in VIEWS:
        return False
    inner = seen | {reference.name.key}
    return any(streams(each, by_key, inner) for each in target.references)


def in_order(
    datasets: Iterable[Dataset], by_key: dict[str, Dataset]
) -> tuple[list[Dataset], list[tuple[Dataset, ...]]]:
    """Sort datasets so that each stands behind what it reads; return the circles beside them.

    Datasets without a dependency between them keep the order of the text. A dataset that reads
    itself is a circle of one. Iterative, so that long chains are no recursion.
    """
    ordered: list[Dataset] = []
    circles: list[tuple[Dataset, ...]] = []
    done: set[str] = set()
    for root in datasets:
        path: list[tuple[Dataset, list[Dataset]]] = []
        entering: Dataset | None = root
        while entering is not None or path:
            if entering is not None:
                if entering.name.key not in done:
                    path.append((entering, _sources(entering, by_key)))
                entering = None
                continue
            current, sources = path[-1]
            if not sources:
                path.pop()
                done.add(current.name.key)
                ordered.append(current)
                continue
            source = sources.pop(0)
            on_path = [each.name.key for each, _ in path]
            if source.name.key in on_path:
                circles.append(tuple(each for each, _ in path[on_path.index(source.name.key) :]))
            else:
                entering = source
    return ordered, circles


def _sources(dataset: Dataset, by_key: dict[str, Dataset]) -> list[Dataset]:
    names = (each.name for each in dataset.references)
    return [by_key[name.key] for name in names if name is not None and name.key in by_key]
