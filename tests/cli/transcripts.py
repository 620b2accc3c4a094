"""Console transcripts in Markdown: files, a command, what it prints, and its exit code.

A case is a heading of second level. A code block whose fence names a file (``sql orders.sql``)
makes that file; a ``console`` block holds one command and what it writes to stdout; ``stderr`` and
``exit`` blocks behind it hold the rest, nothing and 0 where they are missing.
"""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[2]
_FENCE = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass
class Command:
    line: str
    stdout: str = ""
    stderr: str = ""
    code: int = 0


@dataclass
class Case:
    title: str
    steps: list[tuple[str, str] | Command] = field(default_factory=list)


def read_cases(path: Path) -> Iterator[Case]:
    """Yield the cases of a file."""
    for part in re.split(r"^## ", path.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
        title, _, body = part.partition("\n")
        case = Case(title.strip())
        for kind, name, text in _FENCE.findall(body):
            if kind == "console":
                first, _, output = text.partition("\n")
                case.steps.append(Command(first.removeprefix("$ "), output))
            elif kind in ("stderr", "exit"):
                command = case.steps[-1]
                assert isinstance(command, Command)
                if kind == "stderr":
                    command.stderr = text
                else:
                    command.code = int(text)
            else:
                assert name, f"{title}: a {kind} block without a file name"
                case.steps.append((name, text))
        yield case


def environment() -> dict[str, str]:
    """Return an environment without colors, in which the package is found from any folder."""
    return {**os.environ, "PYTHONPATH": str(ROOT), "NO_COLOR": "1", "COLUMNS": "100"}


def run_case(case: Case, folder: Path) -> list[Command]:
    """Make the files, run the commands, and return what they did."""
    done = []
    for step in case.steps:
        if isinstance(step, Command):
            done.append(run_line(step.line, folder))
        else:
            path = folder / step[0]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(step[1].encode())
    return done


def run_line(line: str, folder: Path) -> Command:
    """Run ``tidegate ...`` (perhaps with ``< FILE``) or ``cat FILE`` in a folder."""
    words = shlex.split(line)
    if words[0] == "cat":
        return Command(line, (folder / words[1]).read_text(encoding="utf-8"))
    assert words[0] == "tidegate", line
    data = b""
    if "<" in words:
        at = words.index("<")
        data = (folder / words[at + 1]).read_bytes()
        del words[at : at + 2]
    done = subprocess.run(
        [sys.executable, "-m", "tidegate", *words[1:]],
        cwd=folder, input=data, capture_output=True, timeout=60, check=False, env=environment(),
    )  # fmt: skip
    # The line of a folder that differs from run to run is shown by a word.
    shown = [out.decode().replace(str(folder), "DIR") for out in (done.stdout, done.stderr)]
    return Command(line, shown[0], shown[1], done.returncode)


def rewritten(path: Path, results: dict[str, list[Command]]) -> str:
    """Return the file with what the commands did in place of what it says."""
    parts = re.split(r"^(?=## )", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return parts[0] + "".join(_rewritten_case(part, results) for part in parts[1:])


def _rewritten_case(part: str, results: dict[str, list[Command]]) -> str:
    title = part.partition("\n")[0].removeprefix("## ").strip()
    commands = iter(results[title])
    # What stands behind a command is replaced together with it.
    body = re.sub(r"\n```(?:stderr|exit)\n.*?^```\n", "", part, flags=re.MULTILINE | re.DOTALL)
    return re.sub(
        r"^```console\n.*?^```$",
        lambda _: _shown(next(commands)),
        body,
        flags=re.MULTILINE | re.DOTALL,
    )


def _shown(command: Command) -> str:
    text = f"```console\n$ {command.line}\n{_ended(command.stdout)}```"
    if command.stderr:
        text += f"\n\n```stderr\n{_ended(command.stderr)}```"
    if command.code:
        text += f"\n\n```exit\n{command.code}\n```"
    return text


def _ended(text: str) -> str:
    return text if not text or text.endswith("\n") else text + "\n"
