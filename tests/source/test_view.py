"""Views of a file: where their text stands, and how to change it there."""

import pytest

from tidegate.source.edit import Edit, apply_edits
from tidegate.source.python_strings import read_literal
from tidegate.source.span import Span
from tidegate.source.text import SourceFile
from tidegate.source.view import Encoding, HostKind, Piece, PieceKind, assemble, plain


def viewed(program: str, *marks: str) -> SourceFile:
    """Return a program with the string literals that start at the marks as blocks."""
    blocks = []
    for mark in marks:
        literal = read_literal(program, program.index(mark))
        assert literal is not None
        blocks.append(list(literal.pieces))
    text, view = assemble(program, HostKind.PYTHON, blocks)
    return SourceFile(path="a.py", text=text, view=view)


def changed(source: SourceFile, old: str, new: str) -> str | None:
    """Return the file with a part of its SQL replaced."""
    start = source.text.index(old)
    edits = source.host_edits((Edit(Span(start, start + len(old)), new),))
    return None if edits is None else apply_edits(source.original, edits)


def placed(source: SourceFile, part: str) -> str:
    start = source.text.index(part)
    span = source.place(Span(start, start + len(part)))
    return source.original[span.start : span.end]


def test_a_file_without_a_view_is_its_own_text():
    source = SourceFile(path="a.sql", text="SELECT 1")
    assert source.original is source.text
    assert source.place(Span(2, 4)) == Span(2, 4)


def test_a_part_stands_where_the_file_has_it():
    source = viewed("x = 'a = 1'; y = 'b = 2'", "'a", "'b")
    assert placed(source, "b = 2") == "b = 2"
    assert source.place(Span(source.text.index("b"), source.text.index("b"))) == Span(18, 18)


def test_a_span_over_an_escape_takes_it_whole():
    source = viewed("x = 'a = \\'b\\''", "'a")
    assert placed(source, "'b") == "\\'b"
    assert placed(source, "'") == "\\'"


@pytest.mark.parametrize(
    ("program", "old", "new", "then"),
    [
        ("q('a = 1')", "= 1", "IS 'x'", "q('a IS \\'x\\'')"),
        ('q("a = 1")', "= 1", "IS 'x'", "q(\"a IS 'x'\")"),
        ("q('a = 1')", "= 1", "= '\\d'\n", "q('a = \\'\\\\d\\'\\n')"),
        ("q('''a = 1''')", "= 1", "=\n1", "q('''a =\n1''')"),
        ("q(r'a = 1')", "= 1", "= '\\d'", None),
        ('q(r"a = 1")', "= 1", "= '\\d'", "q(r\"a = '\\d'\")"),
        ("q(f'{c} = 1')", "= 1", "= '{}'", "q(f'{c} = \\'{{}}\\'')"),
    ],
)
def test_an_edit_is_written_as_the_string_is(program: str, old: str, new: str, then: str | None):
    source = viewed(program, program[2:])
    assert changed(source, old, new) == then


def test_an_edit_over_an_expression_writes_it_back():
    source = viewed("q(f'{c} = NULL')", "f'")
    whole = source.text.removesuffix("\n\x1e\n")
    assert changed(source, whole, whole.replace("= NULL", "IS NULL")) == "q(f'{c} IS NULL')"


def test_an_edit_that_goes_over_two_strings_is_none():
    program = "q('a ' '= 1')"
    text, view = assemble(
        program,
        HostKind.PYTHON,
        [[*read_literal(program, 2).pieces, *read_literal(program, 7).pieces]],
    )
    source = SourceFile(path="a.py", text=text, view=view)
    assert text.startswith("a = 1")
    assert changed(source, "a = ", "b = ") is None
    assert changed(source, "= 1", "= 2") == "q('a ' '= 2')"


def test_text_is_inserted_at_both_ends_of_a_block():
    source = viewed("q('a')", "'a")
    for offset, then in ((0, "q('xa')"), (1, "q('ax')")):
        edits = source.host_edits((Edit(Span(offset, offset), "x"),))
        assert edits is not None
        assert apply_edits(source.original, edits) == then


def test_what_stands_nowhere_in_the_file_is_not_edited():
    piece = Piece(PieceKind.MADE, "a = NULL", Span(4, 9))
    text, view = assemble("x = f(1, 2)", HostKind.PYTHON, [[piece]])
    source = SourceFile(path="a.py", text=text, view=view)
    assert source.place(Span(0, 1)) == Span(4, 9)
    assert source.host_edits((Edit(Span(0, 1), "b"),)) is None


def test_lines_of_a_cell_keep_their_prefix():
    program = "# MAGIC a\n# MAGIC b\n"
    encoding = Encoding(prefix="# MAGIC ")
    pieces = [plain(program, 8, 10, encoding), plain(program, 18, 20, encoding)]
    text, view = assemble(program, HostKind.PYTHON_NOTEBOOK, [pieces])
    source = SourceFile(path="a.py", text=text, view=view)
    assert changed(source, "a", "c\nd") == "# MAGIC c\n# MAGIC d\n# MAGIC b\n"
    assert changed(source, "a\n", "") == "# MAGIC b\n"
    assert changed(source, "a\nb", "c") == "# MAGIC c\n"
