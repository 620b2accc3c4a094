"""A query's text comes in; its outline goes out, read from the tokens in one pass.

Brackets are kept on a stack of our own, so that no nesting is too deep.
"""

from tidegate.grammar.outline import Argument, Outline, Output, Relation, RelationKind, StarItem
from tidegate.grammar.select_items import name_of
from tidegate.grammar.tokens import (
    OPERATOR,
    QUOTED,
    STRANGE,
    WORD,
    RawToken,
    raw_tokens,
    word_set,
)
from tidegate.source.span import Span

_QUERY_OPENERS = word_set("SELECT WITH FROM VALUES TABLE")
_SET_OPERATIONS = word_set("UNION EXCEPT INTERSECT MINUS")
# What cannot be the alias of a relation: the clauses and joins that may follow it.
_NO_ALIAS = word_set(
    "ON USING WHERE GROUP ORDER HAVING QUALIFY LIMIT OFFSET WINDOW CLUSTER DISTRIBUTE SORT UNION EXCEPT "
    "INTERSECT MINUS JOIN INNER LEFT RIGHT FULL CROSS NATURAL SEMI ANTI OUTER LATERAL PIVOT UNPIVOT "
    "TABLESAMPLE SELECT FROM SET WITH WATERMARK MATCH_RECOGNIZE"
)
_CLAUSES = word_set("WHERE GROUP ORDER HAVING QUALIFY LIMIT OFFSET WINDOW CLUSTER DISTRIBUTE SORT")
# Words that stand in expressions and are no columns.
_NO_COLUMN = word_set(
    "AND OR NOT IS NULL TRUE FALSE UNKNOWN IN LIKE ILIKE RLIKE REGEXP BETWEEN CASE WHEN THEN ELSE END AS "
    "DISTINCT ALL FROM SELECT WHERE GROUP BY ORDER HAVING QUALIFY LIMIT OFFSET ON USING JOIN INNER LEFT "
    "RIGHT FULL CROSS NATURAL SEMI ANTI OUTER LATERAL VIEW UNION EXCEPT INTERSECT MINUS ASC DESC NULLS "
    "FIRST LAST OVER PARTITION ROWS RANGE UNBOUNDED PRECEDING FOLLOWING CURRENT ROW DIV INTERVAL EXISTS "
    "ESCAPE COLLATE FILTER WITHIN IGNORE RESPECT ANY SOME CAST TRY_CAST WITH CUBE ROLLUP SETS GROUPING "
    "WINDOW CLUSTER DISTRIBUTE SORT VALUES TABLE PIVOT UNPIVOT FOR BOTH LEADING TRAILING PLACING "
    "TABLESAMPLE PERCENT DELAY OF WATERMARK VERSION EXTEND AGGREGATE SET DROP STREAM"
)
_FORMATS = word_set(
    "DELTA PARQUET JSON CSV TEXT ORC AVRO BINARYFILE XML ICEBERG JSONL CLOUDFILES KAFKA"
)
_BARE_FUNCTIONS = word_set("CURRENT_DATE CURRENT_TIMESTAMP CURRENT_TIME CURRENT_USER SESSION_USER")

# How many brackets a lambda's parameters are looked for in: this keeps the scan linear.
_LAMBDA_REACH = 8
_MOST_BRACKETS = 16

_SELECT, _FROM, _OTHER, _LATERAL_VIEW, _HEAD = "select", "from", "other", "lateral view", "head"


class _Frame:
    """What is open: a query, or a bracket inside one."""

    __slots__ = (
        "awaits",
        "clause",
        "ctes",
        "in_list",
        "in_with",
        "is_query",
        "is_root",
        "item",
        "leaves",
        "opened",
        "owner",
        "parameters",
        "pending",
        "relation",
        "seen",
        "stars",
        "stream",
    )

    def __init__(self, opened: int, ctes: frozenset[str], *, is_query: bool) -> None:
        self.opened = opened
        self.ctes = ctes
        self.is_query = is_query
        self.is_root = False
        self.clause = _HEAD if is_query else _OTHER
        self.awaits = False
        """Whether a relation may start here."""
        self.pending: int | None = None
        """The relation whose alias may come next."""
        self.relation: _Call | None = None
        """The table function whose arguments stand in this bracket."""
        self.stream: int | None = None
        """Where the STREAM stands whose bracket this is."""
        self.in_with: str | None = None
        """The common table expression whose query comes next."""
        self.in_list = False
        """Whether a comma goes on to the next of these."""
        self.item = -1
        """The token that the open select item starts with."""
        self.seen = False
        """Whether anything stood here yet."""
        self.owner = self
        """The query whose FROM clause this bracket belongs to."""
        self.leaves: list[Span] = []
        """The relations of the query's FROM clause."""
        self.stars: list[tuple[Span, tuple[str, ...]]] = []
        """The stars of its select list."""
        self.parameters: set[str] = set()
        """Parameters of the lambdas in this bracket."""


