"""Text comes in; its tokens go out, and the ends of comments and brackets.

What a token looks like is written here alone, for the lexer, the splitter and the scanners.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import ClassVar

import msgspec

from tidegate.source.holes import HOLE, is_hole

BLANK = r"(?:\s++|--(?:[^\r\n\\]++|\\\n?)*+)"
SINGLE = r"'(?:[^'\\]++|\\.|'')*+'"
DOUBLE = r'"(?:[^"\\]++|\\.|"")*+"'
BACKTICKED = r"`(?:[^`]++|``)*+`"
# A quote behind a lone r opens a raw string, in which a backslash is a character like any other.
QUOTED_TEXT = rf"(?<=\b[rR])(?:'[^']*+'|\"[^\"]*+\")|{SINGLE}|{DOUBLE}|{BACKTICKED}"
# A comment opens inside braces too: a name does not hold `--`, and the splitter must agree.
PLACE = rf"\$\{{(?:[^}}{{$\n/-]++|-(?!-)|/(?!\*))*+\}}|\{{\{{[^{{}}]*+\}}\}}|{HOLE}++"

TOKEN = re.compile(
    rf"{BLANK}*+(?:"
    rf"([rR](?:'[^']*+'|\"[^\"]*+\")|{SINGLE}|{DOUBLE})"
    r"|((?:\d++(?:\.\d*+)?|(?<![\w`\])])\.\d++)(?:[eE][+-]?\d++)?"
    r"(?:[bB][dD]|[LlSsYyDdFf])?(?![\w$]))"
    rf"|((?:\w++|{PLACE})++)"
    rf"|({BACKTICKED})"
    r"|(<=>|<=|<>|<<|>=|>>>|>>|=>|==|->|!=|!<|!>|\|\||\?::|::|/(?!\*)|[-+*%=<>!|&^~?:.,()\[\]])"
    r"|((?!/\*).))",
    re.DOTALL,
)
STRING, NUMBER, WORD, QUOTED, OPERATOR, STRANGE = 1, 2, 3, 4, 5, 6
_BLANKS = re.compile(rf"{BLANK}*+", re.DOTALL)
_COMMENT_MARK = re.compile(r"/\*|\*/")
_UP_TO_BRACKET = re.compile(
    rf"(?:[^()'\"`/-]++|{QUOTED_TEXT}|--(?:[^\r\n\\]++|\\\n?)*+|-|/(?!\*))*+", re.DOTALL
)
# An unclosed comment, as the strange token that it is.
_OPENED = re.compile(r"()()()()()(/\*)")


def word_set(text: str) -> frozenset[str]:
    """Return the words of a text as a set."""
    return frozenset(text.split())


def opens_place(text: str) -> bool:
    """Tell whether a word opens with a placeholder."""
    return text[:2] in ("${", "{{") or is_hole(text[:1])


class Token(msgspec.Struct, gc=False):
    """A terminal with its place; ``text`` is what was written."""

    type: str
    start: int
    end: int
    text: str

    # Lark asks this of the last token when a text ends.
    line: ClassVar[int] = 0
    column: ClassVar[int] = 0
    end_line: ClassVar[int] = 0
    end_column: ClassVar[int] = 0
    start_pos: ClassVar[int] = 0
    end_pos: ClassVar[int] = 0


class RawToken(msgspec.Struct, frozen=True, gc=False):
    """A token without a parser's opinion on it."""

    kind: int
    text: str
    start: int
    end: int


def raw_tokens(text: str, pos: int, end: int) -> Iterator[RawToken]:
    """Yield every token of a stretch; an unclosed quote or comment is a strange one."""
    match_here = TOKEN.match
    while match := match_here(text, pos, end) or behind_comment(text, pos, end):
        kind = match.lastindex or STRANGE
        written = match[kind]
        pos = match.end()
        yield RawToken(kind, written, pos - len(written), pos)


