"""The children of stand-alone statements and of functions come in; their nodes go out."""

import re
from collections.abc import Callable

from tidegate.grammar import nodes
from tidegate.grammar.building.pieces import Child, Piece, operands, over, text_span, words_of
from tidegate.grammar.tokens import Token, raw_tokens
from tidegate.source.span import Span

_TARGETS = {
    "STREAMING TABLE": nodes.ObjectKind.STREAMING_TABLE,
    "MATERIALIZED VIEW": nodes.ObjectKind.MATERIALIZED_VIEW,
    "VIEW": nodes.ObjectKind.VIEW,
}
# A signature that is not read still says its language, and where foreign text stands.
_LANGUAGE = re.compile(r"\bLANGUAGE\s+(\w+)", re.IGNORECASE)
_QUERY_WORDS = frozenset(("SELECT", "WITH", "FROM", "VALUES", "TABLE"))


class StatementBuilder:
    """Makes the statements that stand outside a pipeline, and functions."""

    _try_parse: Callable[[str, Token], Child]

    def alter_dataset(self, children: list[Child]) -> nodes.AlterDataset:
        """ALTER of a streaming table, materialized view or view."""
        rest: Token = children[-1]
        action = self._try_parse("alteration", rest)
        return nodes.AlterDataset(
            span=over(children),
            target=_TARGETS[" ".join(children[1].value)],
            name=children[-2],
            if_exists=len(children) > 4,
            action=nodes.OtherAlteration(span=text_span(rest)) if action is None else action,
        )

    def refresh_statement(self, children: list[Child]) -> nodes.RefreshStatement:
        """REFRESH [object] name [FULL] [ASYNC|SYNC]."""
        what = " ".join(children[1].value) if isinstance(children[1], Piece) else None
        words = words_of(children[1:])
        return nodes.RefreshStatement(
            span=over(children),
            what=what,
            name=next(child for child in children if isinstance(child, nodes.QualifiedName)),
            full="FULL" in words,
            mode=words[-1] if words and words[-1] != "FULL" else None,
        )

    def drop_statement(self, children: list[Child]) -> nodes.DropStatement:
        """DROP object [IF EXISTS] name."""
        return nodes.DropStatement(
            span=over(children),
            what=" ".join(children[1].value),
            if_exists=len(children) > 3,
            name=children[-1],
        )

    def explain_statement(self, children: list[Child]) -> nodes.ExplainStatement:
        """EXPLAIN [mode] CREATE ..."""
        mode = children[1].text.upper() if children[1].__class__ is Token else None
        return nodes.ExplainStatement(span=over(children), mode=mode, statement=children[-1])

    # ------------------------------------------------------------ what an ALTER does

    def alter_schedule(self, children: list[Child]) -> nodes.AlterSchedule:
        """ADD, ALTER or SET a schedule."""
        verb = children[0].type if len(children) > 1 else ""
        return nodes.AlterSchedule(span=over(children), verb=verb, schedule=children[-1])

    def drop_schedule(self, children: list[Child]) -> nodes.AlterSchedule:
        """DROP SCHEDULE or TRIGGER."""
        return nodes.AlterSchedule(span=over(children), verb="DROP", schedule=None)

    def set_properties(self, children: list[Child]) -> nodes.SetProperties:
        """SET TBLPROPERTIES (entries)."""
        return nodes.SetProperties(span=over(children), entries=children[2].value)

    def set_tags(self, children: list[Child]) -> nodes.SetProperties:
        """SET TAGS (entries)."""
        return nodes.SetProperties(span=over(children), entries=children[2].value, tags=True)

    def set_owner(self, children: list[Child]) -> nodes.SetOwner:
        """[SET] OWNER TO name."""
        return nodes.SetOwner(span=over(children), owner=children[-1])

    def set_row_filter(self, children: list[Child]) -> nodes.AlterRowFilter:
        """SET ROW FILTER function ON (columns)."""
        return nodes.AlterRowFilter(span=over(children), filter=children[1])

    def drop_row_filter(self, children: list[Child]) -> nodes.AlterRowFilter:
        """DROP ROW FILTER."""
        return nodes.AlterRowFilter(span=over(children), filter=None)

    def alter_column(self, children: list[Child]) -> nodes.AlterColumn:
        """ALTER [COLUMN] name change."""
        last = children[-1]
        is_comment = isinstance(last, nodes.ColumnProperty)
        words, given, tags = ("COMMENT", last, ()) if is_comment else last.value
        return nodes.AlterColumn(
            span=over(children), column=children[-2], change=words, property=given, tags=tags
        )

    def set_mask(self, children: list[Child]) -> Piece:
        """SET MASK function."""
        return Piece(over(children), ("SET MASK", children[1], ()))

    def drop_mask(self, children: list[Child]) -> Piece:
        """DROP MASK."""
        return Piece(over(children), ("DROP MASK", None, ()))

    def set_column_tags(self, children: list[Child]) -> Piece:
        """SET TAGS (entries)."""
        return Piece(over(children), ("SET TAGS", None, children[2].value))

    def unset_column_tags(self, children: list[Child]) -> Piece:
        """UNSET TAGS (keys)."""
        return Piece(over(children), ("UNSET TAGS", None, children[2].value))

    def rename_to(self, children: list[Child]) -> nodes.RenameTo:
        """RENAME TO name."""
        return nodes.RenameTo(span=over(children), name=children[2])

    def set_query(self, children: list[Child]) -> nodes.SetQuery:
        """AS query."""
        query = nodes.Query(span=text_span(children[1]))
        return nodes.SetQuery(span=over(children), query=query)

    # ------------------------------------------------------------ functions

    def create_function(self, children: list[Child]) -> nodes.CreateFunction:
        """CREATE FUNCTION name and its signature, as far as it is read."""
        rest: Token = children[-1]
        words = {
            word for child in children[1:-2] if isinstance(child, Piece) for word in child.value
        }
        fields: dict[str, Child] | None = self._try_parse("signature", rest)
        if fields is None:
            fields = _unread(rest)
        return nodes.CreateFunction(
            span=over(children),
            name=children[-2],
            or_replace="REPLACE" in words,
            temporary="TEMPORARY" in words or "TEMP" in words,
            if_not_exists="EXISTS" in words,
            **fields,
        )

    def signature(self, children: list[Child]) -> dict[str, Child]:
        """Collect what stands behind a function's name."""
        fields: dict[str, Child] = {"parameters": None, "returns": None, "language": None}
        characteristics: list[str] = []
        for child in children:
            if not isinstance(child.value, tuple):
                characteristics.append(" ".join(child.value))
                continue
            field, value = child.value
            if field == "body":
                fields |= self._body(*value)
            else:
                fields[field] = value
        return {**fields, "characteristics": tuple(characteristics)}

    def _body(self, word: str, text: Token) -> dict[str, Child]:
        """Read what a function gives: an expression or a query behind RETURN."""
        fields: dict[str, Child] = {"body": text_span(text)}
        if word != "RETURN":
            return fields
        first = next(raw_tokens(text.text, 0, len(text.text)), None)
        if first is not None and first.text.upper() in _QUERY_WORDS:
            fields["query"] = nodes.Query(span=text_span(text))
        else:
            fields["expression"] = self._try_parse("predicate", text)
        return fields

    def parameters(self, children: list[Child]) -> Piece:
        """Collect the parameters."""
        return Piece(over(children), ("parameters", operands(children)))

    def parameter(self, children: list[Child]) -> nodes.Parameter:
        """Name, type, default and comment of a parameter."""
        data_type = next((one for one in children if isinstance(one, nodes.TypeName)), None)
        default: Child = None
        comment: Child = None
        for given in children[1:]:
            if isinstance(given, Piece):
                default = given.value
            elif isinstance(given, nodes.ColumnProperty) and given.text is not None:
                comment = given.text
        return nodes.Parameter(
            span=over(children),
            name=children[0],
            type=data_type,
            default=default,
            comment=comment,
        )

    def parameter_default(self, children: list[Child]) -> Piece:
        """DEFAULT expression."""
        return Piece(over(children), text_span(children[1]))

    def returns(self, children: list[Child]) -> Piece:
        """Keep where the result's type stands."""
        return Piece(over(children), ("returns", over(children[1:])))

    def language(self, children: list[Child]) -> Piece:
        """LANGUAGE word."""
        return Piece(over(children), ("language", children[1].text.upper()))

    def spoken_comment(self, children: list[Child]) -> Piece:
        """Keep the first word of a characteristic that carries a value."""
        return Piece(over(children), words_of(children)[:1])

    def function_body(self, children: list[Child]) -> Piece:
        """RETURN or AS, and the text behind it."""
        return Piece(over(children), ("body", (children[0].type, children[1])))


def _unread(rest: Token) -> dict[str, Child]:
    """Return what can be told of a signature that is not read."""
    head, mark, _ = rest.text.partition("$$")
    language = _LANGUAGE.search(head)
    return {
        "parameters": None,
        "returns": None,
        "language": language[1].upper() if language else None,
        "body": Span(rest.start + len(head), rest.end) if mark else None,
    }
