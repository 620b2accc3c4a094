"""Judges rows and writes those that pass in one transaction, or says exactly why it did not."""

from collections.abc import Callable
from typing import Any

from py4j.protocol import Py4JJavaError
from pyspark.errors import AnalysisException
from pyspark.sql import DataFrame, Observation
from pyspark.sql.functions import expr

from tidegate.model.verdict import satisfied
from tidegate.transpiler.runtime.failures import (
    ENGINE_ERRORS,
    BrokenRule,
    ExpectationsBroken,
    Refusal,
    advice_on,
    is_not_null,
    is_violation,
    raised_row,
    sentence,
)
from tidegate.transpiler.runtime.gates import (
    Figures,
    Gate,
    counted,
    decoded,
    guarded,
    offending_rows,
)


def judge_and_write(rows: DataFrame, gate: Gate, write: Callable[[DataFrame], None]) -> Figures:
    """Judge and write rows in one pass; if a fail rule is broken, nothing is written."""
    observation = Observation()
    try:
        write(guarded(rows, gate, observation))
    except ENGINE_ERRORS as error:
        if is_violation(error, gate.dataset):
            raise broken_rules(rows, gate, error) from error
        raise blamed_rule(rows, gate, error) or error from None
    observed = _observed(observation)
    return decoded(observed, gate) if observed else counted(rows, gate)


def judge(rows: DataFrame, gate: Gate) -> Figures:
    """Judge rows without writing them."""
    try:
        seen = counted(rows, gate)
    except ENGINE_ERRORS as error:
        raise blamed_rule(rows, gate, error) or error from None
    if broken := _breaches(rows, gate, seen):
        raise ExpectationsBroken(gate.dataset, seen, broken)
    return seen


def reconciled(seen: Figures, written: int | None, rows: DataFrame, gate: Gate) -> Figures:
    """Compare figures with the number of rows that the table's own log says were written."""
    if written is None or seen.rows_kept == written:
        return seen
    again = counted(rows, gate)
    if again.rows_kept == written:
        return again
    raise Refusal(
        f"{written} rows were written but {again.rows_kept} are counted: the query or its source "
        "gives other rows each time it is read",
        "make the query deterministic, and leave source files alone while a run reads them",
    )


def broken_rules(rows: DataFrame, gate: Gate, error: BaseException) -> ExpectationsBroken:
    """Count the rows once more and name every fail rule that they break."""
    seen = counted(rows, gate)
    broken = _breaches(rows, gate, seen)
    if not broken:
        row = raised_row(error, gate.dataset)
        shown = () if row is None else (row,)
        broken = tuple(BrokenRule(r.name, r.predicate, 0, 0, shown) for r in gate.fails)
    return ExpectationsBroken(gate.dataset, seen, broken)


def blamed_rule(rows: DataFrame, gate: Gate, error: Exception) -> Refusal | None:
    """Name the rule behind an error of the engine; ``None`` if it is none of the rules."""
    if is_not_null(error):
        return None
    analysed = isinstance(error, AnalysisException)
    if not analysed and _raises(lambda: rows.write.format("noop").mode("overwrite").save()):
        return None
    for rule in gate.rules:
        test = expr(satisfied(rule.predicate, gate.null_policy))
        try:
            tested = rows.select(test)
            if not analysed:
                tested.groupBy(tested.columns[0]).count().collect()
        except ENGINE_ERRORS as cause:
            message = f"expectation `{rule.name}`: {sentence(cause)}"
            return Refusal(message, advice_on(cause), rule=rule.name)
    return None


def _observed(observation: Observation) -> dict[str, Any]:
    """Give what was observed; nothing where the write was skipped or its plan folded to empty."""
    # A write that was skipped as a repetition never completes the observation: get would hang.
    if observation._jo is None or not observation._jo.future().isCompleted():
        return {}
    try:
        return observation.get
    except Py4JJavaError:
        # Spark saw that no row can pass, and ran no query (`DROP ROW` of a constant FALSE).
        return {}


def _raises(action: Callable[[], None]) -> bool:
    try:
        action()
    except ENGINE_ERRORS:
        return True
    return False


def _breaches(rows: DataFrame, gate: Gate, seen: Figures) -> tuple[BrokenRule, ...]:
    pairs = zip(gate.rules, seen.rules, strict=True)
    return tuple(
        BrokenRule(
            rule.name, rule.predicate, n.failed, n.null, tuple(offending_rows(rows, rule, gate))
        )
        for rule, n in pairs
        if rule.action == "fail" and n.failed
    )
