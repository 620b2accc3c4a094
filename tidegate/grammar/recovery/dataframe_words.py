"""A predicate's text comes in; what is written for the DataFrame API, and its SQL, go out."""

import re

import msgspec

from tidegate.grammar.building.pieces import backticked
from tidegate.grammar.tokens import NUMBER, OPERATOR, STRING, WORD, RawToken, raw_tokens, word_set
from tidegate.source.diagnostic import Fault
from tidegate.source.edit import Edit, Fix, Safety
from tidegate.source.span import Span

# Nobody writes a longer predicate by hand.
_LONGEST = 20_000
_HINT = re.compile(r"\b(?:col|column|lit)\s*+\(|\bNone\b|\.\s*+is(?:NotNull|Null|in)\b|&|\|")
# One of these stands in all that has a hint, and they are looked for ten times as fast.
_MARKS = ("col", "lit", "None", "isN", "isin", "&", "|")
_MODULES = word_set("F f fn functions")
_COLUMNS = word_set("col column")
_METHODS = {
    "isNotNull": "IS NOT NULL",
    "isNull": "IS NULL",
    "isin": "IN",
    "eqNullSafe": "<=>",
    "like": "LIKE",
    "rlike": "RLIKE",
    "ilike": "ILIKE",
}
# Spelt like this they are no functions of a schema.
_CERTAIN_METHODS = word_set("isNotNull isNull isin eqNullSafe")
_COMPARISONS = word_set("= == <> != < <= > >= <=>")
_TESTS = _COMPARISONS | word_set("IS IN LIKE ILIKE RLIKE REGEXP BETWEEN")
_BORDERS = word_set("AND OR NOT WHEN THEN ELSE CASE END , & | ||")
_JOINTS = {"&": "AND", "|": "OR", "||": "OR"}


class DataframeWords(msgspec.Struct, frozen=True, kw_only=True):
    """What a predicate takes from Python, and how SQL says it."""

    said: str
    """The first of it, as written."""
    where: Span
    edits: tuple[Edit, ...]


def dataframe_words(text: str, begin: int, end: int) -> DataframeWords | None:
    """Return what a predicate takes from the DataFrame API, or nothing."""
    if end - begin > _LONGEST or not any(map(text[begin:end].__contains__, _MARKS)):
        return None
    if not _HINT.search(text, begin, end):
        return None
    scan = _Scan(text, list(raw_tokens(text, begin, end)))
    scan.run()
    if scan.first is None:
        return None
    where = scan.first
    edits = tuple(sorted(scan.edits, key=lambda edit: edit.span))
    return DataframeWords(said=text[where.start : where.end], where=where, edits=edits)


def dataframe_fault(words: DataframeWords, *, is_mended: bool) -> Fault:
    """Return the one fault of a predicate that is written for the DataFrame API."""
    return Fault(
        name="dataframe-api-in-sql",
        span=words.where,
        message=f"`{words.said}` is of Python's DataFrame API, not of SQL",
        help="write the column's name, AND, OR, IS NOT NULL, IN and plain literals",
        fix=Fix("Write it in SQL", words.edits, Safety.SAFE) if is_mended else None,
    )


