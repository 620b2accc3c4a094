"""What holds for any text, tried on the cases of the fixtures, damaged by chance."""

import random
import re
from collections import Counter
from pathlib import Path

import pytest
from checking import check, fixed, parsed, run

from tidegate.grammar.nodes import expectations_of
from tidegate.grammar.parser import ParsedFile

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
SQL = re.compile(r"```sql\n(.*?)```", re.DOTALL)
CASES = [path.read_text("utf-8") for path in sorted((FIXTURES / "rules").glob("*.md"))]
FIELD = [path.read_text("utf-8") for path in sorted((FIXTURES / "field").glob("*.sql"))]
TEXTS = [*(sql for case in CASES for sql in SQL.findall(case)), *FIELD]
PIECES = [
    *("'", '"', "`", "(", ")", ",", ";", "--", "/*", "*/", "\n", "\0", "é", "${x}", "NULL"),
    *(" = NULL", "rule_1", " EXPECT (", "CONSTRAINT ", "lenght(a)", " ON VIOLATION ", " AS "),
    *("-- tidegate: ignore[counter-name] why\n", "-- tidegate: ignore[N101]\n", "20260131"),
]
SEEDS = range(8)
CASES_PER_SEED = 25


def damaged(random_: random.Random) -> str:
    text = random_.choice(TEXTS)
    for _ in range(random_.randint(1, 6)):
        at = random_.randrange(len(text) + 1)
        cut = random_.choice([0, random_.randint(1, 12)])
        text = text[:at] + (random_.choice(PIECES) if not cut else "") + text[at + cut :]
    return text


def damaged_texts(seed: int) -> list[str]:
    random_ = random.Random(seed)
    return [damaged(random_) for _ in range(CASES_PER_SEED)]


def names(file: ParsedFile) -> Counter[str]:
    return Counter(
        each.name.text
        for statement in file.statements
        for each in expectations_of(statement)
        if each.name
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_no_text_raises_and_every_span_lies_in_it(seed: int):
    for text in damaged_texts(seed):
        result = run(text)
        assert result.checked + len(result.not_analysed) == result.expectations
        for found in result.diagnostics:
            assert 0 <= found.span.start <= found.span.end <= len(text), (text, found)


@pytest.mark.parametrize("seed", SEEDS)
def test_fixing_what_was_fixed_changes_nothing(seed: int):
    for text in damaged_texts(seed):
        once = fixed(text, unsafe=True).files[0].source.text
        assert fixed(once, unsafe=True).files[0].source.text == once, text


@pytest.mark.parametrize("seed", SEEDS)
def test_safe_fixes_lose_and_rename_no_expectation(seed: int):
    for text in damaged_texts(seed):
        (before,) = parsed(text)
        (after,) = fixed(text).files
        assert names(after) >= names(before), text


@pytest.mark.parametrize("seed", SEEDS)
def test_a_broken_statement_leaves_the_findings_of_others_alone(seed: int):
    random_ = random.Random(seed)
    sound = [text for text in TEXTS if not any(each.code.startswith("S") for each in check(text))]
    for _ in range(CASES_PER_SEED):
        text = random_.choice(sound)
        alone = [(each.code, each.fingerprint) for each in check(text)]
        broken = "CREATE OR REFRESH STREAMING TABLE AS SELECT;\n"
        together = [(each.code, each.fingerprint) for each in check(broken + text)]
        assert [each for each in together if each in alone] == alone
