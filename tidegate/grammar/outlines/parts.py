"""The tokens of a query, and what is open while they are read."""

import msgspec

from tidegate.grammar.building.literals import is_unit, string_value
from tidegate.grammar.nodes import Watermark
from tidegate.grammar.outlines.outline import Argument, ReadOption, Relation
from tidegate.grammar.tokens import (
    NUMBER,
    OPERATOR,
    QUOTED,
    STRANGE,
    STRING,
    WORD,
    RawToken,
    word_set,
)
from tidegate.source.span import Span

QUERY_OPENERS = word_set("SELECT WITH FROM VALUES TABLE")
SET_OPERATIONS = word_set("UNION EXCEPT INTERSECT MINUS")
# What cannot be the alias of a relation: the clauses and joins that may follow it.
NO_ALIAS = word_set(
    "ON USING WHERE GROUP ORDER HAVING QUALIFY LIMIT OFFSET WINDOW CLUSTER DISTRIBUTE SORT UNION "
    "EXCEPT INTERSECT MINUS JOIN INNER LEFT RIGHT FULL CROSS NATURAL SEMI ANTI OUTER LATERAL "
    "PIVOT UNPIVOT TABLESAMPLE SELECT FROM SET WITH WATERMARK MATCH_RECOGNIZE"
)
CLAUSES = word_set("WHERE GROUP ORDER HAVING QUALIFY LIMIT OFFSET WINDOW CLUSTER DISTRIBUTE SORT")
# Words that stand in expressions and are no columns.
NO_COLUMN = word_set(
    "AND OR NOT IS NULL TRUE FALSE UNKNOWN IN LIKE ILIKE RLIKE REGEXP BETWEEN CASE WHEN THEN "
    "ELSE END AS DISTINCT ALL FROM SELECT WHERE GROUP BY ORDER HAVING QUALIFY LIMIT OFFSET ON "
    "USING JOIN INNER LEFT RIGHT FULL CROSS NATURAL SEMI ANTI OUTER LATERAL VIEW UNION EXCEPT "
    "INTERSECT MINUS ASC DESC NULLS FIRST LAST OVER PARTITION ROWS RANGE UNBOUNDED PRECEDING "
    "FOLLOWING CURRENT ROW DIV INTERVAL EXISTS ESCAPE COLLATE FILTER WITHIN IGNORE RESPECT ANY "
    "SOME CAST TRY_CAST WITH CUBE ROLLUP SETS GROUPING WINDOW CLUSTER DISTRIBUTE SORT VALUES "
    "TABLE PIVOT UNPIVOT FOR BOTH LEADING TRAILING PLACING TABLESAMPLE PERCENT DELAY OF "
    "WATERMARK VERSION EXTEND AGGREGATE SET DROP STREAM"
)
FORMATS = word_set(
    "DELTA PARQUET JSON CSV TEXT ORC AVRO BINARYFILE XML ICEBERG JSONL CLOUDFILES KAFKA"
)
BARE_FUNCTIONS = word_set("CURRENT_DATE CURRENT_TIMESTAMP CURRENT_TIME CURRENT_USER SESSION_USER")

# How many brackets a lambda's parameters are looked for in: this keeps the scan linear.
LAMBDA_REACH = 8
_MOST_BRACKETS = 4
_LONGEST_WATERMARK = 50
DEEPEST = 1000

SELECT, FROM, OTHER, LATERAL_VIEW, HEAD = "select", "from", "other", "lateral view", "head"


_NO_NAMES: frozenset[str] = frozenset()


