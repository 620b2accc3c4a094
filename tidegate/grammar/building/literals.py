"""The text of a literal comes in; its value as Spark reads it goes out."""

import re

from tidegate.grammar.nodes import Expression, Literal, LiteralKind, Placeholder
from tidegate.grammar.tokens import Token, word_set
from tidegate.source.holes import has_hole
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


# The greatest number of each suffix; one more may follow a minus sign.
_GREATEST = {"Y": 2**7, "S": 2**15, "L": 2**63}
_MOST_DIGITS = 38


def number_literal(token: Token) -> Literal | None:
    """Make a number: integers and doubles have their exact value, decimals their text.

    ``None`` if the number is too great for its type.
    """
    text = token.text
    span = Span(token.start, token.end)
    if text.isdigit():
        if len(text.lstrip("0")) > _MOST_DIGITS:
            return None
        return Literal(span=span, kind=LiteralKind.INTEGER, value=_integer(text))
    upper = text.upper()
    found = _SUFFIX.search(upper)
    suffix = found.group() if found else None
    digits = text[: found.start()] if found else text
    if suffix in ("D", "F") or (suffix is None and "E" in upper):
        value = float(digits)
        return Literal(span=span, kind=LiteralKind.DOUBLE, value=value, type_name=suffix)
    if suffix == "BD" or suffix is None:
        return Literal(span=span, kind=LiteralKind.DECIMAL, value=digits, type_name=suffix)
    if not digits.isdigit() or len(digits) > _MOST_DIGITS or int(digits) > _GREATEST[suffix]:
        return None
    return Literal(span=span, kind=LiteralKind.INTEGER, value=int(digits), type_name=suffix)


# ---------------------------------------------------------------- types

_PLAIN_TYPES = word_set(
    "BOOLEAN TINYINT BYTE SMALLINT SHORT INT INTEGER BIGINT LONG FLOAT REAL DOUBLE DATE TIMESTAMP "
    "TIMESTAMP_NTZ TIMESTAMP_LTZ STRING BINARY VOID VARIANT INTERVAL OBJECT"
)
_SIZED_TYPES = word_set("DECIMAL DEC NUMERIC TIME GEOGRAPHY GEOMETRY")
_LENGTH_TYPES = word_set("CHAR CHARACTER VARCHAR")
_OPENERS = word_set("ARRAY MAP STRUCT COMMENT NOT DEFAULT GENERATED MASK COLLATE REFERENCES")


def is_type_name(word: str) -> bool:
    """Tell whether a word in capitals opens a type, or a property that stands without one."""
    return word in _PLAIN_TYPES or word in _SIZED_TYPES or word in _LENGTH_TYPES or word in _OPENERS


def type_fault(name: str, has_size: bool) -> str | None:
    """Say what is wrong with a type's name, if anything is; ``name`` in capitals."""
    if name in _PLAIN_TYPES:
        return "the type takes no size" if has_size else None
    if name in _SIZED_TYPES or not name.isidentifier():
        # A placeholder may stand for any type.
        return None
    if name in _LENGTH_TYPES:
        return None if has_size else "the type needs a length, as in VARCHAR(10)"
    if name in ("ARRAY", "MAP", "STRUCT"):
        return "the type needs its parts in angle brackets"
    return "it is no data type"


# ---------------------------------------------------------------- typed literals and intervals

_DAY = r"\s*[+-]?\d{4,7}-\d{1,2}-\d{1,2}"
_MONTH = r"\s*[+-]?\d{4,7}(?:-\d{1,2})?"
_CLOCK = r"\d{1,2}:\d{1,2}(?::\d{1,2}(?:\.\d*)?)?"
_SPECIAL = r"\s*(?:epoch|now|today|tomorrow|yesterday)\s*"
_SHAPES = {
    "DATE": rf"(?:{_DAY}(?:[ T].*)?|{_MONTH}|{_SPECIAL})\s*",
    "TIME": rf"\s*{_CLOCK}\s*(?:[AaPp][Mm])?\s*",
    "X": r"[0-9a-fA-F]*",
}
_STAMP = rf"(?:{_DAY}(?:[ T]{_CLOCK}.*)?|{_MONTH}|T?{_CLOCK}.*|{_SPECIAL}.*)\s*"
_UNIT = r"(?:year|month|week|day|hour|minute|second|millisecond|microsecond)s?"
_AMOUNT = r"[+-]?\s*(?:\d+(?:\.\d*)?|\.\d+)"
_INTERVAL_TEXT = rf"\s*(?:interval\s+)?(?:{_AMOUNT}\s+{_UNIT}(?:\s+|\Z))+"
INTERVAL_RANGES = frozenset(
    (
        ("YEAR", "MONTH"),
        ("DAY", "HOUR"),
        ("DAY", "MINUTE"),
        ("DAY", "SECOND"),
        ("HOUR", "MINUTE"),
        ("HOUR", "SECOND"),
        ("MINUTE", "SECOND"),
    )
)


def is_typed_value(type_name: str, text: str) -> bool:
    """Tell whether a text has the shape of its type; a placeholder in it may have any."""
    if "${" in text or "{{" in text or has_hole(text):
        return True
    shape = _SHAPES.get(type_name, _STAMP)
    if re.compile(shape, re.IGNORECASE).fullmatch(text) is None:
        return False
    return type_name in ("X", "TIME") or _is_day(text)


def _is_day(text: str) -> bool:
    """Tell whether the month and day that a text starts with exist."""
    found = re.match(r"\s*[+-]?(\d+)-(\d+)(?:-(\d+))?", text)
    if found is None:
        return True
    year, month, day = int(found[1]), int(found[2]), int(found[3] or 1)
    if not 1 <= month <= 12:
        return False
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    longest = (29 if leap else 28) if month == 2 else 30 if month in (4, 6, 9, 11) else 31
    return 1 <= day <= longest


def is_unit(word: str) -> bool:
    """Tell whether a word is a unit of an interval."""
    return re.compile(_UNIT, re.IGNORECASE).fullmatch(word) is not None


def is_interval_text(value: Expression) -> bool:
    """Tell whether an amount without a unit says its units itself: ``'7 days'``."""
    if not isinstance(value, Literal):
        return isinstance(value, Placeholder)
    if value.kind is not LiteralKind.STRING:
        return False
    text = str(value.value)
    if "${" in text or has_hole(text):
        return True
    return re.compile(_INTERVAL_TEXT, re.IGNORECASE).fullmatch(text) is not None


def _integer(digits: str) -> int | str:
    return int(digits) if digits.isdigit() else digits
