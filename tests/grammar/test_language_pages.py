"""The pages of the language are generated from the grammar, and current."""

import subprocess
import sys
from pathlib import Path

from tidegate.grammar.availability import CREATE_ROWS, Part

ROOT = Path(__file__).resolve().parents[2]
PAGES = ROOT / "docs" / "language"


def test_the_pages_are_what_the_grammar_says():
    script = ROOT / "scripts" / "generate_language_pages.py"
    done = subprocess.run(
        [sys.executable, str(script), "--check"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, "")


def test_every_part_of_a_create_has_its_dialects():
    assert {row.part for row in CREATE_ROWS} == set(Part)


def test_an_opaque_text_is_described():
    described = "".join(page.read_text(encoding="utf-8") for page in PAGES.glob("*.md"))
    shown = {word for word in described.split() if word.endswith(("_TEXT", "_QUERY"))}
    assert shown
    assert {word for word in shown if f"- `{word}`:" not in described} == set()
