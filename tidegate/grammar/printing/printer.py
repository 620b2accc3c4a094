"""A node and the text it was read from come in; canonical SQL goes out.

What the tree keeps as text (queries, predicates, types) is taken from the source as it stands; all
else is written from the nodes alone. Reading the printed text again gives the same tree.
"""

from collections.abc import Iterable

from tidegate.grammar.formatting.spacing import closed_body
from tidegate.grammar.nodes import Node, Statement
from tidegate.grammar.printing.base import Printer, Printing
from tidegate.grammar.printing.calls import CALLS
from tidegate.grammar.printing.clauses import CLAUSES
from tidegate.grammar.printing.flows import FLOWS
from tidegate.grammar.printing.items import ITEMS
from tidegate.grammar.printing.statements import STATEMENTS
from tidegate.grammar.printing.values import VALUES

PRINTERS: dict[type[Node], Printing] = {
    **VALUES, **CALLS, **ITEMS, **CLAUSES, **FLOWS, **STATEMENTS
}  # fmt: skip
"""How each kind of node is written; a test asks that none is missing."""


def print_node(node: Node, text: str) -> str:
    """Return the canonical SQL of any node; ``text`` is what it was read from."""
    return Printer(text, PRINTERS).show(node)


def print_statements(statements: Iterable[Statement], text: str) -> str:
    """Return the statements one below the other, each with its terminator.

    A statement with a fault stands as it was written.
    """
    printer = Printer(text, PRINTERS)
    shown = [
        text[one.span.start : one.span.end] if one.faults else printer.show(one)
        for one in statements
    ]
    return "\n".join([f"{closed_body(one)};\n" for one in shown])
