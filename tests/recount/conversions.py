"""Text to typed values as Spark 4.2 does it in ANSI mode and UTC, for what occurs in the inputs."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation

_MOMENT = re.compile(
    r"(\d{4})-(\d{1,2})-(\d{1,2})(?:[ T](\d{2}):(\d{2}):(\d{2}))?(?:(Z)|([+-])(\d{2}):(\d{2}))?"
)
_DAY = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})")


def trim(text: str | None) -> str | None:
    """Remove blanks at both ends; only blanks, no tabs."""
    return None if text is None else text.strip(" ")


def upper(text: str | None) -> str | None:
    """Return the text in capitals."""
    return None if text is None else text.upper()


def lower(text: str | None) -> str | None:
    """Return the text in small letters."""
    return None if text is None else text.lower()


def moment(text: str | None) -> datetime | None:
    """``try_to_timestamp`` without a format: the moment in UTC, or NULL for what is none."""
    found = _MOMENT.fullmatch((text or "").strip())
    if found is None:
        return None
    year, month, day, *clock = found.groups()[:6]
    try:
        local = datetime(int(year), int(month), int(day), *(int(part or 0) for part in clock))
    except ValueError:
        return None
    sign, hours, minutes = found.groups()[7:]
    if sign is None:
        return local
    offset = timedelta(hours=int(hours), minutes=int(minutes)) * (-1 if sign == "-" else 1)
    return local.replace(tzinfo=timezone(offset)).astimezone(UTC).replace(tzinfo=None)


def day(text: str | None) -> date | None:
    """``TRY_CAST(... AS DATE)``."""
    found = _DAY.fullmatch((text or "").strip())
    if found is None:
        return None
    try:
        return date(*map(int, found.groups()))
    except ValueError:
        return None


def decimal(value: str | float | Decimal | None, precision: int, scale: int) -> Decimal | None:
    """``TRY_CAST(... AS DECIMAL(p, s))``: half up, NULL for no number and for one too large."""
    if value is None:
        return None
    try:
        number = Decimal(repr(value) if isinstance(value, float) else value)
    except InvalidOperation:
        return None
    if not number.is_finite():
        return None
    rounded = number.quantize(Decimal(1).scaleb(-scale), ROUND_HALF_UP)
    return rounded if abs(rounded) < Decimal(10) ** (precision - scale) else None


def number(text: str | None) -> float | None:
    """``TRY_CAST(... AS DOUBLE)``."""
    try:
        return None if text is None else float(text.strip())
    except ValueError:
        return None
