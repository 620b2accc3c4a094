"""What Python expressions are worth, as far as their text alone says it."""

import ast
import re
from collections.abc import Iterable, Sequence
from typing import TypeAlias

import msgspec

from tidegate.grammar.tokens import word_set
from tidegate.source.span import Span
from tidegate.source.view import Piece, PieceKind


class Unknown(msgspec.Struct, frozen=True):
    """A value that only a run could tell."""

    reason: str
    is_parameter: bool = False
    """Whether a caller gives it."""
    applied: "tuple[Rules, ...]" = ()
    """The expectations that decorate it, should it be a function."""


class Text(msgspec.Struct, frozen=True):
    """A string, and where its characters stand."""

    pieces: tuple[Piece, ...]
    span: Span | None = None
    """The expression that it is written as, quotes included; ``None`` where it is put together."""

    @property
    def said(self) -> str:
        """The string itself."""
        return "".join(piece.text for piece in self.pieces)


class Plain(msgspec.Struct, frozen=True):
    """A number, a truth value or None."""

    value: int | float | bool | None


class Listed(msgspec.Struct, frozen=True):
    """A list, a tuple, or what one can go through."""

    items: "tuple[Value, ...]"


class Table(msgspec.Struct, frozen=True):
    """A dictionary; keys that one literal writes twice are kept."""

    entries: "tuple[tuple[Value, Value], ...]"


class Module(msgspec.Struct, frozen=True):
    """The module of pipelines."""

    is_assumed: bool = False
    """Whether nothing in the file imports it."""


class DoorFunction(msgspec.Struct, frozen=True):
    """One of its functions."""

    name: str
    span: Span
    """Where it is named."""
    said: str = ""
    """What the program calls it, where no function has that name."""
    is_assumed: bool = False
    """Whether nothing in the file says that the name is of the module."""


class Wrong(msgspec.Struct, frozen=True, kw_only=True):
    """What keeps a call of such a function from running."""

    name: str = "syntax-error"
    """The public name of the fault."""
    span: Span
    message: str
    help: str
    meant: str | None = None
    """What is to stand there instead, where that is plain."""
    is_certain: bool = False
    """Whether nothing else can be meant."""
    is_doubtful: bool = False
    """Whether it may run all the same."""


class Rule(msgspec.Struct, frozen=True, kw_only=True):
    """An expectation, or several that are not known one by one."""

    name: "Text | Unknown | None"
    predicate: "Text | Unknown"
    action: str
    """What follows ON VIOLATION in SQL; empty for none."""
    span: Span
    action_span: Span
    source: Span
    """Where its condition is given."""
    wrong: tuple[Wrong, ...] = ()


class Rules(msgspec.Struct, frozen=True, kw_only=True):
    """A decorator that adds expectations."""

    rules: tuple[Rule, ...]
    span: Span


class Target(msgspec.Struct, frozen=True, kw_only=True):
    """A decorator that makes a function a dataset or a flow."""

    function: str
    name: "Text | Unknown | None"
    """``None``: the function names it."""
    is_private: bool
    span: Span
    wrong: tuple[Wrong, ...] = ()


class Function(msgspec.Struct, frozen=True, kw_only=True):
    """A function of the file, perhaps decorated."""

    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
    scope: "Scope"
    rules: tuple[Rule, ...] = ()


class Space(msgspec.Struct, frozen=True):
    """A class, for the constants in it."""

    names: "dict[str, Value]"


Value: TypeAlias = (
    Unknown
    | Text
    | Plain
    | Listed
    | Table
    | Module
    | DoorFunction
    | Rules
    | Target
    | Function
    | Space
)


class Scope:
    """The names of a function or of the file, and those around it."""

    def __init__(self, outer: "Scope | None" = None) -> None:
        self.names: dict[str, Value] = {}
        self.outer = outer

    def find(self, name: str) -> Value | None:
        """Return what a name stands for, if it is known here."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.names:
                return scope.names[name]
            scope = scope.outer
        return None

    def change(self, name: str, value: Value) -> None:
        """Give another value to a name, and to all that stand for the very same object."""
        known = self.find(name)
        scope: Scope | None = self
        while scope is not None:
            for each, other in scope.names.items():
                if other is known:
                    scope.names[each] = value
            scope = scope.outer

    def lose(self, name: str) -> None:
        """Follow a change of a part of a value, by which the whole is not known any more."""
        if isinstance(self.find(name), Table | Listed | Space):
            self.change(name, Unknown(f"`{name}` is changed in a way that is not followed"))


NOT_KNOWN = Unknown("it depends on what the program does")
MOST_CHARACTERS = 100_000
"""Longer strings are not put together: a few lines that double one would fill the memory."""


def made(said: str, span: Span) -> Text:
    """Return a string that stands nowhere as it is."""
    return Text((Piece(PieceKind.MADE, said, span),) if said else (), span)


def key_of(value: Value) -> object:
    """Return what two keys are compared by."""
    match value:
        case Text():
            return value.said
        case Plain(value=plain):
            return plain
        case _:
            return id(value)


def merged(tables: Iterable[Table]) -> Table:
    """Return dictionaries put together: of equal keys of several, the last one's value stays."""
    entries: list[tuple[Value, Value]] = []
    for table in tables:
        later = {key_of(key) for key, _ in table.entries}
        entries = [entry for entry in entries if key_of(entry[0]) not in later]
        entries += table.entries
    return Table(tuple(entries))


