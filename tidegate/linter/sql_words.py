"""SQL text that has no tree comes in; its words, its line comments, its bare content go out."""

import re
from collections.abc import Iterator
from functools import cache

from tidegate.grammar.tokens import QUOTED, STRING, close_comment, raw_tokens
from tidegate.source.span import Span


@cache
def _line_comment() -> re.Pattern[str]:
    # A backslash at the end of a line comment continues it, as in Spark's own lexer.
    return re.compile(r"--(?:[^\r\n\\]|\\\r?\n?)*")


@cache
def _comment_mark() -> re.Pattern[str]:
    return re.compile(r"--|/\*")


def line_comments(text: str) -> Iterator[Span]:
    """Yield every ``--`` comment, without its line end."""
    at = 0
    for token in raw_tokens(text, 0, len(text)):
        yield from _comments_between(text, at, token.start)
        at = token.end
    yield from _comments_between(text, at, len(text))


def words(text: str) -> Iterator[str]:
    """Yield words, quoted ones without backticks, and operators; literals are left out."""
    for token in raw_tokens(text, 0, len(text)):
        if token.kind == QUOTED:
            yield token.text[1:-1].replace("``", "`")
        elif token.kind != STRING:
            yield token.text


def squeezed(text: str) -> str:
    """Return text without comments, blanks evened out, and letter case kept in literals only."""
    return " ".join(_folded(token.kind, token.text) for token in raw_tokens(text, 0, len(text)))


def _folded(kind: int, text: str) -> str:
    if kind == STRING:
        return text
    return (text[1:-1] if kind == QUOTED else text).casefold()


def _comments_between(text: str, start: int, end: int) -> Iterator[Span]:
    """Yield the line comments of a stretch that holds blanks and comments alone."""
    while mark := _comment_mark().search(text, start, end):
        if mark[0] == "/*":
            closed = close_comment(text, mark.start(), end)
            start = end if closed == -1 else closed
        elif found := _line_comment().match(text, mark.start(), end):
            yield Span(*found.span())
            start = found.end()
