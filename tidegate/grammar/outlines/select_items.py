"""The tokens of one select item come in; the name it puts out, if the text tells, goes out."""

from collections.abc import Sequence

from tidegate.grammar.tokens import NUMBER, OPERATOR, QUOTED, STRING, WORD, RawToken, word_set

# A last word that belongs to the expression and is no alias.
_NO_ALIAS = word_set("END NULL TRUE FALSE UNKNOWN NULLS")
# Words that an expression cannot end with, so that the next word is no alias.
_NO_END = word_set(
    "AND OR NOT IS IN LIKE ILIKE RLIKE REGEXP BETWEEN CASE WHEN THEN ELSE DISTINCT DIV INTERVAL "
    "ESCAPE COLLATE OVER ANY ALL SOME FROM TO ZONE"
)
_UNITS = word_set(
    "YEAR YEARS QUARTER QUARTERS MONTH MONTHS WEEK WEEKS DAY DAYS HOUR HOURS MINUTE MINUTES SECOND "
    "SECONDS MILLISECOND MILLISECONDS MICROSECOND MICROSECONDS"
)


def name_of(tokens: Sequence[RawToken]) -> str | None:
    """Return the output name of a select item, or ``None`` where only the engine knows it."""
    last = tokens[-1]
    if last.kind not in (WORD, QUOTED):
        return None
    name = last.text[1:-1].replace("``", "`") if last.kind == QUOTED else last.text
    if len(tokens) == 1:
        bare = last.kind == QUOTED or last.text.upper() not in ("NULL", "TRUE", "FALSE")
        return name if bare else None
    before = tokens[-2]
    if before.kind == WORD and before.text.upper() == "AS":
        return name
    if _is_dotted(tokens):
        return name
    if last.kind == WORD and last.text.upper() in _NO_ALIAS:
        return None
    return name if _ends_value(tokens[:-1], last) else None


def _is_dotted(tokens: Sequence[RawToken]) -> bool:
    """Tell whether the item is a name of several parts and nothing else."""
    if len(tokens) % 2 == 0:
        return False
    return all(
        (token.text == ".") if place % 2 else (token.kind in (WORD, QUOTED))
        for place, token in enumerate(tokens)
    )


def _ends_value(tokens: Sequence[RawToken], alias: RawToken) -> bool:
    """Tell whether an expression may end here, so that the word behind it is its alias."""
    last = tokens[-1]
    if last.kind == OPERATOR:
        return last.text in (")", "]")
    if last.kind in (STRING, NUMBER):
        interval = any(token.text.upper() == "INTERVAL" for token in tokens[-4:])
        return not (interval and alias.text.upper() in _UNITS)
    return last.kind == QUOTED or last.text.upper() not in _NO_END
