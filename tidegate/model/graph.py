"""Who reads whom: streams, order and circles."""

from collections.abc import Iterable, Mapping, Set

from tidegate.grammar.nodes import ObjectKind
from tidegate.grammar.outline import RelationKind
from tidegate.model.pipeline import Dataset, Reference

VIEWS = frozenset({ObjectKind.TEMPORARY_VIEW, ObjectKind.VIEW})
"""Kinds that hold no rows: reading one is running its query."""

STREAMING_FUNCTIONS = frozenset({"cloud_files"})
"""Table functions that are a stream without STREAM around them."""

MOST_NAMED = 8
"""Of a longer circle only this many datasets are kept, and one to tell that there are more."""


def streaming_views(by_key: Mapping[str, Dataset]) -> Set[str]:
    """Return the keys of the views whose query reads a stream, through other views too."""
    readers: dict[str, list[str]] = {}
    found: set[str] = set()
    for key, dataset in by_key.items():
        if dataset.kind in VIEWS:
            for each in dataset.references:
                if streams(each, ()):
                    found.add(key)
                elif each.name is not None:
                    readers.setdefault(each.name.key, []).append(key)
    pending = list(found)
    while pending:
        for reader in readers.pop(pending.pop(), ()):
            if reader not in found:
                found.add(reader)
                pending.append(reader)
    return found


def streams(reference: Reference, flowing: Set[str] | tuple[()]) -> bool:
    """Return whether a reference is read as a stream: by its words, or as one of those views."""
    relation = reference.relation
    if relation.streaming:
        return True
    if relation.kind is RelationKind.FUNCTION:
        return relation.parts[-1].casefold() in STREAMING_FUNCTIONS
    return reference.name is not None and reference.name.key in flowing


def in_order(
    datasets: Iterable[Dataset], by_key: Mapping[str, Dataset]
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
        places: dict[str, int] = {}
        entering: Dataset | None = root
        while entering is not None or path:
            if entering is not None:
                if entering.name.key not in done:
                    places[entering.name.key] = len(path)
                    path.append((entering, _sources(entering, by_key)))
                entering = None
                continue
            current, sources = path[-1]
            if not sources:
                path.pop()
                del places[current.name.key]
                done.add(current.name.key)
                ordered.append(current)
                continue
            source = sources.pop()
            first = places.get(source.name.key)
            if first is None:
                entering = source
            else:
                circles.append(tuple(each for each, _ in path[first : first + MOST_NAMED + 1]))
    return ordered, circles


def _sources(dataset: Dataset, by_key: Mapping[str, Dataset]) -> list[Dataset]:
    """Return what a dataset reads, the last first."""
    names = [each.name for each in dataset.references]
    names.reverse()
    return [by_key[name.key] for name in names if name is not None and name.key in by_key]
