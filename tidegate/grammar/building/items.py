"""The children of list items come in; their nodes go out."""

from collections.abc import Callable

import msgspec

from tidegate.grammar import nodes
from tidegate.grammar.building.pieces import (
    Child,
    Piece,
    operands,
    over,
    reject,
    text_span,
    whole_placeholder,
)
from tidegate.grammar.tokens import Token, is_whole_placeholder
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


class ItemBuilder:
    """Makes what stands between the commas of a column list."""

    _parse_body: Callable[[Token], nodes.Expression | None]

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

    def column_placeholder(self, children: list[Child]) -> nodes.ColumnProperty:
        """Keep a placeholder that stands for whole properties of a column."""
        return nodes.ColumnProperty(
            span=over(children),
            kind=nodes.ColumnPropertyKind.PLACEHOLDER,
            text=whole_placeholder(children[0]),
        )

    def column_collate(self, children: list[Child]) -> nodes.CollateProperty:
        """COLLATE name."""
        return nodes.CollateProperty(
            span=over(children), kind=nodes.ColumnPropertyKind.COLLATE, collation=children[1]
        )


def _options(children: list[Child]) -> tuple[str, ...]:
    return tuple(child.value for child in children)
