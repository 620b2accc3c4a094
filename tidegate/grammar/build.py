"""The children of a production come in; the typed value of its left side goes out.

One method per production, named as the grammar names it. Both drivers call these and nothing else.
"""

from collections.abc import Callable
from typing import Any, NoReturn

import msgspec

from tidegate.grammar import nodes
from tidegate.grammar.tokens import Token
from tidegate.grammar.literals import (
    INTERVAL_RANGES,
    is_interval_text,
    is_typed_value,
    is_unit,
    number_literal,
    string_value,
    type_fault,
)
from tidegate.source.span import Span


class Rejected(Exception):  # noqa: N818 - it says what happened, and never leaves the room
    """The tables allow it, the language does not."""

    def __init__(self, span: Span, reason: str) -> None:
        super().__init__(reason)
        self.span = span
        self.reason = reason


class Piece:
    """A part of a node that is no node: where it stands, and what it says."""

    __slots__ = ("span", "value")

    def __init__(self, span: Span, value: Any) -> None:  # Any: the production says what it holds
        self.span = span
        self.value = value


class Head(msgspec.Struct, frozen=True):
    """From CREATE to the object words or IF NOT EXISTS."""

    span: Span
    words: tuple[str, ...]
    if_not_exists: bool


def _start(child: Any) -> int:
    return child.start if child.__class__ is Token else child.span.start


def _end(child: Any) -> int:
    return child.end if child.__class__ is Token else child.span.end


def _over(children: list[Any]) -> Span:
    """Return the span from the first child to the last."""
    return Span(_start(children[0]), _end(children[-1]))


def _words(children: list[Any]) -> list[str]:
    return [child.text.upper() for child in children if child.__class__ is Token]


def _operands(children: list[Any]) -> tuple[Any, ...]:
    """Return the children that are no tokens."""
    return tuple(child for child in children if child.__class__ is not Token)


def _text_span(token: Token) -> Span:
    return Span(token.start, token.end)


def _operator(token: Token) -> nodes.Operator:
    return nodes.Operator(span=Span(token.start, token.end), text=token.text.upper())


def _reject(child: Any, reason: str) -> NoReturn:
    raise Rejected(Span(_start(child), _end(child)), reason)


_UNITS = frozenset(
    "YEAR YEARS QUARTER QUARTERS MONTH MONTHS WEEK WEEKS DAY DAYS DAYOFYEAR HOUR HOURS MINUTE MINUTES "
    "SECOND SECONDS MILLISECOND MILLISECONDS MICROSECOND MICROSECONDS NANOSECOND NANOSECONDS".split()
)
_UNIT_FIRST = frozenset(
    "DATEADD DATE_ADD DATEDIFF DATE_DIFF TIMESTAMPADD TIMESTAMPDIFF TIMEDIFF".split()
)
# The functions that take IGNORE NULLS among their arguments.
_NULLS_INSIDE = frozenset(("FIRST", "FIRST_VALUE", "LAST", "LAST_VALUE", "ANY_VALUE"))
_BARE_CALLS = frozenset(
    "CURRENT_DATE CURRENT_TIMESTAMP CURRENT_TIME CURRENT_USER SESSION_USER CURRENT_PATH".split()
)


