"""Judges rows: a data frame and the rules of a dataset enter, kept rows and exact figures leave.

All rules are judged on the same row in one pass: the figures are observed, and directly above the
observation one CASE in one filter raises or drops. Nothing but a projection and the write may stand
above that filter, else Spark may skip rows before they are judged.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pyspark.sql import Column as SparkColumn
from pyspark.sql import DataFrame, Observation
from pyspark.sql.functions import expr

from tidegate.model.verdict import NullPolicy, enclosed, is_null, satisfied, violated
from tidegate.transpiler.runtime.spec import Dataset, Pipeline, Rule

# One pair of counters per rule is simplest; above this many rules codes are cheaper.
PAIRS_UP_TO = 12
# Six verdicts of three values make 729 codes, which the sketch counts without an error.
RULES_PER_CODE = 6

VIOLATION_MARK = "tidegate:violation:"
NOT_NULL_MARK = "tidegate:not-null:"
MARK_END = ":tidegate"

_CODE = "__tidegate_code_"
_CORRUPT = "_corrupt_record"


@dataclass(frozen=True, slots=True)
class RuleFigures:
    """How often a rule held and did not; NULL verdicts are inside one of the two."""

    name: str
    action: str
    passed: int
    failed: int
    null: int


@dataclass(frozen=True, slots=True)
class Figures:
    """What one pass over the rows of a dataset's query found."""

    rows_read: int
    rows_dropped: int
    rules: tuple[RuleFigures, ...]

    @property
    def rows_kept(self) -> int:
        """The rows that were to be written."""
        return self.rows_read - self.rows_dropped


@dataclass(frozen=True, slots=True)
class Gate:
    """The rules of one dataset and the choices that say how they are judged."""

    dataset: str
    rules: tuple[Rule, ...]
    null_policy: NullPolicy
    fail_sees_dropped: bool
    not_null: tuple[str, ...] = ()
    sample_rows: int = 5
    redact: tuple[str, ...] = ()

    @property
    def keep(self) -> str | None:
        """The expression that is TRUE for rows which no drop rule removes; it is never NULL."""
        drops = [rule for rule in self.rules if rule.action == "drop"]
        return " AND ".join(satisfied(rule.predicate, self.null_policy) for rule in drops) or None

    @property
    def fails(self) -> tuple[Rule, ...]:
        """The rules that stop the transaction."""
        return tuple(rule for rule in self.rules if rule.action == "fail")

    @property
    def is_coded(self) -> bool:
        """Whether verdicts are packed into codes and counted by a sketch."""
        return len(self.rules) > PAIRS_UP_TO

    def scope(self, rule: Rule) -> str | None:
        """Give the condition under which a row is judged by the rule, if it is not every row."""
        return None if self.fail_sees_dropped or rule.action == "drop" else self.keep


def gate_of(dataset: Dataset, pipeline: Pipeline) -> Gate:
    """Collect what judging a dataset's rows needs."""
    return Gate(
        dataset=dataset.name,
        rules=dataset.rules,
        null_policy=pipeline.null_policy,
        fail_sees_dropped=pipeline.fail_sees_dropped,
        not_null=tuple(column.name for column in dataset.columns if column.not_null),
        sample_rows=pipeline.sample_rows,
        redact=pipeline.redact,
    )


def guarded(rows: DataFrame, gate: Gate, observation: Observation) -> DataFrame:
    """Give the rows to write; the observation is complete once the write has run."""
    judged = with_codes(rows, gate).observe(observation, *gate_metrics(gate))
    condition = gate_condition(gate, rows.columns)
    passed = judged if condition is None else judged.where(expr(condition))
    return passed.select(*(quoted(name) for name in rows.columns))


def counted(rows: DataFrame, gate: Gate) -> Figures:
    """Count by one aggregate what a write would have observed."""
    # Spark refuses to read nothing of a file but the column of its broken lines (4.2.0).
    others = [name for name in rows.columns if name != _CORRUPT]
    anchor = [expr(f"count({quoted(others[0])})")] if others and _CORRUPT in rows.columns else []
    row = with_codes(rows, gate).agg(*gate_metrics(gate), *anchor).first()
    return decoded(row.asDict() if row else {}, gate)


def kept(rows: DataFrame, gate: Gate) -> DataFrame:
    """Give the rows that no drop rule removes, without counting anything."""
    return rows if gate.keep is None else rows.where(expr(gate.keep))


def with_codes(rows: DataFrame, gate: Gate) -> DataFrame:
    """Add one column of packed verdicts per six rules; it is NULL where all of them hold."""
    if not gate.is_coded:
        return rows
    chunks = enumerate(_chunks(gate.rules))
    return rows.selectExpr("*", *(f"{_code(part, gate)} AS {_CODE}{n}" for n, part in chunks))


def gate_metrics(gate: Gate) -> list[SparkColumn]:
    """Give the aggregates from which ``decoded`` reads the figures."""
    metrics = ["count(1) AS rows_read", f"count_if({gate.keep or 'true'}) AS rows_kept"]
    if gate.is_coded:
        top = 3**RULES_PER_CODE
        for n, _ in enumerate(_chunks(gate.rules)):
            metrics.append(f"approx_top_k({_CODE}{n}, {top}, 1024) AS codes_{n}")
        return [expr(metric) for metric in metrics]
    for n, rule in enumerate(gate.rules):
        only = f" AND {scope}" if (scope := gate.scope(rule)) else ""
        broken = violated(rule.predicate, gate.null_policy)
        metrics.append(f"count_if({broken}{only}) AS failed_{n}")
        metrics.append(f"count_if({is_null(rule.predicate)}{only}) AS null_{n}")
    return [expr(metric) for metric in metrics]


