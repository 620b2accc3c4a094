"""What comparisons, casts and functions give for plain values; ``None`` is NULL."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable
from datetime import date
from decimal import ROUND_HALF_UP, Decimal

from recount.verdicts import Verdict


def order(value: object) -> tuple[bool, object]:
    """Give a value its place: NaN equals itself and is above every number."""
    if isinstance(value, float) and math.isnan(value):
        return (True, 0)
    return (False, value)


COMPARISONS: dict[str, Callable[[object, object], bool]] = {
    "=": operator.eq,
    "==": operator.eq,
    "<>": operator.ne,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def compare(left: object, sign: str, right: object) -> Verdict:
    """Compare two values of one type."""
    if sign == "<=>":
        return (
            order(left) == order(right)
            if left is not None and right is not None
            else (left is right)
        )
    if left is None or right is None:
        return None
    return COMPARISONS[sign](order(left), order(right))


def _to_int(text: str) -> int | None:
    return int(text) if re.fullmatch(r"[+-]?[0-9]+", text, re.ASCII) else None


def _to_date(text: str) -> date | None:
    found = re.fullmatch(r"(\d{4})(?:-(\d{2})-(\d{2}))?", text, re.ASCII)
    if not found:
        return None
    try:
        return date(*(int(part or 1) for part in found.groups()))
    except ValueError:
        return None


def _to_decimal(text: str) -> Decimal | None:
    if not re.fullmatch(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)", text, re.ASCII):
        return None
    return Decimal(text).quantize(Decimal("0.01"), ROUND_HALF_UP)


CASTS: dict[str, Callable[[str], object]] = {
    "INT": _to_int,
    "DATE": _to_date,
    "DECIMAL(8, 2)": _to_decimal,
}


def _first(*values: object) -> object:
    return next((value for value in values if value is not None), None)


def _extreme(choose: Callable) -> Callable[..., object]:
    def pick(*values: object) -> object:
        known = [value for value in values if value is not None]
        return choose(known, key=order) if known else None

    return pick


TAKES_NULL: dict[str, Callable[..., object]] = {
    "coalesce": _first,
    "nvl": _first,
    "nullif": lambda a, b: None if compare(a, "=", b) is True else a,
    "isnull": lambda a: a is None,
    "isnotnull": lambda a: a is not None,
    "isnan": lambda a: a is not None and math.isnan(a),
    "if": lambda test, a, b: a if test is True else b,
    "greatest": _extreme(max),
    "least": _extreme(min),
}
STRICT: dict[str, Callable[..., object]] = {
    "abs": abs,
    "sign": lambda a: float((a > 0) - (a < 0)),
    "mod": lambda a, b: int(math.fmod(a, b)),
    "length": len,
    "char_length": len,
    "upper": str.upper,
    "lower": str.lower,
    "trim": lambda text: text.strip(" "),
    "ltrim": lambda text: text.lstrip(" "),
    "rtrim": lambda text: text.rstrip(" "),
    "reverse": lambda text: text[::-1],
    "concat": lambda *texts: "".join(texts),
    "substring": lambda text, start, count: text[start - 1 : start - 1 + count],
    "left": lambda text, count: text[:count],
    "replace": lambda text, old, new: text.replace(old, new),
    "instr": lambda text, part: text.find(part) + 1,
    "startswith": lambda text, part: text.startswith(part),
    "endswith": lambda text, part: text.endswith(part),
    "contains": lambda text, part: part in text,
    "year": lambda on: on.year,
    "month": lambda on: on.month,
    "day": lambda on: on.day,
    "datediff": lambda end, start: (end - start).days,
}
