"""A file's text comes in; what a template engine or a person was to fill in goes out.

A mark that stands for a value becomes a hole of the view, which reads like a placeholder; a tag
that only steers a template becomes blanks. Nothing moves: a span of the view is one of the file.
"""

import re
from collections.abc import Iterable, Iterator
from enum import Enum

import msgspec

from tidegate.source.holes import hole_text
from tidegate.source.marks import TYPE_ARGUMENT
from tidegate.source.span import Span
from tidegate.source.text import SourceFile
from tidegate.source.view import Encoding, HostKind, Piece, PieceKind, View

_VALUE = r"\{\{(?:[^{}]++|\{[^{}]*+\}|\}(?!\}))*+\}\}"
# A tag ends before the next one opens, which keeps the scan linear.
_TAG = (
    r"\{%[-+]?\s*+[A-Za-z_](?:[^%{]++|%(?!\})|\{(?!%))*+%\}"
    r"|\{#(?:[^#{]++|#(?!\})|\{(?!#))*+#\}"
)
_INSIDE = rf"{_VALUE}|{_TAG}"
_FILL_IN = r"FILL[ _-]?(?:ME[ _-]?)?IN"
_BLANK = rf"<(?i:{_FILL_IN}|TODO|YOUR[ _-]CODE(?:[ _-]HERE)?)>|\bFILL_IN\b"
_FORMAT = (
    r"(?<![${])\{(?:[A-Za-z_][\w.]*+(?:\[[^\]\n{]{0,80}+\])?)?(?:![rsa])?(?::[^{}\s]*+)?\}"
    r"|%\(\w++\)s"
)
# `<TABLE_NAME>`, as manuals write what the reader has to put in; a type argument looks the same.
_TO_REPLACE = rf"(?!{TYPE_ARGUMENT})(?<![^\s(,.=])<[A-Z][A-Z0-9]*+(?:[ _-][A-Z0-9]++)*+>"
_SCAN = re.compile(
    # Nothing starts with any of these; passing over them makes the scan five times faster.
    rf"[^{{\-/$f\"'`<F%]++|(?P<value>{_VALUE})|(?P<tag>{_TAG})"
    r"|(?P<other>--(?:[^\r\n\\]++|\\\n?)*+|/\*(?:[^*]++|\*(?!/))*+(?:\*/|\Z)"
    r"|\$\$(?:[^$]++|\$(?!\$))*+(?:\$\$|\Z))"
    r"|(?P<opening>\bf\"\"\")|(?P<closing>\"\"\")"
    r"|(?P<formatted>\bf\"(?:[^\"\n\\]++|\\.)*+\")"
    rf"|(?P<string>'(?:[^'\\{{]++|{_INSIDE}|\{{|\\.|'')*+(?:'|\Z)"
    rf"|\"(?:[^\"\\{{]++|{_INSIDE}|\{{|\\.|\"\")*+(?:\"|\Z))"
    rf"|(?P<quoted>`(?:[^`{{]++|{_INSIDE}|\{{)*+(?:`|\Z))"
    rf"|(?P<blank>{_BLANK}|{_FORMAT})|(?P<name>{_TO_REPLACE})",
    re.DOTALL,
)
_TAKES_TYPES = re.compile(r"\b(?:ARRAY|MAP|STRUCT)\s*+\Z", re.IGNORECASE)
# In a string braces are text; a blank is one there too.
_IN_STRING = re.compile(rf"(?P<value>{_INSIDE})|(?P<blank><(?i:{_FILL_IN})>)", re.DOTALL)
_IN_NAME = re.compile(rf"(?P<value>{_INSIDE})|(?P<blank>{_BLANK}|{_FORMAT})", re.DOTALL)
# How far a line may be indented.
_DEEPEST = 80
_COMMENT = r"--[^\n]*+(?:\n|\Z)|/\*(?:[^*]++|\*(?!/))*+\*/"
_BETWEEN = re.compile(rf"(?:\s++|{_COMMENT})*+")
_BEGINS = re.compile(r"(?:CREATE|SET|USE|ALTER)\b", re.IGNORECASE)
_LINE_SO_FAR = re.compile(rf"(?:\s++|{_COMMENT}|{_INSIDE})*+")


class MarkKind(Enum):
    """What was to be filled in."""

    VALUE = "value"
    """``{{ }}``: a template engine puts a value there."""
    TAG = "tag"
    """``{% %}``, ``{# #}``: it steers a template engine."""
    QUOTE = "quote"
    """The end of a string that Python was to format: its beginning is the blank."""
    BLANK = "blank"
    """A blank of a course, or a hole of a string that Python was to format."""


class Mark(msgspec.Struct, frozen=True, kw_only=True):
    """One of them."""

    kind: MarkKind
    span: Span
    is_shown: bool = True
    """Whether it stands for something; else blanks take its place."""
    is_argument: bool = False
    """Whether it stands in braces in a string of Python, whose caller may put something there."""


class Marked(msgspec.Struct, frozen=True, kw_only=True):
    """A file whose marks read like placeholders and blanks."""

    source: SourceFile
    marks: tuple[Mark, ...]


def marked(source: SourceFile) -> Marked | None:
    """Return a file with its marks; ``None`` if it has none."""
    text = source.text
    marks = tuple(_without_calls(text, list(_marks(text))))
    if not marks:
        return None
    view = _with_holes(source, marks)
    if source.view is not None:
        marks = tuple(_in_strings(source.view, marks))
    shown = "".join(piece.text for piece in view.pieces)
    return Marked(
        source=SourceFile(path=source.path, text=shown, view=view),
        marks=marks,
    )


