"""Text comes in; typographic characters outside strings and comments, and plain ones, go out."""

import re
from itertools import islice

from tidegate.grammar.tokens import STRANGE, raw_tokens
from tidegate.source.diagnostic import Fault
from tidegate.source.edit import Edit, Fix, Safety
from tidegate.source.span import Span

_PLAIN = {
    **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u00b4", "'"),
    **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb", '"'),
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
    **dict.fromkeys("\u200b\u200c\u200d\u2060\ufeff\u00ad", ""),
    **dict(
        zip(
            "\uff08\uff09\uff0c\uff1b\uff1a\uff1d\uff1c\uff1e\uff07\uff02",
            "(),;:=<>'\"",
            strict=True,
        )
    ),
    "\u2260": "<>",
    "\u2264": "<=",
    "\u2265": ">=",
}
# More of them are no slips of a word processor, but text of another kind.
_MOST_EDITS = 5000
_HINT = re.compile(f"[{''.join(_PLAIN)}]")
_INVISIBLE = frozenset(letter for letter, plain in _PLAIN.items() if not plain)


def plain_edits(text: str, begin: int, end: int) -> tuple[Edit, ...]:
    """Return the edits that make a stretch plain, its strings, names and comments left alone."""
    # Python knows of a text whether it is ASCII without looking at it.
    if text.isascii() or not _HINT.search(text, begin, end):
        return ()
    strange = (
        Edit(Span(token.start, token.end), _PLAIN[token.text])
        for token in raw_tokens(text, begin, end)
        if token.kind == STRANGE and token.text in _PLAIN
    )
    edits = tuple(islice(strange, _MOST_EDITS + 1))
    return edits if len(edits) <= _MOST_EDITS else ()


def typography_faults(text: str, edits: tuple[Edit, ...], *, is_mended: bool) -> list[Fault]:
    """Return one fault for each line that has typographic characters."""
    groups: list[list[Edit]] = []
    for edit in edits:
        if groups and "\n" not in text[groups[-1][0].span.start : edit.span.start]:
            groups[-1].append(edit)
        else:
            groups.append([edit])
    return [typography_fault(text, tuple(group), is_mended=is_mended) for group in groups]


def typography_fault(text: str, edits: tuple[Edit, ...], *, is_mended: bool) -> Fault:
    """Return the fault of typographic characters that are one mistake."""
    letters = dict.fromkeys(text[edit.span.start : edit.span.end] for edit in edits)
    said = [f"U+{ord(letter):04X}" if letter in _INVISIBLE else f"`{letter}`" for letter in letters]
    count = len(said)
    return Fault(
        name="smart-quotes",
        span=Span(edits[0].span.start, edits[-1].span.end),
        message=f"{' and '.join(said)} {'is a' if count == 1 else 'are'} typographic "
        f"character{'' if count == 1 else 's'} that SQL does not know",
        help="write plain quotes, hyphens and blanks",
        fix=Fix("Write plain characters", edits, Safety.SAFE) if is_mended else None,
    )
