import pytest
from checking import check, codes, fixed_text, run

from tidegate.linter.settings import LintSettings
from tidegate.source.edit import Safety

WHY = "-- tidegate: ignore[counter-name] the register counts"


def table(*items: str, before: str = "", behind: str = "") -> str:
    inside = "\n".join(f"  {item}" for item in items)
    return (
        f"{before}CREATE OR REFRESH STREAMING TABLE t (\n{inside}\n"
        f") AS SELECT * FROM STREAM s;{behind}\n"
    )


def test_a_trailing_comment_covers_the_item_it_trails():
    text = table(
        f"CONSTRAINT rule_1 EXPECT (a > 0), {WHY}",
        "CONSTRAINT rule_2 EXPECT (b > 0)",
    )
    assert [each.constraint for each in check(text)] == ["rule_2"]


def test_a_comment_behind_the_last_line_of_an_item_covers_all_of_it():
    text = table(
        "CONSTRAINT rule_1 EXPECT (a > 0\n    AND b > 0)",
        f"  ON VIOLATION DROP ROW {WHY}",
    )
    assert codes(text) == []


def test_a_comment_behind_the_first_line_of_an_item_covers_all_of_it():
    text = table(
        "CONSTRAINT given EXPECT (  -- tidegate: ignore[null-comparison] kept for the auditors",
        "  a = NULL)",
    )
    assert codes(text) == []


def test_a_comment_on_its_own_line_covers_the_next_item_alone():
    text = table(
        WHY,
        "CONSTRAINT rule_1 EXPECT (a > 0),",
        "CONSTRAINT rule_2 EXPECT (b > 0)",
    )
    assert [each.constraint for each in check(text)] == ["rule_2"]


def test_comments_on_several_lines_above_an_item_all_cover_it():
    text = table(
        WHY,
        "-- tidegate: ignore[null-comparison] asked for by finance",
        "CONSTRAINT rule_1 EXPECT (a = NULL)",
    )
    assert codes(text) == []


def test_a_comment_above_a_statement_covers_all_of_it_and_not_the_next():
    text = table(
        "CONSTRAINT rule_1 EXPECT (a > 0),", "CONSTRAINT rule_2 EXPECT (b > 0)", before=f"{WHY}\n"
    ) + table("CONSTRAINT rule_3 EXPECT (c > 0)").replace("TABLE t", "TABLE u")
    assert [each.constraint for each in check(text)] == ["rule_3"]


def test_a_comment_behind_a_statement_covers_it():
    text = (
        "CREATE OR REFRESH STREAMING TABLE t AS SELECT * FROM s; "
        "-- tidegate: ignore[streaming-table-without-stream] the source becomes a stream in May\n"
    )
    assert codes(text) == []


def test_a_comment_in_the_head_covers_the_file():
    head = "-- tidegate: ignore-file[counter-name] the register counts\n"
    text = table("CONSTRAINT rule_1 EXPECT (a > 0)", before=head) + table(
        "CONSTRAINT rule_2 EXPECT (b > 0)"
    ).replace("TABLE t", "TABLE u")
    assert codes(text) == []
    assert run(text).suppressed == 2


def test_several_names_stand_in_one_comment():
    text = table(
        "-- tidegate: ignore[counter-name, null-comparison] kept for the auditors",
        "CONSTRAINT rule_1 EXPECT (a = NULL)",
    )
    assert codes(text) == []


def test_only_the_named_rules_are_suppressed():
    text = table(WHY, "CONSTRAINT rule_1 EXPECT (a = NULL)")
    assert codes(text) == ["P301"]


def test_suppressed_findings_are_counted():
    text = table(f"CONSTRAINT rule_1 EXPECT (a = NULL) {WHY}")
    result = run(text)
    assert result.suppressed == 1
    assert [each.code for each in result.diagnostics] == ["P301"]


def test_a_fault_of_the_model_is_suppressed_like_a_rule():
    text = table(
        "CONSTRAINT valid EXPECT (a > 0),",
        "-- tidegate: ignore[duplicate-name] renamed with the next release",
        "CONSTRAINT valid EXPECT (b > 0)",
    )
    assert codes(text) == []


