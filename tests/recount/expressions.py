"""Expressions that print themselves as SQL and evaluate themselves on a row, NULL included."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from random import Random

from recount.functions import CASTS, STRICT, TAKES_NULL, compare
from recount.verdicts import both, either, negate

OR, AND, NOT, PREDICATE, SUM, PRODUCT, ATOM = range(7)
"""How tightly a node binds, loosest first."""

Row = Mapping[str, object]


class Style:
    """How an expression is written down: letter case, parentheses, quotes, comments."""

    def __init__(self, random: Random) -> None:
        self._random = random

    def word(self, text: str) -> str:
        """Write a keyword or a function's name."""
        return self._random.choice((text.upper(), text.upper(), text.lower(), text.capitalize()))

    def group(self, node: Node, least: int) -> str:
        """Write an operand, in parentheses where it must be and sometimes where it need not."""
        text = node.sql(self)
        if node.level < least or self._random.random() < 0.06:
            return f"({text})"
        return text

    def gap(self) -> str:
        """Write what may stand between two tokens."""
        if self._random.random() < 0.96:
            return " "
        return self._random.choice(("\n    ", " /* a ) that closes nothing */ ", " -- it's\n    "))

    def end(self) -> str:
        """Write what may stand before a closing parenthesis."""
        return self._random.choice(("", "", "\n  ", " -- the end)\n  "))

    def join(self, *parts: str) -> str:
        """Write tokens one after another."""
        text = parts[0]
        for part in parts[1:]:
            text += self.gap() + part
        return text

    def text(self, value: str) -> str:
        """Write a string literal."""
        inner = value.replace("\\", "\\\\")
        if "'" not in value:
            if "\\" in value and self._random.random() < 0.5:
                return f"r'{value}'"
            return f"'{inner}'"
        return self._random.choice((f'"{inner}"', "'" + inner.replace("'", "\\'") + "'"))

    def name(self, name: str) -> str:
        """Write a column's name."""
        plain = name.isascii() and self._random.random() < 0.9
        return name if plain else f"`{name}`"


class Node:
    """An expression."""

    level = ATOM

    def sql(self, style: Style) -> str:
        """Return the SQL text."""
        raise NotImplementedError

    def value(self, row: Row) -> object:
        """Return the value on a row; ``None`` is NULL."""
        raise NotImplementedError


@dataclass(frozen=True)
class Column(Node):
    """A column of the row."""

    name: str

    def sql(self, style):
        return style.name(self.name)

    def value(self, row):
        return row[self.name]


@dataclass(frozen=True)
class Literal(Node):
    """A constant."""

    constant: object

    def sql(self, style):
        match self.constant:
            case None | bool():
                return style.word({None: "null", True: "true", False: "false"}[self.constant])
            case str():
                return style.text(self.constant)
            case date():
                return f"{style.word('date')} '{self.constant.isoformat()}'"
            case _:
                return str(self.constant)

    def value(self, row):
        return self.constant


@dataclass(frozen=True)
class Arithmetic(Node):
    """A sum, difference, product, quotient or remainder."""

    sign: str
    left: Node
    right: Node

    @property
    def level(self):
        return SUM if self.sign in "+-" else PRODUCT

    def sql(self, style):
        left, right = style.group(self.left, self.level), style.group(self.right, self.level + 1)
        return style.join(left, self.sign, right)

    def value(self, row):
        left, right = self.left.value(row), self.right.value(row)
        if left is None or right is None:
            return None
        match self.sign:
            case "+":
                return left + right
            case "-":
                return left - right
            case "*":
                return left * right
            case "/":
                return left / right
            case _:
                # The remainder takes the sign of the dividend.
                return int(math.fmod(left, right))


@dataclass(frozen=True)
class Comparison(Node):
    """Two values and a sign between them."""

    left: Node
    sign: str
    right: Node
    level = PREDICATE

    def sql(self, style):
        return style.join(style.group(self.left, SUM), self.sign, style.group(self.right, SUM))

    def value(self, row):
        return compare(self.left.value(row), self.sign, self.right.value(row))


@dataclass(frozen=True)
class Between(Node):
    """``x [NOT] BETWEEN low AND high``."""

    operand: Node
    low: Node
    high: Node
    negated: bool
    level = PREDICATE

    def sql(self, style):
        words = [style.group(self.operand, SUM), *_not(self.negated, style), style.word("between")]
        ends = style.group(self.low, SUM), style.word("and"), style.group(self.high, SUM)
        return style.join(*words, *ends)

    def value(self, row):
        value = self.operand.value(row)
        inside = both(
            compare(value, ">=", self.low.value(row)), compare(value, "<=", self.high.value(row))
        )
        return negate(inside) if self.negated else inside


