"""The children of names, types, operators and literals come in; their nodes go out."""

from tidegate.grammar import nodes
from tidegate.grammar.building.literals import (
    INTERVAL_RANGES,
    is_interval_text,
    is_typed_value,
    is_unit,
    number_literal,
    string_value,
    type_fault,
)
from tidegate.grammar.building.pieces import (
    Child,
    Piece,
    backticked,
    name_of,
    operands,
    operator_of,
    over,
    reject,
    unquote,
)
from tidegate.grammar.depth import MAX_DEPTH, TOO_DEEP
from tidegate.grammar.tokens import Token, word_set
from tidegate.source.span import Span

_BARE_CALLS = word_set(
    "CURRENT_DATE CURRENT_TIMESTAMP CURRENT_TIME CURRENT_USER SESSION_USER CURRENT_PATH"
)


class ValueBuilder:
    """Makes whatever stands for a value, calls apart."""

    # ------------------------------------------------------------ names and types

    def identifier(self, children: list[Child]) -> nodes.Name:
        """Make a name without its backticks."""
        token: Token = children[0]
        written = token.text
        return nodes.Name(
            span=Span(token.start, token.end),
            text=unquote(written),
            quoted=written[0] == "`",
        )

    def name(self, children: list[Child]) -> nodes.QualifiedName:
        """Make a name of one part."""
        return nodes.QualifiedName(span=children[0].span, parts=(children[0],))

    def longer_name(self, children: list[Child]) -> nodes.QualifiedName:
        """Add a part to a name."""
        name, _, part = children
        if len(name.parts) == MAX_DEPTH:
            reject(part, TOO_DEEP)
        return nodes.QualifiedName(span=over(children), parts=(*name.parts, part))

    def data_type(self, children: list[Child]) -> nodes.TypeName:
        """Make a type of its outermost word."""
        word = children[0]
        first = word.text.split()[0].upper()
        if word.type == "IDENT" and (fault := type_fault(first, len(children) > 1)):
            reject(word, fault)
        return nodes.TypeName(span=over(children), name=first)

    def field(self, children: list[Child]) -> Piece:
        """Keep where a struct's field stands."""
        return Piece(over(children), None)

    field_property = size = field

    # ------------------------------------------------------------ boolean expressions

    def predicate(self, children: list[Child]) -> Child:
        """Return the whole."""
        return children[0]

    def disjunction(self, children: list[Child]) -> nodes.Or:
        """Operands of OR, in order."""
        return nodes.Or(span=over(children), operands=tuple(children[::2]))

    def conjunction(self, children: list[Child]) -> nodes.And:
        """Operands of AND, in order."""
        return nodes.And(span=over(children), operands=tuple(children[::2]))

    def negation(self, children: list[Child]) -> nodes.Not:
        """NOT or ! before an operand."""
        return nodes.Not(
            span=over(children), operand=children[1], operator=operator_of(children[0])
        )

    def exists(self, children: list[Child]) -> nodes.Exists:
        """EXISTS (query)."""
        return nodes.Exists(span=over(children), query=nodes.Subquery(span=over(children[1:])))

    def tested(self, children: list[Child]) -> nodes.Expression:
        """Put the operand before its test, and NOT between them."""
        make, fields = children[-1].value
        if len(children) == 3:
            fields["negated"] = True
        node: nodes.Expression = (
            make(span=over(children), operand=children[0], **fields)
            if (make is not nodes.DistinctFrom)
            else make(span=over(children), left=children[0], **fields)
        )
        return node

    def is_null(self, children: list[Child]) -> Piece:
        """IS [NOT] NULL."""
        return Piece(over(children), (nodes.IsNull, {"negated": len(children) == 3}))

    def is_truth(self, children: list[Child]) -> Piece:
        """IS [NOT] TRUE, FALSE or UNKNOWN."""
        truth = {"TRUE": True, "FALSE": False, "UNKNOWN": None}[children[-1].type]
        return Piece(
            over(children), (nodes.IsTruth, {"truth": truth, "negated": len(children) == 3})
        )

    def distinct_from(self, children: list[Child]) -> Piece:
        """IS [NOT] DISTINCT FROM value."""
        return Piece(
            over(children),
            (nodes.DistinctFrom, {"right": children[-1], "negated": children[1].type == "NOT"}),
        )

    def between(self, children: list[Child]) -> Piece:
        """BETWEEN low AND high."""
        fields = {"low": children[1], "high": children[3], "negated": False}
        return Piece(over(children), (nodes.Between, fields))

    def in_list(self, children: list[Child]) -> Piece:
        """IN (values)."""
        fields = {"items": operands(children), "negated": False}
        return Piece(over(children), (nodes.InList, fields))

    def in_query(self, children: list[Child]) -> Piece:
        """IN (query)."""
        return Piece(over(children), (nodes.InQuery, {"query": children[1], "negated": False}))

    def like(self, children: list[Child]) -> Piece:
        """LIKE pattern [ESCAPE character], and its kin."""
        fields = {
            "operator": operator_of(children[0]),
            "quantifier": None,
            "patterns": (children[1],),
            "escape": children[2] if len(children) > 2 else None,
            "negated": False,
        }
        return Piece(over(children), (nodes.Like, fields))

    def like_quantified(self, children: list[Child]) -> Piece:
        """LIKE ANY (patterns)."""
        fields = {
            "operator": operator_of(children[0]),
            "quantifier": children[1].text.upper(),
            "patterns": children[2].value,
            "escape": None,
            "negated": False,
        }
        return Piece(over(children), (nodes.Like, fields))

    def escape(self, children: list[Child]) -> nodes.Expression:
        """ESCAPE 'c'."""
        if children[1].type == "PLACEHOLDER":
            return self.placeholder(children[1:])
        literal = self.string_literal(children[1:])
        if len(str(literal.value)) != 1:
            reject(literal, "the escape is one character")
        return literal

    def patterns(self, children: list[Child]) -> Piece:
        """Collect the patterns in parentheses."""
        return Piece(over(children), operands(children))

    # ------------------------------------------------------------ values

    def comparison(self, children: list[Child]) -> nodes.Comparison:
        """Left, operator, right."""
        return nodes.Comparison(
            span=over(children),
            left=children[0],
            operator=operator_of(children[1]),
            right=children[2],
        )

    def arithmetic(self, children: list[Child]) -> nodes.Arithmetic:
        """Left, operator, right."""
        return nodes.Arithmetic(
            span=over(children),
            left=children[0],
            operator=operator_of(children[1]),
            right=children[2],
        )

    def unary(self, children: list[Child]) -> nodes.Unary:
        """Sign or complement."""
        return nodes.Unary(
            span=over(children), operator=operator_of(children[0]), operand=children[1]
        )

    def column_reference(self, children: list[Child]) -> nodes.Expression:
        """Make a column, or one of the functions that are called without parentheses."""
        name: nodes.QualifiedName = children[0]
        if len(name.parts) == 1:
            part = name.parts[0]
            if not part.quoted and part.text.upper() in _BARE_CALLS:
                return nodes.FunctionCall(
                    span=name.span, name=name, arguments=(), form=nodes.CallForm.BARE
                )
        return nodes.ColumnReference(span=name.span, parts=name.parts)

    def plain_column(self, children: list[Child]) -> nodes.Expression:
        """Do in one step what ``identifier``, ``name`` and ``column_reference`` do with a word."""
        token: Token = children[0]
        written = token.text
        if written[0] == "`" or written.upper() in _BARE_CALLS:
            return self.column_reference([self.name([self.identifier(children)])])
        span = Span(token.start, token.end)
        part = nodes.Name(span=span, text=written, quoted=False)
        return nodes.ColumnReference(span=span, parts=(part,))

    def placeholder(self, children: list[Child]) -> nodes.Placeholder:
        """Keep a placeholder as written."""
        written: str = children[0].text
        return nodes.Placeholder(
            span=over(children), name=written.strip("${}: ?") or None, spelling=written
        )

    def parenthesized(self, children: list[Child]) -> nodes.Parenthesized:
        """( expression )."""
        return nodes.Parenthesized(span=over(children), inner=children[1])

    def row(self, children: list[Child]) -> nodes.RowConstructor:
        """( a, b )."""
        return nodes.RowConstructor(span=over(children), parts=operands(children))

    def aliased(self, children: list[Child]) -> nodes.Aliased:
        """Expression AS name, in a row or struct."""
        name = children[-1]
        if name.__class__ is Token:
            name = name_of(name)
        return nodes.Aliased(span=over(children), value=children[0], name=name)

    def subquery(self, children: list[Child]) -> nodes.Subquery:
        """( query )."""
        return nodes.Subquery(span=over(children))

    def case(self, children: list[Child]) -> nodes.Case:
        """CASE [operand] WHEN ... END."""
        inner = list(operands(children))
        operand = None if isinstance(inner[0], nodes.WhenBranch) else inner.pop(0)
        last = inner.pop().value if isinstance(inner[-1], Piece) else None
        return nodes.Case(
            span=over(children), operand=operand, branches=tuple(inner), otherwise=last
        )

    def when(self, children: list[Child]) -> nodes.WhenBranch:
        """WHEN condition THEN result."""
        return nodes.WhenBranch(span=over(children), condition=children[1], result=children[3])

    def otherwise(self, children: list[Child]) -> Piece:
        """ELSE result."""
        return Piece(over(children), children[1])

    def cast(self, children: list[Child]) -> nodes.Cast:
        """CAST or TRY_CAST (operand AS type)."""
        return nodes.Cast(
            span=over(children),
            operand=children[2],
            type=children[4],
            form=nodes.CastForm(children[0].type),
        )

    def cast_by_colons(self, children: list[Child]) -> nodes.Cast:
        """Operand :: type."""
        return nodes.Cast(
            span=over(children),
            operand=children[0],
            type=children[2],
            form=nodes.CastForm(children[1].text),
        )

    def collate(self, children: list[Child]) -> nodes.Collate:
        """Operand COLLATE name."""
        return nodes.Collate(span=over(children), operand=children[0], collation=children[2])

    def subscript(self, children: list[Child]) -> nodes.Subscript:
        """Operand [index]."""
        return nodes.Subscript(span=over(children), operand=children[0], index=children[2])

    def json_path(self, children: list[Child]) -> nodes.JsonPath:
        """Operand : path."""
        return nodes.JsonPath(
            span=over(children), operand=children[0], path=children[1].text[1:].strip()
        )

    def field_access(self, children: list[Child]) -> nodes.FieldAccess | nodes.JsonPath:
        """Operand . field; behind a JSON path, where a comment cut it, the path goes on."""
        operand, field = children[0], children[2]
        if isinstance(operand, nodes.JsonPath):
            step = backticked(field.text) if field.quoted else field.text
            path = f"{operand.path}.{step}"
            return nodes.JsonPath(span=over(children), operand=operand.operand, path=path)
        return nodes.FieldAccess(span=over(children), operand=operand, field=field)

    # ------------------------------------------------------------ literals

    def number(self, children: list[Child]) -> nodes.Literal:
        """Make a number."""
        literal = number_literal(children[0])
        if literal is None:
            reject(children[0], "the number does not fit its type")
        return literal

    def string_literal(self, children: list[Child]) -> nodes.Literal:
        """Adjacent strings are one."""
        return nodes.Literal(
            span=over(children),
            kind=nodes.LiteralKind.STRING,
            value=string_value(children[0].text)
            if len(children) == 1
            else "".join([string_value(child.text) for child in children]),
            double_quoted=children[0].text.lstrip("rR")[0] == '"',
        )

    def typed_literal(self, children: list[Child]) -> nodes.Literal:
        """DATE '...' and its kin."""
        type_name = children[0].text.upper()
        if not is_typed_value(type_name, string_value(children[1].text)):
            reject(children[1], f"it is no {type_name}")
        return nodes.Literal(
            span=over(children),
            kind=nodes.LiteralKind.TYPED,
            value=string_value(children[1].text),
            type_name=type_name,
        )

    def null_literal(self, children: list[Child]) -> nodes.Literal:
        """NULL."""
        return nodes.Literal(span=over(children), kind=nodes.LiteralKind.NULL, value=None)

    def boolean_literal(self, children: list[Child]) -> nodes.Literal:
        """Make a truth value."""
        return nodes.Literal(
            span=over(children),
            kind=nodes.LiteralKind.BOOLEAN,
            value=children[0].type == "TRUE",
        )

    def interval(self, children: list[Child]) -> nodes.Interval:
        """INTERVAL values and units."""
        words = [child for child in children[1:] if child.__class__ is Token]
        units = [word.text.upper() for word in words]
        if not units:
            if not is_interval_text(children[1]):
                reject(children[1], "an interval needs a unit, such as DAYS")
        elif "TO" in units:
            if tuple(units[::2]) not in INTERVAL_RANGES:
                reject(words[-1], "these units make no interval")
        elif unknown := next((word for word in words if not is_unit(word.text)), None):
            reject(unknown, "it is no unit of an interval")
        return nodes.Interval(span=over(children), values=operands(children), units=tuple(units))

    def interval_value(self, children: list[Child]) -> nodes.Expression:
        """Put the sign before an amount."""
        return self.unary(children) if len(children) == 2 else children[0]

    def signed_number(self, children: list[Child]) -> nodes.Unary:
        """Put the sign before a number."""
        return self.unary([children[0], self.number(children[1:])])

    def at_most(self, children: list[Child]) -> Piece:
        """AT MOST EVERY INTERVAL amount unit."""
        return Piece(over(children), self.interval(children[3:]))
