"""A run that kills its JVM, itself or both at a point; tests start it as a process."""

import os
import signal
import sys
import threading
import time
from pathlib import Path

from runner.pipelines import (
    Bench,
    batches_of_one,
    materialized_view,
    source,
    streaming_table,
    temporary_view,
)
from tidegate.runner.errors import RunError
from tidegate.runner.session import open_session
from tidegate.transpiler.runtime.spec import Dataset, Rule
from tidegate.transpiler.runtime.update import Event

FILES = {
    "orders/a.csv": "id,amount\n1,10\n2,\n3,-5\n4,0\n",
    "orders/b.csv": "id,amount\n5,50\n6,\n7,7\n",
    "orders/c.csv": "id,amount\n8,-8\n9,90\n",
}


def datasets(root: Path) -> tuple[Dataset, ...]:
    """Two streaming tables, one of them through a judged view, and two views over them."""
    files = batches_of_one(root / "in" / "orders", schema="id INT, amount INT")
    positive = "amount > 0"
    return (
        streaming_table(
            "a",
            reads=[files],
            rules=[Rule("positive", "drop", positive), Rule("even", "warn", "id % 2 = 0")],
        ),
        temporary_view("v", reads=[files], rules=[Rule("present", "drop", "amount IS NOT NULL")]),
        streaming_table(
            "b",
            "SELECT id, amount FROM v",
            reads=[source("default.v", view="v", streaming=True)],
            rules=[Rule("sane", "fail", "id > 0"), Rule("positive", "warn", positive)],
        ),
        materialized_view(
            "c",
            "SELECT id, amount * 2 AS amount FROM a",
            reads=[source("default.a", view="a")],
            rules=[Rule("small", "drop", "amount < 100"), Rule("odd", "warn", "id % 2 = 1")],
        ),
        temporary_view(
            "w",
            "SELECT * FROM b",
            reads=[source("default.b", view="b")],
            rules=[Rule("positive", "drop", positive)],
        ),
        materialized_view(
            "d", "SELECT sum(amount) AS total FROM w", reads=[source("default.w", view="w")]
        ),
    )


def killer(bench: Bench, where: tuple[str, str], times: int, delay: float, victims: list[str]):
    """Kill the victims at the given reaching of a point, or a moment after it."""
    point, dataset = where
    pids = {
        "jvm": int(bench.spark._jvm.java.lang.ProcessHandle.current().pid()),
        "python": os.getpid(),
    }
    left = [times]

    def die() -> None:
        time.sleep(delay)
        for victim in victims or ("jvm", "python"):
            os.kill(pids[victim], signal.SIGKILL)

    def on_event(event: Event) -> None:
        if event.point != point or (event.dataset or "").removeprefix("default.") != dataset:
            return
        left[0] -= 1
        if left[0] == 0 and delay:
            threading.Thread(target=die).start()
        elif left[0] == 0:
            die()

    return on_event


def main() -> None:
    root, storage, point, dataset, times, delay, refresh, *victims = sys.argv[1:]
    log = Path(root) / "killed.log"
    cheap = {
        "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
        "spark.sql.shuffle.partitions": "2",
    }
    bench = Bench(open_session(storage, log, cheap), Path(root), storage)
    on_event = killer(bench, (point, dataset), int(times), float(delay), victims)
    chosen = tuple(refresh.split(",")) if refresh else ()
    try:
        bench.run(*datasets(bench.root), full_refresh=chosen, on_event=on_event)
    except RunError as error:
        sys.exit(f"{error.message} | {error.help}")


if __name__ == "__main__":
    main()
