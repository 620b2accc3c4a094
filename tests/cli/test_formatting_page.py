"""The example of the page about formatting is what the formatter does."""

import re
from pathlib import Path

from tidegate.grammar.formatting.formatter import Layout, format_file
from tidegate.grammar.parser import parse
from tidegate.source.text import SourceFile

PAGE = Path(__file__).parents[2] / "docs" / "formatting.md"


def test_the_example_of_the_page_is_what_formatting_gives():
    before, after, *_ = re.findall(r"```sql\n(.*?)```", PAGE.read_text(), re.DOTALL)
    made = format_file(parse(SourceFile(path="x.sql", text=before)), Layout())
    assert made.text == after