class Frame:
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

    def __init__(self, opened: int, *, is_query: bool) -> None:
        self.opened = opened
        self.ctes: set[str] | None = None
        """The common table expressions that are named in this bracket, in small letters."""
        self.is_query = is_query
        self.is_root = False
        self.clause = HEAD if is_query else OTHER
        self.awaits = False
        """Whether a relation may start here."""
        self.pending: int | None = None
        """The relation whose alias may come next."""
        self.relation: Call | None = None
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
        self.leaves: list[Span] | None = None
        """The relations of the query's FROM clause."""
        self.stars: list[tuple[Span, tuple[str, ...]]] | None = None
        """The stars of its select list."""
        self.parameters: frozenset[str] = _NO_NAMES
        """Parameters of the lambdas in this bracket."""

    def add_cte(self, name: str) -> None:
        """Note a common table expression."""
        if self.ctes is None:
            self.ctes = set()
        self.ctes.add(name.lower())

    def add_leaf(self, span: Span) -> None:
        """Note a relation of the FROM clause that this bracket belongs to."""
        if self.owner.leaves is None:
            self.owner.leaves = []
        self.owner.leaves.append(span)

    def add_star(self, span: Span, qualifier: tuple[str, ...]) -> None:
        """Note a star of the select list."""
        if self.stars is None:
            self.stars = []
        self.stars.append((span, qualifier))


class Call:
    """A table function whose arguments are being read."""

    __slots__ = ("name", "parts", "start", "stream")

    def __init__(self, parts: tuple[str, ...], name: Span, start: int, stream: int | None) -> None:
        self.parts = parts
        self.name = name
        self.start = start
        self.stream = stream


