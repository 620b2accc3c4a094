"""What is drawn: inputs, queries, rules and datasets, with the figures that must come out."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from functools import cached_property
from pathlib import Path
from random import Random
from typing import NamedTuple

from recount.counting import Recounted, Row, Rule, recount

STREAMING = "streaming_table"
MATERIALIZED = "materialized_view"
VIEW = "temporary_view"


@dataclass(frozen=True)
class Input:
    """An input: its name, the types of its columns, and the rows in each of its files."""

    name: str
    format: str
    columns: Mapping[str, str]
    files: Sequence[Sequence[Row]]

    @property
    def written(self) -> str:
        """How a query names it."""
        return self.name

    @property
    def passing(self) -> list[Row]:
        """All rows."""
        return [row for rows in self.files for row in rows]


@dataclass(frozen=True)
class Query:
    """A query's text, its rows, the types of its columns, and what it reads."""

    text: str
    rows: Sequence[Row] = field(repr=False)
    columns: Mapping[str, str]
    reads: tuple[str, ...]


class Expectation(NamedTuple):
    """A rule, its predicate as written, and its whole clause."""

    rule: Rule
    predicate: str
    clause: str


@dataclass(frozen=True)
class Drawn:
    """A dataset: its head as written, its query, and its rules with their text."""

    name: str
    written: str
    kind: str
    head: str
    query: Query
    rules: Sequence[Expectation] = ()

    @property
    def rows(self) -> Sequence[Row]:
        """What the rules judge."""
        return self.query.rows

    @property
    def columns(self) -> Mapping[str, str]:
        """The types of the columns."""
        return self.query.columns

    @cached_property
    def counted(self) -> Recounted:
        """The figures, and the rows that pass."""
        return recount(self.name, self.kind, self.rows, [each.rule for each in self.rules])

    @property
    def passing(self) -> list[Row]:
        """The rows that a reader of this dataset sees."""
        return self.counted.kept

    @property
    def violations(self) -> list[dict[str, object]]:
        """What a run says of the fail rules that rows broke."""
        figures = self.counted.figures["expectations"]
        return [
            {
                "name": each.rule.name,
                "predicate": each.predicate,
                "failed": counted["failed"],
                "null": counted["null"],
                "rows": first_offenders(self, each.rule),
            }
            for each, counted in zip(self.rules, figures, strict=True)
            if each.rule.action == "fail" and counted["failed"]
        ]

    @property
    def sql(self) -> str:
        """The whole statement."""
        rules = ",\n".join(each.clause for each in self.rules)
        return "\n".join(
            [self.head, *(["(", rules, ")"] if rules else []), f"AS {self.query.text}"]
        )


@dataclass(frozen=True)
class Generated:
    """A pipeline and what must come of it."""

    seed: int
    inputs: Sequence[Input]
    datasets: Sequence[Drawn]

    @property
    def tables(self) -> list[Drawn]:
        """The datasets that are stored."""
        return [each for each in self.datasets if each.kind != VIEW]

    def dependents(self, name: str) -> set[str]:
        """The datasets that read a dataset, directly or not."""
        found: set[str] = set()
        for each in self.datasets:
            if {name, *found} & set(each.query.reads):
                found.add(each.name)
        return found

    def write(self, folder: Path) -> tuple[list[Path], list[tuple[str, Path]]]:
        """Write inputs and SQL; return the SQL files, and the inputs with their paths."""
        bound = [(each.name, _write_input(folder, each)) for each in self.inputs]
        statements = [each.sql for each in self.datasets]
        Random(self.seed).shuffle(statements)
        half = len(statements) // 2
        texts = {"a.sql": statements[:half], "b.sql": statements[half:]}
        for name, part in texts.items():
            (folder / name).write_text(";\n\n".join(part) + ";\n", encoding="utf-8")
        return [folder / name for name in texts], bound


def _write_input(folder: Path, each: Input) -> Path:
    path = folder / each.name.replace(".", "_")
    path.mkdir()
    for number, rows in enumerate(each.files):
        if each.format == "csv":
            with (path / f"part-{number}.csv").open("w", encoding="utf-8", newline="") as file:
                writer = csv.writer(file, lineterminator="\n")
                writer.writerow(each.columns)
                writer.writerows([_csv_field(row[name]) for name in each.columns] for row in rows)
        else:
            text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
            (path / f"part-{number}.jsonl").write_text(text, encoding="utf-8")
    return path


def _csv_field(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return "" if value is None else str(value).replace("nan", "NaN")


def expectation(rule: Rule, predicate: str, end: str = "") -> Expectation:
    """Write down a rule; ``end`` may stand before the closing parenthesis."""
    plain = rule.name.replace("_", "").isalnum() and rule.name.isascii()
    name = rule.name if plain else f"`{rule.name}`"
    action = {
        "warn": "",
        "drop": " ON VIOLATION DROP ROW",
        "fail": "\n    on violation fail update",
    }
    clause = f"  CONSTRAINT {name} EXPECT ({predicate}{end}){action[rule.action]}"
    return Expectation(rule, predicate, clause)


def first_offenders(drawn: Drawn, rule: Rule) -> list[str]:
    """Serialise the rows that break a rule as the run does; the five smallest texts."""
    texts = []
    for row in drawn.rows:
        if rule.judge(row) is not True:
            fields = (f"{json.dumps(n, ensure_ascii=False)}:{_in_json(row[n])}" for n in row)
            texts.append(f"{{{','.join(fields)}}}")
    return sorted(texts)[:5]


def _in_json(value: object) -> str:
    match value:
        case float() if math.isnan(value):
            return '"NaN"'
        case float() if value and not 1e-3 <= abs(value) < 1e7:
            sign, digits, exponent = Decimal(repr(value)).normalize().as_tuple()
            rest = "".join(map(str, digits[1:])) or "0"
            return f"{'-' * sign}{digits[0]}.{rest}E{exponent + len(digits) - 1}"
        case date():
            return f'"{value.isoformat()}"'
        case _:
            return json.dumps(value, ensure_ascii=False)
