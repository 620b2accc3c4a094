"""The text of a literal comes in; its value as Spark reads it goes out."""

import re

from tidegate.grammar.tokens import Token
from tidegate.grammar.nodes import Literal, LiteralKind
from tidegate.source.span import Span

_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[01][0-7]{2}|.)", re.DOTALL)
_ESCAPED = {"0": "\0", "b": "\b", "n": "\n", "r": "\r", "t": "\t", "Z": "\x1a"}
_SUFFIX = re.compile(r"(?:BD|[LSYDF])\Z")


def string_value(written: str) -> str:
    """Return what a string literal says: raw, doubled quotes and backslash escapes undone."""
    if written[0] in "rR":
        return written[2:-1]
    quote = written[0]
    inner = written[1:-1]
    if quote in inner:
        inner = _undouble(inner, quote)
    return _ESCAPE.sub(_unescape, inner) if "\\" in inner else inner


def _undouble(inner: str, quote: str) -> str:
    """Undo doubled quotes; a quote behind a backslash stays for the next step."""
    return re.sub(
        rf"\\.|{quote}{quote}",
        lambda match: match[0] if match[0][0] == "\\" else quote,
        inner,
        flags=re.DOTALL,
    )


def _unescape(match: re.Match[str]) -> str:
    code = match[1]
    if len(code) > 1:
        number = int(code[1:], 16) if code[0] in "uU" else int(code, 8)
        return chr(number) if number < 0x110000 else match[0]
    if code in "%_":
        return match[0]
    return _ESCAPED.get(code, code)


def number_literal(token: Token) -> Literal:
    """Make a number: integers and doubles have their exact value, decimals their text."""
    text = token.text
    span = Span(token.start, token.end)
    upper = text.upper()
    if text.isdigit():
        return Literal(span=span, kind=LiteralKind.INTEGER, value=_integer(text))
    found = _SUFFIX.search(upper)
    suffix = found.group() if found else None
    digits = text[: found.start()] if found else text
    if suffix in ("D", "F") or (suffix is None and "E" in upper):
        value = float(digits)
        return Literal(span=span, kind=LiteralKind.DOUBLE, value=value, type_name=suffix)
    if suffix == "BD" or suffix is None:
        return Literal(span=span, kind=LiteralKind.DECIMAL, value=digits, type_name=suffix)
    return Literal(span=span, kind=LiteralKind.INTEGER, value=_integer(digits), type_name=suffix)


def _integer(digits: str) -> int | str:
    # Python refuses to convert integers of more than 4300 digits.
    return int(digits) if len(digits) <= 1000 and digits.isdigit() else digits
