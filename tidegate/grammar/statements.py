"""A slice of text comes in; the statement in it goes out, whole or with what could be saved."""

from collections.abc import Callable

import msgspec

from tidegate.grammar.attempts import Attempts
from tidegate.grammar.building.builder import Builder
from tidegate.grammar.dialects import dialects_of
from tidegate.grammar.driver import Driver, Failure
from tidegate.grammar.heads import kind_of_words
from tidegate.grammar.nodes import (
    BrokenStatement,
    CreateDataset,
    ExplainStatement,
    Expression,
    ObjectKind,
    OtherStatement,
    Statement,
)
from tidegate.grammar.recovery.finishing import finish
from tidegate.grammar.recovery.junk import behind_junk
from tidegate.grammar.recovery.messages import nearest
from tidegate.grammar.recovery.salvage import salvage_all
from tidegate.grammar.splitter import MODIFIERS, Slice
from tidegate.grammar.tokens import (
    WORD,
    is_whole_placeholder,
    match_token,
    raw_tokens,
    word_set,
)
from tidegate.source.diagnostic import Fault
from tidegate.source.span import Span

_OBJECTS = frozenset(("TABLE", "VIEW", "FUNCTION"))
_OTHER_OBJECTS = word_set(
    "SCHEMA DATABASE CATALOG GLOBAL EXTERNAL INDEX NAMESPACE USER ROLE VOLUME "
    "CONNECTION SHARE RECIPIENT PROCEDURE VARIABLE POLICY METRIC BLOOMFILTER FOREIGN STORAGE "
    "SERVICE"
)
# What may follow a plain table's name that we do not read: such a statement is left alone.
_UNREAD = word_set("LIKE SHALLOW DEEP CLONE ROW STORED CLUSTERED SKEWED FLOW SELECT WITH")
_READ_ALTERATIONS = frozenset(
    (("ADD", "CONSTRAINT"), ("DROP", "CONSTRAINT"), ("SET", "NOT"), ("DROP", "NOT"))
)


def _is_altered(words: list[str]) -> bool:
    return words[:1] in (["TABLE"], ["VIEW"]) or words[:2] in (
        ["STREAMING", "TABLE"],
        ["MATERIALIZED", "VIEW"],
    )


_ALONE: dict[str, Callable[[list[str]], bool]] = {
    "SET": lambda _: True,
    "USE": lambda _: True,
    "ALTER": _is_altered,
    "REFRESH": lambda words: words[:1] not in (["FUNCTION"], []),
    "DROP": lambda words: _is_altered(words) or "FUNCTION" in words[:2],
    "AUTO": lambda words: words[:1] == ["CDC"],
    "APPLY": lambda words: words[:1] == ["CHANGES"],
}
"""The first words of statements other than CREATE, and which of them the grammar reads."""

_TELLING = word_set("STREAMING MATERIALIZED INCREMENTAL LIVE")
_MOST_OPENING = 9
_NEVER_BROKEN = word_set("SET USE REFRESH DROP")


