"""Texts drawn from the written grammar itself: a rule added there is drawn without a change here.

A symbol is replaced by one of its productions until terminals are left. A terminal is a word, or
one of the samples below; what the grammar takes whole is drawn from the symbol that reads it later.
Where the language is narrower than the grammar (units, types, escapes), a rule is drawn by hand.
"""

import random
from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any

from tidegate.grammar import _tables
from tidegate.grammar.baking import open_grammar

_GRAMMAR = open_grammar()
_TERMINALS = {terminal.name: terminal for terminal in _GRAMMAR.terminals}
_WORDS = frozenset(_tables.WORDS)

_NAMES = (
    "a",
    "b2",
    "id",
    "amount",
    "_x",
    "T",
    "`odd name`",
    "`a``b`",
    "${x}",
    "x_${y}",
    "q",
)
_ODD_NAMES = (
    "stream",
    "row",
    "live",
    "expect",
    "flow",
    "policy",
    "comment",
    "keys",
    "private",
    "violation",
)
_TYPES = ("INT", "bigint", "String", "DATE", "timestamp", "BOOLEAN", "DOUBLE", "VARIANT")
_SIZED = ("DECIMAL", "decimal", "NUMERIC")
_STRINGS = (
    "'x'",
    "'it''s'",
    '"y"',
    "r'\\d'",
    "'a\\nb'",
    "'${p}/x'",
    "''",
    "'-- no comment'",
    "'a;b'",
)
_NUMBERS = ("1", "0", "42", "0.5", "7L", "1e3", "2.5BD", ".5", "3D")
_QUERIES = (
    "SELECT * FROM STREAM(s)",
    "SELECT * FROM STREAM s",
    "WITH a AS (SELECT ')') SELECT * FROM a",
    "SELECT 'x; y' AS k -- it's\nFROM t",
    "TABLE t",
    "VALUES (1)",
    "SELECT a, b\n  FROM t /* c */ WHERE x = ${y}",
    "(SELECT 1)",
    "FROM t |> SELECT a",
)
_ACTIONS = ("DROP ROW", "FAIL UPDATE", "drop row", "Fail  Update")
_COMMENTS = ("-- note\n", "/* note */", "/* a\n b */", "-- it's; (\n", "/* /* nested */ */")
_SPELT = {
    "LPAR": "(", "RPAR": ")", "LSQB": "[", "RSQB": "]", "COMMA": ",", "DOT": ".", "COLON": ":",
    "EQUAL": "=", "LESS": "<", "MORE": ">", "ARROW": "->", "FAT_ARROW": "=>", "CONCAT": "||",
    "PIPE": "|", "AMPERSAND": "&", "CARET": "^", "TILDE": "~", "BANG": "!", "STAR": "*",
    "NOT_ENFORCED": "NOT ENFORCED", "INTERVAL_TYPE": "INTERVAL", "STRUCT_CALL": "STRUCT",
    "IDENTIFIER_CALL": "IDENTIFIER", "NAME_CALL": "IDENTIFIER", "POSITION_IN": "IN",
}  # fmt: skip
_SAMPLES: dict[str, tuple[str, ...]] = {
    "STRING": _STRINGS,
    "NUMBER": _NUMBERS,
    "PLACEHOLDER": ("${x}", ":p", "?", "${a.b}"),
    "ALIAS": ("al", "`a l`"),
    "COMPARE": ("=", "==", "<>", "!=", "<", "<=", ">", ">=", "<=>"),
    "SIGN": ("-", "+"),
    "SLASH": ("/", "%"),
    "SHIFT": ("<<", ">>", ">>>"),
    "COLONS": ("::", "?::"),
    "JSON_PATH": (":b", ":b.c", ":b[0].c"),
    "TIMESTAMP_TYPE": ("TIMESTAMP WITHOUT", "TIMESTAMP WITH LOCAL"),
    "QUERY_TEXT": _QUERIES,
    "FLOW_QUERY": ("SELECT * FROM STREAM s", "SELECT a FROM t", "TABLE t"),
    "SUBQUERY_TEXT": ("SELECT k FROM z", "WITH q AS (SELECT 1) SELECT * FROM q", "VALUES (1)"),
    "SETTING_TEXT": ("a = b", "x.y='z'", "spark.sql.ansi.enabled = true", "k"),
    "DEFAULT_TEXT": ("0", "'x'", "concat('a', \"b\")", "current_date()", "(1 + 2) * 3"),
    "FLOW_TEXT": ("op = 'D'", "ts", "a > 1 AND b < 2", "STRUCT(a, b)", "d >= current_date()"),
}
"""What stands for a terminal that is no word."""

