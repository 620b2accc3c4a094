"""String literals of Python, read with the place of every character."""

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidegate.source.holes import spelled
from tidegate.source.python_strings import read_literal
from tidegate.source.view import PieceKind

LITERALS = [
    "'plain'",
    '"it\'s"',
    "'it\\'s'",
    "'a\\nb\\tc\\\\d'",
    r"r'\d+\n'",
    r"R'\''",
    "'''two\nlines'''",
    '"""a "quoted" word\\""""',
    "'\\u00e9\\x41\\101\\N{BULLET}\\U0001F600'",
    "'one \\\ntwo'",
    "'one \\\r\ntwo'",
    "u'x'",
    "''",
]


@pytest.mark.parametrize("literal", LITERALS)
def test_a_literal_says_what_python_takes_it_for(literal: str):
    read = read_literal(f"x = {literal} + y", 4)
    assert read is not None
    assert read.text == ast.literal_eval(literal)
    assert (read.span.start, read.span.end) == (4, 4 + len(literal))


@pytest.mark.parametrize("literal", LITERALS)
def test_each_piece_stands_where_it_says(literal: str):
    read = read_literal(literal, 0)
    assert read is not None
    for piece in read.pieces:
        written = literal[piece.host.start : piece.host.end]
        if piece.kind is PieceKind.PLAIN:
            assert written == piece.text
        else:
            assert written[0] == "\\"


def test_an_escape_that_means_nothing_stays_as_it_is():
    read = read_literal("'\\q'", 0)
    assert read is not None
    assert read.text == "\\q"


@pytest.mark.parametrize(
    ("literal", "holes"),
    [
        ("f'{a} > {b}'", ["{a}", "{b}"]),
        ("f'{{no}} {yes}'", ["{yes}"]),
        ("f'{d[\"k\"]!r:>{w}}'", ['{d["k"]!r:>{w}}']),
        ("rf'{a}\\d{{3}}'", ["{a}"]),
        ("f'''{\na\n}'''", ["{\na\n}"]),
        ("f'\\N{BULLET}{a}'", ["{a}"]),
    ],
)
def test_expressions_are_holes_with_their_own_spelling(literal: str, holes: list[str]):
    read = read_literal(literal, 0)
    assert read is not None
    found = [spelled(piece.text) for piece in read.pieces if piece.kind is PieceKind.HOLE]
    assert found == holes


@pytest.mark.parametrize("text", ["'open", "'a\nb'", "'''open", "f'{a'", "f'{a", "x", "'\\"])
def test_what_is_never_closed_is_no_literal(text: str):
    assert read_literal(text, 0) is None


def test_the_characters_of_a_hole_are_no_quotes_and_no_words():
    read = read_literal("f\"{d['a']} -- ;\"", 0)
    assert read is not None
    assert "'" not in read.text
    assert read.text.endswith(" -- ;")


@given(st.text(alphabet="ab'\"\\\n{}rfé\r", max_size=30))
def test_no_text_makes_the_reader_raise(text: str):
    for at in range(len(text)):
        read_literal(text, at)


@given(st.text(max_size=40))
def test_any_string_that_python_writes_is_read_back(text: str):
    literal = repr(text)
    read = read_literal(literal, 0)
    assert read is not None
    assert read.text == text
