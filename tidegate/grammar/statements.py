"""A slice of text comes in; the statement in it goes out, whole or with what could be saved."""

from bisect import bisect_right
from collections.abc import Callable

import msgspec

from tidegate.grammar.actions import action_faults
from tidegate.grammar.brackets import bracket_fault
from tidegate.grammar.build import Builder
from tidegate.grammar.depth import is_deeper
from tidegate.grammar.dialects import dialects_of
from tidegate.grammar.driver import MAX_DEPTH, TOO_DEEP, Driver, Failure
from tidegate.grammar.messages import explain, extra_comma, missing_comma, nearest
from tidegate.grammar.misplaced import (
    Segment,
    after_query,
    inner_violation_fault,
    late_list_fault,
    misplaced_fault,
)
from tidegate.grammar.nodes import (
    AlterTable,
    BrokenStatement,
    CreateDataset,
    ExpectClause,
    Expression,
    ListItem,
    ObjectKind,
    OtherStatement,
    Query,
    Statement,
)
from tidegate.grammar.recovery import Parts, take_apart
from tidegate.grammar.salvage import salvage_all, salvage_item
from tidegate.grammar.splitter import MODIFIERS, Slice
from tidegate.grammar.tokens import WORD, Token, raw_tokens, word_set
from tidegate.source.diagnostic import Fault
from tidegate.source.span import Span

_OBJECTS = frozenset(("TABLE", "VIEW"))
_OTHER_OBJECTS = word_set(
    "FUNCTION SCHEMA DATABASE CATALOG FLOW GLOBAL EXTERNAL INDEX NAMESPACE USER ROLE VOLUME "
    "CONNECTION SHARE RECIPIENT PROCEDURE VARIABLE POLICY METRIC BLOOMFILTER FOREIGN STORAGE "
    "SERVICE"
)
# What may follow a plain table's name that we do not read: such a statement is left alone.
_UNREAD = word_set("LIKE SHALLOW DEEP CLONE ROW STORED CLUSTERED SKEWED FLOW SELECT WITH")
# A shorter predicate cannot be nested too deeply.
_DEEP_TEXT = MAX_DEPTH * 2
_READ_ALTERATIONS = frozenset(
    (("ADD", "CONSTRAINT"), ("DROP", "CONSTRAINT"), ("SET", "NOT"), ("DROP", "NOT"))
)