class TokenList:
    """The tokens of a query, with the questions that a scan asks of them."""

    def __init__(self, tokens: list[RawToken]) -> None:
        self.tokens = tokens
        self._words = [token.text.upper() for token in tokens]

    def upper(self, place: int) -> str:
        """Return a token's text in capitals; empty beyond the ends."""
        return self._words[place] if 0 <= place < len(self._words) else ""

    def is_name(self, place: int) -> bool:
        """Tell whether a word or a name in backticks stands at a place."""
        return 0 <= place < len(self.tokens) and self.tokens[place].kind in (WORD, QUOTED)

    def is_query_at(self, place: int) -> bool:
        """Tell a query from a column or function with the name of its first word."""
        word, following = self.upper(place), self.upper(place + 1)
        if self.tokens[place].kind != WORD:
            return False
        if word == "VALUES":
            return following == "("
        if word in ("WITH", "TABLE", "FROM"):
            return self.is_name(place + 1) or (word == "FROM" and following == "(")
        return following not in (")", ",", ".", "=", "")

    def opens_nested_query(self, place: int) -> bool:
        """Tell whether only brackets, and not many, stand between here and a query."""
        last = place + _MOST_BRACKETS
        while place < last and self.upper(place) == "(":
            place += 1
        return self.upper(place) in ("SELECT", "WITH") and self.is_query_at(place)

    def dotted(self, place: int) -> tuple[tuple[str, ...], int]:
        """Read a dotted name; return its parts and the place behind it."""
        parts = [unquoted(self.tokens[place])]
        place += 1
        while self.upper(place) == "." and self.is_name(place + 1):
            parts.append(unquoted(self.tokens[place + 1]))
            place += 2
        return tuple(parts), place

    def behind_bracket(self, place: int) -> int:
        """Return the place behind the bracket that opens here."""
        depth = 0
        while place < len(self.tokens):
            text = self.tokens[place].text
            depth += (text == "(") - (text == ")")
            place += 1
            if depth == 0:
                break
        return place

    def behind_type(self, place: int) -> int:
        """Pass over the angle brackets of a type."""
        if self.upper(place) != "<":
            return place
        depth = 0
        while place < len(self.tokens):
            text = self.tokens[place].text
            depth += text.count("<") - text.count(">")
            place += 1
            if depth <= 0:
                break
        return place

    def behind_as(self, place: int) -> int:
        """Pass over what follows AS: an alias, aliases in brackets, or a type."""
        return self.behind_type(place + 2) if self.is_name(place + 1) else place + 1

    def watermark(self, place: int) -> tuple[Watermark | None, int]:
        """Read WATERMARK expression DELAY OF interval; return it and the place behind it."""
        first = place + 1
        delay = first
        reach = min(len(self.tokens), first + _LONGEST_WATERMARK)
        while self.upper(delay) != "DELAY" or self.upper(delay + 1) != "OF":
            if delay >= reach or self.upper(delay) in CLAUSES or self.upper(delay) == "WATERMARK":
                return None, place + 1
            delay += 1
        stop = self._behind_interval(delay + 2)
        if delay == first or stop == delay + 2:
            return None, stop
        tokens = self.tokens
        return Watermark(
            span=Span(tokens[place].start, tokens[stop - 1].end),
            expression=Span(tokens[first].start, tokens[delay - 1].end),
            delay=Span(tokens[delay + 2].start, tokens[stop - 1].end),
        ), stop

    def _behind_interval(self, place: int) -> int:
        """Pass over INTERVAL, its amounts and their units, or over one token instead."""
        if self.upper(place) != "INTERVAL":
            return min(place + 1, len(self.tokens))
        place += 1
        while place < len(self.tokens):
            token = self.tokens[place]
            is_sign = token.kind == OPERATOR and token.text in ("+", "-")
            is_part = token.kind == WORD and (token.text.upper() == "TO" or is_unit(token.text))
            is_interval = is_sign or is_part or token.kind in (STRING, NUMBER)
            # A placeholder may be the amount.
            if not is_interval and self.upper(place - 1) != "INTERVAL":
                break
            place += 1
        return place

    def options(self, opened: int, closed: int) -> tuple[ReadOption, ...]:
        """Read options and flags between two parentheses."""
        found: list[ReadOption] = []
        first = opened + 1
        for place in range(opened + 1, closed + 1):
            if self.upper(place) != "," and place != closed:
                continue
            inner = self.tokens[first:place]
            first = place + 1
            if not inner:
                continue
            equals = next((i for i, token in enumerate(inner) if token.text == "="), len(inner))
            behind = inner[equals + 1 :]
            found.append(
                ReadOption(
                    name="".join(_plain(token) for token in inner[:equals]),
                    value=Span(behind[0].start, behind[-1].end) if behind else None,
                )
            )
        return tuple(found)

    def behind_alias(self, place: int) -> int:
        """Pass over the alias of a common table expression."""
        if self.upper(place) == "AS":
            place += 1
        if self.is_name(place) and self.upper(place) not in NO_ALIAS:
            place += 1
        return place

    def is_literal_prefix(self, place: int, after: int) -> bool:
        """Tell whether a word only says the type of the string behind it: ``DATE '...'``."""
        following = self.tokens[after] if after < len(self.tokens) else None
        return (
            following is not None
            and after == place + 1
            and following.text[:1] in "'\""
            and following.kind != STRANGE
        )

    def starts_operand(self, place: int) -> bool:
        """Tell whether a value may start here: aliases and units stand right behind one."""
        before = self.tokens[place - 1] if place > 0 else None
        if before is None:
            return True
        if before.kind == WORD:
            return before.text.upper() in NO_COLUMN and before.text.upper() not in (
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

    def arguments(self, opened: int, closed: int) -> list[Argument]:
        """Cut what stands between two parentheses at its commas."""
        arguments: list[Argument] = []
        first, depth = opened + 1, 0
        for place in range(opened + 1, closed + 1):
            text = self.tokens[place].text
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
        if self.upper(first + 1) == "=>" and first + 2 < stop:
            name = unquoted(self.tokens[first])
            first += 2
        span = Span(self.tokens[first].start, self.tokens[stop - 1].end)
        return Argument(name=name, span=span)

    def is_pipe(self, place: int) -> bool:
        """Tell whether ``|>`` stands at a place."""
        return self.upper(place) == "|" and self.upper(place + 1) == ">"


def changed(
    relation: Relation,
    *,
    whole: Span | None = None,
    alias: str | None = None,
    alias_span: Span | None = None,
) -> Relation:
    """Return a relation with what has become known of it since."""
    return msgspec.structs.replace(
        relation,
        whole=whole or relation.whole,
        alias=alias or relation.alias,
        alias_span=alias_span or relation.alias_span,
    )


def _plain(token: RawToken) -> str:
    return string_value(token.text) if token.kind == STRING else unquoted(token)


def unquoted(token: RawToken) -> str:
    """Return a name without its backticks."""
    return token.text[1:-1].replace("``", "`") if token.kind == QUOTED else token.text
