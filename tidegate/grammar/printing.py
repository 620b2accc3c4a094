"""A node and the text it was read from come in; canonical SQL goes out.

What the tree keeps as text (queries, predicates, types) is taken from the source as it stands; all
else is written from the nodes alone. Reading the printed text again gives the same tree.
"""

from tidegate.grammar.nodes import Node, Statement
from tidegate.grammar.printing_base import Printer, Printing
from tidegate.grammar.printing_calls import CALLS
from tidegate.grammar.printing_clauses import CLAUSES
from tidegate.grammar.printing_flows import FLOWS
from tidegate.grammar.printing_items import ITEMS
from tidegate.grammar.printing_statements import STATEMENTS
from tidegate.grammar.printing_values import VALUES

PRINTERS: dict[type[Node], Printing] = {
    **VALUES, **CALLS, **ITEMS, **CLAUSES, **FLOWS, **STATEMENTS
}  # fmt: skip
"""How each kind of node is written; a test asks that none is missing."""


def print_node(node: Node, text: str) -> str:
    """Return the canonical SQL of any node; ``text`` is what it was read from."""
    return Printer(text, PRINTERS).show(node)


def print_statements(statements: tuple[Statement, ...], text: str) -> str:
    """Return the statements one below the other, each with its terminator."""
    printer = Printer(text, PRINTERS)
    return "".join(f"{printer.show(statement)};\n\n" for statement in statements)[:-1]
