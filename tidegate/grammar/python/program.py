"""Python text comes in; its syntax tree and the places of its nodes go out. Nothing is executed."""

import ast
import re
import warnings
from bisect import bisect_right
from collections.abc import Iterator
from itertools import zip_longest

import msgspec

from tidegate.source.hosts import PythonText, Unread
from tidegate.source.python_strings import StringLiteral
from tidegate.source.python_tokens import PythonToken, PythonTokenKind, python_tokens
from tidegate.source.span import Span

_LINE_END = re.compile(r"\r\n|\n|\r")
# What IPython reads: lines of other languages, and questions about a name.
_MAGIC = re.compile(r"^[ \t]*[%!?]|\?(?=\??[ \t]*$)", re.MULTILINE)
_VISIBLE = re.compile(r"[^\r\n]")
_OUTER = re.compile(
    r"^(?:@|(?:def|class|async|import|from|if|for|try|with|while)\b|\w++(?=[ \t]*[=(.\[:]))",
    re.MULTILINE,
)
_ADVICE = "correct it, or leave the file out"
DEEP = "its code is nested too deeply"


class Program:
    """A program that parses, and where its nodes stand in its text."""

    def __init__(self, text: str, tree: ast.Module) -> None:
        self.text = text
        self.tree = tree
        self._starts = [0, *(match.end() for match in _LINE_END.finditer(text))]
        self._is_ascii = text.isascii()

    def offset(self, line: int, column: int) -> int:
        """Return the offset of a line and a column in UTF-8 bytes."""
        start = self._starts[min(line, len(self._starts)) - 1]
        if self._is_ascii:
            return start + column
        stop = self._starts[line] if line < len(self._starts) else len(self.text)
        return start + len(self.text[start:stop].encode()[:column].decode(errors="ignore"))

    def span(self, node: ast.expr | ast.stmt | ast.keyword) -> Span:
        """Return where a node stands."""
        start = self.offset(node.lineno, node.col_offset)
        line, column = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
        return Span(start, self.offset(line, column))

    def literals(self, node: ast.expr) -> list[StringLiteral]:
        """Return the string tokens that a string's node is made of."""
        span = self.span(node)
        found: list[StringLiteral] = []
        for token in python_tokens(self.text, span.start):
            if token.span.start >= span.end:
                break
            if token.literal is not None:
                found.append(token.literal)
        return found


def parse_program(python: PythonText) -> tuple[Program | None, list[Unread]]:
    """Parse a program; of a notebook, what is wrong with one cell costs that cell alone."""
    text = python.text.replace("\x1e", " ")
    tree = _parsed(text)
    if isinstance(tree, ast.Module):
        return Program(text, tree), []
    repaired = _without_stacks(text)
    if repaired != text:
        text = repaired
        again = _parsed(text)
        if isinstance(again, ast.Module):
            return Program(text, again), []
    is_plain = len(python.cells) < 2 and python.view is None
    unread: list[Unread] = [_unread(tree, python, 0)] if is_plain else []
    cells = _chunks(text) if is_plain else python.cells
    for cell, number in zip_longest(cells, () if is_plain else python.numbers):
        part = text[cell.start : cell.end]
        failure = _parsed(part)
        if isinstance(failure, ast.Module):
            continue
        plain = part if is_plain else _MAGIC.sub(lambda match: match[0][:-1] + "#", part)
        failure = _parsed(plain)
        if not isinstance(failure, ast.Module):
            if not is_plain:
                unread.append(_unread(failure, python, cell.start, number))
            plain = _VISIBLE.sub(" ", part)
        text = text[: cell.start] + plain + text[cell.end :]
    tree = _parsed(text)
    if isinstance(tree, ast.Module):
        return Program(text, tree), [
            msgspec.structs.replace(each, is_partial=True) for each in unread
        ]
    return None, unread or [_unread(tree, python, 0)]


def _lines(text: str) -> Iterator[list[PythonToken]]:
    """Yield the tokens of each logical line."""
    line: list[PythonToken] = []
    for token in python_tokens(text):
        if token.kind is not PythonTokenKind.LINE:
            line.append(token)
        elif line:
            yield line
            line = []
    if line:
        yield line


def _without_stacks(text: str) -> str:
    """Return a program whose decorators without a function are expressions: ``+`` for the at sign.

    Python refuses them, but what they say is plain.
    """
    stack: list[int] = []
    lost: list[int] = []
    for line in _lines(text):
        if line[0].text == "@":
            stack.append(line[0].span.start)
            continue
        if line[0].text not in ("def", "class", "async"):
            lost += stack
        stack = []
    chars = list(text)
    for at in (*lost, *stack):
        chars[at] = "+"
    return "".join(chars)


def _chunks(text: str) -> list[Span]:
    """Return the statements of a program at its outermost level, with what belongs to them.

    By the lines' first words alone: in a program with an open bracket the rest is one long line.
    """
    strings = [token.span for token in python_tokens(text) if token.literal is not None]
    starts = [0]
    is_decorated = False
    for match in _OUTER.finditer(text):
        at = match.start()
        around = bisect_right(strings, at, key=lambda span: span.start) - 1
        if around >= 0 and at < strings[around].end:
            continue
        if not is_decorated:
            starts.append(at)
        is_decorated = match[0] == "@"
    return [Span(*pair) for pair in zip(starts, [*starts[1:], len(text)], strict=True)]


class _Failure:
    def __init__(self, offset: int, reason: str, *, is_exact: bool = False) -> None:
        self.offset = offset
        self.reason = reason
        self.is_exact = is_exact


def _parsed(text: str) -> ast.Module | _Failure:
    flags = ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = compile(text, "<file>", "exec", flags, dont_inherit=True)
    except SyntaxError as error:
        starts = [0, *(match.end() for match in _LINE_END.finditer(text))]
        line = min(error.lineno or 1, len(starts))
        stop = starts[line] - 1 if line < len(starts) else len(text)
        at = starts[line - 1] + max(0, (error.offset or 1) - 1)
        return _Failure(min(at, stop), f"it is not valid Python: {error.msg}", is_exact=True)
    except (RecursionError, MemoryError):
        return _Failure(0, DEEP)
    except ValueError:
        return _Failure(0, "it is not valid Python: it holds characters that no program may hold")
    return tree if isinstance(tree, ast.Module) else _Failure(0, "it is not valid Python")


def _unread(
    failure: _Failure | ast.Module, python: PythonText, start: int, cell: int | None = None
) -> Unread:
    offset, reason, is_exact = start, "", False
    if isinstance(failure, _Failure):
        offset, reason, is_exact = start + failure.offset, failure.reason, failure.is_exact
    if python.view is not None:
        offset = python.view.place(Span(offset, offset)).start
    return Unread(offset=offset, reason=reason, help=_ADVICE, cell=cell, is_exact=is_exact)
