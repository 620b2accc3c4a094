"""What was to be filled in: marks of templates, blanks, and what they leave readable."""

import time

import pytest

from tidegate.grammar.nodes import CreateDataset, ExpectClause, Placeholder, expectations_of
from tidegate.grammar.parser import ParsedFile, parse
from tidegate.source.diagnostic import Fault, Severity
from tidegate.source.text import SourceFile

LIST = "CREATE OR REFRESH STREAMING TABLE t (\n  {}\n) AS SELECT * FROM STREAM raw.t;"
TEMPLATE = """\
{{ config(tags=['it;s']) }}
CREATE OR REFRESH STREAMING TABLE {{ schema }}.t (
  {% for c in columns %}
  CONSTRAINT given_{{ c }} EXPECT ({{ c }} IS NOT NULL) ON VIOLATION DROP ROW
    {%- if not loop.last %},{% endif %}
  {% endfor %}
  {# it's a remark; #}
) AS SELECT '{{ var('day') }}' AS d FROM STREAM({{ ref("raw") }});
{% if full %}
CREATE MATERIALIZED VIEW v (CONSTRAINT x EXPECT (a > 0)) AS SELECT 1 AS a;
{% endif %}
"""


def parsed(text: str) -> ParsedFile:
    return parse(SourceFile(path="x.sql", text=text))


def faults(text: str) -> list[Fault]:
    file = parsed(text)
    return [*file.faults, *(fault for each in file.statements for fault in each.faults)]


def named(text: str) -> list[tuple[str, str]]:
    return [(each.name, text[each.span.start : each.span.end]) for each in faults(text)]


def clauses(text: str) -> list[ExpectClause]:
    return [each for statement in parsed(text).statements for each in expectations_of(statement)]


BLANKS = (
    "{c}", "{row.limit}", "{c!r}", "{n:.2f}", "{}", "%(low)s", "<FILL_IN>", "<fill in>",
    "<FILL-ME-IN>", "<TODO>", "<TABLE_NAME>", "<LIMIT>", "FILL_IN", "<YOUR CODE HERE>",
)  # fmt: skip


@pytest.mark.parametrize("blank", BLANKS)
def test_a_blank_is_an_operand_and_one_error_where_it_stands(blank):
    text = LIST.format(f"CONSTRAINT a EXPECT (x > {blank} AND y > 0) ON VIOLATION DROP ROW")
    assert named(text) == [("unrendered-template", blank)]
    (clause,) = clauses(text)
    assert (clause.name.text, clause.action.text) == ("a", "DROP ROW")
    assert clause.predicate is not None


def test_a_blank_may_be_a_whole_predicate():
    (clause,) = clauses(LIST.format("CONSTRAINT a EXPECT (<FILL_IN>) ON VIOLATION FAIL UPDATE"))
    assert isinstance(clause.predicate, Placeholder)
    assert clause.action.text == "FAIL UPDATE"


def test_a_blank_in_the_place_of_an_action_is_no_unknown_action():
    text = LIST.format("CONSTRAINT a EXPECT (x > 0) ON VIOLATION <FILL_IN>")
    assert named(text) == [("unrendered-template", "<FILL_IN>")]


def test_a_name_to_be_replaced_keeps_its_expectation():
    text = LIST.format("CONSTRAINT <CONSTRAINT_NAME> EXPECT (x > 0) ON VIOLATION DROP ROW")
    assert named(text) == [("unrendered-template", "<CONSTRAINT_NAME>")]
    assert len(clauses(text)) == 1


def test_a_forgotten_prefix_of_python_is_a_blank():
    text = LIST.format('CONSTRAINT a EXPECT (f"{c} > 0")')
    assert named(text) == [("unrendered-template", 'f"{c} > 0"')]


def test_a_whole_string_of_python_is_read_inside():
    text = 'f"""CREATE TEMPORARY VIEW {name} (CONSTRAINT a EXPECT (x > {n})) AS SELECT 1 AS x"""'
    assert [each for _, each in named(text)] == ['f"""', "{name}", "{n}"]
    assert len(clauses(text)) == 1


def test_a_blank_hides_no_mistake_of_another_expectation():
    text = LIST.format("CONSTRAINT a EXPECT ({c} > 0),\n  CONSTRAINT b EXPECT (x > )")
    assert [name for name, _ in named(text)] == ["unrendered-template", "syntax-error"]


def test_what_does_not_parse_because_of_a_blank_is_no_error_of_its_own():
    assert named("CREATE <FILL_IN>\nAS SELECT <FILL_IN> FROM x;") == [
        ("unrendered-template", "<FILL_IN>")
    ]


def test_what_stands_twice_in_an_expectation_is_named_once():
    text = LIST.format("CONSTRAINT a EXPECT ({c} > 0 AND {c} < 9), CONSTRAINT b EXPECT ({c} = 1)")
    assert len(faults(text)) == 2


def test_a_fault_names_the_expectation_it_stands_in():
    (fault,) = faults(LIST.format("CONSTRAINT a EXPECT ({c} > 0)"))
    assert (fault.dataset, fault.constraint) == ("t", "a")


