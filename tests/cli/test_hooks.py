"""The pre-commit hooks that the pages show do their work on files as pre-commit hands them over."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from transcripts import ROOT, environment

PAGES = [ROOT / "README.md", ROOT / "docs" / "formatting.md"]
FAULTY = "create view v(constraint c expect (a = null)) as select 1 as a;\n"


def hook(page: Path) -> dict[str, object]:
    (text,) = re.findall(r"```yaml\n(- repo: local.*?)```", page.read_text(), re.DOTALL)
    ((found,),) = [each["hooks"] for each in yaml.safe_load(text)]
    return found


def run(entry: str, folder: Path, *files: str) -> int:
    program, *words = shlex.split(entry)
    assert program == "tidegate"
    return subprocess.run(
        [sys.executable, "-m", "tidegate", *words, *files],
        cwd=folder, capture_output=True, check=False, timeout=60, env=environment(),
    ).returncode  # fmt: skip


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_hook_needs_nothing_but_the_program_itself(page):
    # A local hook of `language: python` would install what `additional_dependencies` names alone.
    assert hook(page)["language"] == "system"
    assert "sql" in (hook(page).get("types_or") or hook(page)["types"])


def test_the_hook_of_checks_stops_faults_and_lets_other_python_pass(tmp_path):
    entry = str(hook(PAGES[0])["entry"])
    (tmp_path / "a.sql").write_text(FAULTY)
    (tmp_path / "b.py").write_text("print(1)\n")
    assert run(entry, tmp_path, "a.sql", "b.py") == 1
    assert run(entry, tmp_path, "b.py") == 0


def test_the_hook_of_the_formatter_writes(tmp_path):
    (tmp_path / "a.sql").write_text("create view v as select 1;\n")
    assert run(str(hook(PAGES[1])["entry"]), tmp_path, "a.sql") == 0
    assert (tmp_path / "a.sql").read_text() == "CREATE VIEW v\nAS\nselect 1;\n"