def test_a_literal_that_looks_like_a_comment_suppresses_nothing():
    text = table(
        "CONSTRAINT rule_1 EXPECT (a <> '-- tidegate: ignore[counter-name] why')",
    )
    assert codes(text) == ["N101"]


def test_windows_line_ends_make_no_difference():
    text = table(WHY, "CONSTRAINT rule_1 EXPECT (a > 0)").replace("\n", "\r\n")
    assert codes(text) == []


@pytest.mark.parametrize(
    ("comment", "message"),
    [
        (
            "-- tidegate: ignore[counter-name]",
            "this suppression gives no reason, so it is not obeyed",
        ),
        (
            "-- tidegate: ignore[] because",
            "this suppression names no rule, so it is not obeyed",
        ),
        ("-- tidegate: ignore", "this suppression names no rule, so it is not obeyed"),
        ("-- tidegate: ignore all", "this suppression names no rule, so it is not obeyed"),
        (
            "-- tidegate: skip[counter-name] why",
            "`skip` is no instruction to tidegate, so it is not obeyed",
        ),
        ("-- tidegate:", "nothing is said here, so it is not obeyed"),
        (
            "-- tidegate: ignore-file[counter-name] why",
            "`ignore-file` is obeyed only above the first statement",
        ),
    ],
)
def test_a_comment_that_is_not_obeyed_is_reported_and_suppresses_nothing(comment, message):
    text = table(comment, "CONSTRAINT rule_1 EXPECT (a > 0)")
    found = check(text)
    assert [each.code for each in found] == ["D906", "N101"]
    assert found[0].message == message
    assert text[found[0].span.start : found[0].span.end] == comment
    assert found[0].help


def test_a_comment_below_the_last_item_covers_nothing():
    text = table("CONSTRAINT rule_1 EXPECT (a > 0)", WHY)
    assert codes(text) == ["N101", "D906"]


def test_a_name_that_no_rule_has_is_reported_with_the_one_meant():
    text = table(
        "-- tidegate: ignore[counter-names] why",
        "CONSTRAINT rule_1 EXPECT (a > 0)",
    )
    (hygiene, _) = check(text)
    assert hygiene.message == "there is no rule named `counter-names`"
    assert hygiene.help == "did you mean `counter-name`?"


def test_a_code_is_turned_into_the_name_it_stands_for():
    text = table("-- tidegate: ignore[N101] why", "CONSTRAINT rule_1 EXPECT (a > 0)")
    (hygiene, _) = check(text)
    assert hygiene.message == "`N101` is a code; suppressions take names"
    assert hygiene.fix is not None
    assert hygiene.fix.safety is Safety.SAFE
    assert "ignore[counter-name] why" in fixed_text(text)
    assert codes(fixed_text(text)) == []


def test_a_suppression_that_suppresses_nothing_is_removed_with_its_line():
    text = table(WHY, "CONSTRAINT paid EXPECT (a > 0)")
    assert codes(text) == ["D906"]
    assert fixed_text(text) == table("CONSTRAINT paid EXPECT (a > 0)")


def test_of_several_names_only_the_idle_ones_are_removed():
    text = table(
        "CONSTRAINT rule_1 EXPECT (a > 0) "
        "-- tidegate: ignore[null-comparison, counter-name, volatile-name] why"
    )
    assert codes(text) == ["D906", "D906"]
    assert "-- tidegate: ignore[counter-name] why" in fixed_text(text)


def test_a_rule_that_does_not_run_leaves_its_suppressions_alone():
    text = table(WHY, "CONSTRAINT paid EXPECT (a > 0)")
    assert codes(text, settings=LintSettings(ignore=("counter-name",))) == []


def test_a_suppression_on_what_does_not_parse_is_not_called_idle():
    text = table(
        "-- tidegate: ignore[null-comparison] asked for by finance",
        "CONSTRAINT odd EXPECT (a = = NULL)",
    )
    assert codes(text) == ["S001"]


def test_hygiene_itself_can_be_ignored():
    text = table("-- tidegate: ignore[counter-name]", "CONSTRAINT rule_1 EXPECT (a > 0)")
    assert codes(text, settings=LintSettings(ignore=("D906",))) == ["N101"]
