"""The children of flows and change feeds come in; their nodes go out."""

import re
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
    words_of,
)
from tidegate.grammar.tokens import Token
from tidegate.source.span import Span


class FlowBuilder:
    """Makes flows, their change feeds, and what these read."""

    _parse_body: Callable[[Token], nodes.Expression | None]

    # ------------------------------------------------------------ flows

    def create_flow(self, children: list[Child]) -> nodes.CreateFlow:
        """CREATE FLOW name [COMMENT 'text'] AS body."""
        comment = children[3] if isinstance(children[3], nodes.CommentClause) else None
        return nodes.CreateFlow(
            span=over(children), name=children[2], comment=comment, body=children[-1]
        )

    def auto_cdc(self, children: list[Child]) -> nodes.AutoCdc:
        """Make a change feed a statement of its own."""
        return nodes.AutoCdc(span=over(children), body=children[0])

    def flow_once(self, children: list[Child]) -> nodes.InlineFlow:
        """FLOW INSERT ONCE BY NAME query."""
        body = nodes.InsertBody(
            span=over(children[1:]), once=True, by_name=True, query=_query(children[-1])
        )
        return nodes.InlineFlow(span=over(children), form=nodes.FlowForm.INSERT_ONCE, body=body)

    def flow_replace(self, children: list[Child]) -> nodes.InlineFlow:
        """FLOW REPLACE ... BY NAME query."""
        body = nodes.InsertBody(
            span=over(children[1:]),
            once=False,
            by_name=True,
            query=_query(children[-1]),
            replace=children[1],
        )
        return nodes.InlineFlow(span=over(children), form=nodes.FlowForm.REPLACE, body=body)

    def flow_cdc(self, children: list[Child]) -> nodes.InlineFlow:
        """FLOW AUTO CDC FROM source clauses."""
        body = _change_feed(children[1:], None)
        return nodes.InlineFlow(span=over(children), form=nodes.FlowForm.AUTO_CDC, body=body)

    def by_name(self, children: list[Child]) -> Piece:
        """BY NAME."""
        return Piece(over(children), True)

    def insert_body(self, children: list[Child]) -> nodes.InsertBody:
        """INSERT INTO target, its parts in any order, and the query."""
        columns: tuple[nodes.QualifiedName, ...] = ()
        replace: nodes.Replace | None = None
        by_name = False
        for part in children[2:-1]:
            if isinstance(part, nodes.Replace):
                if replace is not None:
                    reject(part, "a second REPLACE")
                replace = part
            elif part.value is True:
                if by_name:
                    reject(part, "a second BY NAME")
                by_name = True
            else:
                if columns:
                    reject(part, "a second list of columns")
                columns = part.value
        words = children[0].value
        return nodes.InsertBody(
            span=over(children),
            once="ONCE" in words,
            by_name=by_name,
            query=_query(children[-1]),
            target=children[1],
            columns=columns,
            overwrite="OVERWRITE" in words,
            replace=replace,
        )

    def insert_head(self, children: list[Child]) -> Piece:
        """Keep the words before the target."""
        return Piece(over(children), words_of(children))

    cdc_head = insert_head

    def insert_columns(self, children: list[Child]) -> Piece:
        """Take names out of their parentheses."""
        return Piece(over(children), children[1].value)

    def replace_where(self, children: list[Child]) -> nodes.ReplaceWhere:
        """REPLACE WHERE predicate."""
        return nodes.ReplaceWhere(
            span=over(children),
            predicate_span=text_span(children[2]),
            predicate=self._parse_body(children[2]),
        )

    def replace_using(self, children: list[Child]) -> nodes.ReplaceUsing:
        """REPLACE USING (keys) SEQUENCE BY column."""
        return nodes.ReplaceUsing(span=over(children), keys=children[2], sequence=children[5])

    # ------------------------------------------------------------ change feeds

    def change_feed(self, children: list[Child]) -> nodes.CdcBody:
        """AUTO CDC INTO target FROM source clauses."""
        return _change_feed(children, children[2])

    def cdc_from(self, children: list[Child]) -> Piece:
        """FROM source clauses."""
        reading = over(children[:2])
        source = msgspec.structs.replace(children[1], reading=reading)
        return Piece(over(children), (source, tuple(children[2:])))

    def source(self, children: list[Child]) -> nodes.FlowSource:
        """Put options, watermark and alias behind what is read."""
        fields: dict[str, Child] = dict(children[0].value)
        for part in children[1:]:
            field, value = part.value
            if field in fields:
                reject(part, f"a second {field}")
            fields[field] = value
        return nodes.FlowSource(span=over(children), **fields)

    def relation(self, children: list[Child]) -> Piece:
        """Read a name or a function, perhaps behind STREAM and in its parentheses."""
        streaming = children[0].__class__ is Token
        rest = children[1:] if streaming else children
        parenthesized = rest[0].__class__ is Token
        if parenthesized:
            rest = rest[1:-1]
        fields: dict[str, Child] = {
            "streaming": streaming,
            "parenthesized": parenthesized,
            "name": rest[0],
        }
        if len(rest) > 1:
            fields["arguments"] = text_span(rest[2])
        return Piece(over(children), fields)

    def source_query(self, children: list[Child]) -> Piece:
        """( query )."""
        return Piece(over(children), {"query": _query(children[1])})

    def read_options(self, children: list[Child]) -> Piece:
        """WITH (options)."""
        return Piece(over(children), ("options", operands(children)))

    def watermark(self, children: list[Child]) -> Piece:
        """WATERMARK expression DELAY OF interval."""
        watermark = nodes.Watermark(
            span=over(children), expression=text_span(children[1]), delay=text_span(children[4])
        )
        return Piece(over(children), ("watermark", watermark))

    def source_alias(self, children: list[Child]) -> Piece:
        """[AS] alias."""
        return Piece(over(children), ("alias", children[-1]))

    # ------------------------------------------------------------ clauses of a change feed

    def keys_clause(self, children: list[Child]) -> nodes.KeysClause:
        """KEYS (columns)."""
        return nodes.KeysClause(span=over(children), columns=children[1])

    def cdc_where(self, children: list[Child]) -> nodes.CdcWhere:
        """WHERE predicate."""
        return nodes.CdcWhere(
            span=over(children),
            predicate_span=text_span(children[1]),
            predicate=self._parse_body(children[1]),
        )

    def ignore_null_updates(self, children: list[Child]) -> nodes.IgnoreNullUpdates:
        """IGNORE NULL UPDATES [ON columns]."""
        columns = children[4] if len(children) > 4 else None
        return nodes.IgnoreNullUpdates(span=over(children), columns=columns)

    def apply_as(self, children: list[Child]) -> nodes.ApplyAsClause:
        """APPLY AS DELETE or TRUNCATE WHEN predicate."""
        return nodes.ApplyAsClause(
            span=over(children),
            truncates=children[2].type == "TRUNCATE",
            predicate_span=text_span(children[4]),
            predicate=self._parse_body(children[4]),
        )

    def sequence_by(self, children: list[Child]) -> nodes.SequenceBy:
        """[SYSTEM] SEQUENCE BY expression."""
        body = children[-1]
        # The vendor's page on one-time loads orders them by `timestamp 0`, which is no expression.
        is_start = re.compile(r"timestamp\s+\d+", re.IGNORECASE).fullmatch(body.text)
        return nodes.SequenceBy(
            span=over(children),
            system=children[0].type == "SYSTEM",
            body=text_span(body),
            expression=None if is_start else self._parse_body(body),
        )

    def cdc_columns(self, children: list[Child]) -> nodes.CdcColumns:
        """COLUMNS columns."""
        return nodes.CdcColumns(span=over(children), columns=children[1])

    def columns_to_update(self, children: list[Child]) -> nodes.ColumnsToUpdate:
        """COLUMNS TO UPDATE column."""
        return nodes.ColumnsToUpdate(span=over(children), columns=children[3])

    def stored_as(self, children: list[Child]) -> nodes.StoredAs:
        """Keep the type of history as written."""
        scd_type = children[4].text if len(children) > 3 else None
        return nodes.StoredAs(span=over(children), scd_type=scd_type)

    def track_history(self, children: list[Child]) -> nodes.TrackHistory:
        """TRACK HISTORY ON columns."""
        return nodes.TrackHistory(span=over(children), columns=children[3])

    def placeholder_cdc(self, children: list[Child]) -> nodes.PlaceholderCdc:
        """Keep a placeholder that stands for whole clauses."""
        return nodes.PlaceholderCdc(span=over(children), spelling=children[0].text)

    def name_list(self, children: list[Child]) -> nodes.NameList:
        """Names or a star, in parentheses or not."""
        given = operands(children)[0]
        is_star, columns = given.value if isinstance(given.value[0], bool) else (False, given.value)
        return nodes.NameList(
            span=over(children),
            columns=columns,
            is_star=is_star,
            parenthesized=len(children) > 1,
        )

    def star_list(self, children: list[Child]) -> Piece:
        """* [EXCEPT names]."""
        excepted = next((child for child in children if child.__class__ is Piece), None)
        return Piece(over(children), (True, excepted.value if excepted else ()))

    def names(self, children: list[Child]) -> Piece:
        """Collect names."""
        return Piece(over(children), operands(children))


def _query(token: Token) -> nodes.Query:
    return nodes.Query(span=text_span(token))


def _change_feed(children: list[Child], target: nodes.QualifiedName | None) -> nodes.CdcBody:
    words, (source, clauses) = children[0].value, children[-1].value
    span: Span = over(children)
    return nodes.CdcBody(
        span=span,
        spelling=nodes.Spelling.LEGACY if "APPLY" in words else nodes.Spelling.CURRENT,
        once="ONCE" in words,
        source=source,
        clauses=clauses,
        target=target,
    )