class _Scan:
    """Goes through the tokens once."""

    def __init__(self, text: str, tokens: list[RawToken]) -> None:
        self._text = text
        self._tokens = tokens
        self.edits: list[Edit] = []
        self.first: Span | None = None
        self._at = 0

    def run(self) -> None:
        while self._at < len(self._tokens):
            taken = self._column() or self._literal() or self._method() or self._none()
            self._at += taken or self._joint() or 1

    def _is(self, place: int, text: str) -> bool:
        return 0 <= place < len(self._tokens) and self._tokens[place].text == text

    def _flag(self, first: int, last: int) -> None:
        if self.first is None:
            self.first = Span(self._tokens[first].start, self._tokens[last].end)

    def _replace(self, first: int, last: int, by: str) -> None:
        start, end = self._tokens[first].start, self._tokens[last].end
        before = "" if start == 0 or self._text[start - 1] in " \t\r\n(" else " "
        after = self._text[end : end + 1]
        behind = " " if by and (after.isalnum() or after in "_`'\"(&|") and after else ""
        self.edits.append(Edit(Span(start, end), f"{before if by else ''}{by}{behind}"))

    def _closing(self, opening: int) -> int | None:
        depth = 0
        for place in range(opening, len(self._tokens)):
            depth += (self._tokens[place].text == "(") - (self._tokens[place].text == ")")
            if depth == 0:
                return place
        return None

    def _prefix(self) -> int | None:
        """Return where a call of Python's functions starts, or nothing behind another name."""
        at = self._at
        if not self._is(at - 1, "."):
            return at
        if at >= 2 and self._tokens[at - 2].text in _MODULES and not self._is(at - 3, "."):
            return at - 2
        return None

    # ------------------------------------------------------------ forms

    def _column(self) -> int:
        """``col("a")`` and ``F.col("a")``."""
        at, tokens = self._at, self._tokens
        if (
            tokens[at].text not in _COLUMNS
            or not self._is(at + 1, "(")
            or not self._is(at + 3, ")")
        ):
            return 0
        first = self._prefix()
        if first is None or tokens[at + 2].kind != STRING:
            return 0
        self._flag(first, at + 3)
        self._replace(first, at + 3, _as_name(tokens[at + 2].text[1:-1]))
        return 4

    def _literal(self) -> int:
        """``lit(1)`` and ``F.lit('x')``."""
        at, tokens = self._at, self._tokens
        if tokens[at].text != "lit" or not self._is(at + 1, "("):
            return 0
        first, closing = self._prefix(), self._closing(at + 1)
        if first is None or closing is None:
            return 0
        inner = tokens[at + 2 : closing]
        if not inner or inner[0].kind not in (STRING, NUMBER, WORD, OPERATOR) or len(inner) > 2:
            return 0
        self._flag(first, closing)
        self._replace(first, closing, self._text[inner[0].start : inner[-1].end])
        return closing + 1 - at

    def _method(self) -> int:
        """``.isNotNull()``, ``.isin('a', 'b')``."""
        at, tokens = self._at, self._tokens
        if not self._is(at, ".") or not self._is(at + 2, "("):
            return 0
        name = tokens[at + 1].text
        closing = self._closing(at + 2)
        if name not in _METHODS or closing is None:
            return 0
        if name not in _CERTAIN_METHODS and self.first is None:
            return 0
        self._flag(at, closing)
        inner = tokens[at + 3 : closing]
        if len(inner) > 1 and inner[0].text == "[" and inner[-1].text == "]":
            inner = inner[1:-1]
        said = self._text[inner[0].start : inner[-1].end] if inner else ""
        words = _METHODS[name]
        if words == "IN":
            words = f"IN ({said})"
        elif said:
            words = f"{words} {said}"
        self._replace(at, closing, words)
        return closing + 1 - at

    def _none(self) -> int:
        """``== None``."""
        at, tokens = self._at, self._tokens
        if tokens[at].text != "None" or at == 0 or self._is(at + 1, ".") or self._is(at + 1, "("):
            return 0
        before = tokens[at - 1].text.upper()
        if before in ("=", "==", "<>", "!="):
            self._flag(at, at)
            self._replace(at - 1, at, "IS NULL" if before in ("=", "==") else "IS NOT NULL")
            return 1
        if before == "IS" or (before == "NOT" and self._tokens[at - 2].text.upper() == "IS"):
            self._flag(at, at)
            self._replace(at, at, "NULL")
            return 1
        return 0

    def _joint(self) -> int:
        """``&&``, and ``&`` or ``|`` between comparisons."""
        at, tokens = self._at, self._tokens
        word = tokens[at].text
        if word not in _JOINTS or tokens[at].kind != OPERATOR:
            return 0
        if word == "&" and self._is(at + 1, "&") and tokens[at].end == tokens[at + 1].start:
            self._flag(at, at + 1)
            self._replace(at, at + 1, "AND")
            return 2
        left, right = self._truth(at - 1, -1), self._truth(at + 1, 1)
        # `a = b & c IS NOT NULL` compares with the bits of `b & c`, and is legal.
        if not left or not right or (left, right) == ("comparison", "test"):
            return 0
        if word == "||" and "comparison" in (left, right):
            return 0
        self._flag(at, at)
        self._replace(at, at, _JOINTS[word])
        return 1

    def _truth(self, place: int, step: int) -> str:
        """Say by what one side of an operator is true or false; empty if it is a plain value."""
        depth, first = 0, place
        has_group = False
        while 0 <= place < len(self._tokens):
            text = self._tokens[place].text
            word = text.upper()
            if text in ("(", ")"):
                depth += step if text == "(" else -step
                if depth < 0:
                    break
                has_group = True
            elif depth == 0 and word in _COMPARISONS:
                return "comparison"
            elif depth == 0 and (word in _TESTS or (word == "NOT" and self._is_tested(place))):
                return "test"
            elif depth == 0 and word in _BORDERS:
                break
            elif self._is_api(place):
                return "call"
            place += step
        stretch = self._tokens[first:place] if step > 0 else self._tokens[place + 1 : first + 1]
        is_group = has_group and stretch[0].text == "(" and stretch[-1].text == ")"
        return "group" if is_group and any(one.text.upper() in _TESTS for one in stretch) else ""

    def _is_tested(self, place: int) -> bool:
        near = self._tokens[max(0, place - 1) : place + 2]
        return any(one.text.upper() in _TESTS for one in near)

    def _is_api(self, place: int) -> bool:
        return self._tokens[place].text in ("isNotNull", "isNull", "isin")


def _as_name(written: str) -> str:
    parts = written.split(".")
    if all(part.isascii() and part.isidentifier() for part in parts):
        return written
    return backticked(written)
