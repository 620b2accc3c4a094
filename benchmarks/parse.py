"""How fast `check` is on generated files, beside the peers on the same files in the same run.

    python benchmarks/parse.py [--peer-bin FOLDER] [--write docs/speed.md] [--quick]

The peers are no dependency: put them where they harm nothing and say where that is,

    python -m venv /tmp/peers && /tmp/peers/bin/pip install sqlfluff sqruff
    python benchmarks/parse.py --peer-bin /tmp/peers/bin

Without ``--peer-bin`` they are looked for on the PATH, and left out where they are missing. All
figures are CPU time (user and system) of whole processes, start-up included.
"""

import argparse
import datetime
import os
import platform
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import corpus
from hostile import HOSTILE

ROOT = Path(__file__).parents[1]
MB = 1_000_000
HOSTILE_SIZE = MB
# Their rule about the case of keywords needs little more than a parse.
ONE_RULE = "CP01"
SAMPLES = {"sqlfluff": 8, "sqruff": 50}
DATE = datetime.date


class Cost:
    """What a process took."""

    def __init__(self, seconds: float, peak_mb: float) -> None:
        self.seconds = seconds
        self.peak_mb = peak_mb


def run(command: list[str], folder: Path) -> Cost:
    """Run a command to its end and return its CPU time and its greatest size in memory."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        command,
        cwd=folder,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stderr is not None
        errors = process.stderr.read()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    # Findings make the exit code 1; a crash is never a result.
    if process.returncode not in (0, 1):
        raise SystemExit(f"{command[0]} failed ({process.returncode}):\n{errors[-2000:]}")
    return Cost(used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


def middle(command: list[str], folder: Path, rounds: int) -> float:
    """Return the median CPU time of a command, the first run not counted."""
    run(command, folder)
    return statistics.median(run(command, folder).seconds for _ in range(rounds))


def check(*paths: str) -> list[str]:
    """Return the command that checks some paths in one process, without a cache."""
    flags = ["--no-cache", "--jobs", "1", "--output-format", "concise"]
    return [sys.executable, "-m", "tidegate", "check", *flags, *paths]


# ---------------------------------------------------------------- ourselves


def measure_corpus(folder: Path, rounds: int) -> tuple[list[str], float]:
    """Check the whole corpus; return rows and the seconds that a megabyte takes."""
    size = corpus.write_files(folder / "files")
    texts = [path.read_text(encoding="utf-8") for path in sorted((folder / "files").iterdir())]
    constraints = sum(text.count("EXPECT (") for text in texts)
    seconds = middle(check("files"), folder, rounds)
    peak = run(check("files"), folder).peak_mb
    one = folder / "one.sql"
    one.write_text("\n".join(texts[0].split("\n")[:40]), encoding="utf-8")
    single = middle(check("one.sql"), folder, 9)
    megabytes, rate = size / MB, constraints / seconds
    rows = [
        f"| {len(texts):,} files, {megabytes:.2f} MB, {constraints:,} constraints "
        f"| {seconds:.2f} s |",
        f"| throughput | {megabytes / seconds:.2f} MB/s, {rate:,.0f} constraints/s |",
        f"| largest size in memory | {peak:.0f} MB |",
        f"| one small file, start of the process included | {single * 1000:.0f} ms |",
    ]
    return rows, seconds / (size / MB)


def measure_scaling(folder: Path, sizes: tuple[int, ...]) -> list[str]:
    """Check single files of several sizes."""
    costs: dict[int, Cost] = {}
    exact: dict[int, float] = {}
    for size in sizes:
        path = folder / f"single_{size}.sql"
        exact[size] = path.write_text(corpus.single(size * MB), encoding="utf-8") / MB
        costs[size] = run(check(path.name), folder)
    small, large = sizes[0], sizes[-1]
    rows = [f"| one file of {size} MB | {costs[size].seconds:.2f} s |" for size in sizes]
    ratio = costs[large].seconds / costs[small].seconds
    grown = (costs[large].peak_mb - costs[small].peak_mb) * 1.048576
    above = grown / (exact[large] - exact[small]) - 1
    rows.append(f"| time({large} MB) / time({small} MB) | {ratio:.1f} |")
    rows.append(f"| memory above the text, for each MB of it | {above:.1f} MB |")
    return rows


def measure_hostile(folder: Path) -> list[str]:
    """Check texts that are made to be slow."""
    path, seconds = folder / "hostile.sql", {}
    for name, make in HOSTILE.items():
        path.write_text(make(HOSTILE_SIZE), encoding="utf-8", newline="")
        seconds[name] = run(check(path.name), folder).seconds
    slowest = sorted(seconds, key=seconds.__getitem__, reverse=True)
    within = sum(each <= 1 for each in seconds.values())
    rows = [
        f"| texts | {len(seconds)} |",
        "| exceptions | 0 |",
        f"| within one second | {within} |",
        f"| median | {statistics.median(seconds.values()):.2f} s |",
    ]
    return rows + [f"| slowest: {name} | {seconds[name]:.2f} s |" for name in slowest[:5]]


# ---------------------------------------------------------------- the peers


def peer_commands(tool: str) -> dict[str, list[str]]:
    """Return how a peer checks a folder, with all its default rules and with one."""
    extra = ["--processes", "1"] if tool == "sqlfluff" else []
    return {
        "default rules": ["lint", *extra, "default"],
        "one rule": ["lint", *extra, "one"],
    }


def measure_peer(tool: str, program: str, folder: Path, our_second_per_mb: float) -> list[str]:
    """Let a peer and ourselves check the same files."""
    place = folder / tool
    size = 0
    for variant, rules in (("default", ""), ("one", f"rules = {ONE_RULE}\n")):
        size = corpus.write_files(place / variant, SAMPLES[tool])
        settings = f"[{tool}]\ndialect = databricks\nlarge_file_skip_byte_limit = 0\n{rules}"
        (place / variant / f".{tool}").write_text(settings, encoding="utf-8")
    ours = middle(check("default"), place, 5)
    version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True)
    number = re.search(r"\d+(?:\.\d+)+", version.stdout)
    rows = []
    for what, arguments in peer_commands(tool).items():
        theirs = run([program, *arguments], place).seconds
        rows.append(
            f"| {tool} {number[0] if number else ''} | {what} | {size / 1000:.0f} kB "
            f"| {theirs:.2f} s | {ours:.2f} s | {theirs / ours:,.0f}x "
            f"| {theirs / (size / MB) / our_second_per_mb:,.0f}x |"
        )
    return rows


# ---------------------------------------------------------------- the page

PAGE = """\
# Speed