def items_of(value: Value) -> tuple[Value, ...] | None:
    """Return what a loop over a value goes through, if that is known."""
    match value:
        case Listed(items=items):
            return items
        case Table(entries=entries):
            return tuple(key for key, _ in entries)
        case _:
            return None


def size_of(value: Value) -> int:
    """Return how many characters a string has, or how many items something else."""
    match value:
        case Text(pieces=pieces):
            return sum(len(piece.text) for piece in pieces)
        case Listed(items=items):
            return len(items)
        case Table(entries=entries):
            return len(entries)
        case _:
            return 0


def plain_text(value: Value) -> str | None:
    """Return what ``str`` makes of a value."""
    match value:
        case Text():
            return value.said
        case Plain(value=bool() | int() | None as plain):
            return str(plain)
        case _:
            return None


_SAFE = word_set(
    "upper lower strip lstrip rstrip title capitalize casefold swapcase replace removeprefix "
    "removesuffix zfill"
)
_FIELD = re.compile(r"\{\{|\}\}|\{(\w*)\}")


def text_method(
    text: Text, name: str, arguments: Sequence[Value], named: dict[str, Value], span: Span
) -> Value:
    """Return what a method of a string gives, for those that are certain."""
    said = text.said
    if name == "format":
        formatted = _format(said, arguments, named)
        return NOT_KNOWN if formatted is None else made(formatted, span)
    if named:
        return NOT_KNOWN
    if name == "join" and len(arguments) == 1:
        return _joined(said, items_of(arguments[0]), span)
    if name == "split" and len(arguments) < 2:
        by = plain_text(arguments[0]) if arguments else None
        parts = said.split(by or None)
        return Listed(tuple(made(part, span) for part in parts))
    given = [plain_text(each) for each in arguments]
    if name not in _SAFE or None in given or _longest(said, given) > MOST_CHARACTERS:
        return NOT_KNOWN
    try:
        found = getattr(said, name)(*given)
    except (TypeError, ValueError):
        return NOT_KNOWN
    if name in ("strip", "lstrip", "rstrip") and not given:
        return Text(tuple(cut(text.pieces, said, found, name)))
    return made(found, span)


def _longest(said: str, given: Sequence[str | None]) -> int:
    """Return how long a string may get by a method that is given these."""
    match given:
        case [str(old), str(new), *_]:
            return len(said) + said.count(old) * len(new)
        case _:
            return len(said)


def _joined(said: str, items: tuple[Value, ...] | None, span: Span) -> Value:
    texts = [each for each in items or () if isinstance(each, Text)]
    if items is None or len(texts) != len(items):
        return NOT_KNOWN
    if sum(map(size_of, texts)) + len(said) * len(texts) > MOST_CHARACTERS:
        return NOT_KNOWN
    return made(said.join(each.said for each in texts), span)


def cut(pieces: Sequence[Piece], said: str, kept: str, name: str) -> Iterable[Piece]:
    """Yield the pieces of what is left when blanks are taken off a string's ends."""
    start = 0 if name == "rstrip" else len(said) - len(said.lstrip())
    stop = start + len(kept)
    at = 0
    for piece in pieces:
        end = at + len(piece.text)
        first, last = max(at, start), min(end, stop)
        if first < last:
            if piece.kind is PieceKind.PLAIN:
                host = Span(piece.host.start + first - at, piece.host.start + last - at)
                yield Piece(piece.kind, piece.text[first - at : last - at], host, piece.encoding)
            else:
                yield Piece(piece.kind, piece.text[first - at : last - at], piece.host)
        at = end


def _format(said: str, arguments: Sequence[Value], named: dict[str, Value]) -> str | None:
    """Put values into plain fields; anything fancier is not known."""
    parts: list[str] = []
    at = counted = length = 0
    for match in _FIELD.finditer(said):
        before = said[at : match.start()]
        if "{" in before or "}" in before:
            return None
        at = match.end()
        parts.append(before)
        if match[0] in ("{{", "}}"):
            parts.append(match[0][0])
            continue
        field = match[1] or str(counted)
        counted += not match[1]
        value = named.get(field)
        if field.isdigit() and int(field) < len(arguments):
            value = arguments[int(field)]
        written = plain_text(value) if value is not None else None
        length += len(written or "")
        if written is None or length > MOST_CHARACTERS:
            return None
        parts.append(written)
    rest = said[at:]
    return None if "{" in rest or "}" in rest else "".join([*parts, rest])
