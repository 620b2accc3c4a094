"""Files are written only if they say the same as before."""

import json
import os
import subprocess
import sys
from pathlib import Path

from tidegate.cli.console import Console
from tidegate.cli.format import confess
from tidegate.cli.main import main
from tidegate.grammar.formatting.formatter import Formatted, Layout
from tidegate.project.files import gather
from tidegate.project.format import format_files, proven
from tidegate.project.parse import parse_noted
from tidegate.report.formatted import FormatResult
from tidegate.source.text import SourceFile

UGLY = "create view v as select 1;\n"
NEAT = "CREATE VIEW v\nAS\nselect 1;\n"


def run(*words: str, folder: Path) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "tidegate", "format", *words]
    return subprocess.run(command, cwd=folder, capture_output=True, check=False, timeout=60)


def test_a_text_that_says_something_else_is_thrown_away(capsys):
    source = SourceFile(path="a.sql", text=UGLY)
    made = Formatted(text="CREATE VIEW w\nAS\nselect 1;\n")
    file = proven(source, parse_noted(source), made, Layout())
    assert file.text == UGLY
    assert not file.is_changed
    assert "name" in (file.unproven or "")
    assert confess(FormatResult(files=(file,), foreign=()), Console()) == 3
    assert "internal error: formatting `a.sql` would change" in capsys.readouterr().err


def test_a_lost_comment_is_noticed():
    source = SourceFile(path="a.sql", text=f"-- why\n{UGLY}")
    file = proven(source, parse_noted(source), Formatted(text=NEAT), Layout())
    assert file.unproven == "the comments"


def test_a_byte_order_mark_and_line_ends_stay(tmp_path):
    path = tmp_path / "a.sql"
    path.write_bytes(b"\xef\xbb\xbf" + UGLY.replace("\n", "\r\n").encode())
    assert run("a.sql", folder=tmp_path).returncode == 0
    assert path.read_bytes() == b"\xef\xbb\xbf" + NEAT.replace("\n", "\r\n").encode()


def test_a_file_that_is_formatted_is_not_written(tmp_path):
    path = tmp_path / "a.sql"
    path.write_text(NEAT)
    path.chmod(0o400)
    assert run("a.sql", folder=tmp_path).returncode == 0
    assert run("--check", "a.sql", folder=tmp_path).returncode == 0


def test_one_unreadable_file_stops_no_other(tmp_path):
    (tmp_path / "a.sql").write_bytes(b"\xff\xfe")
    (tmp_path / "b.sql").write_text(UGLY)
    assert run("a.sql", "b.sql", folder=tmp_path).returncode == 2
    assert (tmp_path / "b.sql").read_text() == NEAT


def test_python_files_are_counted_and_left_alone(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("a.py").write_text('spark.sql("""create view v as select 1""")\nimport dlt\n')
    result = format_files(gather(["a.py"], None), Layout())
    assert result.foreign == ("a.py",)
    assert result.files == ()


def test_cells_of_another_language_stay_byte_for_byte(tmp_path):
    notebook = (
        "-- Databricks notebook source\n"
        "-- MAGIC %sql\n-- MAGIC create view   w as select 2\n\n"
        "-- COMMAND ----------\n\n"
    )
    path = tmp_path / "a.sql"
    path.write_text(notebook + UGLY)
    assert run("a.sql", folder=tmp_path).returncode == 0
    assert path.read_text() == notebook + NEAT


def test_what_cannot_be_written_is_told_as_such(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for name in ("a.sql", "b.sql"):
        (tmp_path / name).write_text(UGLY)
    refuse(monkeypatch, "a.sql")
    assert main(["format", "a.sql", "b.sql", "--output-format", "json"]) == 2
    out, err = capsys.readouterr()
    told = json.loads(out)
    assert [each["status"] for each in told["files"]] == ["not_written", "reformatted"]
    assert (told["summary"]["not_written"], told["summary"]["reformatted"]) == (1, 1)
    assert err.endswith("1 file reformatted, 1 file not written\n")
    assert [(tmp_path / name).read_text() for name in ("a.sql", "b.sql")] == [UGLY, NEAT]


FAULTY = """\
CREATE OR REFRESH STREAMING TABLE t (
  CONSTRAINT c EXPECT (a = 1) ON VIOLATION FAIL PIPELINE
) AS SELECT * FROM STREAM s;
"""


def test_a_file_that_a_fix_could_not_be_written_to_is_described_as_it_is(
    tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    for name in ("a.sql", "b.sql"):
        (tmp_path / name).write_text(FAULTY.replace(" t ", f" {name[0]} "))
    refuse(monkeypatch, "a.sql")
    assert main(["check", "--fix", "a.sql", "b.sql", "--output-format", "json"]) == 2
    out, err = capsys.readouterr()
    told = json.loads(out)
    found = [[each["code"] for each in file["diagnostics"]] for file in told["files"]]
    assert found == [["S003"], []]
    assert told["summary"]["by_severity"]["error"] == 1
    assert err.splitlines()[2] == "fixed 1 finding"
    assert (tmp_path / "a.sql").read_text() == FAULTY.replace(" t ", " a ")


def refuse(monkeypatch, name: str) -> None:
    """Let no file of this name be written."""

    def replace(made: str, path: str) -> None:
        if Path(path).name == name:
            raise PermissionError(13, "Permission denied")
        Path(made).rename(path)

    monkeypatch.setattr(os, "replace", replace)
