"""Reads the relations of a FROM clause, one by one, with their aliases."""

from msgspec.structs import replace

from tidegate.grammar.outlines.outline import Relation, RelationKind
from tidegate.grammar.outlines.parts import (
    FORMATS,
    FROM,
    NO_ALIAS,
    OTHER,
    Call,
    Frame,
    TokenList,
    changed,
    unquoted,
)
from tidegate.grammar.tokens import QUOTED, WORD, RawToken
from tidegate.source.span import Span


class RelationReader(TokenList):
    """A list of tokens whose relations are noted as they are read."""

    def __init__(self, tokens: list[RawToken]) -> None:
        super().__init__(tokens)
        self.relations: list[Relation] = []
        self.frames = [Frame(-1, is_query=True)]
        """What is open, innermost last."""

    def read_relation(self, frame: Frame, place: int) -> int:
        """Read the leaf that starts here."""
        stream: int | None = None
        if self.upper(place) == "VALUES" and self.upper(place + 1) == "(":
            frame.clause, frame.awaits = OTHER, False
            return place + 1
        if self.upper(place) == "STREAM" and self.tokens[place].kind == WORD:
            following = place + 1
            if self.upper(following) == "(":
                frame.awaits = False
                child = Frame(following, is_query=False)
                child.clause, child.awaits, child.stream = FROM, True, place
                child.owner = frame.owner
                self.frames.append(child)
                return following + 1
            if self.is_name(following) and self.upper(following) not in NO_ALIAS | {"AS"}:
                stream, place = place, following
        frame.awaits = False
        outer_stream = frame.stream if stream is None else stream
        token = self.tokens[place]
        parts, after = self.dotted(place)
        start = token.start if stream is None else self.tokens[stream].start
        if self.upper(after) == "(":
            child = Frame(after, is_query=False)
            name = Span(token.start, self.tokens[after - 1].end)
            child.relation = Call(parts, name, start, outer_stream)
            self.frames.append(child)
            return after + 1
        span = Span(token.start, self.tokens[after - 1].end)
        if len(parts) == 1 and self.is_cte(parts[0].lower()):
            return self.behind_alias(after)
        is_path = (
            len(parts) == 2
            and self.tokens[after - 1].kind == QUOTED
            and parts[0].upper() in FORMATS
        )
        self.relations.append(
            Relation(
                kind=RelationKind.PATH if is_path else RelationKind.NAME,
                parts=parts,
                span=span,
                whole=Span(start, span.end),
                streaming=outer_stream is not None,
                alias=None,
                alias_span=None,
            )
        )
        frame.pending = len(self.relations) - 1
        frame.add_leaf(span)
        return after

    def is_cte(self, name: str) -> bool:
        """Tell whether a common table expression of this name is in reach."""
        return any(name in frame.ctes for frame in self.frames if frame.ctes)

    def finish_call(self, outer: Frame, call: Call, opened: int, closed: int) -> None:
        """Note a table function when its parenthesis closes."""
        end = self.tokens[closed].end
        self.relations.append(
            Relation(
                kind=RelationKind.FUNCTION,
                parts=call.parts,
                span=Span(call.name.start, end),
                whole=Span(call.start, end),
                streaming=call.stream is not None,
                alias=None,
                alias_span=None,
                arguments=tuple(self.arguments(opened, closed)),
            )
        )
        outer.pending = len(self.relations) - 1
        outer.add_leaf(self.relations[-1].span)

    def widen(self, outer: Frame, stream: int, end: int) -> None:
        """Give a relation in STREAM(...) its whole span."""
        start = self.tokens[stream].start
        last = self.relations[-1] if self.relations else None
        if last is None or last.span.start < start:
            return
        self.relations[-1] = changed(last, whole=Span(start, end))
        outer.pending = len(self.relations) - 1

    def read_alias(self, frame: Frame, place: int) -> int | None:
        """Read what may stand between a relation and its alias, or the alias itself."""
        token = self.tokens[place]
        word = token.text.upper() if token.kind == WORD else ""
        following = self.upper(place + 1)
        if word in ("VERSION", "TIMESTAMP", "SYSTEM_TIME", "SYSTEM_VERSION") and following == "AS":
            return place + 4
        if word == "FOR" and following in ("VERSION", "TIMESTAMP", "SYSTEM_TIME", "SYSTEM_VERSION"):
            return place + 1
        if token.text == "@":
            return place + 2
        index = frame.pending
        assert index is not None
        if word in ("TABLESAMPLE", "PIVOT", "UNPIVOT", "WITH") and following == "(":
            after = self.behind_bracket(place + 1)
            if word == "WITH":
                options = self.options(place + 1, after - 1)
                self.relations[index] = replace(self.relations[index], options=options)
            return after
        if word == "WATERMARK":
            return self._read_watermark(index, place)
        frame.pending = None
        if word == "AS" and self.is_name(place + 1):
            place += 1
        elif token.kind not in (WORD, QUOTED) or word in NO_ALIAS:
            return None
        named = self.tokens[place]
        self.relations[index] = changed(
            self.relations[index],
            alias=unquoted(named),
            alias_span=Span(named.start, named.end),
        )
        after = place + 1
        after = self.behind_bracket(after) if self.upper(after) == "(" else after
        # The alias may stand before the watermark as well.
        is_watermark = self.upper(after) == "WATERMARK" and self.is_name(after + 1)
        return self._read_watermark(index, after) if is_watermark else after

    def _read_watermark(self, index: int, place: int) -> int:
        watermark, after = self.watermark(place)
        if watermark is not None:
            self.relations[index] = replace(self.relations[index], watermark=watermark)
        return after
