"""The text of a Jupyter notebook comes in; its cells, with the places of their characters, go out.

The JSON is scanned with offsets, so nothing is searched for: equal cells keep their own places.
"""

import json
import re
from collections.abc import Iterator

import msgspec

from tidegate.source.span import Span
from tidegate.source.view import Encoding, Piece, PieceKind, plain

_TOKEN = re.compile(r'\s*+("(?:[^"\\]++|\\.)*+"|[{}\[\],:]|[^\s{}\[\],:"]++)', re.DOTALL)
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})(?:\\u([dD][c-fC-F][0-9a-fA-F]{2}))?|(.))", re.DOTALL)
_LETTERS = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_MAGIC = re.compile(r"\s*(%{1,2})(\w+)[ \t]*")
# What a single percent sign may choose for a whole cell.
_LANGUAGES = frozenset(("sql", "python", "py", "md", "sh", "scala", "r", "fs", "run"))
_SPEAKS_SQL = frozenset({"sql", "sparksql", "spark-sql"})


class NotebookCell(msgspec.Struct, frozen=True, kw_only=True):
    """One code cell: its language, and what it says without the line that names the language."""

    language: str
    """``sql``, ``python``, or whatever the magic word says."""
    pieces: tuple[Piece, ...]
    start: int
    """Where it starts in the file."""
    number: int
    """Which cell it is, those of other kinds counted too, from one."""


class NoNotebook(msgspec.Struct, frozen=True):
    """Why a text is no notebook."""

    offset: int
    reason: str


def read_cells(text: str) -> "list[NotebookCell] | NoNotebook":
    """Return the code cells of a notebook in their order."""
    try:
        document = json.loads(text)
    except json.JSONDecodeError as error:
        return NoNotebook(
            error.pos, f"it is not valid JSON: {error.msg[:1].lower()}{error.msg[1:]}"
        )
    except RecursionError:
        return NoNotebook(0, "its JSON is nested too deeply")
    except ValueError:
        return NoNotebook(0, "it holds a number that is too long")
    found = _code_cells(document)
    if found is None:
        return NoNotebook(0, "it has no cells, so it is no notebook")
    language = _language(document)
    sources = _sources(text)
    return [
        _cell(text, sources[place], own or language, int(place[-1]) + 1)
        for place, own in found.items()
        if place in sources
    ]


_Place = tuple[str | int, ...]


def _code_cells(document: object) -> dict[_Place, str] | None:
    """Return the cells of code by their place, each with the language that it names itself.

    Older notebooks have worksheets.
    """
    if not isinstance(document, dict):
        return None
    found: dict[_Place, str] = {}
    sheets: list[tuple[_Place, object]] = [(("cells",), document.get("cells"))]
    worksheets = document.get("worksheets")
    if isinstance(worksheets, list):
        sheets += [
            (("worksheets", at, "cells"), sheet.get("cells"))
            for at, sheet in enumerate(worksheets)
            if isinstance(sheet, dict)
        ]
    lists = [(place, cells) for place, cells in sheets if isinstance(cells, list)]
    for place, cells in lists:
        for at, cell in enumerate(cells):
            if isinstance(cell, dict) and cell.get("cell_type") == "code":
                found[(*place, at)] = _own_language(cell)
    return found if lists else None


def _own_language(cell: dict[str, object]) -> str:
    """Return the language of a cell by its metadata, empty for none."""
    metadata = cell.get("metadata")
    if not isinstance(metadata, dict):
        return ""
    vscode = metadata.get("vscode")
    named = vscode.get("languageId") if isinstance(vscode, dict) else metadata.get("language")
    return _spoken(named.lower()) if isinstance(named, str) else ""


def _language(document: dict[str, object]) -> str:
    """Return the language of cells that name none."""
    metadata = document.get("metadata")
    if not isinstance(metadata, dict):
        return "python"
    for key, inner in (
        ("application/vnd.databricks.v1+notebook", "language"),
        ("language_info", "name"),
        ("kernelspec", "language"),
        ("kernelspec", "name"),
    ):
        table = metadata.get(key)
        value = table.get(inner) if isinstance(table, dict) else None
        if isinstance(value, str) and value:
            return _spoken(value.lower())
    return "python"


