"""The children of a production come in; the typed value of its left side goes out.

One method per production, named as the grammar names it. Both drivers call these and nothing else.
"""

import re
from collections.abc import Callable

import msgspec

from tidegate.grammar import nodes
from tidegate.grammar.build_calls import CallBuilder
from tidegate.grammar.build_flows import FlowBuilder
from tidegate.grammar.build_statements import StatementBuilder
from tidegate.grammar.build_values import ValueBuilder
from tidegate.grammar.heads import is_private, kind_of_head
from tidegate.grammar.literals import string_value
from tidegate.grammar.pieces import (
    Child,
    Piece,
    end_of,
    operands,
    over,
    reject,
    start_of,
    text_span,
    unquote,
    words_of,
)
from tidegate.grammar.readings import is_whole_placeholder
from tidegate.grammar.tokens import DOUBLE, SINGLE, Token
from tidegate.source.span import Span


class KeyColumns(Piece):
    """The names of a key, and the one that orders in time."""

    __slots__ = ("timeseries",)

    def __init__(
        self, span: Span, names: tuple[nodes.Name, ...], timeseries: nodes.Name | None
    ) -> None:
        super().__init__(span, names)
        self.timeseries = timeseries


class KeyOption(Piece):
    """One characteristic of a key: its words in capitals."""

    __slots__ = ()


class WrittenPlaceholder(Piece):
    """A placeholder in the place of a string, as written."""

    __slots__ = ()


_PROPERTY_KINDS = {
    "STRING": nodes.PropertyKind.STRING,
    "TRUE": nodes.PropertyKind.BOOLEAN,
    "FALSE": nodes.PropertyKind.BOOLEAN,
    "IDENT": nodes.PropertyKind.WORD,
    "PLACEHOLDER": nodes.PropertyKind.PLACEHOLDER,
}


class Head(msgspec.Struct, frozen=True):
    """From CREATE to the object words or IF NOT EXISTS."""

    span: Span
    words: tuple[str, ...]
    if_not_exists: bool