def _in_strings(view: View, marks: Iterable[Mark]) -> Iterator[Mark]:
    """Yield the marks, those in braces in a string of Python as what a call may fill in."""
    for mark in marks:
        piece, start = view.piece_at(mark.span.start)
        in_string = piece.encoding is not None and bool(piece.encoding.quote)
        first = piece.text[mark.span.start - start]
        if in_string and mark.kind is MarkKind.BLANK and first in "{%":
            yield msgspec.structs.replace(mark, is_argument=True)
        else:
            yield mark


def _marks(text: str) -> Iterator[Mark]:
    is_open = False
    for match in _SCAN.finditer(text):
        span = Span(*match.span())
        match match.lastgroup:
            case "value":
                yield Mark(kind=MarkKind.VALUE, span=span)
            case "tag":
                yield Mark(kind=MarkKind.TAG, span=span, is_shown=False)
            case "opening":
                is_open = True
                yield Mark(kind=MarkKind.BLANK, span=span, is_shown=False)
            case "closing" if is_open:
                is_open = False
                yield Mark(kind=MarkKind.QUOTE, span=span, is_shown=False)
            case "formatted" | "blank":
                yield Mark(kind=MarkKind.BLANK, span=span)
            case "name" if not _TAKES_TYPES.search(text, max(0, span.start - _DEEPEST), span.start):
                yield Mark(kind=MarkKind.BLANK, span=span)
            case "string":
                yield from _inside(_IN_STRING, text, span)
            case "quoted":
                yield from _inside(_IN_NAME, text, span)
            case _:
                continue


def _inside(marks: re.Pattern[str], text: str, span: Span) -> Iterator[Mark]:
    for match in marks.finditer(text, span.start, span.end):
        kind = MarkKind.VALUE if match.lastgroup == "value" else MarkKind.BLANK
        yield Mark(kind=kind, span=Span(*match.span()))


def _without_calls(text: str, marks: list[Mark]) -> Iterable[Mark]:
    """Blank the values that have lines of their own before a statement: calls for their effect.

    Further calls, tags and comments may stand between. From the last mark on, so that each of them
    is looked at once.
    """
    leads, follower = False, len(text) + 1
    for number in range(len(marks) - 1, -1, -1):
        mark = marks[number]
        behind = _BETWEEN.match(text, mark.span.end)
        at = behind.end() if behind else mark.span.end
        if at != follower:
            leads = _BEGINS.match(text, at) is not None
        if mark.kind is not MarkKind.TAG:
            leads = leads and mark.kind is MarkKind.VALUE and _begins_line(text, mark.span.start)
            if leads:
                marks[number] = msgspec.structs.replace(mark, is_shown=False)
        follower = mark.span.start
    return marks


def _begins_line(text: str, at: int) -> bool:
    """Tell whether nothing of a statement stands before a place in its line."""
    line = text[max(0, at - _DEEPEST) : at].rpartition("\n")[2].rpartition(";")[2]
    return _LINE_SO_FAR.fullmatch(line) is not None


def _with_holes(source: SourceFile, marks: tuple[Mark, ...]) -> View:
    """Return the view with a piece for each mark."""
    view = source.view or _whole(source)
    pieces: list[Piece] = []
    waiting = list(reversed(marks))
    for start, piece in zip(view.starts, view.pieces, strict=True):
        end, at = start + len(piece.text), start
        while waiting and waiting[-1].span.start < end:
            mark = waiting.pop()
            if piece.kind is PieceKind.PLAIN and at <= mark.span.start and mark.span.end <= end:
                pieces.append(_part(piece, start, at, mark.span.start))
                pieces.append(_filled(piece, start, mark))
                at = mark.span.end
        pieces.append(_part(piece, start, at, end) if at > start else piece)
    kept = [piece for piece in pieces if piece.text]
    starts: list[int] = []
    at = 0
    for piece in kept:
        starts.append(at)
        at += len(piece.text)
    return msgspec.structs.replace(view, pieces=tuple(kept), starts=tuple(starts))


def _whole(source: SourceFile) -> View:
    text = source.text
    is_notebook = text.startswith("-- Databricks notebook source")
    piece = Piece(PieceKind.PLAIN, text, Span(0, len(text)), Encoding(is_formatted=True))
    return View(
        host=HostKind.SQL_NOTEBOOK if is_notebook else HostKind.SQL,
        original=text,
        pieces=(piece,),
        starts=(0,),
        blocks=(Span(0, len(text)),),
    )


def _part(piece: Piece, start: int, begin: int, end: int) -> Piece:
    first = piece.host.start + begin - start
    text = piece.text[begin - start : end - start]
    return Piece(PieceKind.PLAIN, text, Span(first, first + len(text)), piece.encoding)


def _filled(piece: Piece, start: int, mark: Mark) -> Piece:
    """Return the piece of a mark; what steers a template is not to be edited."""
    whole = _part(piece, start, mark.span.start, mark.span.end)
    if mark.is_shown:
        return Piece(PieceKind.HOLE, hole_text(whole.text), whole.host, piece.encoding)
    blanks = re.sub(r"[^\n]", " ", whole.text)
    return Piece(PieceKind.ESCAPE, blanks, whole.host)
