"""What all printers share: names, strings, lists, and text taken as it stands."""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

from tidegate.grammar.building.pieces import backticked
from tidegate.grammar.formatting.spacing import closed_body, show_type
from tidegate.grammar.nodes import Name, Node, QualifiedName
from tidegate.grammar.tokens import PLACE, raw_tokens
from tidegate.source.span import Span

_BARE = re.compile(rf"(?:\w|{PLACE})+")
_PLACE_ALONE = re.compile(rf"{PLACE}|\?|:\s*\w+")


class Printer:
    """Writes nodes that were read from one text."""

    __slots__ = ("_printers", "is_of_python", "text")

    def __init__(
        self,
        text: str,
        printers: "Mapping[type[Node], Printing]",
        *,
        is_of_python: bool = False,
    ) -> None:
        self.text = text
        self.is_of_python = is_of_python
        """Whether Python wrote the nodes: then a name may be any text."""
        self._printers = printers

    def of_python(self) -> "Printer":
        """Return a printer for what Python wrote into the same text."""
        return Printer(self.text, self._printers, is_of_python=True)

    def show(self, node: Node) -> str:
        """Return the SQL of a node."""
        return self._printers[node.__class__](node, self)

    def listed(self, nodes: Iterable[Node]) -> str:
        """Return nodes with commas between them."""
        return ", ".join([self.show(node) for node in nodes])

    def slice(self, span: Span) -> str:
        """Return what was written under a span."""
        return self.text[span.start : span.end]

    def type(self, span: Span) -> str:
        """Return a data type with canonical blanks between its tokens, comments left out."""
        return show_type(self.text, span.start, span.end)

    def body(self, span: Span) -> str:
        """Return a text that brackets can be put around; a comment at its end ends its line."""
        return closed_body(self.slice(span))

    def capitals(self, span: Span) -> str:
        """Return words alone, in capitals, with one blank between them."""
        tokens = raw_tokens(self.text, span.start, span.end)
        return " ".join([token.text.upper() for token in tokens])

    def string(self, value: str, node: Node) -> str:
        """Return a string, or the placeholder that stands in its place in a node."""
        written = self.slice(node.span)
        is_bare = _PLACE_ALONE.fullmatch(value) and not any(
            f"{quote}{value}{quote}" in written for quote in "'\""
        )
        return value if is_bare else quoted(value)


# Any: the entry for a class is called with nodes of that class alone.
Printing: TypeAlias = Callable[[Any, Printer], str]


def quoted(value: str, quote: str = "'") -> str:
    """Return a string literal whose value is ``value``."""
    escaped = value.replace("\\", "\\\\").replace(quote, f"\\{quote}")
    return f"{quote}{escaped}{quote}"


def words(*parts: str | None) -> str:
    """Return the parts that say something, with blanks between them."""
    return " ".join([part for part in parts if part])


def identifier(text: str) -> str:
    """Return a name that was written in another language, in backticks where SQL needs them."""
    if re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", text):
        return text
    return backticked(text)


def show_name(name: Name, p: Printer) -> str:
    """Return a name; what no bare word can be is taken as it was written."""
    if name.quoted:
        return backticked(name.text)
    return name.text if _BARE.fullmatch(name.text) else p.slice(name.span)


def show_qualified_name(name: QualifiedName, p: Printer) -> str:
    """Return a name of several parts."""
    if not name.is_computed and all(
        part.quoted or _BARE.fullmatch(part.text) for part in name.parts
    ):
        return dotted(name.parts, p)
    return p.slice(name.span)


def dotted(parts: Iterable[Name], p: Printer) -> str:
    """Return parts with dots between them."""
    return ".".join([show_name(part, p) for part in parts])