class Builder:
    """Makes values of productions; ``parse_body`` reads the opaque predicates among them."""

    def __init__(self, parse_body: Callable[[Token], nodes.Expression | None]) -> None:
        self._parse_body = parse_body

    # ------------------------------------------------------------ statements

    def create(self, children: list[Any]) -> nodes.CreateDataset:
        """Make the statement; what is wrong with it is found later."""
        head: Head = children[0]
        words = head.words
        query = children[-1] if isinstance(children[-1], Piece) else None
        lists = [child for child in children[2:] if isinstance(child, nodes.ColumnList)]
        if len(lists) > 1:
            _reject(lists[1], "a second column list")
        legacy = "LIVE" in words
        return nodes.CreateDataset(
            span=_over(children),
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
        )

    def head(self, children: list[Any]) -> Head:
        """CREATE and the words up to the name."""
        words: list[str] = []
        end = _end(children[0])
        for child in children[1:]:
            words += child.value
            if child.value[0] != "IF":
                end = _end(child)
        if_not_exists = words[-1] == "EXISTS"
        if if_not_exists:
            del words[-3:]
        return Head(Span(_start(children[0]), end), tuple(words), if_not_exists)

    def _spoken(self, children: list[Any]) -> Piece:
        return Piece(_over(children), _words(children))

    or_part = privacy = target = if_not_exists = if_exists = key_option = trim_side = _spoken
    nulls = foreign = _spoken

    def as_query(self, children: list[Any]) -> Piece:
        """AS and the query's text."""
        word, query = children
        return Piece(_over(children), (_text_span(word), nodes.Query(span=_text_span(query))))

    def column_list(self, children: list[Any]) -> nodes.ColumnList:
        """Collect the items between the parentheses."""
        return nodes.ColumnList(span=_over(children), items=_operands(children))

    def alter_table(self, children: list[Any]) -> nodes.AlterTable:
        """ALTER TABLE name action."""
        return nodes.AlterTable(span=_over(children), name=children[2], action=children[3])

    def add_constraint(self, children: list[Any]) -> nodes.AddConstraint:
        """ADD [CONSTRAINT name] CHECK or key."""
        return nodes.AddConstraint(span=_over(children), constraint=children[1])

    def drop_constraint(self, children: list[Any]) -> nodes.DropConstraint:
        """DROP CONSTRAINT [IF EXISTS] name."""
        return nodes.DropConstraint(
            span=_over(children), name=children[-1], if_exists=isinstance(children[2], Piece)
        )

    def alter_not_null(self, children: list[Any]) -> nodes.AlterNotNull:
        """SET or DROP NOT NULL."""
        return nodes.AlterNotNull(
            span=_over(children), column=children[-4], set=children[-3].type == "SET"
        )

    def set_statement(self, children: list[Any]) -> nodes.SetStatement:
        """SET key [= value]."""
        key, equals, value = children[1].text.partition("=")
        return nodes.SetStatement(
            span=_over(children), key=key.strip(), value=value.strip() if equals else None
        )

    def use_statement(self, children: list[Any]) -> nodes.UseStatement:
        """USE [CATALOG|SCHEMA|DATABASE] name."""
        what = children[1].type if children[1].__class__ is Token else None
        return nodes.UseStatement(span=_over(children), what=what, name=children[-1])

    # ------------------------------------------------------------ list items

    def expectation(self, children: list[Any]) -> nodes.ExpectClause:
        """CONSTRAINT name EXPECT (predicate) [ON VIOLATION action]."""
        body: Token = children[4]
        violation = children[6] if len(children) > 6 else None
        return nodes.ExpectClause(
            span=_over(children),
            name=children[1],
            predicate_span=_text_span(body),
            predicate=self._parse_body(body),
            action=violation.value if violation else None,
            violation_span=violation.span if violation else None,
        )

    def violation(self, children: list[Any]) -> Piece:
        """ON VIOLATION and whatever words follow."""
        words = children[2:]
        action = nodes.Name(
            span=_over(words), text=" ".join(word.text for word in words), quoted=False
        )
        return Piece(_over(children), action)

    def constraint_name(self, children: list[Any]) -> Piece:
        """CONSTRAINT name."""
        return Piece(_over(children), children[1])

    def named(self, children: list[Any]) -> Any:
        """Give a constraint or a column property its name and its whole span."""
        name, constraint = children
        changes: dict[str, Any] = {"span": _over(children)}
        if not isinstance(constraint, nodes.ColumnProperty):
            changes["name"] = name.value
        return msgspec.structs.replace(constraint, **changes)

    def check_constraint(self, children: list[Any]) -> nodes.CheckConstraint:
        """CHECK (predicate)."""
        body: Token = children[2]
        return nodes.CheckConstraint(
            span=_over(children),
            name=None,
            predicate_span=_text_span(body),
            predicate=self._parse_body(body),
        )

    def primary_key(self, children: list[Any]) -> nodes.KeyConstraint:
        """PRIMARY KEY (columns)."""
        return nodes.KeyConstraint(
            span=_over(children),
            name=None,
            kind=nodes.KeyKind.PRIMARY,
            columns=children[2].value,
        )

    def unique_key(self, children: list[Any]) -> nodes.KeyConstraint:
        """UNIQUE (columns)."""
        return nodes.KeyConstraint(
            span=_over(children), name=None, kind=nodes.KeyKind.UNIQUE, columns=children[1].value
        )

    def foreign_key(self, children: list[Any]) -> nodes.KeyConstraint:
        """FOREIGN KEY (columns) REFERENCES name [(columns)]."""
        table, columns = children[3].value
        return nodes.KeyConstraint(
            span=_over(children),
            name=None,
            kind=nodes.KeyKind.FOREIGN,
            columns=children[2].value,
            references=table,
            referenced_columns=columns,
        )

    def references(self, children: list[Any]) -> Piece:
        """REFERENCES name [(columns)]."""
        columns = children[2].value if len(children) > 2 else ()
        return Piece(_over(children), (children[1], columns))

    def key_columns(self, children: list[Any]) -> Piece:
        """Parenthesized names."""
        return Piece(_over(children), _operands(children))

    def first_of(self, children: list[Any]) -> Any:
        """Keep the first child: what follows it says nothing that we use."""
        return children[0]

    def column(self, children: list[Any]) -> nodes.ColumnDefinition:
        """Name, type and properties of a column."""
        rest = children[1:]
        data_type = rest.pop(0) if rest and isinstance(rest[0], nodes.TypeName) else None
        return nodes.ColumnDefinition(
            span=_over(children), name=children[0], type=data_type, properties=tuple(rest)
        )

    def _property(
        self, children: list[Any], kind: nodes.ColumnPropertyKind
    ) -> nodes.ColumnProperty:
        body = next((c for c in children if c.__class__ is Token and c.type == "BODY_TEXT"), None)
        return nodes.ColumnProperty(
            span=_over(children),
            kind=kind,
            expression=self._parse_body(body) if body else None,
        )

    def not_null(self, children: list[Any]) -> nodes.ColumnProperty:
        """NOT NULL."""
        return self._property(children, nodes.ColumnPropertyKind.NOT_NULL)

    def column_comment(self, children: list[Any]) -> nodes.ColumnProperty:
        """COMMENT 'text'."""
        return nodes.ColumnProperty(
            span=_over(children), kind=nodes.ColumnPropertyKind.COMMENT, text=children[1].value
        )

    def column_default(self, children: list[Any]) -> nodes.ColumnProperty:
        """DEFAULT expression."""
        return nodes.ColumnProperty(
            span=_over(children),
            kind=nodes.ColumnPropertyKind.DEFAULT,
            expression=self._parse_body(children[1]),
        )

    def generated(self, children: list[Any]) -> nodes.ColumnProperty:
        """GENERATED ALWAYS AS (expression)."""
        return self._property(children, nodes.ColumnPropertyKind.GENERATED)

    def identity(self, children: list[Any]) -> nodes.ColumnProperty:
        """GENERATED ... AS IDENTITY."""
        return self._property(children, nodes.ColumnPropertyKind.IDENTITY)

    def identity_options(self, children: list[Any]) -> Piece:
        """Keep where the options stand."""
        return Piece(_over(children), None)

    mask_columns = identity_options

    def column_primary_key(self, children: list[Any]) -> nodes.ColumnProperty:
        """PRIMARY KEY behind a column."""
        return self._property(children, nodes.ColumnPropertyKind.PRIMARY_KEY)

    def column_unique(self, children: list[Any]) -> nodes.ColumnProperty:
        """UNIQUE behind a column."""
        return self._property(children, nodes.ColumnPropertyKind.UNIQUE)

    def column_foreign_key(self, children: list[Any]) -> nodes.ColumnProperty:
        """REFERENCES behind a column."""
        return self._property(children, nodes.ColumnPropertyKind.FOREIGN_KEY)

    def column_check(self, children: list[Any]) -> nodes.ColumnProperty:
        """CHECK behind a column."""
        return self._property(children, nodes.ColumnPropertyKind.CHECK)

    def column_mask(self, children: list[Any]) -> nodes.ColumnProperty:
        """MASK function."""
        return self._property(children, nodes.ColumnPropertyKind.MASK)

    def column_collate(self, children: list[Any]) -> nodes.ColumnProperty:
        """COLLATE name."""
        return self._property(children, nodes.ColumnPropertyKind.COLLATE)

    # ------------------------------------------------------------ clauses

    def comment_clause(self, children: list[Any]) -> nodes.CommentClause:
        """COMMENT 'text'."""
        return nodes.CommentClause(span=_over(children), text=children[1].value)

    def properties_clause(self, children: list[Any]) -> nodes.PropertiesClause:
        """TBLPROPERTIES (entries)."""
        return nodes.PropertiesClause(span=_over(children), entries=children[1].value)

    def options_clause(self, children: list[Any]) -> nodes.OptionsClause:
        """OPTIONS (entries)."""
        return nodes.OptionsClause(span=_over(children), entries=children[1].value)

    def partitioned_by(self, children: list[Any]) -> nodes.PartitionedByClause:
        """PARTITIONED BY (columns)."""
        return nodes.PartitionedByClause(span=_over(children), columns=children[2].value)

    def cluster_by(self, children: list[Any]) -> nodes.ClusterByClause:
        """CLUSTER BY (columns)."""
        return nodes.ClusterByClause(span=_over(children), columns=children[2].value)

    def cluster_by_mode(self, children: list[Any]) -> nodes.ClusterByClause:
        """CLUSTER BY AUTO or NONE."""
        return nodes.ClusterByClause(
            span=_over(children), columns=(), mode=children[2].text.upper()
        )

    def using_clause(self, children: list[Any]) -> nodes.UsingClause:
        """USING format."""
        return nodes.UsingClause(span=_over(children), format=children[1])

    def location_clause(self, children: list[Any]) -> nodes.LocationClause:
        """LOCATION 'path'."""
        return nodes.LocationClause(span=_over(children), path=children[1].value)

    properties = partitions = key_columns

    def entry(self, children: list[Any]) -> nodes.Property:
        """Key [=] value."""
        return nodes.Property(span=_over(children), key=children[0].value, value=children[-1].value)

    def property_key(self, children: list[Any]) -> Piece:
        """Return a string's value, or dotted words as written."""
        if children[0].type == "STRING":
            return self.string(children)
        return Piece(_over(children), "".join(_unquote(child.text) for child in children))

    def property_value(self, children: list[Any]) -> Piece:
        """Return a string's value, anything else as written."""
        if children[0].type == "STRING":
            return self.string(children)
        return Piece(_over(children), "".join(child.text for child in children))

    def transform(self, children: list[Any]) -> nodes.Name:
        """Keep a partition transform as one name: ``days(ts)``."""
        text = f"{children[0].text}({children[2].text})"
        return nodes.Name(span=_over(children), text=text, quoted=False)

    def cluster_columns(self, children: list[Any]) -> Piece:
        """Parenthesized dotted names, each as one name."""
        return Piece(
            _over(children),
            tuple(
                name.parts[0]
                if len(name.parts) == 1
                else nodes.Name(span=name.span, text=name.text, quoted=False)
                for name in _operands(children)
            ),
        )

    def string(self, children: list[Any]) -> Piece:
        """Adjacent strings are one; a placeholder stands as written."""
        if children[0].type == "PLACEHOLDER":
            return Piece(_over(children), children[0].text)
        return Piece(_over(children), "".join(string_value(child.text) for child in children))

    # ------------------------------------------------------------ names and types

    def identifier(self, children: list[Any]) -> nodes.Name:
        """Make a name without its backticks."""
        token: Token = children[0]
        written = token.text
        return nodes.Name(
            span=Span(token.start, token.end),
            text=_unquote(written),
            quoted=written[0] == "`",
        )

    def name(self, children: list[Any]) -> nodes.QualifiedName:
        """Make a name of one part."""
        return nodes.QualifiedName(span=children[0].span, parts=(children[0],))

    def longer_name(self, children: list[Any]) -> nodes.QualifiedName:
        """Add a part to a name."""
        name, _, part = children
        return nodes.QualifiedName(span=_over(children), parts=(*name.parts, part))

    def data_type(self, children: list[Any]) -> nodes.TypeName:
        """Make a type of its outermost word."""
        word = children[0]
        first = word.text.split()[0].upper()
        if word.type == "IDENT" and (fault := type_fault(first, len(children) > 1)):
            _reject(word, fault)
        return nodes.TypeName(span=_over(children), name=first)

    def field(self, children: list[Any]) -> Piece:
        """Keep where a struct's field stands."""
        return Piece(_over(children), None)

    field_property = field

    # ------------------------------------------------------------ boolean expressions

    def predicate(self, children: list[Any]) -> Any:
        """Return the whole."""
        return children[0]

    def disjunction(self, children: list[Any]) -> nodes.Or:
        """Operands of OR, in order."""
        return nodes.Or(span=_over(children), operands=tuple(children[::2]))

    def conjunction(self, children: list[Any]) -> nodes.And:
        """Operands of AND, in order."""
        return nodes.And(span=_over(children), operands=tuple(children[::2]))

    def negation(self, children: list[Any]) -> nodes.Not:
        """NOT or ! before an operand."""
        return nodes.Not(span=_over(children), operand=children[1], operator=_operator(children[0]))

    def exists(self, children: list[Any]) -> nodes.Exists:
        """EXISTS (query)."""
        return nodes.Exists(span=_over(children), query=nodes.Subquery(span=_over(children[1:])))

    def tested(self, children: list[Any]) -> nodes.Expression:
        """Put the operand before its test, and NOT between them."""
        make, fields = children[-1].value
        if len(children) == 3:
            fields["negated"] = True
        node: nodes.Expression = (
            make(span=_over(children), operand=children[0], **fields)
            if (make is not nodes.DistinctFrom)
            else make(span=_over(children), left=children[0], **fields)
        )
        return node

    def is_null(self, children: list[Any]) -> Piece:
        """IS [NOT] NULL."""
        return Piece(_over(children), (nodes.IsNull, {"negated": len(children) == 3}))

    def is_truth(self, children: list[Any]) -> Piece:
        """IS [NOT] TRUE, FALSE or UNKNOWN."""
        truth = {"TRUE": True, "FALSE": False, "UNKNOWN": None}[children[-1].type]
        return Piece(
            _over(children), (nodes.IsTruth, {"truth": truth, "negated": len(children) == 3})
        )

    def distinct_from(self, children: list[Any]) -> Piece:
        """IS [NOT] DISTINCT FROM value."""
        return Piece(
            _over(children),
            (nodes.DistinctFrom, {"right": children[-1], "negated": children[1].type == "NOT"}),
        )

    def between(self, children: list[Any]) -> Piece:
        """BETWEEN low AND high."""
        fields = {"low": children[1], "high": children[3], "negated": False}
        return Piece(_over(children), (nodes.Between, fields))

    def in_list(self, children: list[Any]) -> Piece:
        """IN (values)."""
        fields = {"items": _operands(children), "negated": False}
        return Piece(_over(children), (nodes.InList, fields))

    def in_query(self, children: list[Any]) -> Piece:
        """IN (query)."""
        return Piece(_over(children), (nodes.InQuery, {"query": children[1], "negated": False}))

    def like(self, children: list[Any]) -> Piece:
        """LIKE pattern [ESCAPE character], and its kin."""
        fields = {
            "operator": _operator(children[0]),
            "quantifier": None,
            "patterns": (children[1],),
            "escape": children[2] if len(children) > 2 else None,
            "negated": False,
        }
        return Piece(_over(children), (nodes.Like, fields))

    def like_quantified(self, children: list[Any]) -> Piece:
        """LIKE ANY (patterns)."""
        fields = {
            "operator": _operator(children[0]),
            "quantifier": children[1].text.upper(),
            "patterns": children[2].value,
            "escape": None,
            "negated": False,
        }
        return Piece(_over(children), (nodes.Like, fields))

    def escape(self, children: list[Any]) -> nodes.Literal:
        """ESCAPE 'c'."""
        literal = self.string_literal(children[1:])
        if len(str(literal.value)) != 1:
            _reject(literal, "the escape is one character")
        return literal

    patterns = key_columns

    # ------------------------------------------------------------ values

    def comparison(self, children: list[Any]) -> nodes.Comparison:
        """Left, operator, right."""
        return nodes.Comparison(
            span=_over(children),
            left=children[0],
            operator=_operator(children[1]),
            right=children[2],
        )

    def arithmetic(self, children: list[Any]) -> nodes.Arithmetic:
        """Left, operator, right."""
        return nodes.Arithmetic(
            span=_over(children),
            left=children[0],
            operator=_operator(children[1]),
            right=children[2],
        )

    def unary(self, children: list[Any]) -> nodes.Unary:
        """Sign or complement."""
        return nodes.Unary(
            span=_over(children), operator=_operator(children[0]), operand=children[1]
        )

    def column_reference(self, children: list[Any]) -> nodes.Expression:
        """Make a column, or one of the functions that are called without parentheses."""
        name: nodes.QualifiedName = children[0]
        if len(name.parts) == 1:
            part = name.parts[0]
            if not part.quoted and part.text.upper() in _BARE_CALLS:
                return nodes.FunctionCall(
                    span=name.span, name=name, arguments=(), form=nodes.CallForm.BARE
                )
        return nodes.ColumnReference(span=name.span, parts=name.parts)

    def placeholder(self, children: list[Any]) -> nodes.Placeholder:
        """Keep a placeholder as written."""
        written: str = children[0].text
        return nodes.Placeholder(
            span=_over(children), name=written.strip("${}: ?") or None, spelling=written
        )

    def parenthesized(self, children: list[Any]) -> nodes.Parenthesized:
        """( expression )."""
        return nodes.Parenthesized(span=_over(children), inner=children[1])

    def row(self, children: list[Any]) -> nodes.RowConstructor:
        """( a, b )."""
        return nodes.RowConstructor(span=_over(children), parts=_operands(children))

    def aliased(self, children: list[Any]) -> nodes.Aliased:
        """Expression AS name, in a row or struct."""
        name = children[-1]
        if name.__class__ is Token:
            name = self.identifier([name])
        return nodes.Aliased(span=_over(children), value=children[0], name=name)

    def subquery(self, children: list[Any]) -> nodes.Subquery:
        """( query )."""
        return nodes.Subquery(span=_over(children))

    def case(self, children: list[Any]) -> nodes.Case:
        """CASE [operand] WHEN ... END."""
        inner = list(_operands(children))
        operand = None if isinstance(inner[0], nodes.WhenBranch) else inner.pop(0)
        last = inner.pop().value if isinstance(inner[-1], Piece) else None
        return nodes.Case(
            span=_over(children), operand=operand, branches=tuple(inner), otherwise=last
        )

    def when(self, children: list[Any]) -> nodes.WhenBranch:
        """WHEN condition THEN result."""
        return nodes.WhenBranch(span=_over(children), condition=children[1], result=children[3])

    def otherwise(self, children: list[Any]) -> Piece:
        """ELSE result."""
        return Piece(_over(children), children[1])

    def cast(self, children: list[Any]) -> nodes.Cast:
        """CAST or TRY_CAST (operand AS type)."""
        return nodes.Cast(
            span=_over(children),
            operand=children[2],
            type=children[4],
            form=nodes.CastForm(children[0].type),
        )

    def cast_by_colons(self, children: list[Any]) -> nodes.Cast:
        """Operand :: type."""
        return nodes.Cast(
            span=_over(children),
            operand=children[0],
            type=children[2],
            form=nodes.CastForm(children[1].text),
        )

    def collate(self, children: list[Any]) -> nodes.Collate:
        """Operand COLLATE name."""
        return nodes.Collate(span=_over(children), operand=children[0], collation=children[2])

    def subscript(self, children: list[Any]) -> nodes.Subscript:
        """Operand [index]."""
        return nodes.Subscript(span=_over(children), operand=children[0], index=children[2])

    def json_path(self, children: list[Any]) -> nodes.JsonPath:
        """Operand : path."""
        return nodes.JsonPath(
            span=_over(children), operand=children[0], path=children[1].text[1:].strip()
        )

    def field_access(self, children: list[Any]) -> nodes.FieldAccess:
        """Operand . field."""
        return nodes.FieldAccess(span=_over(children), operand=children[0], field=children[2])

    # ------------------------------------------------------------ literals

    def number(self, children: list[Any]) -> nodes.Literal:
        """Make a number."""
        literal = number_literal(children[0])
        if literal is None:
            _reject(children[0], "the number does not fit its type")
        return literal

    def string_literal(self, children: list[Any]) -> nodes.Literal:
        """Adjacent strings are one."""
        return nodes.Literal(
            span=_over(children),
            kind=nodes.LiteralKind.STRING,
            value="".join(string_value(child.text) for child in children),
            double_quoted=children[0].text.lstrip("rR")[0] == '"',
        )

    def typed_literal(self, children: list[Any]) -> nodes.Literal:
        """DATE '...' and its kin."""
        type_name = children[0].text.upper()
        if not is_typed_value(type_name, string_value(children[1].text)):
            _reject(children[1], f"it is no {type_name}")
        return nodes.Literal(
            span=_over(children),
            kind=nodes.LiteralKind.TYPED,
            value=string_value(children[1].text),
            type_name=type_name,
        )

    def null_literal(self, children: list[Any]) -> nodes.Literal:
        """NULL."""
        return nodes.Literal(span=_over(children), kind=nodes.LiteralKind.NULL, value=None)

    def boolean_literal(self, children: list[Any]) -> nodes.Literal:
        """TRUE or FALSE."""
        return nodes.Literal(
            span=_over(children),
            kind=nodes.LiteralKind.BOOLEAN,
            value=children[0].type == "TRUE",
        )

    def interval(self, children: list[Any]) -> nodes.Interval:
        """INTERVAL values and units."""
        words = [child for child in children[1:] if child.__class__ is Token]
        units = [word.text.upper() for word in words]
        if not units:
            if not is_interval_text(children[1]):
                _reject(children[1], "an interval needs a unit, such as DAYS")
        elif "TO" in units:
            if tuple(units[::2]) not in INTERVAL_RANGES:
                _reject(words[-1], "these units make no interval")
        elif unknown := next((word for word in words if not is_unit(word.text)), None):
            _reject(unknown, "it is no unit of an interval")
        return nodes.Interval(span=_over(children), values=_operands(children), units=tuple(units))

    def interval_value(self, children: list[Any]) -> nodes.Expression:
        """Put the sign before an amount."""
        return self.unary(children) if len(children) == 2 else children[0]

    # ------------------------------------------------------------ calls

    def call(self, children: list[Any]) -> nodes.FunctionCall:
        """Name, arguments and what follows them."""
        name, invocation = children
        return self._call(name, invocation, _over(children), nodes.CallForm.PLAIN)

    def form_call(self, children: list[Any]) -> nodes.FunctionCall:
        """Call a function that has a form of its own the ordinary way."""
        return self._call(
            _one_word(children[0]), children[1], _over(children), nodes.CallForm.PLAIN
        )

    def _call(
        self, name: nodes.QualifiedName, invocation: Piece, span: Span, form: nodes.CallForm
    ) -> nodes.FunctionCall:
        fields: dict[str, Any] = invocation.value
        arguments = fields["arguments"]
        called = name.parts[-1].text.upper()
        inside = fields.pop("nulls_inside", None)
        if inside is not None and called not in _NULLS_INSIDE:
            _reject(inside, f"`{called}` takes it behind its parenthesis")
        if len(arguments) == 3 and len(name.parts) == 1 and called in _UNIT_FIRST:
            if _is_string(arguments[0]):
                _reject(arguments[0], "the unit is a word without quotes")
            if unit := _unit_of(arguments[0]):
                form = nodes.CallForm.SPECIAL
                fields["arguments"] = (unit, *arguments[1:])
        return nodes.FunctionCall(span=span, name=name, form=form, **fields)

    def invocation(self, children: list[Any]) -> Piece:
        """Collect arguments and suffixes, each suffix at most once and in order."""
        fields: dict[str, Any] = {"arguments": ()}
        rank = 0
        for child in _operands(children):
            if isinstance(child.value, dict):
                fields.update(child.value)
                continue
            place, field, value = child.value
            if place <= rank:
                _reject(child, "out of order")
            rank = place
            fields[field] = value
        return Piece(_over(children), fields)

    def arguments(self, children: list[Any]) -> Piece:
        """[DISTINCT] arguments [IGNORE NULLS]."""
        fields: dict[str, Any] = {}
        first = children[0]
        if first.__class__ is Token:
            fields["distinct"] = first.type == "DISTINCT"
        arguments = list(_operands(children))
        if isinstance(arguments[-1], Piece):
            inner = arguments.pop()
            fields["nulls"] = inner.value[0]
            fields["nulls_inside"] = inner
        fields["arguments"] = tuple(arguments)
        return Piece(_over(children), fields)

    def star(self, children: list[Any]) -> nodes.Star:
        """* or name . *."""
        qualifier = children[0].parts if len(children) > 1 else ()
        return nodes.Star(span=_over(children), qualifier=qualifier)

    def named_argument(self, children: list[Any]) -> nodes.NamedArgument:
        """Name => value."""
        return nodes.NamedArgument(
            span=_over(children), name=self.identifier(children), value=children[2]
        )

    def lambda_(self, children: list[Any]) -> nodes.Lambda:
        """Parameters -> body."""
        head = children[0]
        if head.__class__ is Token:
            parameters: tuple[nodes.Name, ...] = (self.identifier(children),)
        else:
            parameters = tuple(_parameter(part) for part in head.parts)
        return nodes.Lambda(span=_over(children), parameters=parameters, body=children[2])

    def within_group(self, children: list[Any]) -> Piece:
        """WITHIN GROUP (ORDER BY ...)."""
        span = _over(children)
        return Piece(span, (1, "within_group", span))

    def filter(self, children: list[Any]) -> Piece:
        """FILTER (WHERE condition)."""
        return Piece(_over(children), (2, "filter", children[3]))

    def null_treatment(self, children: list[Any]) -> Piece:
        """IGNORE or RESPECT NULLS behind a call."""
        return Piece(_over(children), (3, "nulls", children[0].value[0]))

    def over(self, children: list[Any]) -> Piece:
        """OVER (window)."""
        span = _over(children)
        return Piece(span, (4, "window", span))

    def identifier_clause(self, children: list[Any]) -> nodes.FunctionCall:
        """IDENTIFIER(expression): a name made at run time."""
        return self._special(children, (children[2],))

    def identifier_call(self, children: list[Any]) -> nodes.FunctionCall:
        """Call a function whose name is made at run time."""
        span = _over(children[:4])
        text = children[0].text
        name = nodes.Name(span=span, text=text, quoted=False)
        called = nodes.QualifiedName(span=span, parts=(name,))
        return self._call(called, children[4], _over(children), nodes.CallForm.SPECIAL)

    def struct_call(self, children: list[Any]) -> nodes.FunctionCall:
        """STRUCT(values, with names or without)."""
        return nodes.FunctionCall(
            span=_over(children), name=_one_word(children[0]), arguments=_operands(children)
        )

    def _special(self, children: list[Any], arguments: tuple[Any, ...]) -> nodes.FunctionCall:
        return nodes.FunctionCall(
            span=_over(children),
            name=_one_word(children[0]),
            arguments=arguments,
            form=nodes.CallForm.SPECIAL,
        )

    def extract(self, children: list[Any]) -> nodes.FunctionCall:
        """EXTRACT(field FROM source)."""
        field = children[2]
        if not isinstance(field, nodes.ColumnReference) or len(field.parts) != 1:
            _reject(field, "not a field name")
        word = nodes.BareWord(span=field.span, text=field.parts[0].text)
        return self._special(children, (word, children[4]))

    def trim(self, children: list[Any]) -> nodes.FunctionCall:
        """TRIM([side] [characters] FROM source)."""
        parts = tuple(
            nodes.BareWord(span=part.span, text=part.value[0]) if isinstance(part, Piece) else part
            for part in _operands(children)
        )
        return self._special(children, parts)

    def substring(self, children: list[Any]) -> nodes.FunctionCall:
        """SUBSTRING(text FROM start FOR length), and its kin."""
        return self._special(children, _operands(children))

    position = overlay = substring


def _parameter(part: nodes.Expression) -> nodes.Name:
    if isinstance(part, nodes.ColumnReference) and len(part.parts) == 1:
        return part.parts[0]
    _reject(part, "not a parameter name")


def _is_string(argument: nodes.Expression) -> bool:
    return isinstance(argument, nodes.Literal) and argument.kind is nodes.LiteralKind.STRING


def _unit_of(argument: nodes.Expression) -> nodes.BareWord | None:
    if not isinstance(argument, nodes.ColumnReference) or len(argument.parts) != 1:
        return None
    text = argument.parts[0].text
    if text.upper() not in _UNITS:
        return None
    return nodes.BareWord(span=argument.span, text=text)


def _one_word(token: Token) -> nodes.QualifiedName:
    span = _text_span(token)
    return nodes.QualifiedName(
        span=span, parts=(nodes.Name(span=span, text=token.text, quoted=False),)
    )


def _unquote(written: str) -> str:
    return written[1:-1].replace("``", "`") if written[0] == "`" else written


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
