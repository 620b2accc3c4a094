"""How much CPU a check of one file takes, against a bare interpreter in the same run.

    python benchmarks/startup.py [FILE] [--rounds N]

Prints the median CPU time (user and system) of each command and its ratio to ``python -c pass``.
The budget is a ratio of 5.5, or 80 ms.
"""

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
BUDGET_RATIO = 5.5
BUDGET_MS = 80.0

SAMPLE = """\
CREATE OR REFRESH STREAMING TABLE customers (
  CONSTRAINT valid_email EXPECT (email IS NOT NULL) ON VIOLATION DROP ROW,
  CONSTRAINT valid_age EXPECT (age >= 18 AND age <= 120),
  CONSTRAINT known_tier EXPECT (tier IN ('GOLD', 'SILVER') OR coalesce(points, 0) = 0)
) AS SELECT * FROM STREAM(raw.customers);
"""


def cpu_ms(command: list[str]) -> float:
    """Run a command and return the CPU time that it took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        command, check=False, cwd=ROOT, capture_output=True, text=True, env=_environment()
    )
    if done.returncode > 1:
        raise SystemExit(f"{' '.join(command)} failed:\n{done.stderr}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime) * 1000


def _environment() -> dict[str, str]:
    # An installed package has its bytecode; so must what is measured here.
    return {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}


def measure(commands: dict[str, list[str]], rounds: int) -> dict[str, float]:
    """Return the median of each; they take turns, so that a slow moment hits all of them."""
    times: dict[str, list[float]] = {name: [] for name in commands}
    for command in commands.values():
        cpu_ms(command)  # the first run compiles bytecode
    for _ in range(rounds):
        for name, command in commands.items():
            times[name].append(cpu_ms(command))
    return {name: statistics.median(values) for name, values in times.items()}


def main() -> int:
    """Measure and print; the exit code is 1 above both budgets."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", nargs="?")
    parser.add_argument("--rounds", type=int, default=21)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        file = arguments.file and str(Path(arguments.file).resolve())
        if file is None:
            file = str(Path(folder, "customers.sql"))
            Path(file).write_text(SAMPLE, encoding="utf-8")
        check = [sys.executable, "-m", "tidegate", "check", file]
        commands = {
            "python -c pass": [sys.executable, "-c", "pass"],
            "import msgspec, argparse": [sys.executable, "-c", "import msgspec, argparse"],
            "tidegate --version": [sys.executable, "-m", "tidegate", "--version"],
            "tidegate check FILE": check,
        }
        medians = measure(commands, arguments.rounds)
    bare = medians["python -c pass"]
    print(f"{'command':<26} {'CPU ms':>7} {'ratio':>6}")
    for name, value in medians.items():
        print(f"{name:<26} {value:>7.1f} {value / bare:>6.2f}")
    checked = medians["tidegate check FILE"]
    within = checked <= BUDGET_MS or checked / bare <= BUDGET_RATIO
    print(f"budget: ratio {BUDGET_RATIO} or {BUDGET_MS:.0f} ms: {'kept' if within else 'EXCEEDED'}")
    return 0 if within else 1


if __name__ == "__main__":
    sys.exit(main())
