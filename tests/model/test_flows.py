"""Flows know what they write and what they read."""

import pytest

from tidegate.grammar.parser import parse
from tidegate.model.binding import bind
from tidegate.model.binding_settings import BindSettings
from tidegate.model.pipeline import Flow
from tidegate.source.text import SourceFile


def flows(text: str) -> tuple[Flow, ...]:
    return bind([parse(SourceFile(path="x.sql", text=text))], BindSettings()).flows


@pytest.mark.parametrize(
    ("text", "name", "target", "reads"),
    [
        (
            "CREATE FLOW f AS INSERT INTO t BY NAME SELECT * FROM STREAM a.s JOIN u",
            "f",
            "default.t",
            [("a.s", True), ("default.u", False)],
        ),
        (
            "USE CATALOG c; USE sales; AUTO CDC INTO t FROM STREAM(s) WITH (x = 1) KEYS (k)",
            None,
            "c.sales.t",
            [("c.sales.s", True)],
        ),
        (
            "APPLY CHANGES INTO LIVE.t FROM stream KEYS (k) SEQUENCE BY ts",
            None,
            "default.t",
            [("default.stream", False)],
        ),
        (
            "CREATE STREAMING TABLE t FLOW AUTO CDC FROM (SELECT * FROM STREAM s) KEYS (k)",
            None,
            "default.t",
            [("default.s", True)],
        ),
        (
            "SET a = b; CREATE FLOW f AS AUTO CDC INTO ${a}.t FROM read_files('x') KEYS (k)",
            "f",
            "b.t",
            [(None, False)],
        ),
        (
            "CREATE STREAMING TABLE t FLOW REPLACE WHERE a > 1 BY NAME SELECT * FROM s",
            None,
            "default.t",
            [("default.s", False)],
        ),
    ],
)
def test_a_flow_has_its_target_and_what_it_reads(
    text: str, name: str | None, target: str, reads: list[tuple[str | None, bool]]
):
    (flow,) = flows(text)
    assert flow.name == name
    assert flow.target is not None
    assert flow.target.full == target
    found = [
        (each.name.full if each.name else None, each.relation.streaming) for each in flow.references
    ]
    assert found == reads


def test_the_query_of_a_dataset_is_no_flow():
    assert flows("CREATE STREAMING TABLE t FLOW INSERT BY NAME SELECT * FROM STREAM s") == ()