_WATERMARKS = ("ts DELAY OF INTERVAL 5 MINUTES", "CAST(t AS TIMESTAMP) DELAY OF INTERVAL '1' HOUR")
_ARGUMENTS = ("'/data/x', format => 'json'", "'topic'", "TABLE(t)")
_INTERVALS = ("7 DAYS", "'1' HOUR", "'1-2' YEAR TO MONTH", "- 2 WEEKS", "1 DAY 2 hours")
_UNITS = ("DAY", "HOURS", "minute", "WEEKS")

_BODIES = {
    "computed_name": ("'a.b'", ":p", "'t'"),
    "relation": _ARGUMENTS,
    "source_query": (*_QUERIES[:1], "SELECT * FROM STREAM t WHERE a > 1"),
    "transform": ("ts", "4, id"),
    "over": ("PARTITION BY a ORDER BY b", "ORDER BY c"),
    "within_group": ("ORDER BY a",),
    "returns": ("a INT, b STRING",),
    "spoken_comment": ("dependencies = '[\"x\"]'",),
    "unset_column_tags": ("'k', 'l'",),
}
"""What stands in a pair of brackets that is taken whole, by production; else it is a predicate."""


class Drawer:
    """Draws texts with one source of chance."""

    def __init__(self, chance: random.Random, *, with_comments: bool = True) -> None:
        self._chance = chance
        self._comments = 0.04 if with_comments else 0.0

    def draw(self, start: str, depth: int = 7) -> str:
        """Return a text that ``start`` derives."""
        return self._joined(self._symbol(start, depth))

    def file(self) -> str:
        """Return some statements as a file, now and then as a notebook or with CRLF."""
        statements = [self.draw("statement") for _ in range(self._one((1, 2, 2, 3)))]
        if self._chance.random() < 0.15:
            cells = "\n\n-- COMMAND ----------\n\n-- DBTITLE 1,Next\n".join(statements)
            return f"-- Databricks notebook source\n-- MAGIC %md\n-- MAGIC it's\n{cells}\n"
        between = self._one((";\n", ";\n\n\n-- the next\n", " ; /* and */ ", ";;\n\n"))
        text = between.join(statements) + self._one(("", ";", ";\n", "\n;\n-- the end"))
        return text.replace("\n", "\r\n") if self._chance.random() < 0.1 else text

    # ------------------------------------------------------------ symbols

    def _symbol(self, name: str, depth: int) -> list[str]:
        by_hand = _BY_HAND.get(name.rstrip("0123456789"))
        if by_hand is not None and (made := by_hand(self, depth)) is not None:
            return made
        rules = _RULES[name]
        if depth <= 0:
            least = min(_COSTS[name, at] for at in range(len(rules)))
            rules = [rule for at, rule in enumerate(rules) if _COSTS[name, at] == least]
        # First what is made, then how: else what has many optional parts would be drawn most.
        made = self._one(sorted({rule.alias or _shape(rule) for rule in rules}))
        rule = self._one([rule for rule in rules if (rule.alias or _shape(rule)) == made])
        if rule.alias in _BY_HAND and (by_alias := _BY_HAND[rule.alias](self, depth)) is not None:
            return by_alias
        words: list[str] = []
        below = depth - (len(rule.expansion) > 1 and not name.startswith("__"))
        for symbol in rule.expansion:
            if symbol.is_term:
                words += self._terminal(symbol.name, rule.alias or name, depth)
            else:
                words += self._symbol(symbol.name, below)
        return words

    def _terminal(self, name: str, production: str, depth: int) -> list[str]:
        if name == "IDENT":
            return [self._ident(production)]
        if name == "PLACEHOLDER" and production.startswith(("placeholder_", "column_place")):
            return ["${part}"]
        if name == "BODY_TEXT":
            return self._body(production, depth)
        if name == "REST_TEXT":
            return self._rest(production, depth)
        if name == "TYPED":
            raise AssertionError("typed literals are drawn by hand")
        if name in _SAMPLES:
            return [self._one(_SAMPLES[name])]
        word = _SPELT.get(name) or (name if name in _WORDS else None)
        assert word is not None, f"no sample for {name}: add one to the table"
        return [self._cased(word)]

    def _ident(self, production: str) -> str:
        if production in ("language", "spoken"):
            return self._one(("SQL", "python"))
        if production == "explain_statement":
            return self._one(("EXTENDED", "formatted"))
        if production == "over":
            return "w"
        if production in ("schedule_every", "at_most"):
            return self._one(_UNITS)
        if production == "property_key":
            # A placeholder alone stands for a whole entry.
            return self._one(("a", "k_${y}", "delta"))
        return self._one(_ODD_NAMES if self._chance.random() < 0.05 else _NAMES)

    def _body(self, production: str, depth: int) -> list[str]:
        if production in _BODIES:
            return [self._one(_BODIES[production])]
        return self._symbol("predicate", min(depth, 5))

    def _rest(self, production: str, depth: int) -> list[str]:
        if production == "alter_dataset":
            return self._symbol("alteration", depth)
        words = self._symbol("signature", depth)
        return words or ["(", ")"]

    # ------------------------------------------------------------ by hand

    def _dataset(self, depth: int) -> list[str]:
        """Draw a CREATE with each clause at most once and at most one list."""
        words = self._symbol("head", depth) + self._symbol("made", depth)
        if self._chance.random() < 0.7:
            words += self._symbol("column_list", depth - 1)
        clauses = [rule for rule in _RULES["clause"] if self._chance.random() < 0.12]
        seen: set[str] = set()
        for rule in clauses:
            opening = rule.expansion[0].name
            if opening in seen:
                continue
            seen.add(opening)
            for symbol in rule.expansion:
                words += (
                    self._terminal(symbol.name, rule.alias or "clause", depth)
                    if symbol.is_term
                    else self._symbol(symbol.name, depth - 2)
                )
        words += ["${clauses}"] if self._chance.random() < 0.05 else []
        if self._chance.random() < 0.8:
            words += self._symbol(self._one(("as_query", "as_query", "inline_flow")), depth - 1)
        return words

    def _type(self, depth: int) -> list[str] | None:
        chance = self._chance.random()
        if depth <= 0 or chance < 0.6:
            return [self._one(_TYPES)]
        if chance < 0.75:
            return [self._one(_SIZED), "(", "10", ",", "2", ")"]
        if chance < 0.8:
            return ["VARCHAR", "(", "10", ")"]
        if chance < 0.85:
            return ["INTERVAL", *self._one((["DAY", "TO", "SECOND"], ["YEAR"]))]
        if chance < 0.9:
            return ["ARRAY", "<", *self._symbol("inner_type", depth - 2), ">"]
        if chance < 0.95:
            return ["STRUCT", "<", *self._symbol("field", depth - 2), ">"]
        return ["MAP", "<", "STRING", ",", *self._symbol("inner_type", depth - 2), ">"]

    def _interval(self, depth: int) -> list[str]:
        return ["INTERVAL", *self._one(_INTERVALS).split()]

    def _literal(self, depth: int) -> list[str] | None:
        chance = self._chance.random()
        if chance < 0.15:
            return self._interval(depth)
        if chance < 0.3:
            return self._one(
                (["DATE", "'2020-01-01'"], ["timestamp", '"2020-01-01 10:00:00"'], ["X", "'1F'"])
            )
        if chance < 0.5:
            return [self._one(_NUMBERS)]
        if chance < 0.8:
            return [self._one(_STRINGS)]
        return [self._cased(self._one(("NULL", "TRUE", "FALSE")))]

    def _call(self, depth: int) -> list[str] | None:
        value = lambda: self._symbol("value", depth - 3)  # noqa: E731 - drawn anew each time
        chance = self._chance.random()
        if chance < 0.4:
            name = self._one(("lower", "coalesce", "cat.s.f", "size", "date"))
            return [*name.replace(".", " . ").split(), *self._symbol("invocation", depth - 1)]
        forms: list[Callable[[], list[str]]] = [
            lambda: ["EXTRACT", "(", "YEAR", "FROM", *value(), ")"],
            lambda: ["trim", "(", "BOTH", "'x'", "FROM", *value(), ")"],
            lambda: ["TRIM", "(", "FROM", *value(), ")"],
            lambda: ["SUBSTRING", "(", *value(), "FROM", "1", "FOR", "2", ")"],
            lambda: ["substr", "(", "a", "FROM", "1", ")"],
            lambda: ["POSITION", "(", "'a'", "IN", "b", ")"],
            lambda: ["OVERLAY", "(", "a", "PLACING", "'x'", "FROM", "2", ")"],
            lambda: ["dateadd", "(", "DAY", ",", "1", ",", *value(), ")"],
            lambda: ["first", "(", "a", "IGNORE", "NULLS", ")"],
            lambda: ["transform", "(", "xs", ",", "e", "->", *value(), ")"],
            lambda: [
                "reduce",
                "(",
                "xs",
                ",",
                "0",
                ",",
                "(",
                "x",
                ",",
                "y",
                ")",
                "->",
                *value(),
                ")",
            ],
            lambda: ["STRUCT", "(", *value(), "AS", "n", ")"],
            lambda: ["f", "(", "n", "=>", *value(), ")"],
            lambda: ["count", "(", "*", ")"],
            lambda: ["TRIM", "(", *value(), ")"],
            lambda: ["overlay", "(", "a", ",", "b", ",", "1", ")"],
            lambda: ["IDENTIFIER", "(", "'f'", ")", "(", *value(), ")"],
            lambda: ["last", "(", "a", ")", "IGNORE", "NULLS", "OVER", "w"],
            lambda: ["current_date"],
            lambda: ["IDENTIFIER", "(", "'a'", ")"],
            lambda: ["CAST", "(", *value(), "AS", *self._symbol("data_type", depth - 3), ")"],
        ]
        return self._one(forms)()

    def _insert_parts(self, depth: int) -> list[str]:
        parts = [["(", "a", ",", "b", ")"], ["BY", "NAME"], self._symbol("replace", depth)]
        return [word for part in parts if self._chance.random() < 0.4 for word in part] or parts[1]

    def _source_parts(self, depth: int) -> list[str]:
        option = self._symbol("read_option", depth)
        parts = [
            ["WITH", "(", *option, ")"],
            ["WATERMARK", *self._one(_WATERMARKS).split(" ")],
            self._one((["AS", "src"], ["src"])),
        ]
        return [word for part in parts if self._chance.random() < 0.4 for word in part] or parts[2]

    def _plain_arguments(self, depth: int) -> list[str]:
        words = [self._one(("DISTINCT", "ALL"))] if self._chance.random() < 0.1 else []
        for at in range(self._chance.choice((1, 1, 2, 3))):
            words += ([","] if at else []) + self._symbol("expression", depth - 3)
        return words

    # ------------------------------------------------------------ text

    def _one(self, choices: Any) -> Any:
        return choices[int(self._chance.random() * len(choices))]

    def _cased(self, word: str) -> str:
        chance = self._chance.random()
        return word.lower() if chance < 0.2 else word.capitalize() if chance < 0.25 else word

    def _joined(self, words: Iterable[str]) -> str:
        out: list[str] = []
        for word in words:
            if out:
                out.append(self._blank(out[-1], word))
            out.append(word)
        return "".join(out)

    def _blank(self, before: str, word: str) -> str:
        chance = self._chance.random()
        if chance < self._comments:
            return f" {self._one(_COMMENTS)} "
        if chance < self._comments + 0.05:
            return self._one(("\n", "\n\n", "  ", "\t", "\r\n"))
        tight = before in ("(", ",", ".", "[") or word in (")", ",", ".", "]", ";")
        # A dot before a digit would make a number, and one behind a digit would go on with it.
        if tight and not (before[-1].isdigit() or word[0].isdigit()) and chance > 0.4:
            return ""
        return " "