class _Call:
    """A table function whose arguments are being read."""

    __slots__ = ("name", "parts", "start", "stream")

    def __init__(self, parts: tuple[str, ...], name: Span, start: int, stream: int | None) -> None:
        self.parts = parts
        self.name = name
        self.start = start
        self.stream = stream


def outline(text: str, span: Span) -> Outline:
    """Return the outline of the query under a span."""
    return _Scan(text, span).run()


class _Scan:
    def __init__(self, text: str, span: Span) -> None:
        self._text = text
        self._end = span.end
        self._tokens = list(raw_tokens(text, span.start, span.end))
        self._relations: list[Relation] = []
        self._outputs: list[Output] = []
        self._is_first_branch = True
        self._stars: list[StarItem] = []
        self._names: list[tuple[tuple[str, ...], Span]] = []
        self._ctes: list[str] = []
        root = _Frame(-1, frozenset(), is_query=True)
        root.is_root = True
        self._frames = [root]

    def run(self) -> Outline:
        place = 0
        while place < len(self._tokens):
            place = self._step(place)
        while self._frames:
            frame = self._frames.pop()
            self._end_item(frame, len(self._tokens))
            self._end_branch(frame)
        if not self._outputs and self._relations:
            # FROM without SELECT puts out whatever it reads.
            at = self._relations[0].whole
            self._outputs.append(Output(name=None, span=at, is_star=True))
        return Outline(
            relations=tuple(self._relations),
            outputs=tuple(self._outputs),
            stars=tuple(sorted(self._stars, key=lambda star: star.span)),
            names=tuple(self._names),
            ctes=tuple(self._ctes),
        )

    # ------------------------------------------------------------ one token

    def _upper(self, place: int) -> str:
        if 0 <= place < len(self._tokens):
            return self._tokens[place].text.upper()
        return ""

    def _is_name(self, place: int) -> bool:
        return 0 <= place < len(self._tokens) and self._tokens[place].kind in (WORD, QUOTED)

    def _step(self, place: int) -> int:
        """Read what starts at a token; return where the next thing starts."""
        frame = self._frames[-1]
        token = self._tokens[place]
        if frame.pending is not None:
            after = self._alias(frame, place)
            if after is not None:
                return after
        if token.text == "(" and token.kind == OPERATOR:
            return self._open(frame, place)
        if token.text == ")" and token.kind == OPERATOR:
            return self._close(frame, place)
        if token.kind in (WORD, QUOTED):
            seen, frame.seen = frame.seen, True
            return self._name_or_word(frame, place, first=not seen)
        frame.seen = True
        if token.text == "," and frame.in_list:
            return self._cte(frame, place + 1)
        if token.kind == OPERATOR:
            self._operator(frame, place)
        return place + 1

    def _operator(self, frame: _Frame, place: int) -> None:
        token = self._tokens[place]
        if token.text == ",":
            if frame.clause == _SELECT and frame.is_query:
                self._end_item(frame, place)
                frame.item = place + 1
            elif frame.clause == _FROM:
                frame.awaits = True
        elif token.text == "*" and frame.is_query and frame.clause == _SELECT:
            before = self._upper(place - 1)
            if before in ("SELECT", "DISTINCT", "ALL", ","):
                frame.stars.append((Span(token.start, token.end), ()))
        elif token.text == "|" and self._upper(place + 1) == ">" and frame.is_query:
            self._end_item(frame, place)
            frame.clause, frame.awaits, frame.pending = _OTHER, False, None

    # ------------------------------------------------------------ brackets

    def _open(self, frame: _Frame, place: int) -> int:
        opens_query = self._upper(place + 1) in _QUERY_OPENERS and self._is_query_at(place + 1)
        nested = not opens_query and self._opens_nested_query(place)
        child = _Frame(place, frame.ctes, is_query=opens_query or nested)
        child.parameters.update(self._lambda_parameters(place))
        child.is_root = frame.is_root and frame.is_query and not frame.seen and child.is_query
        if frame.awaits:
            frame.awaits = False
            if not child.is_query:
                child.is_query, child.clause, child.awaits = True, _FROM, True
                child.owner = frame.owner
        if frame.in_with is not None:
            child.is_query = True
            child.clause = _HEAD
        frame.seen = True
        self._frames.append(child)
        return place + 1

    def _lambda_parameters(self, place: int) -> list[str]:
        """Return the names in a bracket that an arrow follows."""
        found: list[str] = []
        at = place + 1
        while self._is_name(at) and self._upper(at + 1) == ",":
            found.append(self._tokens[at].text.lower())
            at += 2
        if not found or self._upper(at + 1) != ")" or self._upper(at + 2) != "->":
            return []
        found.append(self._upper(at).lower())
        self._frames[-1].parameters.update(found)
        return found

    def _opens_nested_query(self, place: int) -> bool:
        """Tell whether only brackets, and not many, stand between here and a query."""
        last = place + _MOST_BRACKETS
        while place < last and self._upper(place) == "(":
            place += 1
        return self._upper(place) in ("SELECT", "WITH") and self._is_query_at(place)

    def _is_query_at(self, place: int) -> bool:
        """Tell a query from a column or function with the name of its first word."""
        word, following = self._upper(place), self._upper(place + 1)
        if self._tokens[place].kind != WORD:
            return False
        if word == "VALUES":
            return following == "("
        if word in ("WITH", "TABLE", "FROM"):
            return self._is_name(place + 1) or (word == "FROM" and following == "(")
        return following not in (")", ",", ".", "=", "")

    def _close(self, frame: _Frame, place: int) -> int:
        if len(self._frames) == 1:
            return place + 1
        self._end_item(frame, place)
        self._end_branch(frame)
        self._frames.pop()
        outer = self._frames[-1]
        end = self._tokens[place].end
        if frame.relation is not None:
            self._finish_call(outer, frame.relation, frame.opened, place)
        elif frame.stream is not None:
            self._widen(outer, frame.stream, end)
        elif outer.in_with is not None:
            self._ctes.append(outer.in_with)
            outer.ctes |= {outer.in_with.lower()}
            outer.in_with = None
        return place + 1

    def _widen(self, outer: _Frame, stream: int, end: int) -> None:
        """Give a relation in STREAM(...) its whole span."""
        start = self._tokens[stream].start
        last = self._relations[-1] if self._relations else None
        if last is None or last.span.start < start:
            return
        self._relations[-1] = _changed(last, whole=Span(start, end))
        outer.pending = len(self._relations) - 1

    # ------------------------------------------------------------ words

    def _name_or_word(self, frame: _Frame, place: int, *, first: bool) -> int:
        token = self._tokens[place]
        word = token.text.upper() if token.kind == WORD else ""
        after_dot = self._upper(place - 1) == "."
        if frame.is_query and not after_dot:
            after = self._clause(frame, place, word, first=first)
            if after is not None:
                return after
        if frame.awaits:
            return self._relation(frame, place)
        if word == "TABLE" and not frame.is_query and self._is_name(place + 1):
            frame.awaits = True
            return place + 1
        return self._name(frame, place)

    def _clause(self, frame: _Frame, place: int, word: str, *, first: bool) -> int | None:
        """Read a word that opens a clause; ``None`` if it does not."""
        following = self._upper(place + 1)
        if word == "WITH" and first:
            return self._with(frame, place + 1)
        if word == "SELECT":
            return self._select(frame, place)
        if word == "FROM" and self._upper(place - 1) != "DISTINCT":
            self._end_item(frame, place)
            frame.clause, frame.awaits = _FROM, True
            return place + 1
        if word == "TABLE" and first and self._is_name(place + 1):
            frame.clause, frame.awaits = _FROM, True
            return place + 1
        if word == "JOIN" and frame.clause != _SELECT:
            frame.clause, frame.awaits = _FROM, True
            return place + 1
        if word == "LATERAL" and following == "VIEW":
            frame.clause, frame.awaits = _LATERAL_VIEW, False
            return place + (3 if self._upper(place + 2) == "OUTER" else 2)
        if word == "LATERAL" and frame.awaits:
            return place + 1
        if word in _SET_OPERATIONS and not first:
            if word == "EXCEPT" and following == "(" and frame.clause == _SELECT:
                return None
            self._end_item(frame, place)
            self._end_branch(frame)
            self._is_first_branch = self._is_first_branch and not frame.is_root
            frame.clause, frame.awaits = _OTHER, False
            return place + (2 if following in ("ALL", "DISTINCT") else 1)
        if word in _CLAUSES and frame.clause in (_FROM, _LATERAL_VIEW):
            frame.clause, frame.awaits = _OTHER, False
            return place + 1
        return None

    def _with(self, frame: _Frame, place: int) -> int:
        """Step into the list of common table expressions."""
        if self._upper(place) == "RECURSIVE":
            place += 1
        return self._cte(frame, place)

    def _cte(self, frame: _Frame, place: int) -> int:
        if not self._is_name(place):
            return place
        frame.in_list = True
        frame.in_with = _unquoted(self._tokens[place])
        recursive = self._upper(place - 1) == "RECURSIVE"
        place += 1
        if self._upper(place) == "(":
            place = self._behind_bracket(place)
        while self._upper(place) in ("AS", "NOT", "MATERIALIZED", "MAX", "RECURSION", "LEVEL"):
            place += 1
        if recursive:
            frame.ctes |= {frame.in_with.lower()}
        frame.seen = True
        return place

    def _behind_bracket(self, place: int) -> int:
        depth = 0
        while place < len(self._tokens):
            text = self._tokens[place].text
            depth += (text == "(") - (text == ")")
            place += 1
            if depth == 0:
                break
        return place

    def _select(self, frame: _Frame, place: int) -> int:
        self._end_item(frame, place)
        frame.clause, frame.awaits, frame.in_list = _SELECT, False, False
        if frame.is_root and self._is_pipe(place - 2):
            self._outputs.clear()
        place += 1
        if self._upper(place) in ("DISTINCT", "ALL") and self._upper(place + 1) not in (",", "."):
            place += 1
        frame.item = place
        if self._upper(place) == "*":
            token = self._tokens[place]
            frame.stars.append((Span(token.start, token.end), ()))
            place += 1
        return place

    def _is_pipe(self, place: int) -> bool:
        return self._upper(place) == "|" and self._upper(place + 1) == ">"

    # ------------------------------------------------------------ names and relations

    def _dotted(self, place: int) -> tuple[tuple[str, ...], int]:
        """Read a dotted name; return its parts and the place behind it."""
        parts = [_unquoted(self._tokens[place])]
        place += 1
        while self._upper(place) == "." and self._is_name(place + 1):
            parts.append(_unquoted(self._tokens[place + 1]))
            place += 2
        return tuple(parts), place

    def _name(self, frame: _Frame, place: int) -> int:
        """Read a name in an expression: a column, a star's qualifier, or a called function."""
        if self._upper(place - 1) == ".":
            return place + 1
        token = self._tokens[place]
        parts, after = self._dotted(place)
        following = self._upper(after)
        if following == "->" and len(parts) == 1:
            frame.parameters.add(parts[0].lower())
            return after
        if following == "." and self._upper(after + 1) == "*":
            if frame.is_query and frame.clause == _SELECT:
                frame.stars.append((Span(token.start, self._tokens[after + 1].end), parts))
            return after + 2
        is_word = token.kind == WORD and token.text.upper() in _NO_COLUMN
        if following == "(" and frame.is_query and not is_word and not self._starts_operand(place):
            # An alias with names for its columns.
            return self._behind_bracket(after)
        if following in ("(", "=>") or self._is_literal_prefix(place, after):
            return after
        if self._upper(place - 1) in (":", "::", "?::"):
            return self._behind_type(after)
        if len(parts) == 1:
            if is_word or (token.kind == WORD and token.text.upper() in _BARE_FUNCTIONS):
                return self._behind_as(place) if token.text.upper() == "AS" else after
            if not self._starts_operand(place):
                return after
        if self._is_no_column(frame, place, parts[0]):
            return after
        self._names.append((parts, Span(token.start, self._tokens[after - 1].end)))
        return after

    def _is_literal_prefix(self, place: int, after: int) -> bool:
        """Tell whether a word only says the type of the string behind it: ``DATE '...'``."""
        following = self._tokens[after] if after < len(self._tokens) else None
        return (
            following is not None
            and after == place + 1
            and following.text[:1] in "'\""
            and following.kind != STRANGE
        )

    def _starts_operand(self, place: int) -> bool:
        """Tell whether a value may start here: aliases and units stand right behind one."""
        before = self._tokens[place - 1] if place > 0 else None
        if before is None:
            return True
        if before.kind == WORD:
            return before.text.upper() in _NO_COLUMN and before.text.upper() not in (
                "END",
                "NULL",
                "TRUE",
                "FALSE",
                "ROW",
                "AS",
            )
        if before.kind == OPERATOR:
            return before.text not in (")", "]", "::", "?::", ":")
        return False

    def _behind_as(self, place: int) -> int:
        """Pass over what follows AS: an alias, aliases in brackets, or a type."""
        return self._behind_type(place + 2) if self._is_name(place + 1) else place + 1

    def _behind_type(self, place: int) -> int:
        """Pass over the angle brackets of a type."""
        if self._upper(place) != "<":
            return place
        depth = 0
        while place < len(self._tokens):
            text = self._tokens[place].text
            depth += text.count("<") - text.count(">")
            place += 1
            if depth <= 0:
                break
        return place

    def _is_no_column(self, frame: _Frame, place: int, name: str) -> bool:
        """Tell lambda parameters, fields to extract and aliases of LATERAL VIEW from columns."""
        if frame.is_query and frame.clause == _LATERAL_VIEW:
            return True
        if self._upper(place - 1) == "(" and self._upper(place - 2) == "EXTRACT":
            return True
        return any(name.lower() in one.parameters for one in self._frames[-_LAMBDA_REACH:])

    def _relation(self, frame: _Frame, place: int) -> int:
        """Read the leaf that starts here."""
        stream: int | None = None
        if self._upper(place) == "VALUES" and self._upper(place + 1) == "(":
            frame.clause, frame.awaits = _OTHER, False
            return place + 1
        if self._upper(place) == "STREAM" and self._tokens[place].kind == WORD:
            following = place + 1
            if self._upper(following) == "(":
                frame.awaits = False
                child = _Frame(following, frame.ctes, is_query=False)
                child.clause, child.awaits, child.stream = _FROM, True, place
                child.owner = frame.owner
                self._frames.append(child)
                return following + 1
            if self._is_name(following) and self._upper(following) not in _NO_ALIAS | {"AS"}:
                stream, place = place, following
        frame.awaits = False
        outer_stream = frame.stream if stream is None else stream
        token = self._tokens[place]
        parts, after = self._dotted(place)
        start = token.start if stream is None else self._tokens[stream].start
        if self._upper(after) == "(":
            child = _Frame(after, frame.ctes, is_query=False)
            name = Span(token.start, self._tokens[after - 1].end)
            child.relation = _Call(parts, name, start, outer_stream)
            self._frames.append(child)
            return after + 1
        span = Span(token.start, self._tokens[after - 1].end)
        if len(parts) == 1 and parts[0].lower() in frame.ctes:
            return self._behind_alias(after)
        is_path = (
            len(parts) == 2
            and self._tokens[after - 1].kind == QUOTED
            and parts[0].upper() in _FORMATS
        )
        self._relations.append(
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
        frame.pending = len(self._relations) - 1
        frame.owner.leaves.append(span)
        return after

    def _finish_call(self, outer: _Frame, call: _Call, opened: int, closed: int) -> None:
        end = self._tokens[closed].end
        self._relations.append(
            Relation(
                kind=RelationKind.FUNCTION,
                parts=call.parts,
                span=Span(call.name.start, end),
                whole=Span(call.start, end),
                streaming=call.stream is not None,
                alias=None,
                alias_span=None,
                arguments=tuple(self._arguments(opened, closed)),
            )
        )
        outer.pending = len(self._relations) - 1
        outer.owner.leaves.append(self._relations[-1].span)

    def _arguments(self, opened: int, closed: int) -> list[Argument]:
        arguments: list[Argument] = []
        first, depth = opened + 1, 0
        for place in range(opened + 1, closed + 1):
            text = self._tokens[place].text
            if (text == "," and depth == 0) or place == closed:
                if place > first:
                    arguments.append(self._argument(first, place))
                first = place + 1
            elif text in ("(", "["):
                depth += 1
            elif text in (")", "]"):
                depth -= 1
        return arguments

    def _argument(self, first: int, stop: int) -> Argument:
        name: str | None = None
        if self._upper(first + 1) == "=>" and first + 2 < stop:
            name = _unquoted(self._tokens[first])
            first += 2
        span = Span(self._tokens[first].start, self._tokens[stop - 1].end)
        return Argument(name=name, span=span)

    # ------------------------------------------------------------ aliases

    def _alias(self, frame: _Frame, place: int) -> int | None:
        """Read what may stand between a relation and its alias, or the alias itself."""
        token = self._tokens[place]
        word = token.text.upper() if token.kind == WORD else ""
        following = self._upper(place + 1)
        if word in ("VERSION", "TIMESTAMP", "SYSTEM_TIME", "SYSTEM_VERSION") and following == "AS":
            return place + 4
        if word == "FOR" and following in ("VERSION", "TIMESTAMP", "SYSTEM_TIME", "SYSTEM_VERSION"):
            return place + 1
        if token.text == "@":
            return place + 2
        if word in ("TABLESAMPLE", "PIVOT", "UNPIVOT", "WITH") and following == "(":
            return self._behind_bracket(place + 1)
        if word == "WATERMARK":
            return self._behind_watermark(place)
        index, frame.pending = frame.pending, None
        assert index is not None
        if word == "AS" and self._is_name(place + 1):
            place += 1
        elif token.kind not in (WORD, QUOTED) or word in _NO_ALIAS:
            return None
        named = self._tokens[place]
        self._relations[index] = _changed(
            self._relations[index],
            alias=_unquoted(named),
            alias_span=Span(named.start, named.end),
        )
        after = place + 1
        return self._behind_bracket(after) if self._upper(after) == "(" else after

    def _behind_alias(self, place: int) -> int:
        """Pass over the alias of a common table expression."""
        if self._upper(place) == "AS":
            place += 1
        if self._is_name(place) and self._upper(place) not in _NO_ALIAS:
            place += 1
        return place

    def _behind_watermark(self, place: int) -> int:
        """Pass over WATERMARK column DELAY OF INTERVAL amount unit."""
        while place < len(self._tokens) and self._upper(place) != "INTERVAL":
            if self._upper(place) in (")", ",") or self._upper(place) in _CLAUSES:
                return place
            place += 1
        return min(place + 3, len(self._tokens))

    # ------------------------------------------------------------ outputs

    def _end_item(self, frame: _Frame, stop: int) -> None:
        """Close the select item that is open in a frame."""
        first, frame.item = frame.item, -1
        if 0 <= first < stop and frame.is_root and self._is_first_branch:
            self._outputs.append(self._output(first, stop))

    def _end_branch(self, frame: _Frame) -> None:
        """Close one SELECT: its stars cover what its FROM clause reads."""
        if frame.owner is not frame:
            return
        leaves = tuple(frame.leaves)
        self._stars += [
            StarItem(span=span, qualifier=qualifier, relations=leaves)
            for span, qualifier in frame.stars
        ]
        frame.leaves, frame.stars = [], []

    def _output(self, first: int, stop: int) -> Output:
        tokens = self._tokens[first:stop]
        span = Span(tokens[0].start, tokens[-1].end)
        if tokens[0].text == "*":
            return Output(name=None, span=span, is_star=True)
        parts, after = self._dotted(first) if self._is_name(first) else ((), first)
        if parts and self._upper(after) == "." and self._upper(after + 1) == "*":
            return Output(name=None, span=span, is_star=True, qualifier=parts)
        return Output(name=name_of(tokens), span=span, is_star=False)


def _changed(
    relation: Relation,
    *,
    whole: Span | None = None,
    alias: str | None = None,
    alias_span: Span | None = None,
) -> Relation:
    return Relation(
        kind=relation.kind,
        parts=relation.parts,
        span=relation.span,
        whole=whole or relation.whole,
        streaming=relation.streaming,
        alias=alias or relation.alias,
        alias_span=alias_span or relation.alias_span,
        arguments=relation.arguments,
    )


def _unquoted(token: RawToken) -> str:
    return token.text[1:-1].replace("``", "`") if token.kind == QUOTED else token.text
