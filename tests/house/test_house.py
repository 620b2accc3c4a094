"""What holds for the repository as a whole."""

import ast
import re
import tomllib
from pathlib import Path

import pytest

import tidegate

ROOT = Path(__file__).parents[2]
ROOMS = ["source", "catalog", "grammar", "model", "linter", "transpiler", "runner", "report"]
ROOMS += ["project", "cli"]
GENERATED = {"_tables.py", "_functions.py", "_index.py"}
MODULES = sorted(p for p in (ROOT / "tidegate").rglob("*.py") if p.name not in GENERATED)


def test_the_version_is_written_once_in_effect():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["version"] == tidegate.__version__


@pytest.mark.parametrize("room", ROOMS)
def test_every_room_says_what_enters_and_what_leaves(room):
    text = ast.get_docstring(ast.parse((ROOT / "tidegate" / room / "__init__.py").read_text()))
    assert text
    assert re.search(r"\b(comes? in|enters?)\b", text)
    assert re.search(r"\b(goe?s? out|leaves?|go out)\b", text)


@pytest.mark.parametrize("room", ROOMS)
def test_the_architecture_page_names_every_room(room):
    assert re.search(rf"\b{room}\b", (ROOT / "ARCHITECTURE.md").read_text())


def test_no_module_outgrows_its_reader():
    # The list of node shapes is read entry by entry, not as a whole.
    long = {
        str(path.relative_to(ROOT)): lines
        for path in MODULES
        if path.name != "nodes.py" and (lines := path.read_text().count("\n")) > 450
    }
    assert long == {}


def test_only_the_places_for_it_print():
    allowed = ("cli", "report", "runtime/job.py")
    printing = [
        str(path.relative_to(ROOT))
        for path in MODULES
        if not any(part in str(path) for part in allowed)
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and getattr(node.func, "id", None) == "print"
    ]
    assert printing == []


def test_ci_runs_the_readmes_test_command():
    readme = (ROOT / "README.md").read_text()
    command = readme.split("<!-- all tests -->")[1].split("```")[1]
    assert command.startswith("console\n")
    assert command.strip().endswith(".venv/bin/pytest")
    assert "<!-- all tests -->" in (ROOT / ".ci" / "run").read_text()


def test_relative_links_of_the_pages_lead_somewhere():
    broken = []
    for page in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]:
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text()):
            if not (page.parent / target).exists():
                broken.append(f"{page.relative_to(ROOT)} -> {target}")
    assert broken == []


def test_changelog_has_the_current_version():
    assert f"## {tidegate.__version__}" in (ROOT / "CHANGELOG.md").read_text()
