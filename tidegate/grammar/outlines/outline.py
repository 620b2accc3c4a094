"""A query's outline from its tokens alone: what it reads, and what it puts out.

No query is understood here as a database understands it. The outline says which relations stand
behind FROM and JOIN (at any depth, common table expressions resolved), whether each is read as a
stream, and which names the outermost select lists put out.
"""

from enum import Enum

import msgspec

from tidegate.grammar.nodes import Watermark
from tidegate.source.span import Span


class RelationKind(Enum):
    """What a leaf of a query is."""

    NAME = "name"
    """A table or view by name."""
    FUNCTION = "function"
    """A table function: ``read_files(...)``."""
    PATH = "path"
    """``parquet.`/data/x` ``: files by format and path."""


class Argument(msgspec.Struct, frozen=True, kw_only=True):
    """One argument of a table function; the value is the text under its span."""

    name: str | None
    span: Span
    """The value, without ``name =>``."""


class ReadOption(msgspec.Struct, frozen=True, kw_only=True):
    """``name = value`` behind a relation, or a flag; the value is the text under its span."""

    name: str
    value: Span | None


class Relation(msgspec.Struct, frozen=True, kw_only=True):
    """A leaf relation."""

    kind: RelationKind
    parts: tuple[str, ...]
    """The name's parts without backticks, ``LIVE`` included; of a function, its name."""
    span: Span
    """The name alone; of a function, name and arguments."""
    whole: Span
    """With STREAM and its parentheses, without the alias."""
    streaming: bool
    alias: str | None
    alias_span: Span | None
    arguments: tuple[Argument, ...] = ()
    options: tuple[ReadOption, ...] = ()
    """What stands in ``WITH (...)`` behind a stream."""
    watermark: Watermark | None = None


class Output(msgspec.Struct, frozen=True, kw_only=True):
    """An item of the outermost select list (of its first branch, under a set operation)."""

    name: str | None
    """Its output name; ``None`` for a star and where it cannot be told without the engine."""
    span: Span
    is_star: bool
    qualifier: tuple[str, ...] = ()
    """Of ``t.*``."""


class StarItem(msgspec.Struct, frozen=True, kw_only=True):
    """A ``*`` or ``t.*`` of a select list at any depth (no multiplication, no ``count(*)``)."""

    span: Span
    """The asterisk with its qualifier."""
    qualifier: tuple[str, ...]
    relations: tuple[Span, ...]
    """``Relation.span`` of each leaf in the FROM clause of the same SELECT, subqueries left out."""


class Outline(msgspec.Struct, frozen=True, kw_only=True):
    """What a query reads and puts out."""

    relations: tuple[Relation, ...]
    outputs: tuple[Output, ...]
    stars: tuple[StarItem, ...]
    names: tuple[tuple[tuple[str, ...], Span], ...]
    """Every dotted name that is not a relation or a called function: parts, span of the whole."""
    ctes: tuple[str, ...]
