"""A pipeline drawn from a seed: input files, SQL, and the rows and figures that must come out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import date, timedelta
from random import Random

from recount.counting import Row, Rule
from recount.drawn import (
    MATERIALIZED,
    STREAMING,
    VIEW,
    Drawn,
    Expectation,
    Generated,
    Input,
    Query,
    expectation,
)
from recount.expressions import (
    All,
    Any,
    Between,
    Call,
    Column,
    Comparison,
    Is,
    Literal,
    Node,
    Style,
)
from recount.predicates import WORDS, Predicates

MANY_RULES = "silver.second"
ROWS = 400
FILES = 3

NAMES = {
    "whole": ("berth", "count_7", "row", "größe", "keys", "age"),
    "real": ("weight", "ratio", "stream", "check"),
    "text": ("captain", "violation", "label", "expect", "port_2"),
    "flag": ("active", "private", "once"),
    "date": ("arrived_on", "sequence", "built"),
}
TRAITS = ("plausible", "given", "in order", "wie üblich", "as_agreed", "checked", "sound")


def generate(seed: int, broken: str | None = None) -> Generated:
    """Draw a pipeline; with ``broken``, a FAIL rule of that dataset or kind is violated."""
    drawing = Drawing(seed)
    pipeline = Generated(seed, drawing.inputs, drawing.datasets())
    if broken is None:
        return pipeline
    return _break(pipeline, broken, Random(seed))


def _break(pipeline: Generated, broken: str, random: Random) -> Generated:
    """Add to one dataset that others read a FAIL rule that some of its rows violate."""
    candidates = [each for each in pipeline.datasets if broken in (each.kind, each.name)]
    victim = max(candidates, key=lambda each: len(pipeline.dependents(each.name)))
    while True:
        predicate = Predicates(random, victim.columns).predicate()
        verdicts = [predicate.value(row) for row in victim.rows]
        if 0 < sum(verdict is not True for verdict in verdicts) < len(verdicts) / 2:
            break
    rule = Rule("never broken before", "fail", predicate.value)
    rules = [*victim.rules, expectation(rule, predicate.sql(Style(random)))]
    spoiled = replace(victim, rules=rules)
    datasets = [spoiled if each is victim else each for each in pipeline.datasets]
    return Generated(pipeline.seed, pipeline.inputs, datasets)


class Drawing:
    """Draws inputs and datasets, each reading some that were drawn before."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)
        self._style = Style(self._random)
        self.inputs = [
            self._input("raw.ships", "csv"),
            self._input("raw.calls", "json"),
            self._input("landing", "csv" if seed % 2 else "json"),
        ]
        self._drawn: list[Drawn] = []

    def datasets(self) -> list[Drawn]:
        """Draw all datasets, each after those that it reads."""
        streams = [
            self._stream(name, source)
            for name, source in zip(
                ("dev.bronze.ships", "bronze.calls", "landed"), self.inputs, strict=True
            )
        ]
        first, second, third = self._random.sample(streams, 3)
        flowing = self._select("fresh_rows", VIEW, first)
        self._select("silver.fresh", STREAMING, flowing)
        self._select("silver.second", STREAMING, second)
        looked_at = self._select("looked_at", VIEW, third)
        self._select("gold.seen", MATERIALIZED, looked_at)
        self._groups("gold.per_group", looked_at)
        self._groups("dev.gold.totals", self._random.choice([first, second]))
        self._join("gold.pairs", first, third)
        return self._drawn

    # Inputs

    def _input(self, name: str, file_format: str) -> Input:
        kinds = ["whole", "real", "text", "text", "flag", "whole"]
        kinds += ["date"] if file_format == "csv" else []
        columns = {"id": "whole"}
        for kind in kinds:
            columns[self._random.choice([n for n in NAMES[kind] if n not in columns])] = kind
        if file_format == "json":
            # Spark infers the columns of JSON in the order of their names.
            columns = dict(sorted(columns.items()))
        with_nan = file_format == "csv"
        files = [
            [
                {column: self._cell(kind, row, with_nan) for column, kind in columns.items()}
                for row in range(ROWS // FILES)
            ]
            for _ in range(FILES)
        ]
        return Input(name, file_format, columns, files)

    def _cell(self, kind: str, row: int, with_nan: bool) -> object:
        """Draw a value; the first rows are clean, so that a reader infers the type meant."""
        if row > 3 and self._random.random() < 0.12:
            return None
        match kind:
            case "whole":
                if row > 3 and self._random.random() < 0.03:
                    return self._random.choice((-100_000, 100_000, 0))
                return self._random.randrange(-20, 120)
            case "real":
                if row == 3 and with_nan:
                    return float("nan")
                return self._random.randrange(-2_000, 20_000) / 8 + 0.0625
            case "text":
                return self._random.choice(WORDS) if row > 3 else WORDS[row]
            case "flag":
                return self._random.random() < 0.6
            case _:
                return date(2023, 7, 1) + timedelta(days=self._random.randrange(800))

    # Datasets

    def _add(self, written: str, kind: str, query: Query) -> Drawn:
        name = written if "." in written else f"default.{written}"
        plain = Drawn(name, written, kind, self._head(written, kind), query)
        drawn = replace(plain, rules=self._rules(plain))
        self._drawn.append(drawn)
        return drawn

    def _head(self, name: str, kind: str) -> str:
        heads = {
            STREAMING: (
                "CREATE OR REFRESH STREAMING TABLE",
                "create streaming table",
                "CREATE OR REFRESH STREAMING LIVE TABLE",
            ),
            MATERIALIZED: ("CREATE OR REFRESH MATERIALIZED VIEW", "CREATE OR REFRESH LIVE TABLE"),
            VIEW: ("CREATE TEMPORARY VIEW", "create temp view"),
        }
        return f"{self._random.choice(heads[kind])} {name}"

    def _stream(self, name: str, source: Input) -> Drawn:
        if self._random.random() < 0.5:
            text = f"SELECT * FROM {self._streamed(source)}"
            query = Query(text, source.passing, source.columns, (source.name,))
            return self._add(name, STREAMING, query)
        return self._select(name, STREAMING, source)

    def _select(self, name: str, kind: str, source: Input | Drawn) -> Drawn:
        streaming = kind == STREAMING or name == "fresh_rows"
        relation = self._streamed(source) if streaming else self._read(source)
        condition, rows = self._filter(source)
        outputs = self._outputs(name.rsplit(".", maxsplit=1)[-1], source.columns)
        items = ",\n  ".join(self._item(column, node) for column, (node, _) in outputs.items())
        result = [
            {column: node.value(row) for column, (node, _) in outputs.items()} for row in rows
        ]
        types = {column: of for column, (_, of) in outputs.items()}
        text = f"SELECT\n  {items}\nFROM {relation}{condition}"
        return self._add(name, kind, Query(text, result, types, (source.name,)))

    def _outputs(self, prefix: str, columns: Mapping[str, str]) -> dict[str, tuple[Node, str]]:
        """Draw what a query selects: some columns as they are, and two new ones."""
        predicates = Predicates(self._random, columns)
        outputs: dict[str, tuple[Node, str]] = {
            column: (Column(column), of)
            for column, of in columns.items()
            if column == "id" or self._random.random() < 0.8
        }
        for number, of in enumerate(self._random.choices(("whole", "text", "flag", "real"), k=2)):
            outputs[f"{prefix}_{of}_{number}"] = (predicates.expression(of), of)
        return outputs

    def _groups(self, name: str, source: Drawn) -> Drawn:
        columns = source.columns
        condition, rows = self._filter(source)
        keys = [c for c, of in columns.items() if of in ("text", "flag", "date")] or ["id"]
        key = self._random.choice(keys)
        whole = self._random.choice([c for c, of in columns.items() if of == "whole"])
        other = self._random.choice(sorted(columns))
        groups: dict[object, list[Row]] = defaultdict(list)
        for row in rows:
            groups[row[key]].append(row)
        least = self._random.choice((0, 1, 2))
        result = [
            _group(value, members, whole, other)
            for value, members in groups.items()
            if len(members) > least
        ]
        quoted = self._style.name
        query = (
            f"SELECT {quoted(key)} AS grouped_by, COUNT(*) AS n, COUNT({quoted(other)}) AS known,\n"
            f"  COUNT(DISTINCT {quoted(whole)}) AS variety, SUM({quoted(whole)}) AS total,\n"
            f"  MIN({quoted(whole)}) AS lowest, MAX({quoted(whole)}) AS highest\n"
            f"FROM {self._read(source)}{condition}\nGROUP BY {quoted(key)}"
        ) + (f"\nHAVING COUNT(*) > {least}" if least else "")
        counts = ("n", "known", "variety", "total", "lowest", "highest")
        types = {"grouped_by": columns[key], **dict.fromkeys(counts, "whole")}
        return self._add(name, MATERIALIZED, Query(query, result, types, (source.name,)))

    def _join(self, name: str, left: Drawn, right: Drawn) -> Drawn:
        outer = self._random.random() < 0.5
        label = self._random.choice(sorted(right.columns))
        by_id: dict[object, list[Row]] = defaultdict(list)
        for row in right.passing:
            by_id[row["id"]].append(row)
        rows = []
        for row in left.passing:
            matches = by_id[row["id"]] if row["id"] is not None else []
            if outer and not matches:
                matches = [{"id": None, label: None}]
            rows += [{"id": row["id"], "other": m["id"], "label": m[label]} for m in matches]
        kind = "LEFT JOIN" if outer else "JOIN"
        query = (
            f"SELECT l.id, r.id AS other, r.{self._style.name(label)} AS label\n"
            f"FROM {self._read(left)} AS l\n"
            f"{kind} {self._read(right)} r ON l.id = r.id"
        )
        types = {"id": "whole", "other": "whole", "label": right.columns[label]}
        return self._add(name, MATERIALIZED, Query(query, rows, types, (left.name, right.name)))

    def _filter(self, source: Input | Drawn) -> tuple[str, list[Row]]:
        """Draw a WHERE clause that leaves a good part of the rows, or none at all."""
        rows = source.passing
        if self._random.random() < 0.4:
            return "", rows
        while True:
            predicate = Predicates(self._random, source.columns).predicate()
            left = [row for row in rows if predicate.value(row) is True]
            if len(left) >= 0.4 * len(rows):
                return f"\nWHERE {predicate.sql(self._style)}", left

    # Names and items

    def _streamed(self, source: Input | Drawn) -> str:
        name = self._read(source)
        return self._random.choice((f"STREAM({name})", f"STREAM {name}", f"stream({name})"))

    def _read(self, source: Input | Drawn) -> str:
        plain = "." in source.written or isinstance(source, Input) or self._random.random() < 0.7
        return source.written if plain else f"LIVE.{source.written}"

    def _item(self, column: str, node: Node) -> str:
        if node == Column(column):
            return self._style.name(column)
        return f"{node.sql(self._style)} AS {column}"

    # Rules

    def _rules(self, drawn: Drawn) -> list[Expectation]:
        rules: dict[str, Expectation] = {}
        extra = 18 if drawn.name == MANY_RULES else 2
        for action in ("warn", "drop", "fail", *self._random.choices(("warn", "drop"), k=extra)):
            if self._random.random() < 0.2:
                continue
            predicate = self._predicate(action, drawn)
            name = f"{self._random.choice(sorted(drawn.columns))} {self._random.choice(TRAITS)}"
            if self._random.random() < 0.6:
                name = name.replace(" ", "_")
            if name.casefold() not in rules:
                rule = Rule(name, action, predicate.value)
                rules[name.casefold()] = expectation(
                    rule, predicate.sql(self._style), self._style.end()
                )
        return self._random.sample(list(rules.values()), len(rules))

    def _predicate(self, action: str, drawn: Drawn) -> Node:
        predicates = Predicates(self._random, drawn.columns)
        for _ in range(50):
            predicate = predicates.predicate()
            passing = sum(predicate.value(row) is True for row in drawn.rows)
            if action == "warn":
                return predicate
            if action == "drop" and passing >= 0.7 * len(drawn.rows):
                return predicate
            if action == "fail" and passing == len(drawn.rows) > 0:
                return predicate
        return self._certain(drawn)

    def _certain(self, drawn: Drawn) -> Node:
        """Make a rule that every row keeps, from what the rows hold."""
        column = self._random.choice(sorted(drawn.columns))
        missing = Is(Column(column), None, False)
        known = [row[column] for row in drawn.rows if row[column] is not None]
        match drawn.columns[column]:
            case "whole" if known:
                bounds = Literal(min(known)), Literal(max(known))
                return Any((missing, Between(Column(column), *bounds, False)))
            case "text" if known:
                longest = Literal(max(map(len, known)))
                return Any((missing, Comparison(Call("length", (Column(column),)), "<=", longest)))
            case _:
                return Any((missing, All((Is(Column(column), None, True), Literal(True)))))


def _group(key: object, rows: Iterable[Row], whole: str, other: str) -> Row:
    rows = list(rows)
    known = [row[whole] for row in rows if row[whole] is not None]
    return {
        "grouped_by": key,
        "n": len(rows),
        "known": sum(row[other] is not None for row in rows),
        "variety": len(set(known)),
        "total": sum(known) if known else None,
        "lowest": min(known, default=None),
        "highest": max(known, default=None),
    }
