"""Python text comes in; the SQL in its string literals goes out, piece by piece.

Taken are the first argument of ``.sql(...)``, and strings that open like a pipeline statement where
they are assigned, returned or listed. The program need not be valid.
"""

import re
from collections.abc import Iterator

from msgspec.structs import replace

from tidegate.source.holes import hole_text
from tidegate.source.python_strings import StringLiteral
from tidegate.source.python_tokens import PythonToken, PythonTokenKind, python_tokens
from tidegate.source.span import Span
from tidegate.source.view import Encoding, Piece, PieceKind, hole

_COMMENTS = r"(?:\s|--[^\n]*+(?:\n|\Z)|/\*.*?\*/)*+"
_HEAD = re.compile(
    rf"{_COMMENTS}(?:"
    r"CREATE\s+(?:OR\s+(?:REFRESH|REPLACE)\s+)?(?:PRIVATE\s+|TEMPORARY\s+|TEMP\s+)?"
    r"(?:STREAMING\s+|INCREMENTAL\s+|LIVE\s+|MATERIALIZED\s+)+(?:TABLE|VIEW)\b"
    r"|CREATE\s+OR\s+REFRESH\b"
    r"|CREATE\s+FLOW\b"
    r"|APPLY\s+CHANGES\s+INTO\b"
    r"|AUTO\s+CDC\s+(?:ONCE\s+)?INTO\b)",
    re.IGNORECASE | re.DOTALL,
)
_CREATES = re.compile(rf"{_COMMENTS}CREATE\b", re.IGNORECASE | re.DOTALL)
_MAY_HOLD = re.compile(
    r"\.\s*sql\s*\(|\bCREATE\s|\bAPPLY\s+CHANGES\s|\bAUTO\s+CDC\s", re.IGNORECASE
)
_EXPECTS = re.compile(r"\bEXPECT\s*\(", re.IGNORECASE)
_FORMATTED = re.compile(r"\{\{|\}\}|\{[^{}\n]*\}")
_PERCENT = re.compile(r"%%|%(?:\(\w+\))?[-+ #0]*\d*(?:\.\d+)?[sdifrge]")
_WRAPPERS = frozenset({"dedent", "cleandoc"})
_CALLS = frozenset({"sql"})
_ARGUMENTS = frozenset({"query", "sqlQuery", "sqlText"})
_KEYWORDS = frozenset(
    ("return", "yield", "in", "and", "or", "not", "if", "else", "elif", "while", "for", "assert")
)
_ENDS = frozenset(")]},:;")

Block = list[Piece]


def python_sql(text: str) -> Iterator[Block]:
    """Yield what each SQL string says, in the order of the text."""
    if _MAY_HOLD.search(text) is not None:
        yield from _Scan(list(python_tokens(text)), text).blocks()


