"""A statement's text comes in; its concrete tree goes out: every token, by production.

The grammar and the driver are those of the typed tree; only what is built differs. The formatter
reads these trees, because nothing of a text may be lost in them.
"""

from collections.abc import Callable
from typing import Any, TypeAlias

from tidegate.grammar.driver import BakedDriver, Failure
from tidegate.grammar.tokens import Token


class Branch:
    """A production as it was found in a text; its children are tokens and branches."""

    __slots__ = ("children", "production")

    def __init__(self, production: str, children: "list[Concrete]") -> None:
        self.production = production
        """As the grammar names it."""
        self.children = children


Concrete: TypeAlias = Branch | Token

# What follows a name in some statements is opaque to them, and is read by another start symbol.
_INNER = {"alter_dataset": "alteration", "create_function": "signature"}


class _Branches:
    """Stands in the place of a builder and keeps everything."""

    def __getattr__(self, production: str) -> "Callable[[list[Concrete]], Branch]":
        return lambda children: Branch(production, children)


class ConcreteReader:
    """Reads concrete trees; making one is what costs, so it is kept for many statements."""

    def __init__(self) -> None:
        builder: Any = _Branches()  # a driver asks a builder for nothing but its productions
        self._driver = BakedDriver(builder)

    def read(self, text: str, begin: int, end: int, *, whole: bool = True) -> Branch | None:
        """Return the tree of the statement between two offsets, ``None`` if it is none of ours.

        Without ``whole``, what follows the name of an ALTER stays one token.
        """
        tree = self._driver.parse("statement", text, begin, end)
        if not isinstance(tree, Branch):
            return None
        start = _INNER.get(tree.production)
        last = tree.children[-1]
        if whole and start is not None and isinstance(last, Token):
            inner = self._driver.parse(start, text, last.start, last.end)
            if not isinstance(inner, Failure):
                tree.children[-1] = inner
        return tree

    def read_predicate(self, text: str, begin: int, end: int) -> Branch | None:
        """Return the tree of a predicate, ``None`` if it does not parse."""
        tree = self._driver.parse("predicate", text, begin, end)
        return tree if isinstance(tree, Branch) else None
