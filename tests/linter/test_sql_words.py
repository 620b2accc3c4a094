import pytest

from tidegate.linter.sql_words import line_comments, squeezed, words


def comments(text: str) -> list[str]:
    return [text[span.start : span.end] for span in line_comments(text)]


def test_comments_are_found_behind_literals_that_look_like_them():
    text = "a = '--no' \"-- no\" `-- no` -- yes\n/* -- no\n */ -- also\n"
    assert comments(text) == ["-- yes", "-- also"]


def test_an_apostrophe_in_a_comment_opens_no_literal():
    assert comments("-- source d'un client\nx -- two\n") == ["-- source d'un client", "-- two"]


def test_escapes_and_raw_literals_end_where_the_lexer_ends_them():
    assert comments(r"'it\'s -- no' -- one") == ["-- one"]
    assert comments(r"r'\' -- two") == ["-- two"]
    assert comments(r"R'\\'' x -- no'") == []


def test_block_comments_nest():
    assert comments("/* /* -- no */ -- no */ -- yes") == ["-- yes"]


def test_a_backslash_continues_a_line_comment():
    assert comments("-- one \\\ntwo\n-- three") == ["-- one \\\ntwo", "-- three"]


def test_a_windows_line_end_is_not_part_of_a_comment():
    assert comments("-- one\r\nx") == ["-- one"]


def test_words_step_over_literals_and_comments():
    text = "CREATE FUNCTION `my f`.g(x INT) -- LANGUAGE PYTHON\nRETURN 'LANGUAGE PYTHON'"
    assert list(words(text)) == [
        *("CREATE", "FUNCTION", "my f", ".", "g", "(", "x", "INT", ")", "RETURN"),
    ]


@pytest.mark.parametrize(
    "text",
    ["a>0 AND B='X'", "A > 0  and `b` = 'X'", "a > 0 -- why\n AND b = /* so */ 'X'"],
)
def test_spellings_of_one_predicate_squeeze_to_one_text(text):
    assert squeezed(text) == "a > 0 and b = 'X'"


def test_letter_case_of_literals_is_kept():
    assert squeezed("a = 'X'") != squeezed("a = 'x'")