def match_token(text: str, pos: int, end: int) -> re.Match[str] | None:
    """Match the next token; its kind is the match's last group, which is ``None`` for no token."""
    return TOKEN.match(text, pos, end) or behind_comment(text, pos, end)


def behind_comment(text: str, pos: int, end: int) -> re.Match[str] | None:
    """Match the next token where a bracketed comment may stand before it."""
    behind = skip_blanks(text, pos, end)
    if behind < end and text.startswith("/*", behind):
        return _OPENED.match(text, behind)
    return TOKEN.match(text, behind, end)


def is_whole_placeholder(written: str) -> bool:
    """Tell whether a word is a placeholder and nothing else."""
    return opens_place(written) and re.fullmatch(PLACE, written) is not None


def skip_line_blanks(text: str, pos: int, end: int) -> int:
    """Return where blanks and line comments end."""
    match = _BLANKS.match(text, pos, end)
    return match.end() if match else pos


def skip_blanks(text: str, pos: int, end: int) -> int:
    """Return where the next token starts; an unclosed comment is the next token."""
    while True:
        pos = skip_line_blanks(text, pos, end)
        if not text.startswith("/*", pos, end):
            return pos
        closed = close_comment(text, pos, end)
        if closed < 0:
            return pos
        pos = closed


def close_comment(text: str, pos: int, end: int) -> int:
    """Return the offset behind the bracketed comment that opens here, or -1; comments nest."""
    depth = 0
    for mark in _COMMENT_MARK.finditer(text, pos, end):
        depth += 1 if mark.group() == "/*" else -1
        if depth == 0:
            return mark.end()
    return -1


def comment_ends(text: str, pos: int) -> dict[int, int]:
    """Return the end of every bracketed comment from ``pos`` on, by its start."""
    ends: dict[int, int] = {}
    starts: list[int] = []
    for mark in _COMMENT_MARK.finditer(text, pos):
        if mark.group() == "/*":
            starts.append(mark.start())
        elif starts:
            ends[starts.pop()] = mark.end()
    return ends


def close_bracket(text: str, pos: int, end: int) -> int:
    """Return the offset of the ``)`` that closes a bracket opened before ``pos``, or ``end``."""
    depth = 0
    while True:
        match = _UP_TO_BRACKET.match(text, pos, end)
        pos = match.end() if match else pos
        if pos >= end:
            return end
        mark = text[pos]
        if mark == "(":
            depth += 1
        elif mark == ")":
            if depth == 0:
                return pos
            depth -= 1
        elif mark == "/":
            closed = close_comment(text, pos, end)
            if closed < 0:
                return end
            pos = closed
            continue
        else:
            return end
        pos += 1


@cache
def _up_to_odd_mark() -> re.Pattern[str]:
    flat = rf"[^'\"`();/-]++|{QUOTED_TEXT}|-(?!-)|/(?!\*)"
    comment = r"--(?:[^\r\n\\]++|\\\n?)*+"
    inner = rf"\((?:{flat})*+\)"
    return re.compile(rf"(?:{flat}|{comment}|\((?:{flat}|{inner})*+\))*+", re.DOTALL)


def bracket_marks(text: str, pos: int, end: int) -> Iterator[tuple[str, int]]:
    """Yield each `(`, `)` and `;` outside of strings and comments with its offset.

    Brackets that hold nothing but plain text, or such brackets, are left out, both of them.
    """
    pattern = _up_to_odd_mark()
    while True:
        match = pattern.match(text, pos, end)
        pos = match.end() if match else pos
        if pos >= end:
            return
        mark = text[pos]
        if mark == "/":
            closed = close_comment(text, pos, end)
            pos = closed if closed >= 0 else pos + 2
            continue
        if mark in "();":
            yield mark, pos
        pos += 1


def closing_advice(opening: str) -> str:
    """Say how to close a quote or comment that stays open."""
    closing = "*/" if opening == "/*" else opening
    return f"close it with `{closing}`" if closing != "`" else "close it with a backtick"


def trim(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the range without its outer blanks (comments stay)."""
    piece = text[start:end]
    return start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip())