def decoded(metrics: Mapping[str, Any], gate: Gate) -> Figures:
    """Turn observed or aggregated values into figures per rule."""
    read, kept_rows = int(metrics["rows_read"]), int(metrics["rows_kept"])
    pairs = _from_codes(metrics, gate) if gate.is_coded else _from_pairs(metrics, gate)
    rules = []
    for rule, (failed, null) in zip(gate.rules, pairs, strict=True):
        judged = kept_rows if gate.scope(rule) else read
        rules.append(RuleFigures(rule.name, rule.action, judged - failed, failed, null))
    return Figures(read, read - kept_rows, tuple(rules))


def summed(parts: Sequence[Figures], rules: Sequence[Rule]) -> Figures:
    """Add up the figures of several passes over different rows."""
    added = tuple(
        RuleFigures(
            rule.name,
            rule.action,
            sum(part.rules[n].passed for part in parts),
            sum(part.rules[n].failed for part in parts),
            sum(part.rules[n].null for part in parts),
        )
        for n, rule in enumerate(rules)
    )
    read, dropped = sum(p.rows_read for p in parts), sum(p.rows_dropped for p in parts)
    return Figures(read, dropped, added)


def gate_condition(gate: Gate, columns: Sequence[str]) -> str | None:
    """Give the one condition of the one filter: raise, drop or keep; ``None`` keeps every row."""
    branches = []
    if gate.fails:
        broken = " OR ".join(violated(rule.predicate, gate.null_policy) for rule in gate.fails)
        raised = _raised(f"{VIOLATION_MARK}{gate.dataset}:", row_as_json(columns, gate.redact))
        branches.append(f"WHEN {broken} THEN {raised}")
    if gate.keep is not None:
        # The place of this branch decides whether a fail rule sees the rows that are dropped.
        place = len(branches) if gate.fail_sees_dropped else 0
        branches.insert(place, f"WHEN NOT ({gate.keep}) THEN false")
    for name in gate.not_null:
        raised = _raised(f"{NOT_NULL_MARK}{name}", "''")
        branches.append(f"WHEN {quoted(name)} IS NULL THEN {raised}")
    return f"CASE {' '.join(branches)} ELSE true END" if branches else None


def offending_rows(rows: DataFrame, rule: Rule, gate: Gate) -> list[str]:
    """Give the first rows, by their serialised form, that break the rule."""
    if gate.sample_rows <= 0:
        return []
    only = f" AND {scope}" if (scope := gate.scope(rule)) else ""
    broken = rows.where(expr(violated(rule.predicate, gate.null_policy) + only))
    texts = broken.selectExpr(f"{row_as_json(rows.columns, gate.redact)} AS text")
    return [row.text for row in texts.orderBy("text").limit(gate.sample_rows).collect()]


def row_as_json(columns: Sequence[str], redact: Sequence[str]) -> str:
    """Give the expression that serialises a row, its NULL fields included."""
    hidden = {name.casefold() for name in redact}
    fields = []
    for name in columns:
        column = quoted(name)
        shown = f"CASE WHEN {column} IS NOT NULL THEN '***' END"
        fields.append(f"{shown if name.casefold() in hidden else column} AS {column}")
    return f"to_json(struct({', '.join(fields)}), map('ignoreNullFields', 'false'))"


def quoted(name: str) -> str:
    """Quote an identifier."""
    return f"`{name.replace('`', '``')}`"


def literal(text: str) -> str:
    """Write a string literal."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def _raised(mark: str, detail: str) -> str:
    message = f"concat({literal(mark)}, {detail}, {literal(MARK_END)})"
    return f"CAST(raise_error({message}) AS BOOLEAN)"


def _chunks(rules: Sequence[Rule]) -> list[Sequence[Rule]]:
    return [rules[n : n + RULES_PER_CODE] for n in range(0, len(rules), RULES_PER_CODE)]


def _code(rules: Sequence[Rule], gate: Gate) -> str:
    clean = " AND ".join(enclosed(rule.predicate) for rule in rules)
    digits = " + ".join(f"{3**n} * {_digit(rule, gate)}" for n, rule in enumerate(rules))
    return f"CASE WHEN {clean} THEN NULL ELSE {digits} END"


def _digit(rule: Rule, gate: Gate) -> str:
    """Give 0 where the predicate is TRUE or not asked, 1 where it is FALSE, 2 where it is NULL."""
    digit = f"coalesce(CAST(NOT {enclosed(rule.predicate)} AS INT), 2)"
    scope = gate.scope(rule)
    return digit if scope is None else f"CASE WHEN {scope} THEN {digit} ELSE 0 END"


def _from_pairs(metrics: Mapping[str, Any], gate: Gate) -> list[tuple[int, int]]:
    return [
        (int(metrics[f"failed_{n}"]), int(metrics[f"null_{n}"])) for n in range(len(gate.rules))
    ]


def _from_codes(metrics: Mapping[str, Any], gate: Gate) -> list[tuple[int, int]]:
    pairs = []
    for n, rules in enumerate(_chunks(gate.rules)):
        false, null = [0] * len(rules), [0] * len(rules)
        for code, count in metrics[f"codes_{n}"]:
            for place in range(len(rules) if code is not None else 0):
                digit = code // 3**place % 3
                false[place] += count if digit == 1 else 0
                null[place] += count if digit == 2 else 0
        is_failure = gate.null_policy is NullPolicy.VIOLATION
        pairs += [(f + z if is_failure else f, z) for f, z in zip(false, null, strict=True)]
    return pairs
