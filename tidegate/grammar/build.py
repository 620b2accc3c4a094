"""The children of a production come in; the typed value of its left side goes out.

One method per production, named as the grammar names it. Both drivers call these and nothing else.
"""

import re
from collections.abc import Callable

import msgspec

from tidegate.grammar import nodes
from tidegate.grammar.build_calls import CallBuilder
from tidegate.grammar.build_values import ValueBuilder
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
from tidegate.grammar.tokens import DOUBLE, SINGLE, Token
from tidegate.source.span import Span


class Head(msgspec.Struct, frozen=True):
    """From CREATE to the object words or IF NOT EXISTS."""

    span: Span
    words: tuple[str, ...]
    if_not_exists: bool


class Builder(ValueBuilder, CallBuilder):
    """Makes values of productions; ``parse_body`` reads the opaque predicates among them."""

    def __init__(self, parse_body: Callable[[Token], nodes.Expression | None]) -> None:
        self._parse_body = parse_body

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
            kind=_kind_of(words),
            spelling=nodes.Spelling.LEGACY if legacy else nodes.Spelling.CURRENT,
            name=children[1],
            head=head.span,
            or_refresh="REFRESH" in words,
            or_replace="REPLACE" in words,
            private="PRIVATE" in words
            or (_is_temporary(words) and words[-1] == "TABLE")
            or ("MATERIALIZED" in words and _is_temporary(words)),
            if_not_exists=head.if_not_exists,
            list_span=lists[0].span if lists else None,
            items=lists[0].items if lists else (),
            clauses=tuple(child for child in children[2:] if isinstance(child, nodes.Clause)),
            as_span=query.value[0] if query else None,
            query=query.value[1] if query else None,
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

    or_part = privacy = target = if_not_exists = if_exists = key_option = trim_side = _spoken
    nulls = foreign = _spoken

    def as_query(self, children: list[Child]) -> Piece:
        """AS, or FLOW INSERT BY NAME, and the query's text."""
        words, query = over(children[:-1]), children[-1]
        return Piece(over(children), (words, nodes.Query(span=text_span(query))))

    def inline_flow(self, children: list[Child]) -> nodes.InlineFlow:
        """FLOW and what it does."""
        words = words_of(children[1:3])
        form = nodes.FlowForm.REPLACE if words[0] == "REPLACE" else nodes.FlowForm(" ".join(words))
        body: Child = text_span(children[-1])
        return nodes.InlineFlow(span=over(children), form=form, body=body)

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
        """SET key [= value]."""
        key, equals, value = children[1].text.partition("=")
        return nodes.SetStatement(
            span=over(children), key=key.strip(), value=value.strip() if equals else None
        )

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

    def constraint_name(self, children: list[Child]) -> Piece:
        """CONSTRAINT name."""
        return Piece(over(children), children[1])

    def named(self, children: list[Child]) -> Child:
        """Give a constraint or a column property its name and its whole span."""
        name, constraint = children
        changes: dict[str, Child] = {"span": over(children)}
        if not isinstance(constraint, nodes.ColumnProperty):
            changes["name"] = name.value
        return msgspec.structs.replace(constraint, **changes)

    def check_constraint(self, children: list[Child]) -> nodes.CheckConstraint:
        """CHECK (predicate)."""
        body: Token = children[2]
        return nodes.CheckConstraint(
            span=over(children),
            name=None,
            predicate_span=text_span(body),
            predicate=self._parse_body(body),
        )

    def primary_key(self, children: list[Child]) -> nodes.KeyConstraint:
        """PRIMARY KEY (columns)."""
        return nodes.KeyConstraint(
            span=over(children),
            name=None,
            kind=nodes.KeyKind.PRIMARY,
            columns=children[2].value,
        )

    def unique_key(self, children: list[Child]) -> nodes.KeyConstraint:
        """Make a UNIQUE (columns)."""
        return nodes.KeyConstraint(
            span=over(children), name=None, kind=nodes.KeyKind.UNIQUE, columns=children[1].value
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
        )

    def references(self, children: list[Child]) -> Piece:
        """Read what a foreign key refers to."""
        columns = children[2].value if len(children) > 2 else ()
        return Piece(over(children), (children[1], columns))

    def key_columns(self, children: list[Child]) -> Piece:
        """Parenthesized names."""
        return Piece(over(children), operands(children))

    def first_of(self, children: list[Child]) -> Child:
        """Keep the first child: what follows it says nothing that we use."""
        return children[0]

    def column(self, children: list[Child]) -> nodes.ColumnDefinition:
        """Name, type and properties of a column."""
        rest = children[1:]
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
        )

    def generated(self, children: list[Child]) -> nodes.ColumnProperty:
        """Make a generated column's property."""
        return self._property(children, nodes.ColumnPropertyKind.GENERATED)

    def identity(self, children: list[Child]) -> nodes.ColumnProperty:
        """Make an identity column's property."""
        return self._property(children, nodes.ColumnPropertyKind.IDENTITY)

    def identity_options(self, children: list[Child]) -> Piece:
        """Keep where the options stand."""
        return Piece(over(children), None)

    mask_columns = identity_options

    def column_primary_key(self, children: list[Child]) -> nodes.ColumnProperty:
        """PRIMARY KEY behind a column."""
        return self._property(children, nodes.ColumnPropertyKind.PRIMARY_KEY)

    def column_unique(self, children: list[Child]) -> nodes.ColumnProperty:
        """Make a UNIQUE behind a column."""
        return self._property(children, nodes.ColumnPropertyKind.UNIQUE)

    def column_foreign_key(self, children: list[Child]) -> nodes.ColumnProperty:
        """Make a foreign key behind a column."""
        return self._property(children, nodes.ColumnPropertyKind.FOREIGN_KEY)

    def column_check(self, children: list[Child]) -> nodes.ColumnProperty:
        """CHECK behind a column."""
        return self._property(children, nodes.ColumnPropertyKind.CHECK)

    def column_mask(self, children: list[Child]) -> nodes.ColumnProperty:
        """MASK function."""
        return self._property(children, nodes.ColumnPropertyKind.MASK)

    def column_collate(self, children: list[Child]) -> nodes.ColumnProperty:
        """COLLATE name."""
        return self._property(children, nodes.ColumnPropertyKind.COLLATE)

    # ------------------------------------------------------------ clauses

    def comment_clause(self, children: list[Child]) -> nodes.CommentClause:
        """COMMENT 'text'."""
        return nodes.CommentClause(span=over(children), text=children[1].value)

    def properties_clause(self, children: list[Child]) -> nodes.PropertiesClause:
        """TBLPROPERTIES (entries)."""
        return nodes.PropertiesClause(span=over(children), entries=children[1].value)

    def options_clause(self, children: list[Child]) -> nodes.OptionsClause:
        """OPTIONS (entries)."""
        return nodes.OptionsClause(span=over(children), entries=children[1].value)

    def partitioned_by(self, children: list[Child]) -> nodes.PartitionedByClause:
        """PARTITIONED BY (columns)."""
        return nodes.PartitionedByClause(span=over(children), columns=children[2].value)

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
        return nodes.LocationClause(span=over(children), path=children[1].value)

    def schedule_clause(self, children: list[Child]) -> nodes.ScheduleClause:
        """SCHEDULE or TRIGGER."""
        return nodes.ScheduleClause(span=over(children), form=nodes.ScheduleForm.EVERY)

    def refresh_policy(self, children: list[Child]) -> nodes.RefreshPolicyClause:
        """REFRESH POLICY and its words."""
        policy = " ".join(words_of(children[2:]))
        return nodes.RefreshPolicyClause(span=over(children), policy=policy)

    def row_filter(self, children: list[Child]) -> nodes.RowFilterClause:
        """WITH ROW FILTER function ON (columns)."""
        return nodes.RowFilterClause(span=over(children), function=children[3])

    def default_collation(self, children: list[Child]) -> nodes.DefaultCollationClause:
        """DEFAULT COLLATION name."""
        return nodes.DefaultCollationClause(span=over(children), collation=children[2])

    time_zone = at_most = _spoken
    properties = partitions = key_columns

    def entry(self, children: list[Child]) -> nodes.Property:
        """Key [=] value."""
        return nodes.Property(span=over(children), key=children[0].value, value=children[-1].value)

    def property_key(self, children: list[Child]) -> Piece:
        """Return a string's value, or dotted words as written."""
        if children[0].type == "STRING":
            return self.string(children)
        return Piece(over(children), "".join(unquote(child.text) for child in children))

    def property_value(self, children: list[Child]) -> Piece:
        """Return a string's value, anything else as written."""
        if children[0].type == "STRING":
            return self.string(children)
        return Piece(over(children), "".join(child.text for child in children))

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
            return Piece(over(children), children[0].text)
        return Piece(over(children), "".join(string_value(child.text) for child in children))


def _is_temporary(words: tuple[str, ...]) -> bool:
    return "TEMPORARY" in words or "TEMP" in words


def _kind_of(words: tuple[str, ...]) -> nodes.ObjectKind:
    """Say what the words between CREATE and the name make."""
    streams = "STREAMING" in words or "INCREMENTAL" in words
    if words[-1] == "TABLE":
        if streams:
            return nodes.ObjectKind.STREAMING_TABLE
        return nodes.ObjectKind.MATERIALIZED_VIEW if "LIVE" in words else nodes.ObjectKind.TABLE
    if "MATERIALIZED" in words:
        return nodes.ObjectKind.MATERIALIZED_VIEW
    if "LIVE" in words or _is_temporary(words):
        return nodes.ObjectKind.TEMPORARY_VIEW
    return nodes.ObjectKind.VIEW
