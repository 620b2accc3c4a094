"""Three-valued logic over plain values; ``None`` is SQL's NULL."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cache

Verdict = bool | None


def both(*verdicts: Verdict) -> Verdict:
    """AND: one FALSE decides, then one NULL."""
    if any(each is False for each in verdicts):
        return False
    return None if any(each is None for each in verdicts) else True


def either(*verdicts: Verdict) -> Verdict:
    """OR: one TRUE decides, then one NULL."""
    if any(each is True for each in verdicts):
        return True
    return None if any(each is None for each in verdicts) else False


def negate(verdict: Verdict) -> Verdict:
    """NOT: of NULL is NULL."""
    return None if verdict is None else not verdict


def compare(left: object, test: Callable[[object, object], bool], right: object) -> Verdict:
    """Compare two values; with a NULL on either side the answer is NULL."""
    return None if left is None or right is None else test(left, right)


def between(value, low, high) -> Verdict:
    """BETWEEN is ``>= low AND <= high``, each with its own NULL."""
    return both(
        compare(value, lambda a, b: a >= b, low),
        compare(value, lambda a, b: a <= b, high),
    )


def within(value: object, choices: Iterable[object]) -> Verdict:
    """IN is a chain of ``= OR =``."""
    return either(*(compare(value, lambda a, b: a == b, choice) for choice in choices))


def like(text: str | None, pattern: str) -> Verdict:
    """LIKE over the whole text: ``%`` is any run of characters, ``_`` is one."""
    return None if text is None else _like(pattern).fullmatch(text) is not None


@cache
def _like(pattern: str) -> re.Pattern[str]:
    wild = {"%": ".*", "_": "."}
    return re.compile("".join(wild.get(char, re.escape(char)) for char in pattern), re.DOTALL)
