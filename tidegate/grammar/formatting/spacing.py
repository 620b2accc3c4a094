"""A stretch of text comes in; its comments, and its tokens with canonical blanks, go out."""

import re
from collections.abc import Iterator

import msgspec

from tidegate.grammar.tokens import WORD, RawToken, close_comment, raw_tokens

_LINE_COMMENT = re.compile(r"--(?:[^\r\n\\]++|\\\n?)*+")
_NO_BLANK_BEFORE = frozenset((",", ")", "]", ".", ":", ">", "<"))
_NO_BLANK_BEHIND = frozenset(("(", "[", ".", "<"))


class Comment(msgspec.Struct, frozen=True, gc=False):
    """A comment with its place; a line comment reaches up to the end of its line."""

    start: int
    end: int
    is_line: bool


def comments(text: str, start: int, end: int) -> Iterator[Comment]:
    """Yield the comments of a stretch in order, those between tokens alone."""
    at = start
    for token in raw_tokens(text, start, end):
        yield from comments_in_gap(text, at, token.start)
        at = token.end
    yield from comments_in_gap(text, at, end)


def comments_in_gap(text: str, start: int, end: int) -> Iterator[Comment]:
    """Yield the comments of a stretch that holds nothing but blanks and comments."""
    at = start
    while at < end:
        if text.startswith("--", at):
            match = _LINE_COMMENT.match(text, at, end)
            assert match is not None
            yield Comment(at, match.end(), True)
            at = match.end()
        elif text.startswith("/*", at):
            closed = close_comment(text, at, end)
            closed = end if closed < 0 else closed
            yield Comment(at, closed, False)
            at = closed
        else:
            at += 1


def ends_in_line_comment(text: str) -> bool:
    """Tell whether what is put behind a text would belong to a comment."""
    return any(one.is_line and one.end == len(text) for one in comments(text, 0, len(text)))


def closed_body(text: str) -> str:
    """Return a text that a bracket can be put behind: a comment at its end ends its line."""
    return f"{text}\n" if "--" in text and ends_in_line_comment(text) else text


def type_tokens(text: str, start: int, end: int) -> Iterator[tuple[RawToken, str]]:
    """Yield the tokens of a data type, each with its spelling: all but names in capitals."""
    openings: list[str] = []
    opens_field = is_verbatim = False
    before = ""
    for token in _with_single_brackets(raw_tokens(text, start, end)):
        shown = token.text
        if token.kind == WORD:
            is_name = opens_field or is_verbatim or not shown.isidentifier()
            shown = shown if is_name else shown.upper()
            is_verbatim = shown == "COLLATE" and not is_name
            opens_field = False
        elif shown == "<":
            openings.append(before)
            opens_field = before == "STRUCT"
        elif shown == ">":
            del openings[-1:]
        elif shown == ".":
            is_verbatim = True
        else:
            opens_field = shown == "," and openings[-1:] == ["STRUCT"]
        yield token, shown
        before = shown


def _with_single_brackets(tokens: Iterator[RawToken]) -> Iterator[RawToken]:
    """Take brackets apart that stand together and open or close a type each."""
    for token in tokens:
        if token.text in ("<>", ">>", ">>>"):
            for at, mark in enumerate(token.text, token.start):
                yield RawToken(token.kind, mark, at, at + 1)
        else:
            yield token


def show_type(text: str, start: int, end: int) -> str:
    """Return a data type with canonical blanks, comments left out."""
    out: list[str] = []
    before = ""
    for token, shown in type_tokens(text, start, end):
        if before and is_blank_between(before, shown, is_call=shown == "("):
            out.append(" ")
        out.append(shown)
        before = token.text
    return "".join(out)


def is_blank_between(before: str, shown: str, *, is_call: bool) -> bool:
    """Tell whether a blank stands between two tokens in canonical text."""
    return not (is_call or shown in _NO_BLANK_BEFORE or before in _NO_BLANK_BEHIND)
