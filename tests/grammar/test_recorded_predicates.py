"""Our answers against those of Spark's parser, recorded by ``scripts/record_predicates.py``."""

import json
import re

import pytest
from trees import FIXTURES

from tidegate.grammar.nodes import Expression
from tidegate.grammar.parser import parse_predicate

RECORDED = [
    json.loads(line)
    for line in (FIXTURES / "grammar" / "predicates.jsonl").read_text(encoding="utf-8").splitlines()
]

# What Spark takes and a predicate is not: a bare lambda, and a star outside of a call.
WE_REFUSE = {"x -> x", "(x, y) -> x", "* IS NOT NULL", "a.* IS NOT NULL", "count ( a AND * ) > 0"}
# Databricks has `?::`, Spark has not.
WE_TAKE = {"a?::INT > 1"}
# Left as they stand by us: queries, windows, orders within a group.
OPAQUE = re.compile(r"\bSELECT\b|\bOVER \(|\bWITHIN GROUP \(")
# A keyword used as a column right before a keyword that could be one: not worth a rule.
FAR_FETCHED = {
    "NOT BETWEEN + b",
    "NOT RLIKE 'x'",
    "dateadd ( 'DAY' , NOT 1 , a ) > b",
}
# Where Spark's own lexer or parser stumbles over text that its grammar allows: `>` behind a type or
# the word STRUCT, a pipe before a bracket, a minus behind a collation (read as a hyphen in a name).
SPARK_STUMBLES = re.compile(r"::(MAP|STRUCT)<[^>]*> |>>|\| |COLLATE \w+ - ")


def accepts(text: str) -> bool:
    return isinstance(parse_predicate(text), Expression)


def test_enough_predicates_are_recorded():
    refused = sum(not one["accepted"] for one in RECORDED)
    assert len(RECORDED) >= 5000
    assert refused >= 2000
    assert len(RECORDED) - refused >= 3000


@pytest.mark.parametrize("accepted", [True, False])
def test_we_agree_with_spark(accepted: bool):
    known = WE_REFUSE | WE_TAKE | FAR_FETCHED
    different = [
        one["text"]
        for one in RECORDED
        if one["accepted"] is accepted
        and one["text"] not in known
        and not (OPAQUE.search(one["text"]) and not accepted)
        and not (SPARK_STUMBLES.search(one["text"]) and not accepted)
        and accepts(one["text"]) is not accepted
    ]
    assert different == []


def test_the_known_differences_are_still_ours():
    assert [text for text in WE_REFUSE if accepts(text)] == []
    assert [text for text in WE_TAKE if not accepts(text)] == []


@pytest.mark.parametrize(
    "text",
    [
        "a = 1 AND",
        "a > 0 AS x",
        "a > 0 x",
        "a > 0; b > 0",
        "a IN ()",
        "f(a,,b)",
        "a IN (1,2,)",
        "f(a,)",
    ],
)
def test_a_trap_of_sparks_parser_is_refused(text: str):
    assert not accepts(text)
