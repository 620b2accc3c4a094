"""A query's text comes in; the same tokens and comments, its clauses each on a line, go out.

Only what is certain is touched: key words of clauses, where nothing else can stand, are put in
capitals, those of the outermost query open a line, and blanks at the ends of lines go.
"""

import re
from collections.abc import Sequence

import msgspec

from tidegate.grammar.formatting.spacing import comments_in_gap
from tidegate.grammar.tokens import NUMBER, QUOTED, STRING, WORD, RawToken, raw_tokens, word_set

_TRAILING = re.compile(r"[ \t]+(?=\r?\n)")
_OPENERS = word_set("SELECT WITH FROM VALUES TABLE")
_JOIN_WORDS = word_set("INNER LEFT RIGHT FULL OUTER CROSS NATURAL SEMI ANTI LATERAL")
_SET_WORDS = word_set("UNION EXCEPT INTERSECT MINUS")
# A clause of one word, and what may not stand before it if it is to be one.
_SINGLE = word_set("FROM WHERE HAVING QUALIFY")
_PAIRS = {"GROUP": "BY", "ORDER": "BY", "SORT": "BY", "CLUSTER": "BY", "DISTRIBUTE": "BY"}
_NO_NAME_BEFORE = word_set(
    "DISTINCT SELECT AS BY FROM WHERE HAVING QUALIFY AND OR NOT ON WHEN THEN ELSE IN"
)
_CLAUSE_WORDS = (
    _SINGLE | frozenset(_PAIRS) | _OPENERS | _JOIN_WORDS | _SET_WORDS | word_set("JOIN ON AS LIMIT")
)
_ENDS_OPERAND = frozenset((")", "]", "*"))


class _Clause(msgspec.Struct, frozen=True):
    """The key words that open a clause: the first and the last of them."""

    first: int
    last: int


def show_query(text: str, eol: str) -> str:
    """Return a query with its clauses each on a line of their own."""
    tokens = list(raw_tokens(text, 0, len(text)))
    opened: dict[int, int] = {}
    depth = 0
    capitals: set[int] = set()
    for at, token in enumerate(tokens):
        depth += token.text in ("(", "[")
        depth -= token.text in (")", "]")
        clause = _clause(tokens, at)
        if clause is not None:
            capitals.update(range(clause.first, clause.last + 1))
            if depth == 0 and at > 0:
                opened[at] = clause.last
    inside = {at for first, last in opened.items() for at in range(first + 1, last + 1)}
    out: list[str] = []
    previous = 0
    for at, token in enumerate(tokens):
        gap = text[previous : token.start]
        starts = at in opened and at not in inside
        if at in inside and gap.isspace():
            gap = " "
        out.append(_gap(gap, eol) if starts else _trimmed(gap))
        out.append(token.text.upper() if at in capitals else token.text)
        previous = token.end
    return "".join(out)


def _clause(tokens: Sequence[RawToken], at: int) -> _Clause | None:
    """Return the clause that opens at a token, where that is beyond doubt."""
    word = _word(tokens, at)
    if not word or _word_before_is_operator(tokens, at):
        return None
    following = _word(tokens, at + 1)
    if word in _OPENERS and _opens_query(tokens, at):
        return _Clause(at, at)
    if not _ends_operand(tokens, at - 1):
        return None
    if word in _SINGLE and _starts_operand(tokens, at + 1):
        return _Clause(at, at)
    if _PAIRS.get(word) == following and _starts_operand(tokens, at + 2):
        return _Clause(at, at + 1)
    if word in _SET_WORDS:
        last = at + 1 if following in ("ALL", "DISTINCT") else at
        place = last + 1
        while _text(tokens, place) == "(":
            place += 1
        is_query = _word(tokens, place) in _OPENERS
        return _Clause(at, last) if is_query else None
    if word == "LIMIT" and at + 1 < len(tokens) and tokens[at + 1].kind == NUMBER:
        return _Clause(at, at)
    return _join(tokens, at)


def _join(tokens: Sequence[RawToken], at: int) -> _Clause | None:
    last = at
    while _word(tokens, last) in _JOIN_WORDS and last < at + 4:
        last += 1
    if _word(tokens, last) != "JOIN" or not _starts_operand(tokens, last + 1):
        return None
    # A join that goes on with more of its words has begun before.
    return None if _word(tokens, at - 1) in _JOIN_WORDS else _Clause(at, last)


def _opens_query(tokens: Sequence[RawToken], at: int) -> bool:
    before = _text(tokens, at - 1)
    if _word(tokens, at) == "SELECT":
        is_first = at == 0 or before in ("(", ")") or _word(tokens, at - 1) in (
            "ALL", "DISTINCT", *_SET_WORDS
        )  # fmt: skip
        return is_first and _starts_operand(tokens, at + 1)
    return at == 0 and _starts_operand(tokens, at + 1)


def _starts_operand(tokens: Sequence[RawToken], at: int) -> bool:
    if at >= len(tokens):
        return False
    if tokens[at].kind == WORD:
        return _word(tokens, at) not in _CLAUSE_WORDS
    return tokens[at].kind in (STRING, NUMBER, QUOTED) or tokens[at].text in ("(", "*", "-", "+")


def _ends_operand(tokens: Sequence[RawToken], at: int) -> bool:
    if at < 0:
        return False
    if tokens[at].kind == WORD:
        return _word(tokens, at) not in _NO_NAME_BEFORE or _text(tokens, at - 1) == "."
    return tokens[at].kind in (STRING, NUMBER, QUOTED) or tokens[at].text in _ENDS_OPERAND


def _word_before_is_operator(tokens: Sequence[RawToken], at: int) -> bool:
    return at > 0 and tokens[at - 1].text in (".", ":", "::")


def _word(tokens: Sequence[RawToken], at: int) -> str:
    is_word = 0 <= at < len(tokens) and tokens[at].kind == WORD
    return tokens[at].text.upper() if is_word else ""


def _text(tokens: Sequence[RawToken], at: int) -> str:
    return tokens[at].text if 0 <= at < len(tokens) else ""


def _gap(gap: str, eol: str) -> str:
    """Return what stands before a clause, with a new line at its end."""
    found = list(comments_in_gap(gap, 0, len(gap)))
    if not found:
        return eol
    behind = gap[found[-1].end :]
    # A comment on the line of the clause stays there.
    is_led = not found[-1].is_line and "\n" not in behind
    kept = _trimmed(gap[: found[-1].end])
    if not is_led:
        return f"{kept}{eol}"
    return f"{kept} " if "\n" in kept else f"{eol}{kept.lstrip()} "


def _trimmed(gap: str) -> str:
    """Return blanks and comments without blanks at line ends, those of comments apart."""
    out: list[str] = []
    at = 0
    for comment in comments_in_gap(gap, 0, len(gap)):
        out.append(_TRAILING.sub("", gap[at : comment.start]))
        out.append(gap[comment.start : comment.end])
        at = comment.end
    out.append(_TRAILING.sub("", gap[at:]))
    return "".join(out)
