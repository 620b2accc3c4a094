"""Every rule's examples, as its documentation shows them."""

import inspect

import pytest
from carets import in_first_line, unmarked
from checking import check_example, fixed, plain

from tidegate.catalog.faults import FAULTS
from tidegate.linter.catalogue import RuleClass, rule_classes
from tidegate.linter.rule import Bad, FaultRule, Rule
from tidegate.source.edit import Safety

RULES = rule_classes()
BAD = [
    pytest.param(rule, example, id=f"{rule.name}-{number}")
    for rule in RULES
    for number, example in enumerate(rule.bad)
]
GOOD = [
    pytest.param(rule, example, id=f"{rule.name}-{number}")
    for rule in RULES
    for number, example in enumerate(rule.good)
]


@pytest.mark.parametrize(("rule", "example"), BAD)
def test_a_bad_example_is_flagged_exactly_where_marked(rule: RuleClass, example: Bad):
    text, marks = unmarked(plain(example.sql))
    assert rule.code in {code for _, _, code in marks}
    found = {
        (*in_first_line(text, each.span.start, each.span.end), each.code)
        for each in check_example(text, rule.language)
    }
    assert found == marks


@pytest.mark.parametrize(
    ("rule", "example"), [each for each in BAD if each.values[1].fixed is not None]
)
def test_the_fix_of_a_bad_example_gives_exactly_the_text_shown(rule: RuleClass, example: Bad):
    text, _ = unmarked(plain(example.sql))
    result = fixed(text, unsafe=True)
    assert result.files[0].source.text == plain(example.fixed)
    assert result.result.diagnostics == ()
    if any(each.fix.safety is Safety.UNSAFE for each in result.applied if each.fix):
        assert "unsafe" in (rule.__doc__ or "")
    else:
        assert "safe" in (rule.__doc__ or "")


@pytest.mark.parametrize(
    ("rule", "example"), [each for each in BAD if each.values[1].fixed is None]
)
def test_a_bad_example_without_a_fixed_text_has_no_fix(rule: RuleClass, example: Bad):
    text, _ = unmarked(plain(example.sql))
    found = check_example(text, rule.language)
    assert [each for each in found if each.code == rule.code and each.fix] == []


@pytest.mark.parametrize(("rule", "example"), GOOD)
def test_a_good_example_is_silent(rule: RuleClass, example: str):
    assert check_example(plain(example), rule.language) == []


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_file_class_name_and_code_agree(rule: RuleClass):
    assert rule.__module__ == f"tidegate.linter.rules.{rule.name.replace('-', '_')}"
    assert (inspect.getmodule(rule).__doc__ or "").startswith(f"{rule.code}: ")
    assert rule.bad
    assert rule.good


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_a_summary_is_one_sentence_and_the_reason_follows(rule: RuleClass):
    summary, _, body = inspect.cleandoc(rule.__doc__ or "").partition("\n\n")
    assert summary.endswith(".")
    assert "\n" not in summary
    assert body


def test_faults_keep_their_codes_in_the_catalog():
    faults = [rule for rule in RULES if issubclass(rule, FaultRule)]
    assert all(FAULTS[rule.name].code == rule.code for rule in faults)
    others = [rule for rule in RULES if issubclass(rule, Rule)]
    assert {rule.name for rule in others} & FAULTS.keys() == set()


def test_no_code_and_no_name_is_used_twice():
    codes = [rule.code for rule in RULES]
    names = {rule.name for rule in RULES}
    bare = [entry.code for name, entry in FAULTS.items() if name not in names]
    assert len({*codes, *bare}) == len(codes) + len(bare)
