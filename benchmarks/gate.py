"""What a gate costs, against a filter written by hand, on the same rows in the same run.

    python benchmarks/gate.py [--rows N] [--rules 10,50] [--rounds N]

Every case reads one parquet file and overwrites one Delta table. Figures are CPU seconds of the
JVM, as a ratio to the plain copy; the hand-written filter keeps the same rows as the gate.
"""

import argparse
import os
import random
import statistics
import tempfile
from collections.abc import Callable
from pathlib import Path

from pyspark.sql import DataFrame, Observation, SparkSession

from tidegate.model.verdict import NullPolicy
from tidegate.runner.session import open_session
from tidegate.transpiler.runtime.gates import Gate, guarded
from tidegate.transpiler.runtime.spec import Rule

COLUMNS = 20


def make_rows(spark: SparkSession, rows: int, path: str) -> DataFrame:
    """Write and read back integers, doubles and strings; about one value in 500 is NULL."""
    columns = []
    for n in range(COLUMNS):
        value = [
            f"cast(rand({n}) * 1000 as int)",
            f"rand({n}) * 1000",
            f"concat('k', cast(rand({n}) * 1000 as int))",
        ][n % 3]
        columns.append(f"CASE WHEN rand({n + 100}) > 0.002 THEN {value} END AS c{n}")
    spark.range(rows).selectExpr(*columns).write.mode("overwrite").parquet(path)
    return spark.read.parquet(path)


def make_rules(count: int) -> tuple[Rule, ...]:
    """Make rules that nearly every row satisfies; each second one drops."""
    dice = random.Random(7)
    rules = []
    for n in range(count):
        column = dice.randrange(COLUMNS)
        predicate = [
            f"c{column} IS NOT NULL AND c{column} >= 0",
            f"c{column} BETWEEN {dice.random() / 10:.3f} AND 1000",
            f"c{column} LIKE 'k%' AND length(c{column}) <= {dice.randint(4, 9)}",
        ][column % 3]
        rules.append(Rule(f"rule_of_c{column}_{n}", "drop" if n % 2 else "warn", predicate))
    return tuple(rules)


def cpu_seconds(spark: SparkSession) -> float:
    """Return the CPU time that the JVM has used so far."""
    pid = spark.sparkContext._jvm.java.lang.ProcessHandle.current().pid()  # type: ignore[union-attr]
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def cases(rows: DataFrame, rules: tuple[Rule, ...]) -> dict[str, Callable[[], DataFrame]]:
    """Return the plans to compare; the gate's figures are decoded as a run does it."""
    gate = Gate("bench", rules, NullPolicy.VIOLATION, fail_sees_dropped=True)
    drops = " AND ".join(f"({r.predicate})" for r in rules if r.action == "drop")
    return {
        "plain copy": lambda: rows,
        "filter by hand": lambda: rows.where(drops) if drops else rows,
        "gate": lambda: guarded(rows, gate, Observation()),
    }


def main() -> None:
    """Measure and print one table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--rules", default="10,50")
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        flags = {"spark.driver.extraJavaOptions": "-XX:-DontCompileHugeMethods"}
        spark = open_session("delta", Path(folder, "log"), flags)
        rows = make_rows(spark, arguments.rows, f"{folder}/rows")
        print(f"{arguments.rows:,} rows x {COLUMNS} columns, parquet to Delta, JVM CPU")
        for count in (int(each) for each in arguments.rules.split(",")):
            compare(spark, rows, make_rules(count), arguments.rounds, folder)
        spark.stop()


def compare(
    spark: SparkSession, rows: DataFrame, rules: tuple[Rule, ...], rounds: int, folder: str
) -> None:
    """Run the cases in turn, the first round not counted."""
    times: dict[str, list[float]] = {}
    for turn in range(rounds + 1):
        for name, plan in cases(rows, rules).items():
            before = cpu_seconds(spark)
            plan().write.format("delta").mode("overwrite").save(f"{folder}/out")
            if turn:
                times.setdefault(name, []).append(cpu_seconds(spark) - before)
    base = statistics.median(times["plain copy"])
    for name, taken in times.items():
        middle = statistics.median(taken)
        print(f"{len(rules):>4} rules  {name:<16} {middle:6.1f} s  {middle / base:5.2f}")
    ratio = statistics.median(times["gate"]) / statistics.median(times["filter by hand"])
    print(f"{len(rules):>4} rules  gate / filter by hand: {ratio:.2f}")


if __name__ == "__main__":
    main()
