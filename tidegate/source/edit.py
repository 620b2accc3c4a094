"""Edits and fixes: what to replace, and whether that may be done unasked."""

from collections.abc import Iterable
from enum import Enum

import msgspec

from tidegate.source.span import Span


class Edit(msgspec.Struct, frozen=True, order=True):
    """Replaces the text under a span; an empty span inserts."""

    span: Span
    text: str


class Safety(Enum):
    """Whether a fix may be applied without asking."""

    SAFE = "safe"
    """The verdict of every row stays, or the text could not run as it was."""
    UNSAFE = "unsafe"
    """It may change which rows pass, or a name; applied only when asked for."""


class Fix(msgspec.Struct, frozen=True):
    """Edits that apply together or not at all."""

    title: str
    edits: tuple[Edit, ...]
    safety: Safety


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """Apply edits that do not overlap, in any order.

    Raises:
        ValueError: if two edits overlap, which is a fault of whoever made them.

    """
    parts: list[str] = []
    at = 0
    for edit in sorted(edits):
        if edit.span.start < at:
            raise ValueError(f"edits overlap at offset {edit.span.start}")
        parts += (text[at : edit.span.start], edit.text)
        at = edit.span.end
    parts.append(text[at:])
    return "".join(parts)
