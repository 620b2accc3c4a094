"""Random predicates from a seed, written after Spark's own grammar: templates and what fills them.

``{name}`` in a template is filled from the templates of that name; a deep one falls back on the
first templates of its kind, which hold nothing to fill but leaves.
"""

import random
import re
from collections.abc import Iterator

_HOLE = re.compile(r"\{(\w+)\}")
_DEEPEST = 4
_LONGEST = 240


def _words(text: str) -> list[str]:
    return text.split()


_TEMPLATES: dict[str, tuple[str, ...]] = {
    "boolean": (
        "{predicate}",
        "{predicate}",
        "{boolean} AND {boolean}",
        "{boolean} or {boolean}",
        "NOT {boolean}",
        "! {boolean}",
        "({boolean})",
    ),
    "predicate": (
        "{leaf} {compare} {leaf}",
        "{value} {compare} {value}",
        "{value} IS {not}NULL",
        "{value} IS {not}{truth}",
        "{value} IS {not}DISTINCT FROM {value}",
        "{value} {not}BETWEEN {value} AND {value}",
        "{value} {not}IN ({value})",
        "{value} {not}IN ({value}, {value}, {value})",
        "{value} {not}{like} {value}",
        "{value} {not}LIKE {value} ESCAPE '!'",
        "{value} {not}ILIKE {quantifier} ({value}, {value})",
        "{value} {not}IN (SELECT a FROM t)",
        "EXISTS (SELECT 1 FROM t)",
        "EXISTS ((SELECT 1 FROM t))",
        "{value}",
    ),
    "value": (
        "{leaf}",
        "{primary}",
        "{primary}",
        "{value} {arithmetic} {value}",
        "{sign}{value}",
        "{primary} COLLATE {collation}",
        "({boolean})",
    ),
    "primary": (
        "{leaf}",
        "{function}({value})",
        "{function}({value}, {value})",
        "{function}()",
        "{function}(x => {value})",
        "(SELECT max(a) FROM t)",
        "CAST({value} AS {type})",
        "TRY_CAST({value} AS {type})",
        "{primary}::{type}",
        "CASE WHEN {boolean} THEN {value} ELSE {value} END",
        "CASE {value} WHEN {value} THEN {value} WHEN {value} THEN {value} END",
        "{primary}[{value}]",
        "{function}({value}).field",
        "a:{path}",
        "EXTRACT({unit} FROM {value})",
        "TRIM({side}FROM {value})",
        "TRIM({side}{value} FROM {value})",
        "SUBSTRING({value} FROM {value})",
        "SUBSTRING({value} FROM {value} FOR {value})",
        "POSITION({leaf} IN {value})",
        "OVERLAY({value} PLACING {value} FROM {value})",
        "STRUCT({value} AS x, {value})",
        "({value}, {value} AS n)",
        "transform({value}, x -> {value})",
        "aggregate({value}, 0, (x, y) -> {value}, z -> {value})",
        "exists({value}, x -> {boolean})",
        "count({counted}){filter}",
        "first({value}{nulls})",
        "timestampdiff({unit}, {value}, {value})",
        "IDENTIFIER('f')({value})",
        "sum({value}) OVER (PARTITION BY a ORDER BY b)",
        "percentile_cont(0.5) WITHIN GROUP (ORDER BY {value})",
    ),
    "leaf": ("{column}", "{column}", "{literal}"),
    "column": (
        *_words("a b c.d t.a `a``b` _1 1a order_ts stream live expect constraint violation value"),
        *_words("date timestamp year key keys sequence once flow auto trigger schedule comment"),
        *_words("row position trim escape filter over nulls exists_x then_x `select` current any"),
        *("default", "`x y`", "t.`b c`.d"),
    ),
    "literal": (
        *_words("1 0 1.5 1e3 1e-3 1L 2S 3Y 1.0BD 1.5F 2D .5 5. NULL TRUE false 'x' \"y\" 'it''s'"),
        *("'a\\'b'", "r'\\d+'", "'a' 'b'", "DATE '2020-01-01'", "X'1F'", "INTERVAL 7 DAYS"),
        *("TIMESTAMP '2020-01-01 00:00:00'", "TIMESTAMP_NTZ'2020-01-01'", "TIME '10:00:00'"),
        *("INTERVAL '1-2' YEAR TO MONTH", "INTERVAL 1 DAY 2 HOURS", "INTERVAL '1 day'"),
        *("interval -3 months", ":p", "?", "current_date", "CURRENT_TIMESTAMP()", "- 5"),
    ),
    "compare": ("=", "==", "<>", "!=", "<", "<=", ">", ">=", "<=>", "!<", "!>"),
    "arithmetic": ("+", "-", "*", "/", "%", "DIV", "||", "&", "|", "^", "<<", ">>", ">>>"),
    "sign": ("-", "+", "~"),
    "not": ("", "", "NOT "),
    "truth": ("TRUE", "FALSE", "UNKNOWN"),
    "like": ("LIKE", "ILIKE", "RLIKE", "REGEXP"),
    "quantifier": ("ANY", "SOME", "ALL"),
    "collation": ("UTF8_LCASE", "unicode_ci"),
    "function": (
        "`my f`",
        *_words(
            "length coalesce upper abs f my.f cat.sch.fn date_add nvl size concat if year date "
            "replace any some element_at current_date string int decimal left right map array"
        ),
    ),
    "type": (
        *_words("INT BIGINT STRING DECIMAL(10,2) DATE TIMESTAMP TIMESTAMP_NTZ BOOLEAN BINARY"),
        *_words("ARRAY<INT> MAP<STRING,INT> STRUCT<a:INT,b:STRING> ARRAY<ARRAY<INT>> VARCHAR(10)"),
        *("STRUCT<a INT>", "INTERVAL DAY TO SECOND", "TIMESTAMP WITHOUT TIME ZONE", "STRUCT<>"),
    ),
    "path": ("b", "b.c", "b[0]", "b[*].c", "`x y`", "['q']", "[0].z"),
    "unit": ("YEAR", "day", "hour", "MICROSECOND"),
    "side": ("", "BOTH ", "LEADING ", "TRAILING "),
    "counted": ("*", "DISTINCT a", "DISTINCT a, b", "ALL a", "t.*"),
    "filter": ("", " FILTER (WHERE {predicate})"),
    "nulls": ("", " IGNORE NULLS", " RESPECT NULLS", ", true"),
}


def random_predicates(seed: int) -> Iterator[str]:
    """Yield predicates without end."""
    chance = random.Random(seed)
    while True:
        text = _fill("boolean", chance, 0)
        if len(text) <= _LONGEST:
            yield text


def _fill(kind: str, chance: random.Random, depth: int) -> str:
    templates = _TEMPLATES[kind]
    is_leaf = not any("{" in template for template in templates)
    template = chance.choice(templates) if is_leaf or depth <= _DEEPEST else templates[0]
    return _HOLE.sub(lambda hole: _fill(hole[1], chance, depth + 1), template)
