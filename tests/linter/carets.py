"""Code whose comment lines of carets say what is flagged: the text and the marks come apart."""

import re

_MARK = re.compile(r"(\^+) ([A-Z]\d{3})")


def unmarked(marked: str) -> tuple[str, set[tuple[int, int, str]]]:
    """Return the text without its caret lines, and the marks as (start, end, code)."""
    lines: list[str] = []
    marks: set[tuple[int, int, str]] = set()
    start = 0
    for line in marked.splitlines(keepends=True):
        if line.lstrip().startswith(("--", "#")) and _MARK.search(line):
            for found in _MARK.finditer(line):
                marks.add((start + found.start(1), start + found.end(1), found[2]))
            continue
        start = sum(map(len, lines))
        lines.append(line)
    return "".join(lines), marks


def in_first_line(text: str, start: int, end: int) -> tuple[int, int]:
    """Cut a span at the end of its first line, as the carets do; an empty one takes a caret."""
    line_end = text.find("\n", start)
    return start, max(start + 1, min(end, line_end if line_end != -1 else end))
