"""A slice that starts with no word comes in; the start of the statement behind it goes out."""

import msgspec

from tidegate.grammar.tokens import OPERATOR, STRANGE, WORD, raw_tokens
from tidegate.source.diagnostic import Fault
from tidegate.source.edit import Edit, Fix, Safety
from tidegate.source.span import Span

_MOST_TOKENS = 60


class Led(msgspec.Struct, frozen=True):
    """A statement behind what belongs to no SQL."""

    begin: int
    fault: Fault | None
    """Nothing where it is only the word that a notebook knows SQL by."""


def behind_junk(text: str, begin: int, end: int) -> Led | None:
    """Find the CREATE behind a comment of another language, a magic word or a prompt."""
    for place, token in enumerate(raw_tokens(text, begin, end)):
        if place == 0 and token.kind not in (OPERATOR, STRANGE):
            return None
        if place > _MOST_TOKENS:
            return None
        if token.kind == WORD and place and token.text.upper() == "CREATE":
            return Led(token.start, _fault(text, begin, token.start))
    return None


def _fault(text: str, begin: int, stop: int) -> Fault | None:
    junk = text[begin:stop].rstrip()
    if junk.lower() == "%sql":
        return None
    line = junk.split("\n", 1)[0].strip()
    shown = line if len(line) <= 40 else line[:37] + "..."
    fix = None
    if "\n" in text[begin:stop]:
        fix = Fix("Make it a comment", (Edit(Span(begin, begin), "-- "),), Safety.UNSAFE)
    return Fault(
        name="syntax-error",
        span=Span(begin, begin + len(junk)),
        message=f"found `{shown.replace('`', chr(39))}` before the statement",
        help="remove it, or write it behind `--`",
        fix=fix,
    )