class Reader:
    """Reads statements with one driver."""

    def __init__(self, make_driver: Callable[[Builder], Driver]) -> None:
        self._text = ""
        self._faults: list[Fault] = []
        self._driver = make_driver(Builder(self._parse_body))

    # ------------------------------------------------------------ whole statements

    def read(self, text: str, piece: Slice) -> Statement:
        """Return the statement of a slice."""
        self._text = text
        self._faults = [piece.fault] if piece.fault else []
        begin, end = piece.statement.start, piece.statement.end
        words = _opening(text, begin, end)
        if not _is_ours(words):
            return self._other(piece.statement)
        result = self._driver.parse("statement", text, begin, end)
        if isinstance(result, Failure):
            del self._faults[1 if piece.fault else 0 :]
            return self._recover(result, words, begin, end)
        return self._finish(result)

    def _finish(self, statement: Statement) -> Statement:
        if isinstance(statement, CreateDataset):
            if statement.query and (tail := after_query(self._text, statement.query.span)):
                query = Query(span=Span(statement.query.span.start, tail.query_end))
                shortened = msgspec.structs.replace(statement, query=query)
                statement = self._take_misplaced(shortened, tail.segments)
            if statement.query and not self._faults:
                fault = bracket_fault(self._text, statement.query.span)
                self._faults += [fault] if fault else []
            if late := late_list_fault(self._text, statement):
                self._faults.append(late)
            for item in (*statement.items, *statement.misplaced):
                if isinstance(item, ExpectClause) and item.action is not None:
                    self._faults += action_faults(item, self._text, statement.name.text)
            if self._faults:
                items = (*statement.items, *statement.misplaced)
                self._faults = _with_constraints(self._faults, items)
        if isinstance(statement, CreateDataset | AlterTable):
            faults = _in_order(self._faults, statement.name.text)
            dialects = dialects_of(statement)
            return msgspec.structs.replace(statement, dialects=dialects, faults=faults)
        if not self._faults:
            return statement
        return msgspec.structs.replace(statement, faults=_in_order(self._faults, None))

    def _other(self, span: Span) -> OtherStatement:
        return OtherStatement(
            span=span,
            faults=tuple(self._faults),
            expectations=salvage_all(self._text, span),
        )

    def _take_misplaced(
        self, statement: CreateDataset, segments: tuple[Segment, ...]
    ) -> CreateDataset:
        """Parse what is out of place, and say how to move it."""
        found, is_complete = self._read_segments(segments)
        self._faults.append(
            misplaced_fault(self._text, statement, segments, is_complete=is_complete)
        )
        return msgspec.structs.replace(statement, misplaced=(*statement.misplaced, *found))

    def _read_segments(self, segments: tuple[Segment, ...]) -> tuple[list[ExpectClause], bool]:
        """Return the expectations out of place, and whether all there parses."""
        found: list[ExpectClause] = []
        is_complete = True
        for segment in segments:
            start = "item" if segment.is_constraint else "clause"
            span = segment.span
            result = self._driver.parse(start, self._text, span.start, span.end)
            if isinstance(result, ExpectClause):
                found.append(result)
            elif segment.is_constraint or isinstance(result, Failure):
                is_complete = False
                clause = salvage_item(self._text, span, self._parse_body)
                found += [clause] if clause else []
        return found, is_complete

    def _parse_body(self, token: Token) -> Expression | None:
        """Parse an opaque predicate; what is wrong with it becomes a fault of the statement."""
        result = self.read_predicate(self._text, token.start, token.end)
        if isinstance(result, Fault):
            body = Span(token.start, token.end)
            result = inner_violation_fault(self._text, body, result.span) or result
            self._faults.append(result)
            return None
        return result

    def read_predicate(self, text: str, begin: int, end: int) -> Expression | Fault:
        """Parse a predicate between two offsets."""
        result = self._driver.parse("predicate", text, begin, end)
        if isinstance(result, Failure):
            return explain(result, text, where="predicate")
        expression: Expression = result
        if end - begin > _DEEP_TEXT and is_deeper(expression, MAX_DEPTH):
            deep = Failure("", Span(begin, begin), (), TOO_DEEP)
            return explain(deep, text, where="predicate")
        return expression

    # ------------------------------------------------------------ broken ones

    def _recover(self, failure: Failure, words: list[str], begin: int, end: int) -> Statement:
        text = self._text
        if _is_left_alone(text, failure, words, begin, end):
            return self._other(Span(begin, end))
        parts = take_apart(text, begin, end)
        known = len(self._faults)
        items = self._read_items(parts)
        shell = self._driver.parse("statement", text, begin, end, parts.holes)
        if isinstance(shell, CreateDataset):
            whole = msgspec.structs.replace(
                shell, items=tuple(items), list_span=parts.list_span, span=Span(begin, end)
            )
            if parts.misplaced:
                whole = self._take_misplaced(whole, parts.misplaced)
            if len(self._faults) == known:
                self._faults.append(explain(failure, text, where="statement"))
            return self._finish(whole)
        if len(self._faults) == known:
            worst = shell if isinstance(shell, Failure) else failure
            self._faults.append(explain(worst, text, where="statement"))
        outside, _ = self._read_segments(parts.misplaced)
        inside = (item for item in items if isinstance(item, ExpectClause))
        expectations = tuple(sorted((*inside, *outside), key=lambda clause: clause.span))
        name = parts.name.text if parts.name else None
        for item in expectations:
            self._faults += action_faults(item, text, name)
        return BrokenStatement(
            span=Span(begin, end),
            kind=_kind_of(words),
            name=parts.name,
            expectations=expectations,
            query=Query(span=parts.query) if parts.query else None,
            faults=_in_order(_with_constraints(self._faults, expectations), name),
        )

    def _read_items(self, parts: Parts) -> list[ListItem]:
        """Parse each item alone; an item that only goes on with a broken one is not reported."""
        items: list[ListItem] = []
        failed_before = False
        for piece in parts.items:
            if piece.extra_comma is not None:
                self._faults.append(extra_comma(piece.extra_comma))
                continue
            if piece.missing_comma_at is not None:
                self._faults.append(missing_comma(piece.missing_comma_at))
            known = len(self._faults)
            result = self._driver.parse("item", self._text, piece.start, piece.end)
            if isinstance(result, Failure):
                del self._faults[known:]
                opens = self._text[piece.start : piece.start + 10].upper() == "CONSTRAINT"
                if opens or not failed_before:
                    self._faults.append(explain(result, self._text, where="item"))
                failed_before = True
                span = Span(piece.start, piece.end)
                if clause := salvage_item(self._text, span, self._parse_body):
                    items.append(clause)
                continue
            failed_before = False
            items.append(result)
        if parts.fault:
            self._faults.append(parts.fault)
        return items