class Reader:
    """Reads statements with one driver."""

    def __init__(self, make_driver: Callable[[Builder], Driver]) -> None:
        self._attempts = Attempts(make_driver)
        self._has_told = False
        """Whether a fault said already that predicates are not read."""

    def begin(self) -> None:
        """Start with a new file, and with the whole patience for what is wrong in it."""
        self._attempts.begin()
        self._has_told = False

    def bears(self) -> bool:
        """Bear with one more mistake, unless there were too many."""
        self._attempts.patience -= 1
        return self._attempts.patience >= 0

    @property
    def is_worn(self) -> bool:
        """Whether the file has had more mistakes than anyone bears with."""
        return self._attempts.patience <= 0

    def read(self, text: str, piece: Slice) -> Statement:
        """Return the statement of a slice."""
        attempts = self._attempts
        attempts.text = attempts.whole = text
        statement = self._read(piece)
        attempts.whole = None
        if not attempts.left:
            return statement
        from tidegate.grammar.recovery.leaving import with_reasons  # noqa: PLC0415 - it is rare

        told = with_reasons(statement, attempts.left, is_told=self._has_told)
        self._has_told = True
        attempts.left = []
        return told

    def _read(self, piece: Slice) -> Statement:
        attempts = self._attempts
        text = attempts.text
        attempts.faults = [piece.fault] if piece.fault else []
        begin, end = piece.statement.start, piece.statement.end
        words = _opening(text, begin, end)
        if not _is_ours(words):
            led = behind_junk(text, begin, end)
            words = _opening(text, led.begin, end) if led else []
            if led is None or not _is_ours(words):
                return self._other(piece.statement)
            attempts.faults += [led.fault] if led.fault else []
            begin = led.begin
        if self.is_worn and piece.fault and piece.fault.message.endswith("is never closed"):
            return self._left(piece, kind_of_words(words))
        known, patience = len(attempts.faults), attempts.patience
        result = attempts.parse("statement", begin, end)
        if not isinstance(result, Failure):
            return finish(attempts, result)
        # What was said of its predicates will be said again, and is borne with then.
        del attempts.faults[known:]
        attempts.left.clear()
        attempts.patience = patience
        if _is_left_alone(text, result, words, begin, end):
            return self._other(piece.statement)
        if words[0] == "EXPLAIN":
            return self._recover_explained(result, words, begin, end)
        return self._recover(result, kind_of_words(words), begin, end)

    def _recover(
        self, failure: Failure, kind: ObjectKind | None, begin: int, end: int
    ) -> Statement:
        # Most files have no broken statement, and need not load what mends them.
        from tidegate.grammar.recovery.recovering import recover  # noqa: PLC0415

        return recover(self._attempts, failure, kind, begin, end)

    def _recover_explained(
        self, failure: Failure, words: list[str], begin: int, end: int
    ) -> Statement:
        """Recover the statement that an EXPLAIN holds, and put the EXPLAIN around it again."""
        place = words.index("CREATE")
        tokens = raw_tokens(self._attempts.text, begin, end)
        start = next(token.start for i, token in enumerate(tokens) if i == place)
        inner = self._recover(failure, kind_of_words(words[place:]), start, end)
        if not isinstance(inner, CreateDataset):
            return msgspec.structs.replace(inner, span=Span(begin, end))
        explained = ExplainStatement(
            span=Span(begin, end),
            mode=words[1] if place > 1 else None,
            statement=msgspec.structs.replace(inner, faults=()),
            faults=inner.faults,
        )
        return msgspec.structs.replace(explained, dialects=dialects_of(explained))

    def read_predicate(self, text: str, begin: int, end: int) -> Expression | Fault:
        """Parse a predicate between two offsets."""
        return self._attempts.read_predicate(text, begin, end)

    def judge_predicate(
        self, text: str, begin: int, end: int
    ) -> tuple[Expression | None, tuple[Fault, ...]]:
        """Read a predicate on its own as one in a statement is read, mended where that is plain."""
        from tidegate.grammar.recovery.judged import judged_predicate  # noqa: PLC0415

        return judged_predicate(self._attempts, text, begin, end)

    def _left(self, piece: Slice, kind: ObjectKind | None) -> BrokenStatement:
        """Keep what can be seen at a glance of a statement that a quote or comment swallows."""
        from tidegate.grammar.recovery.leaving import left_alone  # noqa: PLC0415 - it is rare

        return BrokenStatement(
            span=piece.statement,
            kind=kind,
            name=None,
            expectations=left_alone(salvage_all(self._attempts.text, piece.statement)),
            query=None,
            faults=tuple(self._attempts.faults),
        )

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
    while len(words) < _MOST_OPENING:
        match = match_token(text, begin, end)
        if match is None or match.lastindex != WORD:
            break
        words.append(match[WORD].upper())
        begin = match.end()
    return words


def _is_ours(words: list[str]) -> bool:
    """Tell whether a statement is one that the grammar reads."""
    if not words:
        return False
    first = words[0]
    if first == "EXPLAIN":
        place = next((i for i, word in enumerate(words[:3]) if word == "CREATE"), None)
        return place is not None and _is_ours(words[place:])
    if first == "CREATE":
        if words[1:2] == ["FLOW"]:
            return True
        return _object_of(words) is not None
    if first in _ALONE:
        return _ALONE[first](words[1:])
    return nearest(first, ("CREATE",)) is not None and bool(
        MODIFIERS.union(_OBJECTS).intersection(words[1:3])
    )


def _object_of(words: list[str]) -> str | None:
    """Return the word for what a CREATE makes, if it is something that the grammar reads."""
    for word in words[1:]:
        if word in _OBJECTS:
            return word
        if word in _OTHER_OBJECTS:
            return None
    # The word for the object may be misspelt where the words before it tell enough.
    return "TABLE" if _TELLING.intersection(words[1:5]) else None


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
    if words[0] in _NEVER_BROKEN or _object_of(words) == "FUNCTION":
        return True
    found = text[failure.span.start : failure.span.end].upper()
    if found and is_whole_placeholder(found) and kind_of_words(words) is ObjectKind.FLOW:
        # What the whole flow does is not known here.
        return True
    return found in _UNREAD and kind_of_words(words) in (ObjectKind.TABLE, ObjectKind.VIEW)
