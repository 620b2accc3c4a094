"""``-- tidegate: ignore[name] why``: comments come in, the findings they cover are taken away."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence, Set
from itertools import accumulate
from typing import Generic, TypeVar

import msgspec

from tidegate.grammar.nodes import (
    BrokenStatement,
    CreateDataset,
    ListItem,
    Node,
    Statement,
    expectations_of,
)
from tidegate.grammar.parser import ParsedFile
from tidegate.linter.sql_words import line_comments
from tidegate.source.diagnostic import Diagnostic
from tidegate.source.span import Span

MARK = "tidegate:"

_Placed = TypeVar("_Placed", bound=Node)

_FORM = re.compile(r"(?P<word>[\w-]*)\s*(?:\[(?P<names>[^\]\n]*)\])?[ \t]*(?P<reason>[^\n]*)")
_NAME = re.compile(r"[^\s,]+")


class NamedRule(msgspec.Struct, frozen=True):
    """A rule as a suppression names it."""

    text: str
    span: Span


class Suppression(msgspec.Struct, frozen=True, kw_only=True):
    """One comment that speaks to the linter."""

    span: Span
    """The comment."""
    line: Span
    """What to remove with it: the blanks before a trailing one, the whole line of another."""
    word: str
    """``ignore`` or ``ignore-file``; anything else is a mistake."""
    names: tuple[NamedRule, ...]
    reason: str
    covers: Span | None
    """The statement, the list item, or the whole file; ``None``: there is nothing to cover."""
    is_trailing: bool
    copies: tuple[Span, ...] = ()
    """What else it covers: expectations that several datasets take from one place."""

    @property
    def is_effective(self) -> bool:
        """Only a comment that says which rules and why takes findings away."""
        return bool(self.names and self.reason and self.covers)


class JudgedSuppression(msgspec.Struct, frozen=True, kw_only=True):
    """A suppression, and which of its names found nothing to suppress."""

    suppression: Suppression
    idle: tuple[NamedRule, ...]


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """What the comments of a file leave of its findings, and what each comment did."""

    kept: tuple[Diagnostic, ...]
    suppressed: int
    judged: tuple[JudgedSuppression, ...]


def read_suppressions(file: ParsedFile) -> tuple[Suppression, ...]:
    """Read the comments of a file that start with ``tidegate:``."""
    text = file.source.text
    if MARK not in text:
        return ()
    places = _Places(file)
    found = [
        _read(places, span)
        for span in _line_comments(file)
        if text[span.start + 2 : span.end].lstrip().startswith(MARK)
    ]
    if file.comments:
        from tidegate.linter.python_comments import covered  # noqa: PLC0415 - few files have them

        found += (_read_in_python(text, span, *covered(file, span)) for span in file.comments)
    return tuple(found)


def _line_comments(file: ParsedFile) -> Iterator[Span]:
    view, text = file.source.view, file.source.text
    for block in view.blocks if view else (Span(0, len(text)),):
        if block not in file.comments:
            for span in line_comments(text[block.start : block.end]):
                yield Span(span.start + block.start, span.end + block.start)


def _read_in_python(
    text: str,
    span: Span,
    covers: tuple[Span, ...],
    is_trailing: bool,
) -> Suppression:
    form = _form(text, span)
    return Suppression(
        span=span,
        line=span,
        word=form["word"] if form else "",
        names=tuple(_names(text, form.span("names"))) if form and form["names"] else (),
        reason=form["reason"].strip() if form else "",
        covers=covers[0] if covers else None,
        copies=covers[1:],
        is_trailing=is_trailing,
    )


def _form(text: str, span: Span) -> re.Match[str] | None:
    """Match what a comment says behind the mark."""
    body = text.index(MARK, span.start) + len(MARK)
    body += len(text[body : span.end]) - len(text[body : span.end].lstrip())
    return _FORM.match(text, body, span.end)


def suppress(file: ParsedFile, findings: Iterable[Diagnostic], inactive: Set[str]) -> Outcome:
    """Take away what the comments of a file cover.

    A name in ``inactive``, and one that covers what does not parse, was not put to the test: it
    is not called idle.
    """
    suppressions = read_suppressions(file)
    used: set[tuple[int, str]] = set()
    kept: list[Diagnostic] = []
    found = sorted(findings, key=lambda finding: finding.span.start)
    for finding, at in zip(found, _appliers(suppressions, found), strict=True):
        if at is None:
            kept.append(finding)
        else:
            used.add((at, finding.name))
    unread = _Unread(file)
    judged = (
        JudgedSuppression(
            suppression=each,
            idle=tuple(
                name
                for name in each.names
                if (at, name.text) not in used and name.text not in inactive
            )
            if not unread.meets(each.covers)
            else (),
        )
        for at, each in enumerate(suppressions)
    )
    return Outcome(kept=tuple(kept), suppressed=len(found) - len(kept), judged=tuple(judged))


def _appliers(
    suppressions: Sequence[Suppression], findings: Sequence[Diagnostic]
) -> Iterator[int | None]:
    """Yield for each finding, in the order of the text, the first suppression that covers it."""
    first: dict[tuple[str, Span], int] = {}
    for at, each in enumerate(suppressions):
        if each.is_effective and each.covers is not None:
            for name in each.names:
                for covered in (each.covers, *each.copies):
                    first.setdefault((name.text, covered), at)
    waiting = sorted(first.items(), key=lambda entry: entry[0][1].start, reverse=True)
    open_ones: list[tuple[tuple[str, Span], int]] = []
    for finding in findings:
        place = finding.span.start
        while waiting and waiting[-1][0][1].start <= place:
            open_ones.append(waiting.pop())
        open_ones = [each for each in open_ones if each[0][1].end >= place]
        yield min((at for (name, _), at in open_ones if name == finding.name), default=None)


class _Unread:
    """The places that no rule could judge."""

    def __init__(self, file: ParsedFile) -> None:
        broken = (each.span for each in file.statements if isinstance(each, BrokenStatement))
        clauses = (each for statement in file.statements for each in expectations_of(statement))
        spans = sorted([*broken, *(each.span for each in clauses if each.predicate is None)])
        self._starts = [span.start for span in spans]
        self._reaches = list(accumulate((span.end for span in spans), max))

    def meets(self, covers: Span | None) -> bool:
        """Tell whether one of them lies, in part at least, in what a comment covers."""
        if covers is None:
            return False
        before = bisect_left(self._starts, covers.end)
        return before > 0 and self._reaches[before - 1] > covers.start


def _read(places: "_Places", span: Span) -> Suppression:
    text = places.file.source.text
    form = _form(text, span)
    word, names = (form["word"], form["names"]) if form else ("", None)
    line_start = text.rfind("\n", 0, span.start) + 1
    is_trailing = not text[line_start : span.start].isspace() and line_start != span.start
    return Suppression(
        span=span,
        line=_removable(text, span, line_start, is_trailing=is_trailing),
        word=word,
        names=tuple(_names(text, form.span("names"))) if form and names is not None else (),
        reason=form["reason"].strip() if form else "",
        covers=places.covered(span, line_start, word, is_trailing=is_trailing),
        is_trailing=is_trailing,
    )


def _names(text: str, within: tuple[int, int]) -> Iterator[NamedRule]:
    for found in _NAME.finditer(text, *within):
        yield NamedRule(found[0], Span(*found.span()))


def _removable(text: str, span: Span, line_start: int, *, is_trailing: bool) -> Span:
    if is_trailing:
        return Span(line_start + len(text[line_start : span.start].rstrip()), span.end)
    line_end = text.find("\n", span.end)
    return Span(line_start, len(text) if line_end == -1 else line_end + 1)


class _Places:
    """Finds what stands around, before and behind the comments of a file."""

    def __init__(self, file: ParsedFile) -> None:
        self.file = file
        self._statements = _Row(file.statements)
        self._items: dict[Span, _Row[ListItem]] = {}

    def covered(self, span: Span, line_start: int, word: str, *, is_trailing: bool) -> Span | None:
        """Return what a comment covers."""
        statements = self.file.statements
        if word == "ignore-file":
            in_head = not statements or span.end <= statements[0].span.start
            return Span(0, len(self.file.source.text)) if in_head else None
        if word != "ignore":
            return None
        if is_trailing:
            return self._trailed(span, line_start)
        around = self._statements.around(span)
        if around is None:
            return self._statements.first_behind(span)
        items = self._items_of(around)
        if inside := items.around(span):
            return inside.span
        following = items.first_behind(span)
        in_list = isinstance(around, CreateDataset) and _holds(around.list_span, span)
        return following if in_list else following or around.span

    def _trailed(self, span: Span, line_start: int) -> Span | None:
        """Return the list item, else the statement, whose last part the comment's line holds."""
        statement = self._statements.last_before(span)
        if statement is None:
            return None
        item = self._items_of(statement).last_before(span)
        for each in (item, statement):
            if each is not None and each.span.end > line_start:
                return each.span
        return None

    def _items_of(self, statement: Statement) -> "_Row[ListItem]":
        found = self._items.get(statement.span)
        if found is None:
            items: tuple[ListItem, ...] = expectations_of(statement)
            if isinstance(statement, CreateDataset):
                items = statement.items + statement.misplaced
            found = self._items[statement.span] = _Row(sorted(items, key=lambda item: item.span))
        return found


class _Row(Generic[_Placed]):
    """Nodes in the order of the text, none inside another."""

    def __init__(self, nodes: Sequence[_Placed]) -> None:
        self._nodes = nodes
        self._starts = [each.span.start for each in nodes]

    def last_before(self, span: Span) -> _Placed | None:
        """Return the last node that starts before a span does."""
        place = bisect_left(self._starts, span.start)
        return self._nodes[place - 1] if place else None

    def around(self, span: Span) -> _Placed | None:
        """Return the node that holds a span."""
        place = bisect_right(self._starts, span.start)
        node = self._nodes[place - 1] if place else None
        return node if node is not None and _holds(node.span, span) else None

    def first_behind(self, span: Span) -> Span | None:
        """Return where the first node behind a span stands."""
        place = bisect_left(self._starts, span.end)
        return self._nodes[place].span if place < len(self._nodes) else None


def _holds(outer: Span | None, span: Span) -> bool:
    return outer is not None and outer.start <= span.start and span.end <= outer.end
