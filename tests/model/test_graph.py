"""Long chains and circles of datasets: no recursion, and time that grows with their number."""

from tidegate.grammar.parser import parse
from tidegate.model.binding import bind
from tidegate.model.binding_settings import BindSettings
from tidegate.model.pipeline import Pipeline
from tidegate.source.text import SourceFile

LONG = 3000


def bound(text: str) -> Pipeline:
    return bind([parse(SourceFile(path="x.sql", text=text))], BindSettings())


def test_a_stream_is_seen_through_a_long_chain_of_views():
    views = [f"CREATE TEMPORARY VIEW v{i} AS SELECT * FROM v{i + 1};" for i in range(LONG)]
    end = f"CREATE TEMPORARY VIEW v{LONG} AS SELECT * FROM STREAM s;"
    table = "CREATE STREAMING TABLE t AS SELECT * FROM v0;"
    assert bound("\n".join([*views, end, table])).faults == ()
    (located,) = bound("\n".join([*views, table])).faults
    assert located.fault.name == "streaming-table-without-stream"


def test_views_that_read_each_other_are_no_stream():
    text = (
        "CREATE TEMPORARY VIEW a AS SELECT * FROM b; CREATE TEMPORARY VIEW b AS SELECT * FROM a;"
        "CREATE STREAMING TABLE t AS SELECT * FROM a;"
    )
    names = [each.fault.name for each in bound(text).faults]
    assert names == ["dependency-cycle", "streaming-table-without-stream"]


def test_a_long_circle_names_its_first_datasets():
    views = [f"CREATE VIEW v{i} AS SELECT * FROM v{(i + 1) % LONG};" for i in range(LONG)]
    (located,) = bound("\n".join(views)).faults
    assert located.fault.message.endswith("default.v6 -> default.v7 -> ... -> default.v0")


def test_a_set_holds_for_what_stands_behind_it():
    text = (
        "SET a = 1; CREATE VIEW v AS SELECT ${a}; SET a = 2; SET b = 3;"
        "CREATE VIEW w AS SELECT ${a}; SET a = 4;"
    )
    first, second = bound(text).datasets
    assert dict(first.variables) == {"a": "1"}
    assert dict(second.variables) == {"a": "2", "b": "3"}
    assert len(second.variables) == 2
    assert second.variables.get("c") is None
