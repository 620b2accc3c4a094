"""The children of a production come in; the typed value of its left side goes out.

One method per production, named as the grammar names it. Both drivers call these and nothing else.
"""

import re
from collections.abc import Callable

import msgspec

from tidegate.grammar import nodes
from tidegate.grammar.building.calls import CallBuilder
from tidegate.grammar.building.clauses import ClauseBuilder
from tidegate.grammar.building.flows import FlowBuilder
from tidegate.grammar.building.items import ItemBuilder
from tidegate.grammar.building.literals import string_value
from tidegate.grammar.building.pieces import (
    Child,
    Piece,
    end_of,
    operands,
    over,
    reject,
    start_of,
    text_span,
    words_of,
)
from tidegate.grammar.building.statements import StatementBuilder
from tidegate.grammar.building.values import ValueBuilder
from tidegate.grammar.heads import is_private, kind_of_head
from tidegate.grammar.tokens import DOUBLE, SINGLE, Token
from tidegate.source.span import Span


class Head(msgspec.Struct, frozen=True):
    """From CREATE to the object words or IF NOT EXISTS."""

    span: Span
    words: tuple[str, ...]
    if_not_exists: bool


class Builder(ValueBuilder, CallBuilder, ItemBuilder, ClauseBuilder, FlowBuilder, StatementBuilder):
    """Makes values of productions.

    ``parse_body`` reads the opaque predicates among them; ``try_parse`` reads an opaque text from
    a start symbol of its own, and gives ``None`` where it does not fit.
    """

    def __init__(
        self,
        parse_body: Callable[[Token], nodes.Expression | None],
        try_parse: Callable[[str, Token], Child],
    ) -> None:
        self._parse_body = parse_body
        self._try_parse = try_parse

    # ------------------------------------------------------------ statements

    def create(self, children: list[Child]) -> nodes.CreateDataset:
        """Make the statement; what is wrong with it is found later."""
        head: Head = children[0]
        words = head.words
        query = children[-1] if isinstance(children[-1], Piece) else None
        flow = children[-1] if isinstance(children[-1], nodes.InlineFlow) else None
        lists = [child for child in children[2:] if isinstance(child, nodes.ColumnList)]
        if len(lists) > 1:
            reject(lists[1], "a second column list")
        legacy = "LIVE" in words
        return nodes.CreateDataset(
            span=over(children),
            kind=kind_of_head(words) or nodes.ObjectKind.TABLE,
            spelling=nodes.Spelling.LEGACY if legacy else nodes.Spelling.CURRENT,
            name=children[1],
            head=head.span,
            or_refresh="REFRESH" in words,
            or_replace="REPLACE" in words,
            private=is_private(words),
            if_not_exists=head.if_not_exists,
            list_span=lists[0].span if lists else None,
            items=lists[0].items if lists else (),
            clauses=tuple(child for child in children[2:] if isinstance(child, nodes.Clause)),
            as_span=query.value[0] if query else None,
            query=query.value[1] if query else None,
            by_flow=query is not None and query.value[2],
            flow=flow,
        )

    def head(self, children: list[Child]) -> Head:
        """CREATE and the words up to the name."""
        words: list[str] = []
        end = end_of(children[0])
        for child in children[1:]:
            words += child.value
            if child.value[0] != "IF":
                end = end_of(child)
        if_not_exists = words[-1] == "EXISTS"
        if if_not_exists:
            del words[-3:]
        return Head(Span(start_of(children[0]), end), tuple(words), if_not_exists)

    def _spoken(self, children: list[Child]) -> Piece:
        return Piece(over(children), words_of(children))

    or_part = privacy = target = if_not_exists = if_exists = trim_side = _spoken
    nulls = foreign = altered = refreshed = dropped = spoken = _spoken

    def as_query(self, children: list[Child]) -> Piece:
        """AS, and the query's text."""
        words, query = over(children[:-1]), children[-1]
        return Piece(over(children), (words, nodes.Query(span=text_span(query)), False))

    def flow_query(self, children: list[Child]) -> Piece:
        """FLOW INSERT BY NAME, and the query's text."""
        words, query = over(children[:-1]), children[-1]
        return Piece(over(children), (words, nodes.Query(span=text_span(query)), True))

    def computed_name(self, children: list[Child]) -> nodes.QualifiedName:
        """Take the name out of IDENTIFIER('a.b'); anything but one string stands as written."""
        span, body = over(children), children[2].text
        if re.fullmatch(rf"{SINGLE}|{DOUBLE}", body):
            parts = string_value(body).split(".")
            names = tuple(nodes.Name(span=span, text=part, quoted=False) for part in parts)
            return nodes.QualifiedName(span=span, parts=names)
        written = nodes.Name(span=span, text=f"IDENTIFIER({body})", quoted=False)
        return nodes.QualifiedName(span=span, parts=(written,), is_computed=True)

    def column_list(self, children: list[Child]) -> nodes.ColumnList:
        """Collect the items between the parentheses."""
        return nodes.ColumnList(span=over(children), items=operands(children))

    def alter_table(self, children: list[Child]) -> nodes.AlterTable:
        """ALTER TABLE name action."""
        return nodes.AlterTable(span=over(children), name=children[2], action=children[3])

    def add_constraint(self, children: list[Child]) -> nodes.AddConstraint:
        """ADD [CONSTRAINT name] CHECK or key."""
        return nodes.AddConstraint(span=over(children), constraint=children[1])

    def drop_constraint(self, children: list[Child]) -> nodes.DropConstraint:
        """DROP CONSTRAINT [IF EXISTS] name."""
        return nodes.DropConstraint(
            span=over(children), name=children[-1], if_exists=isinstance(children[2], Piece)
        )

    def alter_not_null(self, children: list[Child]) -> nodes.AlterNotNull:
        """SET or DROP NOT NULL."""
        return nodes.AlterNotNull(
            span=over(children), column=children[-4], set=children[-3].type == "SET"
        )

    def set_statement(self, children: list[Child]) -> nodes.SetStatement:
        """SET key [= value], or SET TIME ZONE value."""
        zone = re.match(r"TIME\s+ZONE\b", children[1].text, re.IGNORECASE)
        if zone is not None:
            value = children[1].text[zone.end() :].strip()
            return nodes.SetStatement(span=over(children), key="TIME ZONE", value=value or None)
        key, equals, value = children[1].text.partition("=")
        return nodes.SetStatement(
            span=over(children), key=key.strip(), value=value.strip() if equals else None
        )

    def name_in_quotes(self, children: list[Child]) -> nodes.QualifiedName:
        """Make a name of a string."""
        span = over(children)
        name = nodes.Name(span=span, text=string_value(children[0].text), quoted=True)
        return nodes.QualifiedName(span=span, parts=(name,))

    def use_statement(self, children: list[Child]) -> nodes.UseStatement:
        """USE [CATALOG|SCHEMA|DATABASE] name."""
        what = children[1].type if children[1].__class__ is Token else None
        return nodes.UseStatement(span=over(children), what=what, name=children[-1])
