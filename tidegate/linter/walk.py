"""A node comes in; what stands under it goes out, for any kind of node."""

from collections.abc import Iterator
from functools import cache

from tidegate.grammar.nodes import ColumnReference, Lambda, Node


def children(node: Node) -> Iterator[Node]:
    """Yield the nodes directly under a node, in the order of its fields."""
    for field in node_fields(node.__class__):
        value = getattr(node, field)
        if value.__class__ is tuple:
            yield from value
        elif value is not None:
            yield value


def descendants(node: Node) -> Iterator[Node]:
    """Yield a node and everything under it, in preorder."""
    pending: list[Node] = [node]
    while pending:
        current = pending.pop()
        yield current
        below = list(children(current))
        below.reverse()
        pending += below


def columns(expression: Node) -> list[ColumnReference]:
    """Return the columns that an expression reads; parameters of its lambdas are none."""
    nodes = list(descendants(expression))
    parameters = {
        name.text.casefold()
        for node in nodes
        if isinstance(node, Lambda)
        for name in node.parameters
    }
    return [
        node
        for node in nodes
        if isinstance(node, ColumnReference) and node.parts[0].text.casefold() not in parameters
    ]


@cache
def node_fields(kind: type[Node]) -> dict[str, tuple[type[Node], ...]]:
    """Return the fields of a kind of node that may hold nodes, and of which kinds, as annotated."""
    annotations: dict[str, object] = {}
    for base in reversed(kind.__mro__):
        annotations.update(getattr(base, "__annotations__", {}))
    fields = {name: tuple(_kinds_in(annotations[name])) for name in kind.__struct_fields__}
    return {name: kinds for name, kinds in fields.items() if kinds}


@cache
def reachable(kind: type[Node]) -> frozenset[str]:
    """Return the names of all kinds of nodes that may stand at or under one annotated so."""
    found: set[type[Node]] = set()
    pending = [kind]
    while pending:
        current = pending.pop()
        if current in found:
            continue
        found.add(current)
        pending += current.__subclasses__()
        for kinds in node_fields(current).values():
            pending += kinds
    return frozenset(each.__name__ for each in found)


def _kinds_in(annotation: object) -> Iterator[type[Node]]:
    if isinstance(annotation, type) and issubclass(annotation, Node):
        yield annotation
    for part in getattr(annotation, "__args__", ()):
        yield from _kinds_in(part)
