"""Files with many findings of one kind: the time grows with their number."""

import time
from collections.abc import Callable

import pytest
from checking import run

COMMENT = "-- tidegate: ignore[null-comparison] known"
TEXTS: dict[str, Callable[[int], str]] = {
    "one name for all": lambda n: (
        "CREATE STREAMING TABLE t ("
        + ", ".join(["CONSTRAINT c EXPECT (a > 0)"] * n)
        + ") AS SELECT * FROM STREAM s"
    ),
    "comments above one statement": lambda n: f"{COMMENT}\n" * n + "CREATE VIEW v AS SELECT 1",
    "a comment behind each item": lambda n: (
        "CREATE STREAMING TABLE t (\n"
        + ",\n".join(f"CONSTRAINT c{i}x EXPECT (a = NULL) {COMMENT}" for i in range(n))
        + "\n) AS SELECT * FROM STREAM s"
    ),
    "a comment behind each statement": lambda n: f"CREATE VIEW v AS SELECT 1; {COMMENT}\n" * n,
}


@pytest.mark.parametrize("name", TEXTS)
def test_many_findings_take_time_in_proportion(name: str):
    small, large = TEXTS[name](300), TEXTS[name](3000)

    def measure(text: str) -> float:
        began = time.process_time()
        run(text)
        return time.process_time() - began

    measure(small)
    # Ten times the text may take ten times the time, and some more: the clock is not alone.
    assert measure(large) < 30 * max(measure(small), 0.02)