class _Scan:
    def __init__(self, tokens: list[PythonToken], text: str) -> None:
        self._tokens = tokens
        self._text = text
        self._opened: list[int] = []

    def blocks(self) -> Iterator[Block]:
        at = 0
        while at < len(self._tokens):
            token = self._tokens[at]
            if token.literal is None:
                if token.kind is PythonTokenKind.MARK:
                    self._bracket(at, token.text)
                at += 1
                continue
            block, behind = self._expression(at)
            if block and self._is_sql(at, block):
                yield block
            at = behind

    def _bracket(self, at: int, mark: str) -> None:
        if mark in "([{":
            self._opened.append(at)
        elif mark in ")]}" and self._opened:
            self._opened.pop()

    # ------------------------------------------------------------ what a string says

    def _expression(self, at: int) -> tuple[Block, int]:
        """Read strings joined by standing together or by ``+``, and what formats them."""
        block: Block = []
        is_text = True
        while True:
            literals, at = self._adjacent(at)
            is_text = is_text and not any(each.is_bytes for each in literals)
            pieces = [piece for each in literals for piece in each.pieces]
            formatted, at = self._formatted(pieces, at)
            block += formatted
            if not self._is(at, "+"):
                break
            operand, behind = self._operand(at + 1)
            if operand is None:
                break
            if operand.end > operand.start:
                block.append(hole(self._text, operand.start, operand.end, None))
            at = behind
            if at >= len(self._tokens) or self._tokens[at].literal is None:
                break
        return (block if is_text else []), at

    def _adjacent(self, at: int) -> tuple[list[StringLiteral], int]:
        literals = []
        while at < len(self._tokens) and (literal := self._tokens[at].literal):
            literals.append(literal)
            at += 1
        return literals, at

    def _formatted(self, pieces: Block, at: int) -> tuple[Block, int]:
        if self._is(at, ".") and self._is(at + 1, "format") and self._is(at + 2, "("):
            return list(_split(pieces, _FORMATTED)), self._behind_bracket(at + 2)
        if self._is(at, "%") and at + 1 < len(self._tokens):
            operand, behind = self._operand(at + 1)
            if operand is not None:
                return list(_split(pieces, _PERCENT)), behind
        return pieces, at

    def _operand(self, at: int) -> tuple[Span | None, int]:
        """Return where an operand of ``+`` stands (empty for a string), and what is behind it."""
        if at >= len(self._tokens):
            return None, at
        first = at
        if self._tokens[at].literal is not None:
            start = self._tokens[at].span.start
            return Span(start, start), at
        while at < len(self._tokens):
            token = self._tokens[at]
            leads_to_text = token.text == "+" and self._is_string(at + 1)
            if token.kind is PythonTokenKind.LINE or token.text in _ENDS or leads_to_text:
                break
            opens = token.kind is PythonTokenKind.MARK and token.text in "([{"
            at = self._behind_bracket(at) if opens else at + 1
        if at == first:
            return None, at
        span = Span(self._tokens[first].span.start, self._tokens[at - 1].span.end)
        return span, at + 1 if self._is(at, "+") and self._is_string(at + 1) else at

    def _behind_bracket(self, at: int) -> int:
        depth = 0
        while at < len(self._tokens):
            token = self._tokens[at]
            if token.kind is PythonTokenKind.MARK:
                depth += token.text in "([{"
                depth -= token.text in ")]}"
            at += 1
            if depth <= 0:
                break
        return at

    def _is(self, at: int, text: str) -> bool:
        return 0 <= at < len(self._tokens) and self._tokens[at].text == text

    def _is_string(self, at: int) -> bool:
        return 0 <= at < len(self._tokens) and self._tokens[at].literal is not None

    # ------------------------------------------------------------ where it stands

    def _is_sql(self, at: int, block: Block) -> bool:
        said = "".join(piece.text for piece in block)
        if not "".join(p.text for p in block if p.kind is not PieceKind.HOLE).strip():
            return False
        if self._is_argument(at):
            return True
        opens = _HEAD.match(said) or (_CREATES.match(said) and _EXPECTS.search(said))
        return bool(opens) and self._is_value(at)

    def _is_argument(self, at: int) -> bool:
        """Tell whether a string is what ``.sql(...)`` is called with."""
        opening = self._outermost(at)
        before = opening - 1
        if self._is(before, "=") and before > 1 and self._tokens[before - 1].text in _ARGUMENTS:
            before = self._around(before)
        if not self._is(before, "("):
            return False
        return self._is(before - 2, ".") and self._tokens[before - 1].text in _CALLS

    def _outermost(self, at: int) -> int:
        """Return where the value stands that a string alone makes, brackets and dedent left out."""
        while self._is(at - 1, "("):
            callee = self._tokens[at - 2] if at > 1 else None
            if callee is None or callee.kind is not PythonTokenKind.WORD:
                if callee is not None and callee.text in (")", "]"):
                    return at
                at -= 1
                continue
            if callee.text not in _WRAPPERS and callee.text not in _KEYWORDS:
                return at
            at -= 1 if callee.text in _KEYWORDS else 2
            while self._is(at - 1, ".") and at > 1:
                at -= 2
        return at

    def _is_value(self, at: int) -> bool:
        """Tell whether a string is assigned, returned, or an element of a display."""
        at = self._outermost(at)
        if at == 0:
            return False
        before = self._tokens[at - 1]
        if before.text in ("return", "yield", "="):
            return not self._is_default(at)
        if before.text in ("[", ",", ":", "{", "("):
            return self._is_display(self._around(at))
        return False

    def _around(self, at: int) -> int:
        """Return the innermost bracket that opens before a token and is still open, or -1."""
        return next((opened for opened in reversed(self._opened) if opened < at), -1)

    def _is_default(self, at: int) -> bool:
        return self._is(at - 2, "=") or self._is(at - 2, "!")

    def _is_display(self, opening: int) -> bool:
        """Tell whether a bracket opens a list, tuple, set or dictionary, not a call."""
        if opening <= 0 or self._tokens[opening].text == "{":
            return opening >= 0
        before = self._tokens[opening - 1]
        if before.kind is PythonTokenKind.WORD:
            return before.text in _KEYWORDS
        return before.text not in (")", "]")


def _split(pieces: Block, pattern: re.Pattern[str]) -> Iterator[Piece]:
    """Make holes of what a formatting operation replaces."""
    encodings: dict[int, Encoding | None] = {}
    for piece in pieces:
        encoding = piece.encoding
        if encoding is not None:
            own = replace(encoding, is_formatted=True) if pattern is _FORMATTED else None
            encoding = encodings.setdefault(id(encoding), own)
        if piece.kind is not PieceKind.PLAIN:
            yield Piece(piece.kind, piece.text, piece.host, encoding)
            continue
        at, start = 0, piece.host.start
        for match in pattern.finditer(piece.text):
            begin, end = match.span()
            place = Span(start + begin, start + end)
            before = Span(start + at, place.start)
            yield Piece(PieceKind.PLAIN, piece.text[at:begin], before, encoding)
            if match[0] in ("{{", "}}", "%%"):
                yield Piece(PieceKind.ESCAPE, match[0][0], place, encoding)
            else:
                yield Piece(PieceKind.HOLE, hole_text(match[0]), place, encoding)
            at = end
        behind = Span(start + at, piece.host.end)
        yield Piece(PieceKind.PLAIN, piece.text[at:], behind, encoding)