_BY_HAND: dict[str, Callable[[Drawer, int], list[str] | None]] = {
    # Half of the statements make datasets: those have most of the rules.
    "statement": lambda drawer, depth: (
        drawer._dataset(depth) if drawer._chance.random() < 0.4 else None
    ),
    "create": Drawer._dataset,
    "data_type": Drawer._type,
    "inner_type": Drawer._type,
    "literal": Drawer._literal,
    "call": Drawer._call,
    "arguments": Drawer._plain_arguments,
    "__violation_plus_": lambda drawer, depth: drawer._one(_ACTIONS).split(),
    # Without the word for an object, a name in backticks is no name of ours.
    "refresh_statement": lambda drawer, depth: [
        *drawer._one(("REFRESH", "REFRESH STREAMING TABLE", "refresh materialized view")).split(),
        *drawer._one(("a", "a.b FULL", "t SYNC", "c.s.t full async")).replace(".", " . ").split(),
    ],
    "expression": lambda drawer, depth: (
        drawer._symbol("predicated", depth) if drawer._chance.random() < 0.6 else None
    ),
    "value": lambda drawer, depth: (
        drawer._symbol("primary", depth) if drawer._chance.random() < 0.6 else None
    ),
    "complex": lambda drawer, depth: (
        drawer._symbol("call", depth) if depth > 0 and drawer._chance.random() < 0.3 else None
    ),
    "__invocation_star_": lambda drawer, depth: drawer._symbol("call_suffix", depth),
    "key_columns": lambda drawer, depth: drawer._one(
        (
            ["(", "a", ")"],
            ["(", "a", ",", "`odd name`", ")"],
            ["(", "a", ",", "ts", "TIMESERIES", ")"],
        )
    ),
    "__insert_body_star_": lambda drawer, depth: drawer._insert_parts(depth),
    "identity_options": lambda drawer, depth: drawer._one(
        (
            ["(", ")"],
            ["(", "START", "WITH", "-", "1", ")"],
            ["(", "start", "with", "1", "INCREMENT", "BY", "2", ")"],
            ["(", "INCREMENT", "BY", "1", ")"],
        )
    ),
    "__source_star_": lambda drawer, depth: drawer._source_parts(depth),
    "lambda_": lambda drawer, depth: ["e", "->", *drawer._symbol("expression", depth - 2)],
    "stored_as": lambda drawer, depth: drawer._one(
        ("STORED AS SCD TYPE 1", "stored as scd type 2", "STORED AS BITEMPORAL")
    ).split(),
    "keys_clause": lambda drawer, depth: ["KEYS", "(", *drawer._symbol("names", depth), ")"],
    "escape": lambda drawer, depth: ["ESCAPE", "'!'"],
    "at_most": lambda drawer, depth: ["AT", "MOST", "EVERY", "INTERVAL", "1", "HOUR"],
}


