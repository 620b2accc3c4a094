"""The expressions inside f-strings, as characters that mean nothing to anybody.

Each character of an expression, braces included, is one of a range for private use. Whatever quotes
or semicolons it holds, the text around it reads as if a single word stood there.
"""

import re

HOLE = "[\U000f0000-\U000ffffd]"
"""Any character of an expression, as a regular expression."""

_FIRST, _UNKNOWN = 0xF0000, 0xFFFD


def hole_text(written: str) -> str:
    """Return the characters that stand for an expression."""
    return "".join(chr(_FIRST + min(ord(char), _UNKNOWN)) for char in written)


def has_hole(text: str) -> bool:
    """Tell whether an expression stands in a text."""
    return not text.isascii() and re.search(HOLE, text) is not None


def is_hole(char: str) -> bool:
    """Tell whether a character stands for one of an expression."""
    return "\U000f0000" <= char <= "\U000ffffd"


def spelled(text: str) -> str:
    """Return a text with its expressions as the file spells them."""
    if text.isascii():
        return text
    return re.sub(f"{HOLE}+", lambda hole: "".join(map(_written, hole[0])), text)


def _written(char: str) -> str:
    return chr(ord(char) - _FIRST)
