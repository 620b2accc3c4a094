"""A text comes in; whether somebody has still to fill something in may be known already.

Apart from ``templates``, so that the many files without such a mark need not load it.
"""

import re

# A digit opens no mark, but the repetitions of a regular expression: `{2,4}`.
_BRACE = r"\{(?:[^\W\d]|[%{#}])"
_TO_REPLACE = r"<[A-Z][A-Z0-9_ -]*+>"
TYPE_ARGUMENT = (
    r"<(?:STRING|(?:TINY|SMALL|BIG)?INT|INTEGER|BYTE|SHORT|LONG|FLOAT|REAL|DOUBLE|DEC|DECIMAL|NUMERIC"
    r"|DATE|TIME|TIMESTAMP(?:_NTZ|_LTZ)?|BOOLEAN|BINARY|VARIANT|VOID|STRUCT|ARRAY|MAP)>"
)
"""What looks like a name to be replaced, behind a blank or a comment, and is part of a type."""
# Behind a word it is the argument of a type: `ARRAY<STRING>`.
_NO_TYPE_BEFORE = ("", " ", "\t", "\r", "\n", "(", ",", ".", "=")
_OTHERS = ("FILL", "TODO>", "fill", "Fill", "YOUR")


def may_hold_marks(text: str) -> bool:
    """Tell whether it is worth looking for marks of a template, and for blanks."""
    if any(word in text for word in _OTHERS) or _holds_odd_pair(text):
        return True
    # A pattern that starts with one character is found ten times as fast as one that looks around.
    names = re.compile(_TO_REPLACE).finditer(text)
    types = re.compile(TYPE_ARGUMENT)
    if any(
        _before(text, match) in _NO_TYPE_BEFORE and not types.match(text, match.start())
        for match in names
    ):
        return True
    if "{" not in text:
        return False
    return any(_before(text, match) != "$" for match in re.compile(_BRACE).finditer(text))


def _holds_odd_pair(text: str) -> bool:
    # One character is looked for much faster than two, and most files have neither.
    return ("%" in text and "%(" in text) or ('"' in text and 'f"' in text)


def _before(text: str, match: re.Match[str]) -> str:
    return text[match.start() - 1 : match.start()]
