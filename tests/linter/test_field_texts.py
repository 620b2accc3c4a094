"""Texts as the field writes them: what is valid is silent."""

from pathlib import Path

import pytest
from checking import check, codes, fixed

FIELD = Path(__file__).resolve().parents[2] / "fixtures" / "field"


@pytest.mark.parametrize("path", sorted(FIELD.glob("*.sql")), ids=lambda path: path.stem)
def test_a_valid_text_shows_nothing(path: Path):
    assert check(path.read_text(encoding="utf-8")) == []


MISPLACED = """\
CREATE OR REFRESH STREAMING LIVE TABLE orders_silver AS SELECT * FROM STREAM(LIVE.orders_bronze)
CONSTRAINT not_null_id EXPECT (`id` IS NOT NULL) ON VIOLATION DROP ROW{between}\
CONSTRAINT valid_amount EXPECT (`amount` IS NOT NULL AND `amount` > 0) ON VIOLATION DROP ROW
"""


@pytest.mark.parametrize("between", [" ", ", ", "\n", ",\n", "\n  , "])
def test_expectations_behind_the_query_are_moved_into_a_list(between: str):
    text = MISPLACED.replace("{between}", between)
    assert set(codes(text)) == {"S006"}
    result = fixed(text)
    assert result.result.diagnostics == ()
    assert result.result.expectations == 2
    (statement,) = result.files[0].statements
    assert [each.name.text for each in statement.expectations] == ["not_null_id", "valid_amount"]


def test_the_shipped_example_shows_nothing():
    texts = [
        path.read_text(encoding="utf-8")
        for path in sorted((FIELD.parent / "example").rglob("*.sql"))
    ]
    assert texts
    assert check(*texts) == []
