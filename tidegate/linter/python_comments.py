"""A comment of Python code comes in; the parts of the view that it covers go out.

What stands next to a comment is told in the file itself: a program may use a text elsewhere, and
more than once.
"""

from collections.abc import Iterable

from tidegate.grammar.nodes import CreateDataset, ListItem, Node, Statement, expectations_of
from tidegate.grammar.parser import ParsedFile
from tidegate.source.span import Span

_Placed = tuple[Span, Span]
"""Where a node stands in the file, and where in the view."""


def covered(file: ParsedFile, comment: Span) -> tuple[tuple[Span, ...], bool]:
    """Return what a comment covers, and whether it trails something."""
    source = file.source
    original, place = source.original, source.place(comment)
    line_start = original.rfind("\n", 0, place.start) + 1
    before = original[line_start : place.start].strip()
    # In the JSON of a notebook a line starts behind a quote.
    is_trailing = before not in ("", '"')
    statements = _placed(file, file.statements)
    items = _placed(file, (item for each in file.statements for item in _items_of(each)))
    if "ignore-file" in source.text[comment.start : comment.end]:
        in_head = all(where.start >= place.end for where, _ in statements)
        return ((Span(0, len(source.text)),) if in_head else ()), is_trailing
    if is_trailing:
        return _trailed(place, line_start, (items, statements)), True
    around = [each for each in statements if _holds(each[0], place)]
    if around:
        inner = [each for each in items if _holds(around[0][0], each[0])]
        return _first_behind(place, inner) or (around[0][1],), False
    return _first_behind(place, [*statements, *items]), False


def _placed(file: ParsedFile, nodes: Iterable[Node]) -> list[_Placed]:
    return [(file.source.place(node.span), node.span) for node in nodes]


def _items_of(statement: Statement) -> tuple[ListItem, ...]:
    if isinstance(statement, CreateDataset):
        return statement.items + statement.misplaced
    return expectations_of(statement)


def _trailed(
    place: Span, line_start: int, layers: tuple[list[_Placed], list[_Placed]]
) -> tuple[Span, ...]:
    """Return the items, else the statement, that end on the comment's line or go on behind it."""
    for nodes in layers:
        found = [each for each in nodes if line_start < each[0].end <= place.start]
        found = found or [each for each in nodes if _holds(each[0], place)]
        if found:
            start = max(where.start for where, _ in found)
            return tuple(view for where, view in found if where.start == start)
    return ()


def _first_behind(place: Span, nodes: list[_Placed]) -> tuple[Span, ...]:
    """Return the nodes that start first behind a comment; copies of one text are all meant."""
    behind = [each for each in nodes if each[0].start >= place.end]
    if not behind:
        return ()
    first = min(where for where, _ in behind)
    longest = max(where.end for where, _ in behind if where.start == first.start)
    return tuple(view for where, view in behind if where == Span(first.start, longest))


def _holds(outer: Span, inner: Span) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end
