import subprocess
import sys
from pathlib import Path

import pytest
from checking import check, codes, flagged, run, under

from tidegate.grammar import nodes
from tidegate.grammar.parser import parse
from tidegate.linter import engine
from tidegate.linter.context import Scope
from tidegate.linter.registry import entries
from tidegate.linter.settings import LintSettings
from tidegate.linter.walk import children, descendants, node_fields
from tidegate.model.binding import bind
from tidegate.model.binding_settings import BindSettings
from tidegate.source.diagnostic import Severity
from tidegate.source.text import SourceFile

ROOT = Path(__file__).resolve().parents[2]

GOOD = under("amount > 0")
COUNTED = under("a > 0", name="rule_1")


@pytest.mark.parametrize("script", ["generate_rule_index.py", "generate_rule_pages.py"])
def test_what_is_generated_from_the_rules_is_current(script):
    command = [sys.executable, str(ROOT / "scripts" / script), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_finding_says_where_and_on_what():
    (found,) = check(COUNTED)
    assert (found.code, found.name, found.severity) == ("N101", "counter-name", Severity.WARNING)
    assert flagged(COUNTED, found) == "rule_1"
    assert (found.path, found.dataset, found.constraint) == ("file_1.sql", "default.t", "rule_1")


def test_the_dataset_of_a_finding_has_its_full_name():
    text = "USE CATALOG main;\nUSE SCHEMA sales;\n" + COUNTED
    assert [each.dataset for each in check(text)] == ["main.sales.t"]


def test_findings_stand_in_the_order_of_the_text():
    text = under("lenght(a) = NULL", name="rule_1")
    assert codes(text) == ["N101", "F202", "P301"] or codes(text) == ["N101", "P301", "F202"]
    spans = [each.span for each in check(text)]
    assert spans == sorted(spans)


def test_a_broken_statement_silences_no_other():
    text = "CREATE OR REFRESH STREAMING TABLE;\n" + COUNTED
    assert codes(text) == ["S001", "N101"]


def test_a_broken_item_silences_no_other():
    text = (
        "CREATE OR REFRESH STREAMING TABLE t (\n"
        "  CONSTRAINT odd EXPECT (a > 0 AND),\n"
        "  CONSTRAINT rule_2 EXPECT (b = NULL)\n"
        ") AS SELECT * FROM STREAM s;\n"
    )
    assert codes(text) == ["S001", "N101", "P301"]


def test_expectations_are_counted_with_what_could_not_be_judged():
    text = (
        "CREATE OR REFRESH STREAMING TABLE t (\n"
        "  CONSTRAINT odd EXPECT (a > 0 AND),\n"
        "  CONSTRAINT paid EXPECT (b > 0)\n"
        ") AS SELECT * FROM STREAM s;\n"
        "SELECT 1;\n"
    )
    result = run(text)
    assert (result.statements, result.expectations, result.checked) == (2, 2, 1)
    (skipped,) = result.not_analysed
    assert (skipped.dataset, skipped.constraint) == ("default.t", "odd")
    assert skipped.reason == "its predicate does not parse"


def test_counts_of_clean_text_add_up():
    result = run(GOOD, GOOD.replace("TABLE t", "TABLE u"))
    assert (result.statements, result.expectations, result.checked) == (2, 2, 2)
    assert (result.broken, result.suppressed, result.not_analysed) == (0, 0, ())
    assert set(result.by_severity.values()) == {0}
    assert [each.path for each in result.files] == ["file_1.sql", "file_2.sql"]


def test_faults_of_the_whole_pipeline_stand_in_their_file():
    result = run(GOOD, GOOD)
    assert [len(each.diagnostics) for each in result.files] == [0, 1]
    (found,) = result.diagnostics
    assert (found.name, found.related[0].path) == ("duplicate-dataset", "file_1.sql")


def test_an_unselected_fault_is_not_shown():
    text = under("a > 0", action=" ON VIOLATION FAIL PIPELINE")
    assert codes(text) == ["S003"]
    assert codes(text, settings=LintSettings(ignore=("S",))) == []


def test_a_configured_severity_is_the_one_shown():
    settings = LintSettings(severities={"counter-name": Severity.INFO})
    assert [each.severity for each in check(COUNTED, settings=settings)] == [Severity.INFO]


def test_placeholders_are_judged_as_unknown_values():
    text = under("a > ${limit} AND upper(:b) = '${x}'")
    result = run(text)
    assert result.diagnostics == ()
    assert result.checked == 1


@pytest.mark.parametrize("text", ["", "\n", "-- nothing\n", ";;;"])
def test_text_without_statements_is_clean(text):
    result = run(text)
    assert (result.diagnostics, result.statements) == ((), 0)


def test_a_text_that_ends_in_comment_lines_is_read():
    assert run("SELECT 1 -- one\n-- two\n").statements == 1


def test_no_files_give_an_empty_result():
    assert run().files == ()


# ---------------------------------------------------------------- fingerprints


def prints(*texts: str) -> list[str]:
    return [each.fingerprint for each in check(*texts)]


def test_a_fingerprint_survives_a_move():
    assert prints("\n\n-- moved\n" + COUNTED) == prints(COUNTED)
    assert prints(GOOD.replace("TABLE t", "TABLE u") + COUNTED) == prints(COUNTED)


def test_a_fingerprint_survives_another_layout_of_the_predicate():
    assert prints(under("A>0", name="rule_1")) == prints(COUNTED)


@pytest.mark.parametrize(
    "other",
    [
        under("a > 1", name="rule_1"),
        under("a > 0", name="rule_2"),
        COUNTED.replace("TABLE t", "TABLE u"),
    ],
)
def test_a_fingerprint_tells_findings_apart(other):
    assert prints(other) != prints(COUNTED)


def test_equal_findings_have_fingerprints_of_their_own():
    marks = prints(under("lenght(a) > 0 AND lenght(a) > 0"))
    assert len(set(marks)) == len(marks) == 2


# ---------------------------------------------------------------- walking


def test_children_are_all_nodes_under_a_node():
    text = under("CASE WHEN a IN (1, 2) THEN f(b, x -> x > 0) ELSE c[0].d END")
    (statement,) = parse(SourceFile(path="p", text=text)).statements
    kinds = {type(each).__name__ for each in descendants(statement)}
    assert {"ExpectClause", "Case", "InList", "Lambda", "Subscript", "Name", "Query"} <= kinds


def test_every_field_that_holds_nodes_is_walked():
    for kind in vars(nodes).values():
        if isinstance(kind, type) and issubclass(kind, nodes.Node):
            spans = [name for name in node_fields(kind) if name.endswith("span")]
            assert spans == []
    assert list(node_fields(nodes.Case)) == ["operand", "branches", "otherwise"]
    assert not node_fields(nodes.SetStatement)
    assert "faults" not in node_fields(nodes.CreateDataset)


def test_nodes_of_a_wanted_kind_are_found_wherever_they_stand(monkeypatch: pytest.MonkeyPatch):
    text = under(
        "CASE WHEN a IN (1, 2) AND b IS NULL THEN f(c, x -> x > 0) ELSE CAST(c[0].d AS INT) END"
    )
    pipeline = bind([parse(SourceFile(path="p", text=text))], BindSettings())
    (statement,) = pipeline.files[0].statements
    everything = list(descendants(statement))
    one = engine._Run(Scope(pipeline, LintSettings()))
    for kind in {type(each) for each in everything}:
        monkeypatch.setattr(one, "wanted", frozenset({kind.__name__}))
        one.plans.clear()
        visits: engine.Visits = {}
        one.collect(statement, one.context(pipeline.files[0].source, statement), visits)
        found = [node for node, _ in visits.get(kind.__name__, [])]
        expected = [each for each in everything if type(each) is kind]
        assert sorted(found, key=id) == sorted(expected, key=id)


def test_an_absent_child_is_no_child():
    text = under("CASE WHEN a THEN b END")
    (statement,) = parse(SourceFile(path="p", text=text)).statements
    case = next(each for each in descendants(statement) if isinstance(each, nodes.Case))
    assert len(list(children(case))) == 1


# ---------------------------------------------------------------- imports


def imported(text: str) -> set[str]:
    """Return the rule modules that a fresh interpreter imports for a text."""
    code = (
        "import sys; from checking import check; check(sys.argv[1]);"
        "print(*(m for m in sys.modules if m.startswith('tidegate.linter.rules.')))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, text],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": f"{ROOT}:{Path(__file__).parent}"},
    )
    return {name.rpartition(".")[2] for name in done.stdout.split()}


