"""The first words of a statement come in; what it makes goes out."""

from collections.abc import Sequence

from tidegate.grammar.nodes import ObjectKind

_OBJECTS = frozenset(("TABLE", "VIEW"))
_TEMPORARY = frozenset(("TEMPORARY", "TEMP"))


def kind_of_head(words: Sequence[str]) -> ObjectKind | None:
    """Say what the words of a CREATE make, up to the word for the object; in capitals."""
    head: list[str] = []
    for word in words:
        head.append(word)
        if word in _OBJECTS:
            break
    if "STREAMING" in head or "INCREMENTAL" in head:
        return ObjectKind.TEMPORARY_VIEW if "VIEW" in head else ObjectKind.STREAMING_TABLE
    if "MATERIALIZED" in head or ("LIVE" in head and "TABLE" in head):
        return ObjectKind.MATERIALIZED_VIEW
    if "VIEW" in head:
        temporary = "LIVE" in head or not _TEMPORARY.isdisjoint(head)
        return ObjectKind.TEMPORARY_VIEW if temporary else ObjectKind.VIEW
    return ObjectKind.TABLE if "TABLE" in head else None


def is_private(words: Sequence[str]) -> bool:
    """Tell whether a table or materialized view is made for its pipeline alone."""
    if "PRIVATE" in words:
        return True
    temporary = not _TEMPORARY.isdisjoint(words)
    return temporary and (words[-1] == "TABLE" or "MATERIALIZED" in words)


def kind_of_words(words: Sequence[str]) -> ObjectKind | None:
    """Say what a statement that opens with these words was going to be; in capitals."""
    match words[:2]:
        case ["ALTER", *_]:
            return ObjectKind.ALTER_TABLE
        case ["CREATE", "FLOW"]:
            return ObjectKind.FLOW
        case ["AUTO" | "APPLY", *_]:
            return ObjectKind.AUTO_CDC
        case _:
            return kind_of_head(words[1:])