def _shape(rule: Any) -> str:
    first = rule.expansion[0] if rule.expansion else None
    return "" if first is None or first.is_term else first.name


def _collected() -> dict[str, list[Any]]:
    rules: dict[str, list[Any]] = defaultdict(list)
    for rule in _GRAMMAR.rules:
        rules[rule.origin.name].append(rule)
    return rules


def _costed(rules: dict[str, list[Any]]) -> dict[tuple[str, int], float]:
    """Return how deep each production must go at least."""
    least: dict[str, float] = dict.fromkeys(rules, float("inf"))
    while True:
        costs = {
            (name, at): (len(rule.expansion) > 1)
            + max((least[one.name] for one in rule.expansion if not one.is_term), default=0)
            for name, found in rules.items()
            for at, rule in enumerate(found)
        }
        now = {
            name: min(costs[name, at] for at in range(len(found))) for name, found in rules.items()
        }
        if now == least:
            return costs
        least = now


_RULES = _collected()
_COSTS = _costed(_RULES)

_PIECES = (
    "(", ")", "'", '"', "`", ",", ";", "--", "/*", "*/", "CONSTRAINT", "EXPECT (", " AS ", "\n",
    "${", "AND", "ON VIOLATION", "{{", "}}", "\\", "\0", "é", "-- COMMAND ----------\n",
    "CREATE TABLE ",
)  # fmt: skip


def mutated(text: str, chance: random.Random) -> str:
    """Damage a text in one to four places."""
    for _ in range(chance.randrange(1, 5)):
        at = chance.randrange(len(text) + 1)
        match chance.randrange(5):
            case 0:
                text = text[:at] + text[at + chance.randrange(1, 12) :]
            case 1:
                text = text[:at] + chance.choice(_PIECES) + text[at:]
            case 2:
                text = (
                    text[:at]
                    if chance.random() < 0.3
                    else text[:at] + text[at : at + 9] + text[at:]
                )
            case 3:
                other = chance.randrange(len(text) + 1)
                first, last = min(at, other), max(at, other)
                text = text[:first] + text[last:] if last - first < 30 else text
            case _:
                text = (
                    text[:at]
                    + chr(chance.choice((9, 10, 13, 32, 39, 40, 41, 44, 59, 96, 8232)))
                    + text[at:]
                )
    return text