def _spoken(name: str) -> str:
    """Return the language of a kernel by its name."""
    if name in _SPEAKS_SQL:
        return "sql"
    return "python" if "python" in name or name in ("pyspark", "pysparkkernel") else name


def _sources(text: str) -> dict[_Place, list[Span]]:
    """Return where the strings of each cell's source stand, without their quotes."""
    found: dict[_Place, list[Span]] = {}
    for path, span in _strings(text):
        depth = len(path)
        is_source = depth > 2 and path[-1] in ("source", "input")
        is_line = depth > 3 and path[-2] in ("source", "input") and isinstance(path[-1], int)
        if is_source or is_line:
            place = path[:-1] if is_source else path[:-2]
            if place[0] in ("cells", "worksheets") and len(place) in (2, 4):
                found.setdefault(place, []).append(span)
    return found


def _strings(text: str) -> Iterator[tuple[_Place, Span]]:
    """Yield every string that is a value, with the keys and places that lead to it."""
    path: list[str | int] = []
    is_key = False
    at = 0
    while match := _TOKEN.match(text, at):
        token, at = match[1], match.end()
        if token == "{":
            path.append("")
            is_key = True
        elif token == "[":
            path.append(0)
            is_key = False
        elif token in ("}", "]"):
            del path[-1:]
            is_key = False
        elif token == ",":
            last = path[-1] if path else ""
            if isinstance(last, int):
                path[-1] = last + 1
            is_key = not isinstance(last, int)
        elif token == ":":
            is_key = False
        elif token[0] == '"':
            if is_key and path:
                path[-1] = token[1:-1]
            else:
                yield tuple(path), Span(match.start(1) + 1, at - 1)


def _cell(text: str, parts: list[Span], language: str, number: int) -> NotebookCell:
    encoding = Encoding(is_json=True)
    pieces = [piece for part in parts for piece in _decoded(text, part, encoding)]
    said = "".join(piece.text for piece in pieces)
    start = parts[0].start
    magic = _MAGIC.match(said)
    whole = NotebookCell(language=language, pieces=tuple(pieces), start=start, number=number)
    if magic is None:
        return whole
    word = magic[2].lower()
    if magic[1] == "%" and word not in _LANGUAGES:
        # The line alone is meant, not the cell.
        return whole
    is_language = word in ("sql", "python", "py")
    kept = tuple(_behind(pieces, magic.end())) if is_language else tuple(pieces)
    word = "python" if word == "py" else word
    return NotebookCell(language=word, pieces=kept, start=start, number=number)


def _behind(pieces: list[Piece], offset: int) -> Iterator[Piece]:
    at = 0
    for piece in pieces:
        end = at + len(piece.text)
        if at >= offset:
            yield piece
        elif end > offset:
            cut = offset - at
            host = Span(piece.host.start + cut, piece.host.end)
            yield Piece(piece.kind, piece.text[cut:], host, piece.encoding)
        at = end


def _decoded(text: str, part: Span, encoding: Encoding) -> Iterator[Piece]:
    at = part.start
    while at < part.end:
        stop = text.find("\\", at, part.end)
        stop = part.end if stop == -1 else stop
        if stop > at:
            yield plain(text, at, stop, encoding)
        escape = _ESCAPE.match(text, stop, part.end)
        if escape is None:
            return
        value = _value(escape)
        yield Piece(PieceKind.ESCAPE, value, Span(*escape.span()), encoding)
        at = escape.end()


def _value(escape: re.Match[str]) -> str:
    high, low, letter = escape.groups()
    if high is None:
        return _LETTERS.get(letter, letter)
    if low is not None and "d800" <= high.lower() < "dc00":
        code = 0x10000 + ((int(high, 16) - 0xD800) << 10) + int(low, 16) - 0xDC00
        return chr(code)
    first = int(high, 16)
    if low is not None:
        return _whole(first) + _whole(int(low, 16))
    return _whole(first)


def _whole(code: int) -> str:
    # Half of a surrogate pair alone is no character that a file could hold.
    return "\ufffd" if 0xD800 <= code < 0xE000 else chr(code)
