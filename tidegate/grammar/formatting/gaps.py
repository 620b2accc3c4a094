"""What stands between two statements comes in; the same with canonical blank lines goes out."""

from collections.abc import Sequence

import msgspec

from tidegate.grammar.formatting.spacing import Comment, comments
from tidegate.grammar.nodes import SetStatement, Statement, UseStatement
from tidegate.source.span import Span


class Neighbors(msgspec.Struct, frozen=True):
    """The statements around a gap; ``None`` at either end of the file."""

    before: Statement | None
    behind: Statement | None


def show_gap(text: str, gap: Span, around: Neighbors, eol: str) -> str:
    """Return a gap with its terminator and comments, and one blank line between statements.

    A block of comments stays with the statement that it stands at.
    """
    found = list(comments(text, gap.start, gap.end))
    if found and found[-1].is_line and found[-1].end == gap.end and around.behind is not None:
        # A statement that starts in the line of a comment: whatever it is, it stays there.
        return text[gap.start : gap.end]
    opening, at = "", gap.start
    if around.before is not None:
        opening, at = _terminator(text, gap, found)
        found = [one for one in found if one.start >= at]
    blocks = _blocks(text, at, found)
    parts = [opening]
    if blocks and around.before is not None and not _lines(text, at, blocks[0][0].start):
        # Comments on the line of the terminator.
        parts += [f" {_shown(text, one)}" for one in blocks[0][:1]]
        at = blocks[0][0].end
        rest = blocks[0][1:]
        blocks = [rest, *blocks[1:]] if rest else blocks[1:]
    is_first = around.before is None
    for block in blocks:
        parts.append("" if is_first else eol * 2)
        is_first = False
        parts.append(_block(text, block, eol))
        at = block[-1].end
    if around.behind is None:
        return "".join(parts) + eol
    lines = _lines(text, at, gap.end)
    if not is_first or blocks:
        parts.append(_between(around, lines, eol, has_comments=bool(blocks)))
    return "".join(parts)


def _between(around: Neighbors, lines: int, eol: str, *, has_comments: bool) -> str:
    """Return what separates a statement from its comments, or from the statement before."""
    if has_comments:
        return eol * min(lines, 2) if lines else " "
    together = isinstance(around.before, _SETTINGS) and isinstance(around.behind, _SETTINGS)
    return eol * (min(max(lines, 1), 2) if together else 2)


_SETTINGS = (SetStatement, UseStatement)


def _terminator(text: str, gap: Span, found: Sequence[Comment]) -> tuple[str, int]:
    """Return the terminator with the comments before it, and where it ends."""
    at = gap.start
    while (at := text.find(";", at, gap.end)) >= 0:
        inside = next((one for one in found if one.start <= at < one.end), None)
        if inside is None:
            has_comment = bool(found) and found[0].start < at
            return (text[gap.start : at + 1] if has_comment else ";"), at + 1
        at = inside.end
    return "", gap.start


def _blocks(text: str, at: int, found: Sequence[Comment]) -> list[list[Comment]]:
    """Put comments without a blank line between them together."""
    blocks: list[list[Comment]] = []
    for place, comment in enumerate(found):
        if place and _lines(text, found[place - 1].end, comment.start) < 2:
            blocks[-1].append(comment)
        else:
            blocks.append([comment])
    return blocks


def _block(text: str, block: Sequence[Comment], eol: str) -> str:
    parts: list[str] = []
    for place, comment in enumerate(block):
        if place:
            parts.append(eol if _lines(text, block[place - 1].end, comment.start) else " ")
        parts.append(_shown(text, comment))
    return "".join(parts)


def _shown(text: str, comment: Comment) -> str:
    return text[comment.start : comment.end]


def _lines(text: str, start: int, end: int) -> int:
    """Return how many line ends stand in a stretch."""
    gap = text[start:end]
    return gap.count("\n") + gap.replace("\r\n", "").count("\r")
