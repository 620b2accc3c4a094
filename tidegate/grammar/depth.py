"""A tree comes in; whether it is deeper than a reader's recursion may go goes out."""

from tidegate.grammar.nodes import Node

MAX_DEPTH = 250
"""How many symbols may wait on a parser's stack: this bounds the depth of every tree."""

TOO_DEEP = "nested too deeply"


def is_deeper(root: Node, limit: int) -> bool:
    """Tell whether a tree is deeper than ``limit``, without recursion."""
    level: list[Node] = [root]
    for _ in range(limit):
        level = [child for node in level for child in _children(node)]
        if not level:
            return False
    return True


def _children(node: Node) -> list[Node]:
    found: list[Node] = []
    for field in node.__struct_fields__:
        value = getattr(node, field)
        if isinstance(value, Node):
            found.append(value)
        elif isinstance(value, tuple):
            found += [one for one in value if isinstance(one, Node)]
    return found
