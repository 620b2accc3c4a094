"""Who reads whom: streams, order and circles."""

from collections.abc import Iterable, Mapping, Sequence, Set
from typing import Protocol, TypeVar

from tidegate.grammar.nodes import ObjectKind
from tidegate.model.names import DatasetName

VIEWS = frozenset({ObjectKind.TEMPORARY_VIEW, ObjectKind.VIEW})
"""Kinds that hold no rows: reading one is running its query."""

MOST_NAMED = 8
"""Of a longer circle only this many datasets are kept, and one to tell that there are more."""


class Reads(Protocol):
    """Something that a query reads: a reference of a bound dataset, or what is kept of it."""

    @property
    def name(self) -> DatasetName | None: ...  # noqa: D102

    @property
    def is_stream(self) -> bool: ...  # noqa: D102


class Reader(Protocol):
    """A dataset, or what is kept of it."""

    @property
    def name(self) -> DatasetName: ...  # noqa: D102

    @property
    def kind(self) -> ObjectKind: ...  # noqa: D102

    @property
    def references(self) -> Sequence[Reads]: ...  # noqa: D102


_Dataset = TypeVar("_Dataset", bound=Reader)


def streaming_views(by_key: Mapping[str, Reader]) -> Set[str]:
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


def streams(reference: Reads, flowing: Set[str] | tuple[()]) -> bool:
    """Return whether a reference is read as a stream: by its words, or as one of those views."""
    if reference.is_stream:
        return True
    return reference.name is not None and reference.name.key in flowing


def in_order(
    datasets: Iterable[_Dataset], by_key: Mapping[str, _Dataset]
) -> tuple[list[_Dataset], list[tuple[_Dataset, ...]]]:
    """Sort datasets so that each stands behind what it reads; return the circles beside them.

    Datasets without a dependency between them keep the order of the text. A dataset that reads
    itself is a circle of one. Iterative, so that long chains are no recursion.
    """
    ordered: list[_Dataset] = []
    circles: list[tuple[_Dataset, ...]] = []
    done: set[str] = set()
    for root in datasets:
        path: list[tuple[_Dataset, list[_Dataset]]] = []
        places: dict[str, int] = {}
        entering: _Dataset | None = root
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


def _sources(dataset: _Dataset, by_key: Mapping[str, _Dataset]) -> list[_Dataset]:
    """Return what a dataset reads, the last first."""
    names = [each.name for each in dataset.references]
    names.reverse()
    return [by_key[name.key] for name in names if name is not None and name.key in by_key]
