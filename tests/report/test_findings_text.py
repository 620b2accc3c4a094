"""Findings as people see them: lines, carets, colors."""

from tidegate.report.concise import render_concise
from tidegate.report.full import render_full
from tidegate.report.position import Positions
from tidegate.report.terminal import COLORED, PLAIN, lay_out, visible, width
from tidegate.source.diagnostic import Diagnostic, Related, Severity
from tidegate.source.edit import Edit, Fix, Safety
from tidegate.source.span import Span
from tidegate.source.text import SourceFile


def found_in(text: str, part: str, **more: object) -> tuple[Diagnostic, Positions]:
    start = text.index(part)
    found = Diagnostic(
        code="P301",
        name="null-comparison",
        severity=Severity.ERROR,
        message="comparison with NULL is NULL for every row",
        path="a.sql",
        span=Span(start, start + len(part)),
        **more,
    )
    return found, Positions([SourceFile(path="a.sql", text=text)])


def full(text: str, part: str, **more: object) -> list[str]:
    found, positions = found_in(text, part, **more)
    return "".join(render_full([found], positions, PLAIN)).splitlines()


def caret_line(text: str, part: str) -> tuple[str, str]:
    lines = full(text, part)
    return lines[3], lines[4]


def test_a_finding_shows_code_message_place_line_and_carets():
    assert full("SELECT 1;\nSELECT x = NULL\n", "x = NULL") == [
        "error[P301] null-comparison: comparison with NULL is NULL for every row",
        "  --> a.sql:2:8",
        "   |",
        " 2 | SELECT x = NULL",
        "   |        ^^^^^^^^",
        "",
    ]


def test_help_fix_subject_and_related_places_follow_the_carets():
    fix = Fix("Use IS NULL", (Edit(Span(0, 1), "y"),), Safety.UNSAFE)
    related = (Related(message="first used here", span=Span(0, 1)),)
    lines = full(
        "x = NULL", "NULL", help="write IS NULL", fix=fix, related=related,
        dataset="main.t", constraint="open",
    )  # fmt: skip
    assert lines[5:] == [
        "   = note: first used here (a.sql:1:1)",
        "   = in: expectation `open` of dataset `main.t`",
        "   = help: write IS NULL",
        "   = unsafe fix: Use IS NULL",
        "",
    ]


def test_carets_stand_under_text_behind_wide_characters():
    line, carets = caret_line("SELECT '漢字', bad", "bad")
    assert width(line[: line.index("bad")]) == carets.index("^")
    assert carets.endswith(" ^^^")


def test_a_wide_character_gets_two_carets():
    assert caret_line("ab 漢 c", "漢")[1] == "   |    ^^"


def test_a_combining_mark_gets_no_column():
    assert caret_line("e\u0301 bad", "bad")[1] == "   |   ^^^"


def test_carets_stand_under_text_behind_tabs():
    assert caret_line("\ta\tbad", "bad") == (" 1 |     a   bad", "   |         ^^^")


def test_a_finding_at_the_end_of_the_text_gets_one_caret():
    found, positions = found_in("SELECT", "SELECT")
    at_end = Diagnostic(
        code=found.code, name=found.name, severity=found.severity, message=found.message,
        path=found.path, span=Span(6, 6),
    )  # fmt: skip
    assert "".join(render_full([at_end], positions, PLAIN)).splitlines()[4] == "   |       ^"


def test_a_finding_of_many_lines_shows_the_first_two_and_the_last():
    text = "".join(f"  line {number}\n" for number in range(1, 9))
    numbers = [line.split("|")[0].strip() for line in full(text, text.strip())[3:-1]]
    assert [number for number in numbers if number] == ["1", "2", ".", "8"]


def test_a_windows_line_ending_is_not_shown():
    assert caret_line("SELECT bad\r\nFROM t\r\n", "bad\r\n")[0] == " 1 | SELECT bad"


def test_a_very_long_line_is_cut_around_the_finding():
    line, carets = caret_line("x" * 5_000_000 + " bad " + "y" * 5_000_000, "bad")
    assert len(line) < 200
    assert line[carets.index("^") :].startswith("bad")


def test_control_characters_of_the_source_never_reach_the_terminal():
    shown = "".join(full("SELECT '\x1b[31m' bad\x07", "bad"))
    assert "\x1b" not in shown
    assert "\x07" not in shown


def test_reordering_characters_are_made_visible():
    assert visible("a\u202eb\u2066c") == "a\ufffdb\ufffdc"


def test_colors_stand_only_where_the_palette_has_them():
    found, positions = found_in("bad", "bad")
    assert "\x1b[" not in "".join(render_full([found], positions, PLAIN))
    assert "\x1b[1;31m" in "".join(render_full([found], positions, COLORED))


def test_a_concise_finding_is_one_line_that_editors_read():
    found, positions = found_in("a\nb bad", "bad")
    assert "".join(render_concise([found], positions, PLAIN)) == (
        "a.sql:2:3: error P301 null-comparison comparison with NULL is NULL for every row\n"
    )


def test_tabs_run_to_the_next_stop_from_where_they_stand():
    assert lay_out("\tx", 2) == "  x"
