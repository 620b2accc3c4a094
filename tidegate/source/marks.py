"""A text comes in; whether somebody has still to fill something in may be known already.

Apart from ``templates``, so that the many files without such a mark need not load it.
"""

import re

# A digit opens no mark, but the repetitions of a regular expression: `{2,4}`.
_BRACE = r"\{(?:[^\W\d]|[%{#}])"
_OTHERS = ("FILL", "TODO>", "fill", "Fill", "YOUR", "%(", 'f"')


def may_hold_marks(text: str) -> bool:
    """Tell whether it is worth looking for marks of a template, and for blanks."""
    if any(word in text for word in _OTHERS):
        return True
    if "{" not in text:
        return False
    # A pattern that starts with the brace itself is found ten times as fast as one that looks back.
    braces = re.compile(_BRACE).finditer(text)
    return any(text[match.start() - 1 : match.start()] != "$" for match in braces)
