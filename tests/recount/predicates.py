"""Random expressions over the columns of a table, by type; none of them can raise in ANSI mode."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from random import Random

from recount.expressions import (
    All,
    Any,
    Arithmetic,
    Between,
    Call,
    Case,
    Column,
    Comparison,
    In,
    Is,
    Like,
    Literal,
    Matches,
    Node,
    Not,
    TryCast,
)

WORDS = ("amber", "birch", "Cedar", "élan", "100%", "a_b", "it's", "12", " 7 ", "x1", "cedar ")
WORDS += ("2024-02-29", "2023-02-29", "3.456", "日本", "birch tree", "-5", "9999")
PATTERNS = ("%a%", "b_r%", r"%\_%", "%", "_%", "é%", r"100\%", "%ar", "____", "% %", "%'%")
REGEXES = ("^[a-z]+$", "[0-9]", "^.{2,5}$", "a|b", r"^\s", "(?i)cedar")
SIGNS = ("=", "==", "<>", "!=", "<", "<=", ">", ">=", "<=>")


class Predicates:
    """Draws expressions over typed columns."""

    def __init__(self, random: Random, columns: Mapping[str, str]) -> None:
        self._random = random
        self._columns = columns

    def predicate(self, depth: int = 2) -> Node:
        """Draw a condition."""
        if depth > 0 and self._random.random() < 0.5:
            return self._compound(depth - 1)
        return self._simple(depth)

    def expression(self, kind: str) -> Node:
        """Draw a value of a type."""
        if kind == "flag":
            return self.predicate(1)
        return getattr(self, f"_{kind}")(1)

    def _compound(self, depth: int) -> Node:
        match self._random.randrange(5):
            case 0:
                return Not(self.predicate(depth))
            case 1:
                return All(tuple(self.predicate(depth) for _ in range(self._few())))
            case 2:
                return Any(tuple(self.predicate(depth) for _ in range(self._few())))
            case 3:
                branches = [
                    (self.predicate(depth), self.predicate(depth))
                    for _ in range(self._random.randrange(1, 3))
                ]
                otherwise = self.predicate(depth) if self._chance(0.7) else None
                return Case(tuple(branches), otherwise)
            case _:
                test = self.predicate(depth)
                return Call("if", (test, self.predicate(depth), self.predicate(depth)))

    def _simple(self, depth: int) -> Node:
        match self._random.randrange(10):
            case 0 | 1 | 2:
                kind = self._kind()
                return Comparison(self._value(kind, depth), self._sign(), self._value(kind, 0))
            case 3:
                kind = self._random.choice(("whole", "real", "date"))
                low, high = self._value(kind, 0), self._value(kind, 0)
                return Between(self._value(kind, depth), low, high, self._chance(0.3))
            case 4:
                kind = self._random.choice(("whole", "text"))
                choices = [self._literal(kind) for _ in range(self._random.randrange(1, 5))]
                if self._chance(0.1):
                    choices.append(Literal(None))
                return In(self._value(kind, depth), tuple(choices), self._chance(0.4))
            case 5:
                pattern = self._random.choice(PATTERNS)
                return Like(self._text(depth), pattern, self._chance(0.3))
            case 6:
                return Matches(self._text(depth), self._random.choice(REGEXES))
            case 7:
                column = Column(self._random.choice(sorted(self._columns)))
                return Is(column, None, self._chance(0.6))
            case 8:
                return self._flag(depth)
            case _:
                inner = Comparison(self._whole(0), self._sign(), self._whole(0))
                return Is(inner, self._random.choice((True, False)), self._chance(0.5))

    def _flag(self, depth: int) -> Node:
        match self._random.randrange(6):
            case 0 | 1:
                return self._column("flag") or Comparison(self._whole(depth), ">", Literal(3))
            case 2:
                function = self._random.choice(("startswith", "endswith", "contains"))
                return Call(function, (self._text(depth), self._literal("text")))
            case 3:
                return Call(
                    self._random.choice(("isnull", "isnotnull")), (self._value(self._kind(), 1),)
                )
            case 4:
                return Call("isnan", (self._real(0),))
            case _:
                amount = TryCast(self._text(0), "DECIMAL(8, 2)")
                literal = Literal(Decimal(self._random.randrange(-500, 2000)).scaleb(-2))
                return Comparison(amount, self._sign(), literal)

    def _value(self, kind: str, depth: int) -> Node:
        if depth <= 0:
            if self._chance(0.4):
                return self._literal(kind)
            return self._column(kind) or self._literal(kind)
        return getattr(self, f"_{kind}")(depth)

    def _whole(self, depth: int) -> Node:
        column = self._column("whole") or Call("length", (self._text(0),))
        if depth <= 0:
            return column
        match self._random.randrange(10):
            case 0:
                return Arithmetic(self._random.choice("+-"), column, self._whole(depth - 1))
            case 1:
                return Arithmetic("*", column, Literal(self._random.randrange(-9, 13)))
            case 2:
                return Arithmetic("%", column, Literal(self._random.choice((2, 3, 7))))
            case 3:
                nvl = self._random.choice(("coalesce", "nvl", "nullif", "greatest", "least", "mod"))
                return Call(nvl, (column, Literal(self._random.randrange(1, 60))))
            case 4:
                return Call("abs", (self._whole(depth - 1),))
            case 5:
                part = self._random.choice(("year", "month", "day"))
                return Call(part, (self._date(depth - 1),))
            case _:
                return self._whole_of_text(self._text(depth - 1))

    def _whole_of_text(self, text: Node) -> Node:
        match self._random.randrange(3):
            case 0:
                return Call(self._random.choice(("length", "char_length")), (text,))
            case 1:
                return TryCast(text, "INT")
            case _:
                return Call("instr", (text, Literal("a")))

    def _real(self, depth: int) -> Node:
        whole = Arithmetic("/", self._whole(0), Literal(self._random.choice((2, 4, 10))))
        column = self._column("real") or whole
        if depth <= 0:
            return column
        match self._random.randrange(5):
            case 0:
                sign = self._random.choice("+-*")
                return Arithmetic(sign, column, self._literal("real"))
            case 1:
                return Call("abs", (column,))
            case 2:
                return Call("coalesce", (column, self._literal("real")))
            case 3:
                return whole
            case _:
                return column

    def _text(self, depth: int) -> Node:
        column = self._column("text") or Literal("birch tree")
        if depth <= 0:
            return column
        inner = self._text(depth - 1)
        match self._random.randrange(8):
            case 0 | 1:
                names = ("upper", "lower", "trim", "ltrim", "rtrim", "reverse")
                return Call(self._random.choice(names), (inner,))
            case 2:
                return Call("concat", (inner, Literal(self._random.choice("~é'")), inner))
            case 3:
                start, count = self._random.randrange(1, 4), self._random.randrange(0, 5)
                return Call("substring", (inner, Literal(start), Literal(count)))
            case 4:
                return Call("left", (inner, Literal(self._random.randrange(1, 5))))
            case 5:
                return Call("replace", (inner, Literal("a"), self._literal("text")))
            case 6:
                nvl = self._random.choice(("coalesce", "nullif"))
                return Call(nvl, (inner, self._literal("text")))
            case _:
                return column

    def _date(self, depth: int) -> Node:
        column = self._column("date") or TryCast(self._text(0), "DATE")
        if depth > 0 and self._chance(0.5):
            return Call("coalesce", (column, self._literal("date")))
        return column

    def _literal(self, kind: str) -> Literal:
        match kind:
            case "whole":
                return Literal(self._random.randrange(-20, 120))
            case "real":
                return Literal(self._random.randrange(-200, 2000) / 8)
            case "text":
                return Literal(self._random.choice(WORDS))
            case "date":
                return Literal(date(2024, self._random.randrange(1, 13), 15))
            case _:
                return Literal(self._chance(0.5))

    def _column(self, kind: str) -> Column | None:
        names = sorted(name for name, of in self._columns.items() if of == kind)
        return Column(self._random.choice(names)) if names else None

    def _kind(self) -> str:
        return self._random.choice(("whole", "real", "text", "date"))

    def _sign(self) -> str:
        return self._random.choice(SIGNS)

    def _few(self) -> int:
        return self._random.randrange(2, 4)

    def _chance(self, share: float) -> bool:
        return self._random.random() < share
