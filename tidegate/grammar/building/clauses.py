"""The children of clauses come in; their nodes go out."""

import msgspec

from tidegate.grammar import nodes
from tidegate.grammar.building.literals import string_value
from tidegate.grammar.building.pieces import (
    Child,
    Piece,
    operands,
    over,
    unquote,
    whole_placeholder,
    words_of,
)


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


class ClauseBuilder:
    """Makes what stands between a column list and a query."""

    def comment_clause(self, children: list[Child]) -> nodes.CommentClause:
        """COMMENT 'text'."""
        return nodes.CommentClause(
            span=over(children),
            text=children[1].value,
            is_placeholder=isinstance(children[1], WrittenPlaceholder),
        )

    def placeholder_clause(self, children: list[Child]) -> nodes.PlaceholderClause:
        """Keep a placeholder that stands for whole clauses, or for all of one but its words."""
        spelling = " ".join([*words_of(children[:-1]), whole_placeholder(children[-1])])
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
            span=over(children),
            key=whole_placeholder(children[0]),
            value="",
            kind=nodes.PropertyKind.FLAG,
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
