"""A file and a span come in; the lines under it, with carets, go out."""

import msgspec

from tidegate.report.position import Positions
from tidegate.report.terminal import Palette, lay_out, width
from tidegate.source.span import Span

_MOST_LINES = 4
_LONG_LINE = 160
_BEFORE, _AFTER = 40, 110


class _Marked(msgspec.Struct, frozen=True):
    """One source line with the part that is meant, as offsets into the line."""

    number: int
    text: str
    start: int
    end: int


def snippet(positions: Positions, path: str, span: Span, palette: Palette, color: str) -> list[str]:
    """Return the source lines of a span, each with a line of carets under the part meant."""
    marked = _marked_lines(positions, path, positions.file(path).place(span))
    gutter = len(str(marked[-1].number))
    bar = f"{palette.dim} {' ' * gutter} |{palette.reset}"
    lines = [bar]
    for at, line in enumerate(marked):
        if at and line.number != marked[at - 1].number + 1:
            lines.append(f"{palette.dim} {'.' * gutter} |{palette.reset}")
        shown, blanks, carets = _draw(line)
        number = f"{palette.dim} {line.number:>{gutter}} |{palette.reset}"
        lines.append(f"{number} {shown}".rstrip())
        lines.append(f"{bar} {' ' * blanks}{color}{'^' * carets}{palette.reset}")
    return lines


def _marked_lines(positions: Positions, path: str, span: Span) -> list[_Marked]:
    index = positions.lines(path)
    text = positions.file(path).original
    first, _ = index.locate(span.start)
    last, _ = index.locate(max(span.start, span.end - 1))
    numbers = list(range(first, last + 1))
    if len(numbers) > _MOST_LINES:
        numbers = [first, first + 1, last]
    marked = []
    for number in numbers:
        begin = index.start_of(number)
        stop = index.start_of(number + 1) - 1 if number < len(index) else len(text)
        line = text[begin:stop].removesuffix("\r")
        start, end = max(0, span.start - begin), min(len(line), span.end - begin)
        if number != first:
            start = len(line) - len(line.lstrip())
        if start < end or number == first:
            marked.append(_Marked(number, line, start, max(start, end)))
    return marked


def _draw(line: _Marked) -> tuple[str, int, int]:
    """Return what is shown of a line, the blanks before the carets, and how many carets."""
    text, start, end = line.text, line.start, line.end
    before = after = ""
    if len(text) > _LONG_LINE:
        left, right = max(0, start - _BEFORE), min(len(text), start + _AFTER)
        before, after = "…" if left else "", "…" if right < len(text) else ""
        text, start, end = text[left:right], start - left, min(end, right) - left
    head = before + lay_out(text[:start], len(before))
    meant = lay_out(text[start:end], width(head))
    tail = lay_out(text[end:], width(head) + width(meant)) + after
    return head + meant + tail, width(head), max(1, width(meant))