@pytest.mark.parametrize(
    "text",
    [
        LIST.format("CONSTRAINT a EXPECT (x RLIKE '^[0-9]{3}$' AND y = '{name}' AND z = \"{n}\")"),
        LIST.format('CONSTRAINT a EXPECT (x = \'{"a": {"b": 1}}\') -- {c} <TODO>\n'),
        LIST.format("CONSTRAINT a EXPECT (x > ${low} AND ${high}) /* {c} {{ c }} */"),
        'CREATE FUNCTION f(x STRING) RETURNS STRING LANGUAGE PYTHON AS $$ return f"{x}" $$;',
        "-- MAGIC %md {{ x }} {% if y %}\nSELECT 1",
        LIST.format("a ARRAY<STRING>, b MAP <STRING, INT>, c ARRAY <INT>, d STRUCT<A: INT>"),
        LIST.format("a ARRAY /* of */ <STRING>, b ARRAY -- of\n <TIMESTAMP_NTZ>"),
        LIST.format("CONSTRAINT a EXPECT (LOW<HIGH AND LOW < MIDDLE AND MIDDLE <> HIGH AND 0<A)"),
        "CREATE VIEW v AS SELECT a % (b) AS s, todo, x < todo AS c, arr FROM t",
    ],
)
def test_braces_of_strings_comments_and_python_are_none(text):
    assert faults(text) == []
    assert not parsed(text).is_template


def test_a_template_has_one_note_and_is_read_as_far_as_it_can_be():
    file = parsed(TEMPLATE)
    assert file.is_template
    (fault,) = faults(TEMPLATE)
    assert (fault.name, fault.severity) == ("unrendered-template", Severity.INFO)
    assert fault.span.start == 0
    assert [file.source.slice(each.predicate_span) for each in clauses(TEMPLATE)] == [
        "{{ c }} IS NOT NULL",
        "a > 0",
    ]


def test_a_statement_without_marks_keeps_its_errors_in_a_template():
    view = "CREATE TEMPORARY VIEW v (CONSTRAINT a EXPECT (x > )) AS SELECT 1 AS x;"
    text = f"{{% if x %}}\n{view}\n{{% endif %}}"
    assert [each.name for each in faults(text)] == ["unrendered-template", "syntax-error"]


def test_a_template_keeps_the_mistakes_that_no_value_can_mend():
    text = "CREATE TEMPORARY VIEW {{ v }} (CONSTRAINT c EXPECT (a = '{{ x }}') ON VIOLATION DROP)"
    names = [each.name for each in faults(f"{text} AS SELECT 1 AS a;")]
    assert names == ["unrendered-template", "unknown-violation-action"]


NOTEBOOK = """\
# Databricks notebook source
# MAGIC %sql
# MAGIC CREATE TEMPORARY VIEW v (CONSTRAINT a EXPECT (<FILL_IN> AND {c} > 0)) AS SELECT 1 AS a
# COMMAND ----------
spark.sql("CREATE TEMPORARY VIEW w (CONSTRAINT b EXPECT (x > {low})) AS SELECT <TODO> FROM {df}")
# COMMAND ----------
import dlt
@dlt.table
@dlt.expect("c", "{c} IS NOT NULL")
def t():
    return None
"""


def test_blanks_of_a_notebook_are_named_but_what_a_call_fills_in():
    file = parse(SourceFile(path="x.py", text=NOTEBOOK))
    found = [fault for each in file.statements for fault in each.faults]
    places = [file.source.place(each.span) for each in found]
    named = [NOTEBOOK[place.start : place.end] for place in places]
    assert named == ["<FILL_IN>", "{c}", "<TODO>", "{c}"]
    assert {each.name for each in found} == {"unrendered-template"}


@pytest.mark.parametrize("text", [TEMPLATE, LIST.format("CONSTRAINT {c}_ok EXPECT (<TODO>)")])
def test_positions_are_those_of_the_file(text):
    file = parsed(text)
    assert len(file.source.text) == len(text)
    assert file.source.original == text
    spans = [each.span for statement in file.statements for each in expectations_of(statement)]
    assert spans
    assert [file.source.place(span) for span in spans] == spans
    assert all(text[span.start :].startswith("CONSTRAINT") for span in spans)


@pytest.mark.parametrize("mark", ["{{ x ", "{% a ", "{# ", "'{{ ", "{a[", 'f" {', "$$ {a", "{{x}}"])
def test_many_marks_take_time_in_proportion(mark):
    text = mark * (300_000 // len(mark))
    start = time.process_time()
    parsed(text)
    assert time.process_time() - start < 3


@pytest.mark.parametrize(
    "head",
    [
        "{{ config(materialized='table') }}\n\n",
        "{{ config(materialized='table') }} ",
        "{{\n  config(\n    materialized='table'\n  )\n}}\n",
        "/* head */ {{ config(a='b') }}\n-- why\n",
        "{{ config(a='b') }}\n/* why,\n   in two lines */\n",
        "{{ config(a='b') }}\n{{ log('made') }}\n",
        "{{ config(a='b') }} {{ log('made') }}\n",
        "{{- config(a='b') -}}\n{% set x = 1 %}\n{# why #}\n",
        "SET x = 1; {{ config(a='b') }}\n",
    ],
)
def test_calls_before_a_statement_are_passed_over(head):
    text = f"{head}CREATE MATERIALIZED VIEW t (CONSTRAINT c EXPECT (a > 0)) AS SELECT a FROM s;\n"
    made = parsed(text).statements[-1]
    assert isinstance(made, CreateDataset)
    assert len(expectations_of(made)) == 1


def test_a_value_that_stands_for_something_is_no_call():
    text = "CREATE VIEW t AS SELECT a FROM\n{{ ref('s') }}\n;\nCREATE VIEW v AS SELECT 1;"
    assert [type(each) for each in parsed(text).statements] == [CreateDataset, CreateDataset]
