"""The steps of a statement and its text come in; the laid-out text, comments in place, goes out."""

from collections.abc import Sequence

from tidegate.grammar.formatting.layout import INDENT, LINE_LENGTH, Group, Line, Step
from tidegate.grammar.formatting.spacing import Comment, comments_in_gap, ends_in_line_comment


class Sheet:
    """Writes steps line by line."""

    __slots__ = (
        "_column",
        "_eol",
        "_indent",
        "_is_fresh",
        "_must_break",
        "_out",
        "_text",
    )

    def __init__(self, text: str, eol: str) -> None:
        self._text = text
        self._eol = eol
        self._out: list[str] = []
        self._column = 0
        self._indent = 0
        """Of the line on which the present part starts."""
        self._is_fresh = True
        """Whether nothing stands on the present line."""
        self._must_break = False
        """Whether a line comment ends the present line."""

    def written(self, steps: Sequence[Step]) -> str:
        """Write all steps."""
        previous = steps[0].start
        for at, step in enumerate(steps):
            self._write(steps, at, previous)
            previous = max(previous, step.end)
        return "".join(self._out)

    # ------------------------------------------------------------ steps

    def _write(self, steps: Sequence[Step], at: int, previous: int) -> None:
        step = steps[at]
        gap = list(comments_in_gap(self._text, previous, step.start))
        moved: list[Comment] = []
        if step.is_comma:
            # A comma stands behind what it ends, not behind the comment on that.
            place = next(
                (i for i, one in enumerate(gap) if self._moves(one, previous, i)), len(gap)
            )
            gap, moved = gap[:place], gap[place:]
        line = self._wanted(steps, at, gap)
        if gap:
            line = self._comments(gap, previous, step.start, line)
        if line is not None:
            self._new_line(line.indent, starts=True)
        elif self._must_break:
            self._new_line(self._indent + (0 if step.shown in "()" else INDENT))
        if step.opens is not None:
            step.opens.is_broken = not self._fits_group(steps, at, step.opens)
        self._add(step.shown, blank=step.blank or (bool(gap) and step.shown not in ",)"))
        if "--" in step.shown and ends_in_line_comment(step.shown):
            self._must_break = True
        if moved:
            following = steps[at + 1] if at + 1 < len(steps) else None
            self._comments(moved, previous, step.start, following.line if following else None)

    def _moves(self, comment: Comment, previous: int, place: int) -> bool:
        return comment.is_line or (place == 0 and self._breaks(previous, comment.start))

    def _wanted(self, steps: Sequence[Step], at: int, gap: Sequence[Comment]) -> Line | None:
        """Return the new line that a step asks for, if it asks for one here."""
        line = steps[at].line
        if line is None or (line.group is not None and not line.group.is_broken):
            return None
        if line.soft_end and not self._must_break:
            between = sum(one.end - one.start + 1 for one in gap)
            if self._column + between + self._width(steps, at, line.soft_end) <= LINE_LENGTH:
                return None
        return line

    def _comments(
        self, gap: Sequence[Comment], previous: int, following: int, line: Line | None
    ) -> Line | None:
        """Write the comments before a step; return the new line that is still to be begun."""
        indent = line.comment_indent if line else self._indent + INDENT
        has_line = False
        for comment in gap:
            own = self._breaks(previous, comment.start) or self._must_break
            # A comment on the line of what follows belongs to that.
            leads = line is not None and not self._breaks(comment.end, following)
            if (own or (leads and not has_line)) and not self._is_fresh:
                self._new_line(indent, starts=line is not None)
                has_line = True
            self._add(self._text[comment.start : comment.end], blank=True)
            self._must_break = comment.is_line
            previous = comment.end
        is_before = has_line and not self._must_break and not self._breaks(previous, following)
        return None if is_before else line

    def _breaks(self, start: int, end: int) -> bool:
        gap = self._text[start:end]
        return "\n" in gap or "\r" in gap

    # ------------------------------------------------------------ widths

    def _fits_group(self, steps: Sequence[Step], at: int, group: Group) -> bool:
        if self._comments_within(steps, at, group.end):
            return False
        if any("\n" in step.shown for step in steps[at : group.end + 1]):
            return False
        return self._column + self._width(steps, at, group.end) <= LINE_LENGTH

    def _comments_within(self, steps: Sequence[Step], first: int, last: int) -> list[Comment]:
        found: list[Comment] = []
        for before, behind in zip(steps[first:last], steps[first + 1 : last + 1], strict=True):
            found += comments_in_gap(self._text, before.end, behind.start)
        return found

    def _width(self, steps: Sequence[Step], first: int, last: int) -> int:
        """Return the columns that steps take on one line, with one for a comma behind them."""
        return sum(len(step.shown) + step.blank for step in steps[first : last + 1]) + 1

    # ------------------------------------------------------------ text

    def _new_line(self, indent: int, *, starts: bool = False) -> None:
        self._out.append(self._eol + " " * indent)
        self._column = indent
        self._is_fresh = True
        self._must_break = False
        if starts:
            self._indent = indent

    def _add(self, text: str, *, blank: bool) -> None:
        if blank and not self._is_fresh:
            self._out.append(" ")
            self._column += 1
        self._out.append(text)
        tail = text.rfind("\n")
        self._column = len(text) - tail - 1 if tail >= 0 else self._column + len(text)
        self._is_fresh = False
