"""What a second check costs: CPU time of the whole command, and its ratio to the first.

    python benchmarks/cache.py [--files N] [--rounds N] [--project]

Writes the corpus to a folder and checks it: nothing kept, unchanged files known by their marks,
unchanged files known by their content (as after a fresh checkout), and one file changed. With
``--project`` all files are one pipeline. Then the cold check once more in one process and in two;
its ratio is that of CPU time, shared evenly, so that a busy machine counts for little. The exit
code is 1 where a budget is exceeded. (``startup.py`` measures one file without a cache.)
"""

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from corpus import FILES, write_files

ROOT = Path(__file__).parents[1]
BUDGETS_MS = {"by marks": 80.0, "by content": 150.0, "one changed": 150.0}
BUDGET_SPEEDUP = 1.5
SETTLE_SECONDS = 2.2


class Bench:
    """The command over one corpus, with a cache folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.kept = folder / "kept"
        self.environment = {
            # An installed package has its bytecode; so must what is measured here.
            **{k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"},
            "PYTHONPATH": str(ROOT),
            "TIDEGATE_CACHE_DIR": str(self.kept),
        }

    def cpu_ms(self, *flags: str) -> float:
        """Run a check and return the CPU time that it took."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        command = [sys.executable, "-m", "tidegate", "check", *flags]
        done = subprocess.run(
            command, check=False, cwd=self.folder, capture_output=True, env=self.environment
        )
        if done.returncode > 1:
            raise SystemExit(done.stderr.decode())
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return (after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime) * 1000

    def empty(self) -> None:
        """Forget what is kept."""
        for path in self.kept.glob("*") if self.kept.exists() else ():
            path.unlink()

    def settle(self) -> None:
        """Check once more when the files are old enough to be known by their marks."""
        time.sleep(SETTLE_SECONDS)
        self.cpu_ms("sql")


def cases(bench: Bench) -> dict[str, Callable[[], float]]:
    """Return what is measured, in turns."""
    sources = sorted((bench.folder / "sql").iterdir())

    def by_content() -> float:
        for path in sources:
            os.utime(path)
        return bench.cpu_ms("sql")

    def one_changed() -> float:
        with sources[0].open("a", encoding="utf-8") as file:
            file.write("-- changed\n")
        return bench.cpu_ms("sql")

    return {
        "by marks": lambda: bench.cpu_ms("sql"),
        "one changed": one_changed,
        "by content": by_content,
    }


@contextmanager
def inside(folder: Path) -> Iterator[None]:
    """Work in a folder for a while."""
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def speedup(folder: Path, rounds: int) -> float:
    """Return the time of one process by that of the longest of two, who share the work."""
    from tidegate.project.check_settings import CheckFlags
    from tidegate.project.configs import Configs
    from tidegate.project.files import list_files
    from tidegate.project.judging import judge_files

    def seconds(processes: int) -> float:
        children = resource.getrusage(resource.RUSAGE_CHILDREN)
        start = time.process_time()
        listed = list_files(["sql"], None)
        judge_files(listed, Configs(isolated=False), CheckFlags(), None, processes)
        own = time.process_time() - start
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent = after.ru_utime + after.ru_stime - children.ru_utime - children.ru_stime
        return own + spent / processes

    with inside(folder):
        seconds(1)
        ratios = [seconds(1) / seconds(2) for _ in range(rounds)]
    return statistics.median(ratios)


def main() -> int:
    """Measure and print one table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=FILES)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--project", action="store_true")
    arguments = parser.parse_args()
    sys.path.insert(0, str(ROOT))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        size = write_files(folder / "sql", arguments.files)
        if arguments.project:
            (folder / "tidegate.toml").write_text('[pipeline]\nsources = ["sql"]\n')
        bench = Bench(folder)
        bench.cpu_ms("sql")  # the first run compiles bytecode
        bench.empty()
        cold = bench.cpu_ms("sql")
        bench.settle()
        times: dict[str, list[float]] = {}
        for _ in range(arguments.rounds):
            for case, measure in cases(bench).items():
                times.setdefault(case, []).append(measure())
            bench.settle()
        gained = speedup(folder, max(1, arguments.rounds // 3))
    print(f"{arguments.files:,} files, {size:,} characters")
    print(f"{'case':<12} {'CPU ms':>8} {'cold by it':>10} {'budget':>7}")
    print(f"{'cold':<12} {cold:>8.0f}")
    kept = gained >= BUDGET_SPEEDUP
    for case, taken in times.items():
        middle, budget = statistics.median(taken), BUDGETS_MS[case]
        kept = kept and middle <= budget
        print(f"{case:<12} {middle:>8.0f} {cold / middle:>10.1f} {budget:>7.0f}")
    print(f"two processes: {gained:.2f} times as fast (budget {BUDGET_SPEEDUP})")
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
