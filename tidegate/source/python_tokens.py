"""Python text comes in; its tokens go out, whether or not it is a valid program."""

import re
from collections.abc import Iterator
from enum import Enum

import msgspec

from tidegate.source.python_strings import OPENING, StringLiteral, read_literal
from tidegate.source.span import Span

_TOKEN = re.compile(
    r"(?P<blank>[ \t\f]+|\\\r?\n)"
    r"|(?P<comment>\#[^\r\n]*)"
    r"|(?P<line>\r?\n|\r)"
    rf"|(?P<string>{OPENING.pattern})"
    r"|(?P<word>\w+)"
    r"|(?P<mark>.)",
    re.DOTALL,
)


class PythonTokenKind(Enum):
    """What a token is."""

    WORD = "word"
    """A name, a keyword or a number."""
    STRING = "string"
    MARK = "mark"
    """One character of an operator or a bracket."""
    LINE = "line"
    """The end of a line outside brackets."""


class PythonToken(msgspec.Struct, frozen=True, gc=False):
    """A token; of a string, what it says too."""

    kind: PythonTokenKind
    text: str
    span: Span
    literal: StringLiteral | None = None


_END_OF_LINE = PythonTokenKind.LINE


def python_comments(text: str, opening: str) -> Iterator[Span]:
    """Yield the comments that start with a word."""
    if opening not in text:
        return
    at = 0
    while match := _TOKEN.match(text, at):
        at = match.end()
        if match.lastgroup == "string" and (literal := read_literal(text, match.start())):
            at = literal.span.end
        elif match.lastgroup == "comment" and match[0][1:].lstrip().startswith(opening):
            yield Span(*match.span())


def python_tokens(text: str, start: int = 0) -> Iterator[PythonToken]:
    """Yield the tokens from an offset on; a quote that is never closed is a mark."""
    at, depth = start, 0
    while match := _TOKEN.match(text, at):
        kind, begin = match.lastgroup, at
        at = match.end()
        match kind:
            case "string":
                literal = read_literal(text, begin)
                if literal is None:
                    yield PythonToken(PythonTokenKind.MARK, match[0], Span(begin, at))
                    continue
                at = literal.span.end
                yield PythonToken(PythonTokenKind.STRING, "", literal.span, literal)
            case "word":
                yield PythonToken(PythonTokenKind.WORD, match[0], Span(begin, at))
            case "mark":
                depth += match[0] in "([{"
                depth -= match[0] in ")]}" and depth > 0
                yield PythonToken(PythonTokenKind.MARK, match[0], Span(begin, at))
            case "line" if not depth:
                yield PythonToken(_END_OF_LINE, match[0], Span(begin, at))
            case _:
                pass