def _in_order(faults: list[Fault], dataset: str | None) -> tuple[Fault, ...]:
    """Sort faults, name their dataset, and leave out what an unclosed quote explains."""
    opening = min(
        (fault.span.start for fault in faults if fault.message.endswith("is never closed")),
        default=None,
    )
    kept = [
        fault if fault.dataset or not dataset else msgspec.structs.replace(fault, dataset=dataset)
        for fault in faults
        if opening is None or fault.span.start <= opening or fault.name != "syntax-error"
    ]
    # Splitter and lexer both see an unclosed quote; the fault that names a constraint says more.
    kept.sort(key=lambda fault: (fault.span, fault.message, fault.constraint is None))
    unique = {(fault.span, fault.message): fault for fault in reversed(kept)}
    return tuple(reversed(unique.values()))


def _with_constraints(faults: list[Fault], items: tuple[ListItem, ...]) -> list[Fault]:
    """Name the constraint in whose predicate a fault stands."""
    bodies = sorted(
        (item.predicate_span, item.name.text)
        for item in items
        if isinstance(item, ExpectClause) and item.name and item.predicate is None
    )
    named: list[Fault] = []
    for fault in faults:
        place = bisect_right(bodies, fault.span.start, key=lambda body: body[0].start) - 1
        is_inside = place >= 0 and fault.span.start <= bodies[place][0].end
        constraint = bodies[place][1] if is_inside else None
        named.append(
            msgspec.structs.replace(fault, constraint=constraint)
            if constraint and fault.constraint is None
            else fault
        )
    return named


def _opening(text: str, begin: int, end: int) -> list[str]:
    """Return the first words of a statement, in capitals."""
    words: list[str] = []
    for token in raw_tokens(text, begin, end):
        if token.kind != WORD or len(words) == 9:
            break
        words.append(token.text.upper())
    return words


def _is_ours(words: list[str]) -> bool:
    """Tell whether a statement is one that the grammar reads."""
    if not words:
        return False
    first = words[0]
    if first == "CREATE":
        for word in words[1:]:
            if word in _OBJECTS:
                return True
            if word in _OTHER_OBJECTS:
                return False
        return False
    if first == "ALTER":
        return words[1:2] == ["TABLE"]
    if first in ("SET", "USE"):
        return True
    return nearest(first, ("CREATE",)) is not None and bool(
        MODIFIERS.union(_OBJECTS).intersection(words[1:3])
    )


def _is_left_alone(text: str, failure: Failure, words: list[str], begin: int, end: int) -> bool:
    """Tell whether a statement is simply not one of those that the grammar reads."""
    if words[0] == "ALTER":
        before = ""
        for token in raw_tokens(text, begin, end):
            word = token.text.upper()
            if (before, word) in _READ_ALTERATIONS:
                return False
            before = word
        return True
    if words[0] in ("SET", "USE"):
        return True
    found = text[failure.span.start : failure.span.end].upper()
    return found in _UNREAD and _kind_of(words) in (ObjectKind.TABLE, ObjectKind.VIEW)


def _kind_of(words: list[str]) -> ObjectKind | None:
    """Say what a broken statement was going to make."""
    if words[0] == "ALTER":
        return ObjectKind.ALTER_TABLE
    head: list[str] = []
    for word in words[1:]:
        head.append(word)
        if word in _OBJECTS:
            break
    if "STREAMING" in head or "INCREMENTAL" in head:
        return ObjectKind.TEMPORARY_VIEW if "VIEW" in head else ObjectKind.STREAMING_TABLE
    if "MATERIALIZED" in head or ("LIVE" in head and "TABLE" in head):
        return ObjectKind.MATERIALIZED_VIEW
    if "VIEW" in head:
        temporary = {"TEMPORARY", "TEMP", "LIVE"}.intersection(head)
        return ObjectKind.TEMPORARY_VIEW if temporary else ObjectKind.VIEW
    return ObjectKind.TABLE if "TABLE" in head else None
