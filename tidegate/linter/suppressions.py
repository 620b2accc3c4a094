"""``-- tidegate: ignore[name] why``: comments come in, the findings they cover are taken away."""

import re
from collections.abc import Iterable, Iterator, Sequence, Set
from typing import TypeVar

import msgspec

from tidegate.grammar.nodes import (
    BrokenStatement,
    CreateDataset,
    ListItem,
    Node,
    Statement,
)
from tidegate.grammar.parser import ParsedFile
from tidegate.linter.sql_words import line_comments
from tidegate.linter.walk import expectations
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
    return tuple(
        _read(file, span)
        for span in line_comments(text)
        if text[span.start + 2 : span.end].lstrip().startswith(MARK)
    )


def suppress(file: ParsedFile, findings: Iterable[Diagnostic], inactive: Set[str]) -> Outcome:
    """Take away what the comments of a file cover.

    A name in ``inactive``, and one that covers what does not parse, was not put to the test: it
    is not called idle.
    """
    suppressions = read_suppressions(file)
    used: set[tuple[int, str]] = set()
    kept: list[Diagnostic] = []
    suppressed = 0
    for finding in findings:
        at = next((i for i, each in enumerate(suppressions) if _applies(each, finding)), None)
        if at is None:
            kept.append(finding)
        else:
            suppressed += 1
            used.add((at, finding.name))
    unread = _unread(file)
    judged = (
        JudgedSuppression(
            suppression=each,
            idle=tuple(
                name
                for name in each.names
                if (at, name.text) not in used and name.text not in inactive
            )
            if not _meets(each.covers, unread)
            else (),
        )
        for at, each in enumerate(suppressions)
    )
    return Outcome(kept=tuple(kept), suppressed=suppressed, judged=tuple(judged))


def _unread(file: ParsedFile) -> list[Span]:
    """Return the places that no rule could judge."""
    broken = (each.span for each in file.statements if isinstance(each, BrokenStatement))
    clauses = (each for statement in file.statements for each in expectations(statement))
    return [*broken, *(each.span for each in clauses if each.predicate is None)]


def _meets(covers: Span | None, unread: Iterable[Span]) -> bool:
    return covers is not None and any(
        covers.start < span.end and span.start < covers.end for span in unread
    )


def _applies(suppression: Suppression, finding: Diagnostic) -> bool:
    covers = suppression.covers
    return (
        suppression.is_effective
        and covers is not None
        and covers.start <= finding.span.start <= covers.end
        and any(name.text == finding.name for name in suppression.names)
    )


def _read(file: ParsedFile, span: Span) -> Suppression:
    text = file.source.text
    body = text.index(MARK, span.start) + len(MARK)
    body += len(text[body : span.end]) - len(text[body : span.end].lstrip())
    form = _FORM.match(text, body, span.end)
    word, names = (form["word"], form["names"]) if form else ("", None)
    line_start = text.rfind("\n", 0, span.start) + 1
    is_trailing = not text[line_start : span.start].isspace() and line_start != span.start
    return Suppression(
        span=span,
        line=_removable(text, span, line_start, is_trailing=is_trailing),
        word=word,
        names=tuple(_names(text, form.span("names"))) if form and names is not None else (),
        reason=form["reason"].strip() if form else "",
        covers=_covered(file, span, line_start, word, is_trailing=is_trailing),
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


def _covered(
    file: ParsedFile, span: Span, line_start: int, word: str, *, is_trailing: bool
) -> Span | None:
    if word == "ignore-file":
        in_head = not file.statements or span.end <= file.statements[0].span.start
        return Span(0, len(file.source.text)) if in_head else None
    if word != "ignore":
        return None
    if is_trailing:
        return _trailed(file, span, line_start)
    around = _around(file.statements, span)
    if around is None:
        return _first_after(file.statements, span)
    items = _items(around)
    if inside := _around(items, span):
        return inside.span
    following = _first_after(items, span)
    in_list = isinstance(around, CreateDataset) and _holds(around.list_span, span)
    return following if in_list else following or around.span


def _trailed(file: ParsedFile, span: Span, line_start: int) -> Span | None:
    """Return the list item, else the statement, of which the comment's line holds the last part."""
    before = [each for each in file.statements if each.span.start < span.start]
    if not before:
        return None
    statement = before[-1]
    for item in reversed(_items(statement)):
        if item.span.start < span.start and item.span.end > line_start:
            return item.span
    return statement.span if statement.span.end > line_start else None


def _items(statement: Statement) -> tuple[ListItem, ...]:
    items: tuple[ListItem, ...] = expectations(statement)
    if isinstance(statement, CreateDataset):
        items = statement.items + statement.misplaced
    return tuple(sorted(items, key=lambda item: item.span))


def _around(nodes: Sequence[_Placed], span: Span) -> _Placed | None:
    return next((each for each in nodes if _holds(each.span, span)), None)


def _holds(outer: Span | None, span: Span) -> bool:
    return outer is not None and outer.start <= span.start and span.end <= outer.end


def _first_after(nodes: Sequence[Node], span: Span) -> Span | None:
    return next((each.span for each in nodes if each.span.start >= span.end), None)