@dataclass(frozen=True)
class In(Node):
    """``x [NOT] IN (...)``."""

    operand: Node
    choices: tuple[Node, ...]
    negated: bool
    level = PREDICATE

    def sql(self, style):
        choices = ", ".join(style.group(choice, OR) for choice in self.choices)
        words = [style.group(self.operand, SUM), *_not(self.negated, style), style.word("in")]
        return style.join(*words, f"({choices})")

    def value(self, row):
        value = self.operand.value(row)
        found = either(*(compare(value, "=", choice.value(row)) for choice in self.choices))
        return negate(found) if self.negated else found


@dataclass(frozen=True)
class Like(Node):
    """``x [NOT] LIKE pattern``, where a backslash takes the meaning from ``%`` and ``_``."""

    operand: Node
    pattern: str
    negated: bool
    level = PREDICATE

    def sql(self, style):
        words = [style.group(self.operand, SUM), *_not(self.negated, style), style.word("like")]
        return style.join(*words, style.text(self.pattern))

    def value(self, row):
        text = self.operand.value(row)
        if text is None:
            return None
        parts = re.findall(r"\\.|.", self.pattern, re.DOTALL)
        wild = {"%": ".*", "_": "."}
        form = "".join(wild.get(part) or re.escape(part[-1]) for part in parts)
        matches = re.fullmatch(form, text, re.DOTALL) is not None
        return not matches if self.negated else matches


@dataclass(frozen=True)
class Matches(Node):
    """``x RLIKE pattern``."""

    operand: Node
    pattern: str
    level = PREDICATE

    def sql(self, style):
        operand = style.group(self.operand, SUM)
        return style.join(operand, style.word("rlike"), style.text(self.pattern))

    def value(self, row):
        text = self.operand.value(row)
        return None if text is None else re.search(self.pattern, text) is not None


@dataclass(frozen=True)
class Is(Node):
    """``x IS [NOT] NULL``, ``TRUE`` or ``FALSE``."""

    operand: Node
    constant: bool | None
    negated: bool
    level = PREDICATE

    def sql(self, style):
        word = {None: "null", True: "true", False: "false"}[self.constant]
        words = [style.word("is"), *_not(self.negated, style), style.word(word)]
        return style.join(style.group(self.operand, SUM), *words)

    def value(self, row):
        return (self.operand.value(row) is self.constant) != self.negated


@dataclass(frozen=True)
class All(Node):
    """AND over two or more."""

    parts: tuple[Node, ...]
    level = AND

    def sql(self, style):
        return _chain(self.parts, "and", NOT, style)

    def value(self, row):
        return both(*(part.value(row) for part in self.parts))


@dataclass(frozen=True)
class Any(Node):
    """OR over two or more."""

    parts: tuple[Node, ...]
    level = OR

    def sql(self, style):
        return _chain(self.parts, "or", AND, style)

    def value(self, row):
        return either(*(part.value(row) for part in self.parts))


@dataclass(frozen=True)
class Not(Node):
    """``NOT x``."""

    operand: Node
    level = NOT

    def sql(self, style):
        return style.join(style.word("not"), style.group(self.operand, NOT))

    def value(self, row):
        return negate(self.operand.value(row))


@dataclass(frozen=True)
class Case(Node):
    """``CASE WHEN ... THEN ... ELSE ... END``."""

    branches: tuple[tuple[Node, Node], ...]
    otherwise: Node | None

    def sql(self, style):
        words = [style.word("case")]
        for condition, result in self.branches:
            words += [style.word("when"), style.group(condition, OR)]
            words += [style.word("then"), style.group(result, OR)]
        if self.otherwise is not None:
            words += [style.word("else"), style.group(self.otherwise, OR)]
        return style.join(*words, style.word("end"))

    def value(self, row):
        for condition, result in self.branches:
            if condition.value(row) is True:
                return result.value(row)
        return None if self.otherwise is None else self.otherwise.value(row)


@dataclass(frozen=True)
class TryCast(Node):
    """``TRY_CAST(text AS type)`` to INT, DATE or DECIMAL(8, 2)."""

    operand: Node
    to: str

    def sql(self, style):
        inner = style.join(style.group(self.operand, OR), style.word("as"), self.to)
        return f"{style.word('try_cast')}({inner})"

    def value(self, row):
        text = self.operand.value(row)
        return None if text is None else CASTS[self.to](text.strip())


@dataclass(frozen=True)
class Call(Node):
    """A call of a built-in function."""

    function: str
    arguments: tuple[Node, ...]

    def sql(self, style):
        arguments = ", ".join(style.group(argument, OR) for argument in self.arguments)
        return f"{style.word(self.function)}({arguments})"

    def value(self, row):
        values = [argument.value(row) for argument in self.arguments]
        if self.function in TAKES_NULL:
            return TAKES_NULL[self.function](*values)
        if any(value is None for value in values):
            return None
        return STRICT[self.function](*values)


def _not(negated: bool, style: Style) -> list[str]:
    return [style.word("not")] if negated else []


def _chain(parts: tuple[Node, ...], word: str, least: int, style: Style) -> str:
    text = style.group(parts[0], least)
    for part in parts[1:]:
        text = style.join(text, style.word(word), style.group(part, least))
    return text
