"""An expectation comes in; a name that says what it demands goes out."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from tidegate.grammar.building.pieces import backticked
from tidegate.grammar.nodes import (
    And,
    Between,
    BrokenStatement,
    Cast,
    CheckConstraint,
    ColumnReference,
    Comparison,
    CreateDataset,
    ExpectClause,
    Expression,
    FunctionCall,
    InList,
    IsNull,
    KeyConstraint,
    Like,
    Literal,
    Not,
    Parenthesized,
    Statement,
)
from tidegate.linter.walk import columns
from tidegate.source.span import Span

_MAX_LENGTH = 60
_LONGEST_TELLING = 300
"""Characters of a predicate beyond which no short name tells what it says."""
_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_AGAINST_ZERO = {
    ">": "positive",
    ">=": "not_negative",
    "<": "negative",
    "<=": "not_positive",
    "=": "zero",
    "<>": "not_zero",
}
_AGAINST_VALUE = {
    ">": "above",
    ">=": "at_least",
    "<": "below",
    "<=": "at_most",
    "=": "is",
    "<>": "not",
}
_AGAINST_NOW = {
    ">": "in_future",
    ">=": "not_in_past",
    "<": "in_past",
    "<=": "not_in_future",
}
_COUNTING = frozenset({"length", "char_length", "len", "size", "cardinality"})
_TRANSPARENT = frozenset(
    {
        "btrim", "coalesce", "date", "ifnull", "lcase", "lower", "ltrim", "nvl", "round", "rtrim",
        "to_date", "to_timestamp", "trim", "try_to_date", "try_to_timestamp", "ucase", "upper",
    }
)  # fmt: skip
"""Functions under which a column stays what it is called."""
_NOW = frozenset({"current_date", "curdate", "current_timestamp", "now", "localtimestamp"})


class Names:
    """The names of one statement's constraints, and those that its expectations could have."""

    __slots__ = ("_at_name", "_derived", "_starts", "_taken", "_unnamed")

    def __init__(self, statement: Statement | None) -> None:
        items = _named_items(statement)
        self._taken = Counter(each.name.text.casefold() for each in items if each.name)
        self._derived: dict[Span, str] = {}
        self._at_name: dict[Span, str] = {}
        self._unnamed = [each for each in items if each.name is None]
        self._unnamed.sort(key=lambda each: each.span)
        self._starts = [each.span.start for each in self._unnamed]
        ordinals: Counter[str] = Counter()
        for item in items:
            base = base_name(item.predicate) if isinstance(item, ExpectClause) else None
            if base is not None:
                own = item.name.text.casefold() if item.name else ""
                derived = self._derived[item.span] = self._first_free(base, own, ordinals)
                if item.name:
                    self._at_name[item.name.span] = derived

    def derived(self, clause: ExpectClause) -> str | None:
        """Return a name made of the predicate's column and operator, unique in the statement."""
        return self._derived.get(clause.span)

    def derived_at(self, name: Span) -> str | None:
        """Return the same for the expectation whose name stands at a place."""
        return self._at_name.get(name)

    def unnamed_at(self, offset: int) -> tuple[Span, str] | None:
        """Return the place of the expectation around an offset that has no name, and one for it."""
        place = bisect_right(self._starts, offset) - 1
        if place < 0 or offset > self._unnamed[place].span.end:
            return None
        span = self._unnamed[place].span
        derived = self._derived.get(span)
        return (span, derived) if derived else None

    def is_free(self, name: str, clause: ExpectClause) -> bool:
        """Say whether no other constraint of the statement has the name."""
        own = clause.name.text.casefold() if clause.name else ""
        return self._others(name, own) == 0

    def _others(self, name: str, own: str) -> int:
        return self._taken[name.casefold()] - (name.casefold() == own)

    def _first_free(self, base: str, own: str, ordinals: Counter[str]) -> str:
        while True:
            ordinals[base] += 1
            name = base if ordinals[base] == 1 else f"{base}_{ordinals[base]}"
            if not self._others(name, own):
                return name


def base_name(predicate: Expression | None) -> str | None:
    """Return what a predicate demands in words, ``amount_not_negative`` for instance."""
    if predicate is None:
        return None
    is_short = predicate.span.end - predicate.span.start <= _LONGEST_TELLING
    name = (_said(predicate) if is_short else None) or _valid(predicate)
    return name if name and len(name) <= _MAX_LENGTH else None


def as_identifier(name: str) -> str:
    """Write a name as SQL does: in backticks where it needs them."""
    plain = name.isascii() and name.isidentifier()
    return name if plain else backticked(name)


