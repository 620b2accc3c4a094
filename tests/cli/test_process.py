"""The program as a process: streams, signals, and what it loads."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from transcripts import environment

from tidegate.cli import main as program

MODULE = [sys.executable, "-m", "tidegate"]
GOOD = (
    "CREATE OR REFRESH STREAMING TABLE t (CONSTRAINT valid_id EXPECT (id IS NOT NULL)) "
    "AS SELECT * FROM STREAM(raw.t);\n"
)
BAD = GOOD.replace("id IS NOT NULL", "id = NULL")


def run(*words: str, folder: Path | None = None, data: bytes = b"", **more: object):
    return subprocess.run(
        [*MODULE, *words], cwd=folder, input=data, capture_output=True, timeout=60, check=False,
        env={**environment(), **more},
    )  # fmt: skip


def test_a_reader_that_stops_early_is_no_error(tmp_path):
    (tmp_path / "a.sql").write_text(BAD.replace("TABLE t", "TABLE {}") * 5000)
    process = subprocess.Popen(
        [*MODULE, "check", "a.sql", "-q"], cwd=tmp_path, env=environment(),
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    process.stdout.read(10)
    process.stdout.close()
    complaints = process.stderr.read()
    process.stderr.close()
    assert complaints == b""
    assert process.wait(60) == 1


def test_a_full_disk_behind_stdout_is_said():
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*MODULE, "rule"], stdout=full, stderr=subprocess.PIPE, env=environment(), check=False
        )
    assert done.returncode == 2
    assert done.stderr.decode().startswith(
        "error: cannot write the results: No space left on device\n"
    )


def test_an_interrupt_ends_with_130_and_without_traceback(tmp_path):
    process = subprocess.Popen(
        [*MODULE, "check", "-"], env=environment(),
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    wait_until_it_reads(process.pid)
    process.send_signal(signal.SIGINT)
    out, complaints = process.communicate(timeout=60)
    assert (process.returncode, out, complaints) == (130, b"", b"interrupted\n")


def wait_until_it_reads(pid: int) -> None:
    # Blocked in a read of its standard input is where the interrupt is to hit it.
    for _ in range(600):
        if Path(f"/proc/{pid}/wchan").read_text().startswith(("pipe_read", "anon_pipe_read")):
            return
        time.sleep(0.02)
    pytest.fail("the program never read its input")


def test_an_internal_error_is_one_sentence_with_the_file(tmp_path, monkeypatch, capfd):
    break_the_parser(monkeypatch)
    path = tmp_path / "a.sql"
    path.write_text(GOOD)
    assert program.main(["check", str(path)]) == 3
    out, complaints = capfd.readouterr()
    assert out == ""
    first, second = complaints.splitlines()
    assert first.startswith(f"error: internal error while working on `{path}`: KeyError: 'oops' (")
    assert first.endswith("; please report it")
    assert second == "  help: --traceback shows where it happened"


def test_a_traceback_is_shown_when_asked_for(tmp_path, monkeypatch, capfd):
    break_the_parser(monkeypatch)
    path = tmp_path / "a.sql"
    path.write_text(GOOD)
    assert program.main(["check", "--traceback", str(path)]) == 3
    assert "Traceback (most recent call last)" in capfd.readouterr().err


def break_the_parser(monkeypatch) -> None:
    def fail(source: object) -> None:
        raise KeyError("oops")

    monkeypatch.setattr("tidegate.project.parse.parse", fail)


def test_results_have_no_colors_in_a_pipe(tmp_path):
    (tmp_path / "a.sql").write_text(BAD)
    done = run("check", "a.sql", folder=tmp_path, NO_COLOR="")
    assert b"P301" in done.stdout
    assert b"\x1b" not in done.stdout + done.stderr


@pytest.mark.parametrize(("no_color", "colored"), [("", True), ("1", False)])
def test_a_terminal_gets_colors_unless_they_are_unwanted(tmp_path, no_color, colored):
    (tmp_path / "a.sql").write_text(BAD)
    main, other = os.openpty()
    environ = {**environment(), "NO_COLOR": no_color, "TERM": "xterm"}
    process = subprocess.Popen(
        [*MODULE, "check", "a.sql"], cwd=tmp_path, env=environ, stdout=other,
        stderr=subprocess.DEVNULL,
    )  # fmt: skip
    os.close(other)
    seen = b""
    while chunk := _read(main):
        seen += chunk
    os.close(main)
    process.wait(60)
    assert b"P301" in seen
    assert (b"\x1b[" in seen) is colored


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:  # a closed terminal is an error on Linux
        return b""


def test_text_that_the_terminal_cannot_encode_is_escaped(tmp_path):
    (tmp_path / "a.sql").write_text(BAD.replace("id = NULL", "größe = NULL"), encoding="utf-8")
    done = run("check", "a.sql", folder=tmp_path, PYTHONIOENCODING="ascii")
    assert done.returncode == 1
    assert b"gr\\xf6\\xdfe" in done.stdout


def test_json_is_utf8_whatever_the_terminal_speaks(tmp_path):
    (tmp_path / "größe.sql").write_text(GOOD)
    done = run("check", ".", "--output-format", "json", folder=tmp_path, PYTHONIOENCODING="latin-1")
    assert "größe.sql".encode() in done.stdout


def test_a_file_name_that_is_no_utf8_is_shown_and_encoded(tmp_path):
    name = os.fsencode(tmp_path) + b"/a\xff.sql"
    with open(name, "w") as file:  # noqa: PTH123
        file.write(BAD)
    for output_format in ("full", "concise", "json"):
        done = run("check", ".", "--output-format", output_format, folder=tmp_path)
        assert done.returncode == 1
        assert "a\ufffd.sql".encode() in done.stdout


_LIST_MODULES = """
import os, sys
import tidegate.__main__ as program

