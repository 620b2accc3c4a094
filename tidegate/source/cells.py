"""The text of an exported notebook comes in; the cells that hold SQL behind MAGIC go out."""

import re
from collections.abc import Iterator

import msgspec

from tidegate.source.span import Span
from tidegate.source.view import Encoding, Piece, plain

_FIRST = re.compile(r"\s*%{1,2}sql\b[ \t]*", re.IGNORECASE)


class MagicCell(msgspec.Struct, frozen=True, kw_only=True):
    """Lines behind a comment mark and MAGIC that hold SQL."""

    span: Span
    """All its lines."""
    pieces: tuple[Piece, ...]


def is_notebook(text: str) -> bool:
    """Tell whether a Python file is an exported notebook, by its first line."""
    return text.startswith("# Databricks notebook source")


def magic_cells(text: str) -> Iterator[MagicCell]:
    """Yield the cells of a Python notebook that start with ``%sql``."""
    if "%sql" not in text.lower():
        return
    line = re.compile(r"^#[ \t]+MAGIC\b(?:[ \t]|(?=\r?$))", re.MULTILINE)
    rows: list[Span] = []
    before = -1
    for match in line.finditer(text):
        if match.start() != before:
            yield from _cell(text, rows)
            rows = []
        end = text.find("\n", match.end())
        before = len(text) if end == -1 else end + 1
        rows.append(Span(match.end(), before))
    yield from _cell(text, rows)


def _cell(text: str, rows: list[Span]) -> Iterator[MagicCell]:
    written = (at for at, row in enumerate(rows) if text[row.start : row.end].strip())
    first = next(written, None)
    if first is None:
        return
    row = rows[first]
    opening = _FIRST.match(text, row.start, row.end)
    if opening is None:
        return
    encoding = Encoding(prefix="# MAGIC ")
    kept = [Span(opening.end(), row.end), *rows[first + 1 :]]
    yield MagicCell(
        span=Span(rows[0].start, rows[-1].end),
        pieces=tuple(plain(text, each.start, each.end, encoding) for each in kept),
    )