Written by `python benchmarks/parse.py --write docs/speed.md` on {date}: {machine}.
The files are generated from a seed (`benchmarks/corpus.py`), all figures are CPU time of whole
processes, and nothing is kept between runs.

## `tidegate check`, all default rules, one process, no cache

| what | figure |
|---|---|
{own}

## Files that grow

| what | figure |
|---|---|
{scaling}

## Hostile texts of 1 MB each (`benchmarks/hostile.py`)

| what | figure |
|---|---|
{hostile}

## Beside other linters of SQL

{peers}
Read the ratios with their scope. The others build a tree of every token, queries included, and
check how text is laid out; Tidegate types pipeline statements and their predicates, takes an
outline of queries, and checks what expectations mean. One rule is their rule `{rule}` alone, which
shows what their parsing costs. The last column compares the time for a megabyte, for us that of the
whole corpus: in a small sample, most of our time is the start of Python.
"""


def page(sections: dict[str, list[str]]) -> str:
    """Put the page together."""
    cores = os.cpu_count()
    machine = f"{cores} cores, {platform.machine()}, Python {platform.python_version()}"
    peers = "No other linter was found.\n"
    if sections["peers"]:
        head = "| tool | rules | sample | its time | ours | ratio | ratio for each MB |\n"
        peers = head + "|---|---|---|---|---|---|---|\n" + "\n".join(sections["peers"]) + "\n"
    return PAGE.format(
        date=DATE.today().isoformat(),
        machine=machine,
        own="\n".join(sections["own"]),
        scaling="\n".join(sections["scaling"]),
        hostile="\n".join(sections["hostile"]),
        peers=peers,
        rule=ONE_RULE,
    )


def main() -> None:
    """Measure, print, and write where that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peer-bin", type=Path, help="where the peers' programs are")
    parser.add_argument("--write", type=Path, help="the page to write")
    parser.add_argument("--quick", action="store_true", help="smaller files, fewer rounds")
    arguments = parser.parse_args()
    sections: dict[str, list[str]] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        sections["own"], second = measure_corpus(folder, 1 if arguments.quick else 3)
        sections["scaling"] = measure_scaling(folder, (1, 5) if arguments.quick else (5, 50))
        sections["hostile"] = measure_hostile(folder)
        sections["peers"] = []
        for tool in SAMPLES:
            program = shutil.which(tool, path=arguments.peer_bin)
            if program is not None:
                sections["peers"] += measure_peer(tool, program, folder, second)
    text = page(sections)
    print(text)
    if arguments.write:
        arguments.write.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
