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
def node_fields(kind: type[Node]) -> tuple[str, ...]:
    """Return the fields of a kind of node that may hold nodes, by their annotations."""
    annotations: dict[str, object] = {}
    for base in reversed(kind.__mro__):
        annotations.update(getattr(base, "__annotations__", {}))
    return tuple(name for name in kind.__struct_fields__ if _holds_nodes(annotations[name]))


def _holds_nodes(annotation: object) -> bool:
    if isinstance(annotation, type) and issubclass(annotation, Node):
        return True
    return any(_holds_nodes(part) for part in getattr(annotation, "__args__", ()))
