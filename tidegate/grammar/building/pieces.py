"""What the builders share: the children of a production, and the spans over them."""

from typing import Any, NoReturn, TypeAlias

from tidegate.grammar import nodes
from tidegate.grammar.tokens import Token, is_whole_placeholder
from tidegate.source.span import Span

# The grammar says what a child is: a token, a node, or a piece of one.
Child: TypeAlias = Any


class Rejected(Exception):
    """The tables allow it, the language does not."""

    def __init__(self, span: Span, reason: str) -> None:
        super().__init__(reason)
        self.span = span
        self.reason = reason


class Piece:
    """A part of a node that is no node: where it stands, and what it says."""

    __slots__ = ("span", "value")

    def __init__(self, span: Span, value: Child) -> None:  # Any: the production says what it holds
        self.span = span
        self.value = value


def start_of(child: Child) -> int:
    """Return where a child starts."""
    return child.start if child.__class__ is Token else child.span.start


def end_of(child: Child) -> int:
    """Return where a child ends."""
    return child.end if child.__class__ is Token else child.span.end


def over(children: list[Child]) -> Span:
    """Return the span from the first child to the last."""
    # Called for every node: the two questions are written out.
    first, last = children[0], children[-1]
    return Span(
        first.start if first.__class__ is Token else first.span.start,
        last.end if last.__class__ is Token else last.span.end,
    )


def words_of(children: list[Child]) -> list[str]:
    """Return the tokens among the children as words in capitals."""
    return [child.text.upper() for child in children if child.__class__ is Token]


def operands(children: list[Child]) -> tuple[Child, ...]:
    """Return the children that are no tokens."""
    return tuple([child for child in children if child.__class__ is not Token])


def text_span(token: Token) -> Span:
    """Return the span of a token."""
    return Span(token.start, token.end)


def operator_of(token: Token) -> nodes.Operator:
    """Make an operator of its token."""
    return nodes.Operator(span=Span(token.start, token.end), text=token.text.upper())


def reject(child: Child, reason: str) -> NoReturn:
    """Refuse a child that the tables allow."""
    raise Rejected(Span(start_of(child), end_of(child)), reason)


def one_word(token: Token) -> nodes.QualifiedName:
    """Make a keyword the name of a function."""
    span = text_span(token)
    return nodes.QualifiedName(
        span=span, parts=(nodes.Name(span=span, text=token.text, quoted=False),)
    )


def backticked(name: str) -> str:
    """Put a name in backticks, the opposite of ``unquote``."""
    return "`" + name.replace("`", "``") + "`"


def unquote(written: str) -> str:
    """Undo backticks."""
    return written[1:-1].replace("``", "`") if written[0] == "`" else written


def name_of(token: Token) -> nodes.Name:
    """Make a name without its backticks."""
    written = token.text
    return nodes.Name(
        span=Span(token.start, token.end), text=unquote(written), quoted=written[0] == "`"
    )


def whole_placeholder(token: Token) -> str:
    """Return a placeholder that may stand for anything: a parameter stands for a value."""
    if not is_whole_placeholder(token.text):
        reject(token, "a parameter stands for a value, not for a clause")
    return token.text
