"""A tree comes in; whether it is deeper than a reader's recursion may go goes out."""

import re

from tidegate.grammar.nodes import Literal, Name, Node, Operator, Placeholder
from tidegate.grammar.tokens import OPERATOR, raw_tokens

MAX_DEPTH = 250
"""How many symbols may wait on a parser's stack: this bounds the depth of every tree."""

TOO_DEEP = "nested too deeply"


# Nothing stands under these, and most nodes are one of them.
_LEAVES = frozenset((Literal, Name, Operator, Placeholder))
_BORDERS = re.compile(r"[(),]|\b(?:AND|OR)\b", re.IGNORECASE)
_LONG = 100_000
_LONGEST_CHAIN = 20_000


def has_long_chain(text: str, begin: int, end: int) -> bool:
    """Tell whether a text has operators in a row beyond what a tree may hold.

    ``a + a + ...`` nests without brackets: such a tree is never built, because taking it down
    again recurses in C.
    """
    if end - begin < _LONG:
        return False
    at = begin
    for border in _BORDERS.finditer(text, begin, end):
        if border.start() - at > _LONG and _operators(text, at, border.start()) > _LONGEST_CHAIN:
            return True
        at = border.end()
    return end - at > _LONG and _operators(text, at, end) > _LONGEST_CHAIN


def _operators(text: str, begin: int, end: int) -> int:
    return sum(token.kind == OPERATOR for token in raw_tokens(text, begin, end))


def is_deeper(root: Node, limit: int) -> bool:
    """Tell whether a tree is deeper than ``limit``, without recursion."""
    level: list[Node] = [root]
    for _ in range(limit):
        level = [
            child for node in level if node.__class__ not in _LEAVES for child in _children(node)
        ]
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