def test_only_rules_that_can_fire_are_imported():
    assert imported("SELECT 1") == set()
    assert imported(GOOD) == {"counter_name", "volatile_name"}
    assert "null_comparison" in imported(under("a = NULL"))
    assert "null_comparison" not in imported(under("a = 1"))


def test_every_rule_is_in_the_index():
    files = {path.stem for path in (ROOT / "tidegate" / "linter" / "rules").glob("[a-z]*.py")}
    names = {entry.name.replace("-", "_") for entry in entries().values()}
    assert files <= names


def test_what_stands_in_a_statement_that_is_not_read_is_counted_as_not_analysed():
    text = (
        "CREATE SINK f (CONSTRAINT rule_1 EXPECT (x = NULL)) AS SELECT 1;\nGRANT SELECT ON t TO u"
    )
    result = run(text)
    assert result.diagnostics == ()
    assert (result.expectations, result.checked, result.other) == (1, 0, 2)
    (left,) = result.not_analysed
    assert left.constraint == "rule_1"
    assert left.reason == "its statement (`CREATE SINK`) is of a form that is not read"


def test_a_fault_in_a_predicate_names_its_expectation_and_its_dataset_in_full():
    text = under("a == > 3") + under("a = 1 &&& b", name="joined").replace(" t ", " u ")
    result = run(text)
    named = [(each.dataset, each.constraint) for each in result.diagnostics if each.code != "G101"]
    assert named == [("default.t", "told"), ("default.u", "joined")]
    assert [(each.dataset, each.constraint) for each in result.not_analysed] == named
