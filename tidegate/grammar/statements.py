"""A slice of text comes in; the statement in it goes out, whole or with what could be saved."""

from collections.abc import Callable

from tidegate.grammar.attempts import Attempts
from tidegate.grammar.build import Builder
from tidegate.grammar.driver import Driver, Failure
from tidegate.grammar.finishing import finish
from tidegate.grammar.messages import nearest
from tidegate.grammar.nodes import Expression, ObjectKind, OtherStatement, Statement
from tidegate.grammar.recovering import recover
from tidegate.grammar.salvage import salvage_all
from tidegate.grammar.splitter import MODIFIERS, Slice
from tidegate.grammar.tokens import WORD, raw_tokens, word_set
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
_READ_ALTERATIONS = frozenset(
    (("ADD", "CONSTRAINT"), ("DROP", "CONSTRAINT"), ("SET", "NOT"), ("DROP", "NOT"))
)


class Reader:
    """Reads statements with one driver."""

    def __init__(self, make_driver: Callable[[Builder], Driver]) -> None:
        self._attempts = Attempts(make_driver)

    def read(self, text: str, piece: Slice) -> Statement:
        """Return the statement of a slice."""
        attempts = self._attempts
        attempts.text = text
        attempts.faults = [piece.fault] if piece.fault else []
        begin, end = piece.statement.start, piece.statement.end
        words = _opening(text, begin, end)
        if not _is_ours(words):
            return self._other(piece.statement)
        result = attempts.parse("statement", begin, end)
        if not isinstance(result, Failure):
            return finish(attempts, result)
        del attempts.faults[1 if piece.fault else 0 :]
        if _is_left_alone(text, result, words, begin, end):
            return self._other(piece.statement)
        return recover(attempts, result, _kind_of(words), begin, end)

    def read_predicate(self, text: str, begin: int, end: int) -> Expression | Fault:
        """Parse a predicate between two offsets."""
        return self._attempts.read_predicate(text, begin, end)

    def _other(self, span: Span) -> OtherStatement:
        attempts = self._attempts
        return OtherStatement(
            span=span,
            faults=tuple(attempts.faults),
            expectations=salvage_all(attempts.text, span),
        )


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
