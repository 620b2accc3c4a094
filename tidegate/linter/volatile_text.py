"""Names come in; the part that changes from one run to the next goes out."""

import re
from collections.abc import Iterator
from itertools import pairwise

import msgspec


class Run(msgspec.Struct, frozen=True):
    """A part of a name, ``start <= offset < end``, and what it is."""

    start: int
    end: int
    what: str
    """With its article: ``a date``."""
    evidence: tuple[str, ...]
    """Lower-case letters and digits; a predicate that holds one of them explains the part."""


_UUID = r"[0-9a-f]{8}([-_ ]?)[0-9a-f]{4}\1[0-9a-f]{4}\1[0-9a-f]{4}\1[0-9a-f]{12}"
_YEAR = r"(?:19|20)\d\d"
_MONTH = r"(?:0[1-9]|1[0-2])"
_DAY = r"(?:0[1-9]|[12]\d|3[01])"
_SEPARATED_DATE = rf"{_YEAR}[-_. ]{_MONTH}(?:[-_. ]{_DAY}|$)"
_QUARTER = rf"{_YEAR}[-_ ]?(?:q[1-4]|w[0-5]\d)|q[1-4][-_ ]?{_YEAR}"
_MONTH_NAME = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sep(?:tember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_NAMED_MONTH = rf"{_MONTH_NAME}[-_ ]?{_YEAR}"
_TRACKERS = (
    r"(?:jira|ticket|issue|bug|story|task|incident|inc|chg|req|case|ref|user|usr|emp|author)"
)
_STANDARDS = frozenset({"cp", "din", "ean", "en", "icd", "iec", "ieee", "iso", "rfc", "sha", "utf"})
_HEX_WORDS = frozenset(
    {
        "accede", "ace", "ad", "add", "added", "bad", "be", "bead", "bed", "bee", "beef", "cab",
        "cad", "cafe", "dad", "dead", "decade", "deed", "ed", "facade", "face", "faced", "fad",
        "fade", "faded", "fed", "fee", "feed",
    }
)  # fmt: skip


def volatile_run(name: str) -> Run | None:
    """Return the part of a name that changes with each regeneration: a date, a hash, a version."""
    if not any(mark.isdigit() for mark in name):
        return None
    folded = name.lower()
    return next(
        (run for find in (_uuid, _dates, _hashes, _version, _ticket) for run in find(folded, name)),
        None,
    )


def letters_and_digits(text: str) -> str:
    """Return only the letters and digits of a text, in lower case."""
    return "".join(mark for mark in text.lower() if mark.isalnum())


def _uuid(folded: str, name: str) -> Iterator[Run]:
    for found in re.finditer(rf"(?<![0-9a-z]){_UUID}(?![0-9a-z])", folded):
        yield _run(found, "a UUID")


def _dates(folded: str, name: str) -> Iterator[Run]:
    for found in re.finditer(r"\d+", folded):
        if orders := _orders(found[0]):
            yield Run(found.start(), found.end(), "a date", (found[0], *orders))
        elif re.fullmatch(r"1[0-9]{9}(?:\d{3})?", found[0]):
            yield _run(found, "a point in time")
    edges = r"(?<![0-9a-z])(?:{})(?![0-9])"
    for found in re.finditer(edges.format(_SEPARATED_DATE), folded):
        yield _run(found, "a date")
    for pattern, what in ((_QUARTER, "a period"), (_NAMED_MONTH, "a month")):
        for found in re.finditer(edges.format(pattern), folded):
            year = re.search(_YEAR, found[0])
            yield Run(found.start(), found.end(), what, (year[0] if year else found[0],))


def _orders(digits: str) -> tuple[str, ...]:
    """Return the dates, as year, month, day, that eight or fourteen digits can be."""
    if len(digits) not in (8, 14):
        return ()
    if len(digits) == 14 and not re.fullmatch(r"(?:[01]\d|2[0-3])[0-5]\d[0-5]\d", digits[8:]):
        return ()
    date = digits[:8]
    readings = (date, date[4:] + date[2:4] + date[:2], date[4:] + date[:4])
    return tuple(each for each in readings if re.fullmatch(_YEAR + _MONTH + _DAY, each))


def _hashes(folded: str, name: str) -> Iterator[Run]:
    found = list(re.finditer(r"[^\W_]+", folded))
    for at, chunk in enumerate(found):
        text = chunk[0]
        is_last = at > 0 and at == len(found) - 1
        if not re.fullmatch(r"[0-9a-f]+", text) or text.isdigit() or text.isalpha():
            continue
        borders = sum(a.isdigit() != b.isdigit() for a, b in pairwise(text))
        is_word = text.rstrip("0123456789") in _HEX_WORDS
        # Seven are what git prints; so short, one border may be a word and its number.
        if (len(text) >= 8 and not is_word) or (is_last and len(text) == 7 and borders > 1):
            yield _run(chunk, "a hash")


def _version(folded: str, name: str) -> Iterator[Run]:
    if found := re.search(r"(?<![^\W\d_])v[-_. ]?\d+$", folded):
        yield _run(found, "a version")
    elif found := re.search(r"(?<=[a-z0-9])V\d+$", name):
        yield Run(found.start(), found.end(), "a version", (found[0].lower(),))


def _ticket(folded: str, name: str) -> Iterator[Run]:
    found = re.fullmatch(r"([A-Z][A-Z0-9]{1,9})-\d+", name)
    if found and found[1].lower() not in _STANDARDS:
        yield _run(found, "a ticket number")
    elif found := re.fullmatch(rf"{_TRACKERS}[-_ ]?\d+", folded):
        yield _run(found, "the number of a ticket or user")


def _run(found: re.Match[str], what: str) -> Run:
    return Run(found.start(), found.end(), what, (letters_and_digits(found[0]),))
