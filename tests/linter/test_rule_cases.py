"""The cases of ``fixtures/rules``: marked SQL, settings, the fixed text, what is said."""

import re
from pathlib import Path

import msgspec
import pytest
from carets import in_first_line, unmarked
from checking import check, fixed_text

from tidegate.linter.registry import entries
from tidegate.linter.settings import LintSettings

FOLDER = Path(__file__).resolve().parents[2] / "fixtures" / "rules"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def cases() -> list[object]:
    found = []
    for path in sorted(FOLDER.glob("*.md")):
        for section in path.read_text(encoding="utf-8").split("\n## ")[1:]:
            title, _, body = section.partition("\n")
            blocks = dict(BLOCK.findall(body))
            found.append(pytest.param(path.stem, blocks, id=f"{path.stem}: {title}"))
    return found


def settings_of(blocks: dict[str, str]) -> LintSettings:
    return msgspec.toml.decode(blocks.get("toml", ""), type=LintSettings)


@pytest.mark.parametrize(("name", "blocks"), cases())
def test_a_case_is_flagged_exactly_where_marked(name: str, blocks: dict[str, str]):
    text, marks = unmarked(blocks["sql"])
    found = check(text, settings=settings_of(blocks))
    assert {
        (*in_first_line(text, each.span.start, each.span.end), each.code) for each in found
    } == marks
    if "snapshot" in blocks:
        said = [f"{each.code} {each.message}\n  {each.help}\n" for each in found]
        assert "".join(said) == blocks["snapshot"]
    assert name in entries()


@pytest.mark.parametrize(
    ("name", "blocks"), [each for each in cases() if "fixed" in each.values[1]]
)
def test_the_fixes_of_a_case_give_exactly_the_text_shown(name: str, blocks: dict[str, str]):
    text, _ = unmarked(blocks["sql"])
    assert fixed_text(text, unsafe=True, settings=settings_of(blocks)) == blocks["fixed"]