def leave(code):
    print(*sys.modules)
    sys.exit(code)

os._exit = leave
program.main()
"""
# What a plain check must not load, because each costs more than the check itself, or shows that a
# door was opened which should be closed.
HEAVY = {
    "lark", "sqlglot", "pyspark", "delta", "pandas", "numpy", "pygls", "asyncio", "rich",
    "dataclasses", "json", "logging", "pathlib", "shutil", "subprocess", "tempfile", "tomllib",
    "typing_extensions", "inspect", "hashlib", "importlib.metadata", "difflib", "traceback",
    "unicodedata", "tidegate.transpiler", "tidegate.runner",
}  # fmt: skip


def test_a_plain_check_loads_nothing_heavy(tmp_path):
    path = tmp_path / "a.sql"
    path.write_text(GOOD)
    done = subprocess.run(
        [sys.executable, "-c", _LIST_MODULES, "check", str(path)],
        capture_output=True, text=True, check=True, env=environment(),
    )  # fmt: skip
    loaded = set(done.stdout.split())
    assert {"tidegate.linter.engine", "msgspec"} <= loaded
    assert HEAVY & loaded == set()


@pytest.mark.parametrize(
    ("words", "message", "way_out"),
    [
        (["check", "--output-format", "jsn"], "`--output-format` knows no `jsn`", "mean `json`?"),
        (["check", "--jobs", "x"], "`--jobs x`: `x` is no whole number", "write --jobs 2"),
        (["check", "--fix=3"], "`--fix` takes no value", "write it alone"),
        (["check", "--ignore"], "`--ignore` needs a value", "write --ignore and then RULES"),
        (["compile", "a.sql"], "`--to` and `-o/--output` must be given", "lists what it takes"),
    ],
)
def test_what_is_wrong_with_a_flag_is_a_sentence(words, message, way_out, capsys):
    assert program.main(words) == 2
    first, second = capsys.readouterr().err.splitlines()
    assert first == f"error: {message}"
    assert second.startswith("  help: ")
    assert second.endswith(way_out)
