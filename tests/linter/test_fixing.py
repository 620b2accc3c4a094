import pytest
from checking import check, codes, fixed, fixed_text, parsed, under

from tidegate.grammar.parser import ParsedFile, parse
from tidegate.linter import fixing
from tidegate.linter.fixing import fix_once
from tidegate.source.diagnostic import Diagnostic, Severity
from tidegate.source.edit import Edit, Fix, Safety
from tidegate.source.span import Span
from tidegate.source.text import SourceFile

BOTH = frozenset(Safety)


def finding(*edits: tuple[int, int, str], safety: Safety = Safety.SAFE) -> Diagnostic:
    made = tuple(Edit(Span(start, end), text) for start, end, text in edits)
    return Diagnostic(
        code="P301",
        name="null-comparison",
        severity=Severity.ERROR,
        message="m",
        path="file_1.sql",
        span=Span(0, 0),
        fix=Fix("t", made, safety),
    )


def test_safe_fixes_are_applied_and_unsafe_ones_wait():
    text = under("a = NULL", action=" ON VIOLATION FAIL PIPELINE")
    result = fixed(text)
    assert result.files[0].source.text == under("a = NULL", action=" ON VIOLATION FAIL UPDATE")
    assert [each.code for each in result.applied] == ["S003"]
    assert [each.code for each in result.result.diagnostics] == ["P301"]


def test_unsafe_fixes_are_applied_when_asked_for():
    text = under("a = NULL", action=" ON VIOLATION FAIL PIPELINE")
    assert fixed_text(text, unsafe=True) == under("a IS NULL", action=" ON VIOLATION FAIL UPDATE")


def test_a_file_without_fixes_is_the_one_that_came_in():
    (file,) = parsed(under("a > 0"))
    after, applied = fix_once(file, [], BOTH)
    assert after is file
    assert applied == []


def test_fixes_repeat_until_none_is_left():
    # Inside out: the outer comparison is rewritten first, and holds the inner one.
    text = under("NULL = (a = NULL)")
    assert fixed_text(text, unsafe=True) == under("(a IS NULL) IS NULL")
    assert codes(fixed_text(text, unsafe=True)) == []


def test_a_fix_that_breaks_the_text_is_left_out_and_others_stay():
    (file,) = parsed(under("a > 0"))
    at = file.source.text.index("a > 0")
    breaking, harmless = finding((at, at + 5, "a > ")), finding((at - 20, at - 20, ""))
    after, applied = fix_once(file, [harmless, breaking], BOTH)
    assert applied == [harmless]
    assert after.source.text == file.source.text


def test_among_many_fixes_the_few_that_break_the_text_are_left_out():
    (file,) = parsed("".join(under("a > 0", name=f"n{number}") for number in range(64)))
    text, findings = file.source.text, []
    at = text.find("a > 0")
    while at >= 0:
        findings.append(finding((at, at + 5, "a > 1" if len(findings) % 32 else "a > ")))
        at = text.find("a > 0", at + 1)
    after, applied = fix_once(file, findings, BOTH)
    assert len(applied) == 62
    assert after.source.text.count("a > 1") == 62
    assert after.source.text.count("a > 0") == 2


def test_fixes_that_all_break_the_text_are_tried_only_so_often(monkeypatch):
    (file,) = parsed("".join(under("a > 0", name=f"n{number}") for number in range(300)))
    text = file.source.text
    places = [at for at in range(len(text)) if text.startswith("a > 0", at)]
    tried: list[str] = []

    def counting(source: SourceFile) -> ParsedFile:
        tried.append(source.text)
        return parse(source)

    monkeypatch.setattr(fixing, "parse", counting)
    after, applied = fix_once(file, [finding((at, at + 5, "a > ")) for at in places], BOTH)
    assert (after, applied) == (file, [])
    assert len(tried) == fixing.MAX_ATTEMPTS


def test_of_two_fixes_that_touch_the_first_is_applied():
    (file,) = parsed("SELECT 1;\n")
    after, applied = fix_once(file, [finding((7, 8, "2")), finding((8, 8, "3"))], BOTH)
    assert after.source.text == "SELECT 2;\n"
    assert len(applied) == 1


def test_two_findings_with_the_same_fix_change_the_text_once():
    (file,) = parsed("SELECT 1;\n")
    after, applied = fix_once(file, [finding((7, 8, "2")), finding((7, 8, "2"))], BOTH)
    assert after.source.text == "SELECT 2;\n"
    assert len(applied) == 2


def test_new_lines_in_a_fix_end_as_those_of_the_file():
    (file,) = parsed("SELECT 1;\r\n")
    after, _ = fix_once(file, [finding((6, 7, "\n"))], BOTH)
    assert after.source.text == "SELECT\r\n1;\r\n"


@pytest.mark.parametrize("predicate", ["a = NULL", "lenght(a) = 3", "a <> NULL OR b == NULL"])
def test_fixing_twice_is_fixing_once(predicate):
    once = fixed_text(under(predicate, name="rule_1"), unsafe=True)
    assert fixed_text(once, unsafe=True) == once
    assert check(once) == []


def test_safe_fixes_change_no_name():
    text = under("a = NULL", name="rule_1", action=" ON VIOLATION STOP")
    assert "CONSTRAINT rule_1 EXPECT" in fixed_text(text)


def test_a_stripped_name_that_is_taken_is_not_offered():
    text = under("price > 0", name="amount_ok").replace(
        "\n) AS", ",\n  CONSTRAINT amount_ok_20260131 EXPECT (amount > 0)\n) AS"
    )
    (found,) = check(text)
    assert found.fix is not None
    assert [edit.text for edit in found.fix.edits] == ["amount_positive"]