class Builder(ValueBuilder, CallBuilder, FlowBuilder, StatementBuilder):
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

    # ------------------------------------------------------------ list items

    def expectation(self, children: list[Child]) -> nodes.ExpectClause:
        """CONSTRAINT name EXPECT (predicate) [ON VIOLATION action]."""
        body: Token = children[4]
        violation = children[6] if len(children) > 6 else None
        return nodes.ExpectClause(
            span=over(children),
            name=children[1],
            predicate_span=text_span(body),
            predicate=self._parse_body(body),
            action=violation.value if violation else None,
            violation_span=violation.span if violation else None,
        )

    def violation(self, children: list[Child]) -> Piece:
        """ON VIOLATION and whatever words follow."""
        words = children[2:]
        action = nodes.Name(
            span=over(words), text=" ".join(word.text for word in words), quoted=False
        )
        return Piece(over(children), action)

    def placeholder_action(self, children: list[Child]) -> Piece:
        """Take a placeholder for the words of ON VIOLATION."""
        span = over(children)
        return Piece(span, nodes.Name(span=span, text=children[0].text, quoted=False))

    def constraint_name(self, children: list[Child]) -> Piece:
        """CONSTRAINT name."""
        return Piece(over(children), children[1])

    def named(self, children: list[Child]) -> Child:
        """Give a constraint or a column property its name and its whole span."""
        name, constraint = children
        return msgspec.structs.replace(constraint, span=over(children), name=name.value)

    def check_constraint(self, children: list[Child]) -> nodes.CheckConstraint:
        """CHECK (predicate)."""
        body: Token = children[2]
        return nodes.CheckConstraint(
            span=over(children),
            name=None,
            predicate_span=text_span(body),
            predicate=self._parse_body(body),
            options=_options(children[4:]),
        )

    def primary_key(self, children: list[Child]) -> nodes.KeyConstraint:
        """PRIMARY KEY (columns)."""
        return nodes.KeyConstraint(
            span=over(children),
            name=None,
            kind=nodes.KeyKind.PRIMARY,
            columns=children[2].value,
            options=_options(children[3:]),
            timeseries=children[2].timeseries,
        )

    def unique_key(self, children: list[Child]) -> nodes.KeyConstraint:
        """Make a UNIQUE (columns)."""
        return nodes.KeyConstraint(
            span=over(children),
            name=None,
            kind=nodes.KeyKind.UNIQUE,
            columns=children[1].value,
            options=_options(children[2:]),
            timeseries=children[1].timeseries,
        )

    def foreign_key(self, children: list[Child]) -> nodes.KeyConstraint:
        """FOREIGN KEY (columns) REFERENCES name [(columns)]."""
        table, columns = children[3].value
        return nodes.KeyConstraint(
            span=over(children),
            name=None,
            kind=nodes.KeyKind.FOREIGN,
            columns=children[2].value,
            references=table,
            referenced_columns=columns,
            options=_options(children[4:]),
        )

    def references(self, children: list[Child]) -> Piece:
        """Read what a foreign key refers to."""
        columns = children[2].value if len(children) > 2 else ()
        return Piece(over(children), (children[1], columns))

    def key_columns(self, children: list[Child]) -> KeyColumns:
        """Parenthesized names, perhaps one with TIMESERIES."""
        columns = operands(children)
        marked = [one.value for one in columns if isinstance(one, Piece)]
        if len(marked) > 1:
            reject(marked[1], "a second time series column")
        names = tuple(one.value if isinstance(one, Piece) else one for one in columns)
        return KeyColumns(over(children), names, marked[0] if marked else None)

    def timeseries(self, children: list[Child]) -> Piece:
        """Mark a key column."""
        return Piece(over(children), children[0])

    def column(self, children: list[Child]) -> nodes.ColumnDefinition | nodes.PlaceholderItem:
        """Name, type and properties of a column."""
        rest = children[1:]
        if not rest and is_whole_placeholder(children[0].text):
            return nodes.PlaceholderItem(span=over(children), spelling=children[0].text)
        data_type = rest.pop(0) if rest and isinstance(rest[0], nodes.TypeName) else None
        return nodes.ColumnDefinition(
            span=over(children), name=children[0], type=data_type, properties=tuple(rest)
        )

    def _property(
        self, children: list[Child], kind: nodes.ColumnPropertyKind
    ) -> nodes.ColumnProperty:
        body = next((c for c in children if c.__class__ is Token and c.type == "BODY_TEXT"), None)
        return nodes.ColumnProperty(
            span=over(children),
            kind=kind,
            expression=self._parse_body(body) if body else None,
            body=text_span(body) if body else None,
        )

    def not_null(self, children: list[Child]) -> nodes.ColumnProperty:
        """NOT NULL."""
        return self._property(children, nodes.ColumnPropertyKind.NOT_NULL)

    def column_comment(self, children: list[Child]) -> nodes.ColumnProperty:
        """COMMENT 'text'."""
        return nodes.ColumnProperty(
            span=over(children), kind=nodes.ColumnPropertyKind.COMMENT, text=children[1].value
        )

    def column_default(self, children: list[Child]) -> nodes.ColumnProperty:
        """DEFAULT expression."""
        return nodes.ColumnProperty(
            span=over(children),
            kind=nodes.ColumnPropertyKind.DEFAULT,
            expression=self._parse_body(children[1]),
            body=text_span(children[1]),
        )

    def generated(self, children: list[Child]) -> nodes.ColumnProperty:
        """Make a generated column's property."""
        return self._property(children, nodes.ColumnPropertyKind.GENERATED)

    def identity(self, children: list[Child]) -> nodes.IdentityProperty:
        """Make an identity column's property, with its options."""
        options: dict[str, str] = children[-1].value if isinstance(children[-1], Piece) else {}
        return nodes.IdentityProperty(
            span=over(children),
            kind=nodes.ColumnPropertyKind.IDENTITY,
            always=children[1].type == "ALWAYS",
            start=options.get("START"),
            step=options.get("INCREMENT"),
        )

    def identity_options(self, children: list[Child]) -> Piece:
        """Collect the options, each at most once."""
        options: dict[str, str] = {}
        for option in operands(children):
            word, number = option.value
            if word in options:
                reject(option, f"a second {word}")
            options[word] = number
        return Piece(over(children), options)

    def identity_option(self, children: list[Child]) -> Piece:
        """START WITH or INCREMENT BY a number."""
        number = "".join(child.text for child in children[2:])
        return Piece(over(children), (children[0].type, number))

    def _key_property(
        self, children: list[Child], kind: nodes.ColumnPropertyKind
    ) -> nodes.KeyProperty:
        body = next((c for c in children if c.__class__ is Token and c.type == "BODY_TEXT"), None)
        return nodes.KeyProperty(
            span=over(children),
            kind=kind,
            expression=self._parse_body(body) if body else None,
            body=text_span(body) if body else None,
            options=_options([c for c in children if isinstance(c, KeyOption)]),
        )

    def column_primary_key(self, children: list[Child]) -> nodes.KeyProperty:
        """PRIMARY KEY behind a column."""
        return self._key_property(children, nodes.ColumnPropertyKind.PRIMARY_KEY)

    def column_unique(self, children: list[Child]) -> nodes.KeyProperty:
        """Make a UNIQUE behind a column."""
        return self._key_property(children, nodes.ColumnPropertyKind.UNIQUE)

    def column_foreign_key(self, children: list[Child]) -> nodes.KeyProperty:
        """Make a foreign key behind a column."""
        given = next(child for child in children if isinstance(child.value, tuple))
        table, columns = given.value
        return msgspec.structs.replace(
            self._key_property(children, nodes.ColumnPropertyKind.FOREIGN_KEY),
            foreign=given is not children[0],
            references=table,
            referenced_columns=columns,
        )

    def column_check(self, children: list[Child]) -> nodes.KeyProperty:
        """CHECK behind a column."""
        return self._key_property(children, nodes.ColumnPropertyKind.CHECK)

    def key_option(self, children: list[Child]) -> KeyOption:
        """One characteristic of a key."""
        words = " ".join(child.type.replace("_", " ") for child in children)
        return KeyOption(over(children), words)

    def column_mask(self, children: list[Child]) -> nodes.MaskProperty:
        """MASK function [USING COLUMNS (...)]."""
        return nodes.MaskProperty(
            span=over(children),
            kind=nodes.ColumnPropertyKind.MASK,
            function=children[1],
            columns=children[2].value if len(children) > 2 else (),
        )

    def mask_columns(self, children: list[Child]) -> Piece:
        """Return the columns and constants that a mask is given."""
        return Piece(over(children), children[2].value)

    def policy_columns(self, children: list[Child]) -> Piece:
        """Collect the columns and constants that a mask or filter is given."""
        return Piece(over(children), operands(children))

    def signed_number(self, children: list[Child]) -> nodes.Unary:
        """Put the sign before a number."""
        return self.unary([children[0], self.number(children[1:])])

    def column_placeholder(self, children: list[Child]) -> nodes.ColumnProperty:
        """Keep a placeholder that stands for whole properties of a column."""
        return nodes.ColumnProperty(
            span=over(children),
            kind=nodes.ColumnPropertyKind.PLACEHOLDER,
            text=_whole(children[0]),
        )

    def column_collate(self, children: list[Child]) -> nodes.CollateProperty:
        """COLLATE name."""
        return nodes.CollateProperty(
            span=over(children), kind=nodes.ColumnPropertyKind.COLLATE, collation=children[1]
        )

    # ------------------------------------------------------------ clauses

    def comment_clause(self, children: list[Child]) -> nodes.CommentClause:
        """COMMENT 'text'."""
        return nodes.CommentClause(
            span=over(children),
            text=children[1].value,
            is_placeholder=isinstance(children[1], WrittenPlaceholder),
        )

    def placeholder_clause(self, children: list[Child]) -> nodes.PlaceholderClause:
        """Keep a placeholder that stands for whole clauses, or for all of one but its words."""
        spelling = " ".join([*words_of(children[:-1]), _whole(children[-1])])
        return nodes.PlaceholderClause(span=over(children), spelling=spelling)

    def properties_clause(self, children: list[Child]) -> nodes.PropertiesClause:
        """TBLPROPERTIES (entries)."""
        return nodes.PropertiesClause(span=over(children), entries=children[1].value)

    def options_clause(self, children: list[Child]) -> nodes.OptionsClause:
        """OPTIONS (entries)."""
        return nodes.OptionsClause(span=over(children), entries=children[1].value)

    def partitioned_by(self, children: list[Child]) -> nodes.PartitionedByClause:
        """PARTITIONED BY (columns)."""
        columns = children[2].value
        types = tuple(one.value[1] if isinstance(one, Piece) else None for one in columns)
        return nodes.PartitionedByClause(
            span=over(children),
            columns=tuple(one.value[0] if isinstance(one, Piece) else one for one in columns),
            types=types if any(types) else (),
        )

    def typed_partition(self, children: list[Child]) -> Piece:
        """Keep the type behind a partition's column."""
        return Piece(over(children), (children[0], children[1]))

    def cluster_by(self, children: list[Child]) -> nodes.ClusterByClause:
        """CLUSTER BY (columns)."""
        return nodes.ClusterByClause(span=over(children), columns=children[2].value)

    def cluster_by_mode(self, children: list[Child]) -> nodes.ClusterByClause:
        """CLUSTER BY AUTO or NONE."""
        return nodes.ClusterByClause(span=over(children), columns=(), mode=children[2].text.upper())

    def using_clause(self, children: list[Child]) -> nodes.UsingClause:
        """Make a USING format."""
        return nodes.UsingClause(span=over(children), format=children[1])

    def location_clause(self, children: list[Child]) -> nodes.LocationClause:
        """LOCATION 'path'."""
        return nodes.LocationClause(
            span=over(children),
            path=children[1].value,
            is_placeholder=isinstance(children[1], WrittenPlaceholder),
        )

    def schedule_every(self, children: list[Child]) -> nodes.ScheduleClause:
        """SCHEDULE [REFRESH] EVERY amount unit."""
        return nodes.ScheduleClause(
            span=over(children),
            form=nodes.ScheduleForm.EVERY,
            with_refresh=len(children) == 5,
            amount=children[-2].value,
            unit=children[-1].text.upper(),
        )

    def schedule_cron(self, children: list[Child]) -> nodes.ScheduleClause:
        """SCHEDULE [REFRESH] CRON text [AT TIME ZONE zone]."""
        with_refresh = children[1].type == "REFRESH"
        rest = children[3:] if with_refresh else children[2:]
        return nodes.ScheduleClause(
            span=over(children),
            form=nodes.ScheduleForm.CRON,
            with_refresh=with_refresh,
            cron=rest[0].value,
            time_zone=rest[1].value if len(rest) > 1 else None,
        )

    def schedule_trigger(self, children: list[Child]) -> nodes.ScheduleClause:
        """TRIGGER ON UPDATE [AT MOST EVERY interval]."""
        return nodes.ScheduleClause(
            span=over(children),
            form=nodes.ScheduleForm.TRIGGER,
            at_most=children[3].value if len(children) > 3 else None,
        )

    def amount(self, children: list[Child]) -> Piece:
        """Keep an amount as written."""
        return Piece(over(children), children[0].text)

    def time_zone(self, children: list[Child]) -> Piece:
        """AT TIME ZONE 'zone'."""
        return Piece(over(children), children[3].value)

    def at_most(self, children: list[Child]) -> Piece:
        """AT MOST EVERY INTERVAL amount unit."""
        return Piece(over(children), self.interval(children[3:]))

    def refresh_policy(self, children: list[Child]) -> nodes.RefreshPolicyClause:
        """REFRESH POLICY and its words."""
        policy = " ".join(words_of(children[2:]))
        return nodes.RefreshPolicyClause(span=over(children), policy=policy)

    def row_filter(self, children: list[Child]) -> nodes.RowFilterClause:
        """ROW FILTER function ON (columns)."""
        return nodes.RowFilterClause(
            span=over(children), function=children[2], columns=children[4].value
        )

    def with_row_filter(self, children: list[Child]) -> nodes.RowFilterClause:
        """Put WITH before a row filter."""
        given: nodes.RowFilterClause = children[1]
        return msgspec.structs.replace(given, span=over(children))

    def default_collation(self, children: list[Child]) -> nodes.DefaultCollationClause:
        """DEFAULT COLLATION name."""
        return nodes.DefaultCollationClause(span=over(children), collation=children[2])

    def _listed(self, children: list[Child]) -> Piece:
        return Piece(over(children), operands(children))

    properties = partitions = tags = _listed

    def entry(self, children: list[Child]) -> nodes.Property:
        """Key [=] value."""
        value, kind = children[-1].value
        return nodes.Property(span=over(children), key=children[0].value, value=value, kind=kind)

    def placeholder_entry(self, children: list[Child]) -> nodes.Property:
        """Keep a placeholder that stands for whole properties."""
        return nodes.Property(
            span=over(children), key=_whole(children[0]), value="", kind=nodes.PropertyKind.FLAG
        )

    def flag(self, children: list[Child]) -> nodes.Property:
        """Keep a key that stands alone."""
        return nodes.Property(
            span=over(children), key=children[0].value, value="", kind=nodes.PropertyKind.FLAG
        )

    def property_key(self, children: list[Child]) -> Piece:
        """Return a string's value, or dotted words as written."""
        if children[0].type == "STRING":
            return self.string(children)
        return Piece(over(children), "".join(unquote(child.text) for child in children))

    def property_value(self, children: list[Child]) -> Piece:
        """Return a string's value, anything else as written."""
        first = children[0].type
        kind = _PROPERTY_KINDS.get(children[-1].type, nodes.PropertyKind.NUMBER)
        if first == "STRING":
            return Piece(over(children), (self.string(children).value, kind))
        return Piece(over(children), ("".join(child.text for child in children), kind))

    def transform(self, children: list[Child]) -> nodes.Name:
        """Keep a partition transform as one name: ``days(ts)``."""
        text = f"{children[0].text}({children[2].text})"
        return nodes.Name(span=over(children), text=text, quoted=False)

    def cluster_columns(self, children: list[Child]) -> Piece:
        """Parenthesized dotted names, each as one name."""
        return Piece(
            over(children),
            tuple(
                name.parts[0]
                if len(name.parts) == 1
                else nodes.Name(span=name.span, text=name.text, quoted=False)
                for name in operands(children)
            ),
        )

    def string(self, children: list[Child]) -> Piece:
        """Adjacent strings are one; a placeholder stands as written."""
        if children[0].type == "PLACEHOLDER":
            return WrittenPlaceholder(over(children), children[0].text)
        return Piece(over(children), "".join(string_value(child.text) for child in children))


def _options(children: list[Child]) -> tuple[str, ...]:
    return tuple(child.value for child in children)


def _whole(token: Token) -> str:
    """Return a placeholder that may stand for anything: a parameter stands for a value."""
    if not is_whole_placeholder(token.text):
        reject(token, "a parameter stands for a value, not for a clause")
    return token.text