def _named_items(
    statement: Statement | None,
) -> Sequence[ExpectClause | CheckConstraint | KeyConstraint]:
    match statement:
        case CreateDataset():
            items = (*statement.items, *statement.misplaced)
        case BrokenStatement():
            items = statement.expectations
        case _:
            items = ()
    return [
        each for each in items if isinstance(each, ExpectClause | CheckConstraint | KeyConstraint)
    ]


def _said(predicate: Expression) -> str | None:
    match bare := _bare(predicate):
        case And():
            return _said_together(bare.operands)
        case Comparison():
            return _compared(bare)
        case IsNull(operand=operand, negated=negated):
            return _about(operand, "not_null" if negated else "null")
        case Between(operand=operand, negated=negated):
            return _about(operand, "outside_range" if negated else "in_range")
        case InList(operand=operand, negated=negated):
            return _about(operand, "not_in_list" if negated else "in_list")
        case Like(operand=operand, negated=negated):
            return _about(operand, "matches_no_pattern" if negated else "matches_pattern")
        case ColumnReference():
            return _about(bare, "true")
        case Not(operand=ColumnReference() as column):
            return _about(column, "false")
        case _:
            return None


def _said_together(operands: Sequence[Expression]) -> str | None:
    """Name ``a IS NOT NULL AND a > 0`` by its second part, and two bounds by the range."""
    plain = [_bare(each) for each in operands]
    telling = [each for each in plain if not (isinstance(each, IsNull) and each.negated)]
    words = {word for each in plain for word in _column_words(each)}
    if len(words) != 1:
        return None
    if len(telling) == 1:
        return _said(telling[0])
    if len(telling) == 2 and all(isinstance(each, Comparison) for each in telling):
        operators = {each.operator.text[0] for each in telling if isinstance(each, Comparison)}
        return f"{words.pop()}_in_range" if operators == {"<", ">"} else None
    return None


def _compared(comparison: Comparison) -> str | None:
    left, right = _bare(comparison.left), _bare(comparison.right)
    operator = {"==": "=", "!=": "<>"}.get(comparison.operator.text, comparison.operator.text)
    if isinstance(left, Literal) and not isinstance(right, Literal):
        left, right, operator = right, left, _MIRRORED.get(operator, operator)
    match right:
        case Literal(value=bool(truth)):
            wanted = truth is (operator == "=")
            return _about(left, "true" if wanted else "false") if operator in "=<>" else None
        case Literal(value=0 | 0.0 | "0"):
            return _about(left, _AGAINST_ZERO.get(operator))
        case Literal(value=""):
            return _about(left, {"<>": "not_empty", "=": "empty"}.get(operator))
        case Literal():
            word, value = _AGAINST_VALUE.get(operator), slug(str(right.value))
            return _about(left, f"{word}_{value}") if word and value else None
        case FunctionCall() if right.name.text.lower() in _NOW:
            return _about(left, _AGAINST_NOW.get(operator))
        case ColumnReference():
            word, other = _AGAINST_VALUE.get(operator), _subject(right)
            return _about(left, f"{word}_{other}") if word and other else None
        case _:
            return None


def _valid(predicate: Expression) -> str | None:
    """Name a predicate by its one or two columns, where more cannot be said."""
    words = list(dict.fromkeys(_column_words(predicate)))
    if len(words) not in (1, 2):
        return None
    return "_and_".join(words) + "_valid"


def _about(operand: Expression, what: str | None) -> str | None:
    subject = _subject(operand)
    return f"{subject}_{what}" if subject and what else None


def _subject(operand: Expression) -> str | None:
    """Return the only column of an operand, with what a counting function makes of it."""
    if len(set(_column_words(operand))) != 1:
        return None
    counts = False
    while True:
        match operand:
            case Parenthesized(inner=inner) | Cast(operand=inner):
                operand = inner
            case FunctionCall(name=name, arguments=(inner, *_)) if (
                name.text.lower() in _COUNTING | _TRANSPARENT
            ):
                counts = counts or name.text.lower() in _COUNTING
                operand = inner
            case ColumnReference(parts=parts):
                subject = slug(parts[-1].text)
                return f"{subject}_length" if counts else subject
            case _:
                return None


def _bare(expression: Expression) -> Expression:
    while isinstance(expression, Parenthesized):
        expression = expression.inner
    return expression


def _column_words(predicate: Expression) -> list[str]:
    return [word for each in columns(predicate) if (word := slug(each.parts[-1].text))]


@lru_cache(maxsize=4096)
def slug(text: str) -> str:
    """Reduce a text to lower-case letters, digits and single underscores."""
    marks = (mark if mark.isascii() and mark.isalnum() else "_" for mark in text.lower())
    return "_".join(part for part in "".join(marks).split("_") if part)
