"""The arguments of functions that every Python has come in; what these give goes out."""

from itertools import islice

from tidegate.grammar.python.values import (
    NOT_KNOWN,
    Listed,
    Plain,
    Table,
    Text,
    Value,
    items_of,
    merged,
    plain_text,
)

_MOST_TURNS = 10_000


def table_method(table: Table, name: str) -> Value:
    """Return what a method of a dictionary gives, for those that are certain."""
    match name:
        case "items":
            return Listed(tuple(Listed(entry) for entry in table.entries))
        case "keys":
            return Listed(tuple(key for key, _ in table.entries))
        case "values":
            return Listed(tuple(value for _, value in table.entries))
        case "copy":
            return Table(table.entries)
        case _:
            return NOT_KNOWN


def dict_of(given: list[Value], items: tuple[Value, ...] | None, own: Table) -> Value:
    """Return what ``dict(...)`` makes; ``own`` are its keyword arguments."""
    if not given:
        return own
    if isinstance(given[0], Table):
        return merged((given[0], own))
    pairs = [each.items for each in items or () if isinstance(each, Listed)]
    if items is None or len(pairs) != len(items) or any(len(pair) != 2 for pair in pairs):
        return NOT_KNOWN
    return merged((Table(tuple((pair[0], pair[1]) for pair in pairs)), own))


def list_of(name: str, items: tuple[Value, ...] | None) -> Value:
    """Return what ``list``, ``sorted``, ``reversed`` and their like make of items."""
    if items is None:
        return NOT_KNOWN
    if name == "reversed":
        return Listed(items[::-1])
    if name == "sorted":
        if not all(isinstance(each, Text) for each in items):
            return NOT_KNOWN
        return Listed(tuple(sorted(items, key=lambda each: plain_text(each) or "")))
    return Listed(items)


def zipped(given: list[Value]) -> Value:
    """Return what ``zip(...)`` goes through."""
    rows = [items_of(each) for each in given]
    known = [row for row in rows if row is not None]
    if len(known) != len(rows):
        return NOT_KNOWN
    return Listed(tuple(Listed(row) for row in zip(*known, strict=False)))


def range_of(given: list[Value]) -> Value:
    """Return what ``range(...)`` goes through."""
    numbers = [each.value for each in given if isinstance(each, Plain)]
    whole = [each for each in numbers if isinstance(each, int)]
    if len(whole) != len(given) or (len(whole) == 3 and whole[2] == 0):
        return NOT_KNOWN
    turns = list(islice(range(*whole), _MOST_TURNS + 1))
    return NOT_KNOWN if len(turns) > _MOST_TURNS else Listed(tuple(map(Plain, turns)))
