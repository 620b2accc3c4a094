"""Findings beyond what anyone reads: counted all, shown one by one up to a number."""

from checking import fixed_text, run

from tidegate.linter.withholding import MOST_OF_A_RULE, without_endless
from tidegate.report.findings import CheckResult
from tidegate.report.summary import summarize
from tidegate.source.diagnostic import Diagnostic, Severity
from tidegate.source.span import Span


def finding(at: int, name: str = "null-comparison", severity: Severity = Severity.ERROR):
    return Diagnostic(
        code="C101", name=name, severity=severity, message=str(at), path="a.sql", span=Span(at, at)
    )


def numbers(count: int) -> list[str]:
    """Return words that no rule takes for counters."""
    return ["".join(chr(97 + int(digit)) for digit in str(at)) for at in range(count)]


def nulls(count: int) -> str:
    items = ", ".join(f"CONSTRAINT has_{at} EXPECT (a = NULL)" for at in numbers(count))
    return f"CREATE STREAMING TABLE t ({items}) AS SELECT * FROM STREAM s"


def test_as_many_findings_as_are_shown_stay_what_they_are():
    findings = [finding(at) for at in range(MOST_OF_A_RULE)]
    assert list(without_endless(findings)) == findings


def test_one_finding_more_is_shown_itself_not_counted():
    findings = [finding(at) for at in range(MOST_OF_A_RULE + 1)]
    assert list(without_endless(findings)) == findings


def test_the_rest_becomes_one_finding_at_the_place_of_its_first():
    kept = without_endless([finding(at) for at in range(MOST_OF_A_RULE + 7)])
    assert len(kept) == MOST_OF_A_RULE + 1
    last = kept[-1]
    assert (last.span, last.stands_for) == (Span(MOST_OF_A_RULE, MOST_OF_A_RULE), 7)
    assert last.message.startswith("7 more findings of `null-comparison`")


def test_every_rule_and_severity_has_a_number_of_its_own():
    many = [finding(at) for at in range(MOST_OF_A_RULE + 5)]
    others = [finding(at, name="counter-name") for at in range(9)]
    notes = [finding(at, severity=Severity.INFO) for at in range(9)]
    kept = without_endless([*others, *many, *notes])
    assert len(kept) == 9 + MOST_OF_A_RULE + 1 + 9


def test_findings_that_are_not_shown_stay_in_all_counts():
    result = run(nulls(MOST_OF_A_RULE + 200))
    whole = CheckResult(lint=result, sources=())
    found = sum(each.stands_for for each in result.diagnostics if each.name == "null-comparison")
    assert found == MOST_OF_A_RULE + 200
    assert whole.count(Severity.ERROR) == result.by_severity[Severity.ERROR] == found
    assert result.not_shown == 200
    assert any(line.startswith("200 findings counted") for line in summarize(whole))


def test_fixes_go_on_in_later_rounds_until_all_are_done():
    left = fixed_text(nulls(MOST_OF_A_RULE + 50), unsafe=True)
    assert left.count("IS NULL") == MOST_OF_A_RULE + 50
