"""Python text comes in; its syntax tree and the places of its nodes go out. Nothing is executed."""

import ast
import re
import warnings

from tidegate.source.hosts import PythonText, Unread
from tidegate.source.python_strings import StringLiteral
from tidegate.source.python_tokens import python_tokens
from tidegate.source.span import Span

_LINE_END = re.compile(r"\r\n|\n|\r")
_MAGIC = re.compile(r"^[ \t]*[%!?]", re.MULTILINE)
_VISIBLE = re.compile(r"[^\r\n]")
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
    if len(python.cells) < 2 and python.view is None:
        return None, [_unread(tree, python, 0)]
    unread: list[Unread] = []
    for cell in python.cells:
        part = text[cell.start : cell.end]
        failure = _parsed(part)
        if isinstance(failure, ast.Module):
            continue
        plain = _MAGIC.sub(lambda match: match[0][:-1] + "#", part)
        if not isinstance(_parsed(plain), ast.Module):
            unread.append(_unread(failure, python, cell.start))
            plain = _VISIBLE.sub(" ", part)
        text = text[: cell.start] + plain + text[cell.end :]
    tree = _parsed(text)
    if isinstance(tree, ast.Module):
        return Program(text, tree), unread
    return None, [*unread, _unread(tree, python, 0)]


class _Failure:
    def __init__(self, offset: int, reason: str) -> None:
        self.offset = offset
        self.reason = reason


def _parsed(text: str) -> ast.Module | _Failure:
    flags = ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = compile(text, "<file>", "exec", flags, dont_inherit=True)
    except SyntaxError as error:
        starts = [0, *(match.end() for match in _LINE_END.finditer(text))]
        line = min(error.lineno or 1, len(starts))
        return _Failure(starts[line - 1], f"it is not valid Python: {error.msg}")
    except (RecursionError, MemoryError):
        return _Failure(0, DEEP)
    except ValueError:
        return _Failure(0, "it is not valid Python: it holds characters that no program may hold")
    return tree if isinstance(tree, ast.Module) else _Failure(0, "it is not valid Python")


def _unread(failure: _Failure | ast.Module, python: PythonText, start: int) -> Unread:
    offset = start + failure.offset if isinstance(failure, _Failure) else start
    reason = failure.reason if isinstance(failure, _Failure) else ""
    if python.view is not None:
        offset = python.view.place(Span(offset, offset)).start
    return Unread(offset=offset, reason=reason, help=_ADVICE)
