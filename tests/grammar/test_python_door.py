"""Datasets that Python decorators make: names, rules and places, without running anything."""

import json
import tracemalloc

import pytest
from python_sources import named, read, rules, under

from tidegate.grammar.nodes import (
    CreateDataset,
    ObjectKind,
    OtherStatement,
    expectations_of,
    kind_of,
)
from tidegate.source.diagnostic import Severity
from tidegate.source.edit import Safety

TABLE = "@dlt.table\n{}\ndef t(): return spark.read.table('x')\n"
DROP, FAIL = "DROP ROW", "FAIL UPDATE"


def told(decorator: str, before: str = "") -> list[tuple[str | None, str, str | None]]:
    """Return the rules of one table with one decorator."""
    return rules(read(f"import dlt\n{before}\n{TABLE.format(decorator)}"))["t"]


@pytest.mark.parametrize(
    ("imports", "prefix"),
    [
        ("import dlt", "dlt."),
        ("import dlt as d", "d."),
        ("from pyspark import pipelines as dp", "dp."),
        ("from pyspark import pipelines", "pipelines."),
        ("import pyspark.pipelines as sdp", "sdp."),
        ("from dlt import table, expect, expect_or_drop", ""),
        ("try:\n    import dlt\nexcept ImportError:\n    dlt = None", "dlt."),
    ],
)
def test_decorators_are_known_by_their_module(imports: str, prefix: str):
    text = f"""
{imports}
@{prefix}table
@{prefix}expect("a", "x > 0")
@{prefix}expect_or_drop("b", "y > 0")
def t(): ...
"""
    assert rules(read(text)) == {"t": [("a", "x > 0", None), ("b", "y > 0", DROP)]}


@pytest.mark.parametrize(
    ("decorator", "found"),
    [
        ('@dlt.expect("a", "x")', [("a", "x", None)]),
        ('@dlt.expect_or_drop("a", "x")', [("a", "x", DROP)]),
        ('@dlt.expect_or_fail("a", "x")', [("a", "x", FAIL)]),
        ('@dlt.expect_all({"a": "x", "b": "y"})', [("a", "x", None), ("b", "y", None)]),
        ('@dlt.expect_all_or_drop({"a": "x"})', [("a", "x", DROP)]),
        ('@dlt.expect_all_or_fail({"a": "x"})', [("a", "x", FAIL)]),
        ('@dlt.expect(name="a", condition="x")', [("a", "x", None)]),
        ('@dlt.expect("a", """x\n  AND y""")', [("a", "x\n  AND y", None)]),
        ('@dlt.expect("a", "x" " AND y")', [("a", "x AND y", None)]),
        ('@dlt.expect("a", "x" + " AND y")', [("a", "x AND y", None)]),
        ("@dlt.expect('it\\'s \\u00e9', r'a RLIKE \"\\d\"')", [("it's é", 'a RLIKE "\\d"', None)]),
        ('@dlt.expect_all({"k": "x", "k": "y"})', [("k", "x", None), ("k", "y", None)]),
        ('@dlt.expect("a", "x")\n@dlt.expect("b", "y")', [("a", "x", None), ("b", "y", None)]),
    ],
)
def test_rules_are_read_as_they_are_written(
    decorator: str, found: list[tuple[str | None, str, str | None]]
):
    assert told(decorator) == found


@pytest.mark.parametrize(
    ("before", "argument", "found"),
    [
        ('R = {"a": "x"}', "R", [("a", "x")]),
        ('R = {"a": "x"}\nR["b"] = "y"', "R", [("a", "x"), ("b", "y")]),
        ('R = {"a": "x"}\nR.update({"b": "y"})', "R", [("a", "x"), ("b", "y")]),
        ('A = "x"\nR = dict(a=A, b="y")', "R", [("a", "x"), ("b", "y")]),
        ('R = {"a": "x"}', '{**R, "b": "y"}', [("a", "x"), ("b", "y")]),
        ('R = {"a": "x"}', 'R | {"a": "z"}', [("a", "z")]),
        ("C = ['i', 'j']", '{f"{c}_ok": f"{c} > 0" for c in C}', [("i_ok", "i > 0"),
                                                                 ("j_ok", "j > 0")]),
        ("", '{c + "_ok": c + " > 0" for c in ("i",)}', [("i_ok", "i > 0")]),
        ("", '{n: p for n, p in [("a", "x"), ("b", "y")]}', [("a", "x"), ("b", "y")]),
        ("", '{n: p for n, p in zip(["a"], ["x"])}', [("a", "x")]),
        ("", '{f"a{i}": f"x{i}" for i in range(2)}', [("a0", "x0"), ("a1", "x1")]),
        ("R = {'a': 'x', 'b': 'y'}", '{k: v for k, v in R.items() if k != "a"}', [("b", "y")]),
        ("C = ['i', 'j']", '{"all": " AND ".join(f"{c} > 0" for c in C)}',
         [("all", "i > 0 AND j > 0")]),
        ("", '{"a": "{} > {}".format("x", 1)}', [("a", "x > 1")]),
        ("", '{"a": "%s > 1" % "x"}', [("a", "x > 1")]),
        ("", '{"a": "X".lower()}', [("a", "x")]),
        ('class K:\n    R = {"a": "x"}', "K.R", [("a", "x")]),
        ('def rules():\n    return {"a": "x"}', "rules()", [("a", "x")]),
        ('ALL = {"t": {"a": "x"}}', 'ALL["t"]', [("a", "x")]),
    ],
)  # fmt: skip
def test_constants_are_worked_out(before: str, argument: str, found: list[tuple[str, str]]):
    assert [each[:2] for each in told(f"@dlt.expect_all({argument})", before)] == found


@pytest.mark.parametrize(
    ("before", "argument", "reason"),
    [
        ("", 'rules_for(spark.read.table("x").columns)',
         '`rules_for(spark.read.table("x").columns)` is not a constant'),
        ("from rules import R", "R", "`R` is imported from `rules`"),
        ("", "R", "`R` is not defined in this file"),
        ("if x:\n    R = {}\nelse:\n    R = {'a': 'x'}", "R", "what `R` is depends on a condition"),
        ("R = {}\nR.pop('a')", "R", "`R` is changed in a way that is not followed"),
        ("", "{c: c for c in spark.catalog.listTables()}",
         "`{c: c for c in spark.catalog.listTables()}` is not a constant"),
    ],
)  # fmt: skip
def test_what_only_a_run_could_tell_is_not_guessed(before: str, argument: str, reason: str):
    (found,) = told(f"@dlt.expect_all({argument})", before)
    assert found == (None, f"it is not statically known: {reason}", None)


def test_a_rule_whose_condition_alone_is_unknown_keeps_its_name():
    assert told('@dlt.expect_or_drop("a", f"x > {limit()}")') == [
        ("a", "it is not statically known: `limit()` is not a constant", DROP)
    ]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ('@dlt.table(name="n", comment="c")\ndef f(): ...', ["n"]),
        ("@dlt.table\ndef f(): ...", ["f"]),
        ("@dlt.table()\nasync def f(): ...", ["f"]),
        ('@dlt.expect("a", "x")\n@dlt.table\ndef f(): ...', ["f"]),
        ('N = "n"\n@dlt.table(name=N)\ndef f(): ...', ["n"]),
        ('for n in ("a", "b"):\n    @dlt.table(name=f"t_{n}")\n    def f(): ...', ["t_a", "t_b"]),
        ('def make(n):\n    @dlt.table(name=n)\n    def f(): ...\nmake("a")\nmake(n="b")',
         ["a", "b"]),
        ('dlt.create_streaming_table("s")', ["s"]),
        ('dlt.create_streaming_table(name="c.s.t")', ["c.s.t"]),
        ('def f(): ...\ndlt.table(name="n")(dlt.expect("a", "x")(f))', ["n"]),
        ("class K:\n    @dlt.view\n    def f(self): ...", ["f"]),
        ("if spark:\n    @dlt.table\n    def f(): ...", ["f"]),
        ("@dlt.append_flow(target='t')\ndef f(): ...", []),
        ("@other.table\ndef f(): ...", []),
    ],
)  # fmt: skip
def test_datasets_are_named(text: str, names: list[str]):
    assert [named(each) for each in read(f"import dlt\n{text}").statements] == names


@pytest.mark.parametrize(
    ("decorator", "body", "kind"),
    [
        ("table", "spark.readStream.table('x')", "streaming_table"),
        ("table", "dlt.read_stream('x')", "streaming_table"),
        ("table", "spark.sql('SELECT * FROM STREAM(x)')", "streaming_table"),
        ("table", "spark.read.table('x')", "materialized_view"),
        ("table", "dlt.read('x')", "materialized_view"),
        ("table", "load('x')", "table"),
        ("materialized_view", "load('x')", "materialized_view"),
        ("view", "load('x')", "temporary_view"),
        ("temporary_view", "load('x')", "temporary_view"),
    ],
)
def test_a_function_is_what_it_reads(decorator: str, body: str, kind: str):
    parsed = read(f"import dlt\n@dlt.{decorator}\ndef t():\n    return {body}\n")
    (dataset,) = [each for each in parsed.statements if isinstance(each, CreateDataset)]
    assert kind_of(dataset).value == kind
    assert dataset.in_python


@pytest.mark.parametrize(
    ("call", "reads"),
    [
        ("dlt.read('a')", [("a", False)]),
        ("dlt.read_stream('a').join(dlt.read('c.s.b'))", [("a", True), ("c.s.b", False)]),
        ("spark.read.format('delta').table('a')", [("a", False)]),
        ("spark.readStream.option('x', 1).table('a')", [("a", True)]),
        ("spark.table('a')", [("a", False)]),
        ("spark.read.table(name)", []),
        ("spark.read.json('a')", []),
    ],
)
def test_what_a_function_reads_by_name_is_known(call: str, reads: list[tuple[str, bool]]):
    parsed = read(f"import dlt\n@dlt.table\ndef t():\n    return {call}\n")
    (dataset,) = parsed.statements
    assert isinstance(dataset, CreateDataset)
    found = sorted((each.name.text, each.streaming) for each in dataset.reads)
    assert found == sorted(reads)


def test_arguments_of_an_empty_table_are_its_rules():
    parsed = read("""
        import dlt
        dlt.create_streaming_table("s", expect_all={"a": "x"}, expect_all_or_drop={"b": "y"},
                                   expect_all_or_fail=dict(c="z"))
        """)
    assert rules(parsed) == {"s": [("a", "x", None), ("b", "y", DROP), ("c", "z", FAIL)]}


def test_spans_are_those_of_the_characters_in_the_strings():
    text = """
        import dlt
        R = {"näme": "a = 'x\\'' AND b"}
        @dlt.table(name="n")
        @dlt.expect_all_or_drop(R)
        def t():
            return 1
        """
    parsed = read(text)
    (dataset,) = parsed.statements
    (clause,) = expectations_of(dataset)
    assert clause.name is not None
    assert clause.action is not None
    assert under(parsed, clause.name.span) == "näme"
    assert under(parsed, clause.predicate_span) == "a = 'x\\'' AND b"
    assert under(parsed, clause.span) == '"näme": "a = \'x\\\'\' AND b"'
    assert under(parsed, clause.action.span) == "expect_all_or_drop"
    assert under(parsed, dataset.span).startswith("@dlt.table")
    assert under(parsed, dataset.span).endswith("return 1")


def test_a_fault_stands_on_the_character_in_the_string():
    parsed = read('import dlt\n@dlt.table\n@dlt.expect("a", "x >\\t> 1")\ndef t(): ...\n')
    (fault,) = parsed.statements[0].faults
    assert under(parsed, fault.span) == ">"
    assert parsed.source.place(fault.span).start == parsed.source.original.rindex("> 1")
    assert (fault.dataset, fault.constraint) == ("t", "a")


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ('dlt.expect("a", "x")', 'dlt.expect("a", "x")'),
        ('df = dlt.expect("a", "x")(spark.read.table("t"))', 'dlt.expect("a", "x")'),
        ('def f(df):\n    df = dlt.expect("a", "x")(df)\n    return df', 'dlt.expect("a", "x")'),
        ('@dlt.expect("a", "x")\ndef f(): ...', 'dlt.expect("a", "x")'),
        ('@dlt.expect("a", "x")\nclass F: ...', 'dlt.expect("a", "x")'),
        ('@dlt.expect("a", "x")\n', 'dlt.expect("a", "x")'),
        ('@dlt.append_flow(target="t")\n@dlt.expect("a", "x")\ndef f(): ...',
         'dlt.append_flow(target="t")'),
    ],
)  # fmt: skip
def test_a_rule_that_decorates_no_dataset_is_named(text: str, where: str):
    parsed = read(f"import dlt\n{text}\n")
    (lost,) = parsed.statements
    assert isinstance(lost, OtherStatement)
    (fault,) = lost.faults
    assert fault.name == "expectation-not-attached"
    assert under(parsed, fault.span) == where
    assert [each.unknown for each in lost.expectations] == ["it is attached to no dataset"]


@pytest.mark.parametrize(
    "text",
    [
        'def standard():\n    return dlt.expect("a", "x")',
        'def checked(f):\n    return dlt.expect("a", "x")(f)',
        'def checked(f):\n    f = dlt.expect("a", "x")(f)\n    return dlt.table(f)',
        'checked = dlt.expect("a", "x")',
        'make = lambda: dlt.expect("a", "x")',
    ],
)
def test_a_helper_that_makes_a_decorator_is_fine(text: str):
    assert read(f"import dlt\n{text}\n").statements == ()


def test_a_helper_brings_its_rules_where_it_is_used():
    parsed = read("""
        import dlt
        def standard(column):
            return dlt.expect_or_drop(f"{column}_given", f"{column} IS NOT NULL")
        @dlt.table
        @standard("id")
        def t(): ...
        """)
    assert rules(parsed) == {"t": [("id_given", "id IS NOT NULL", DROP)]}


def test_rules_below_a_decorator_from_elsewhere_are_kept():
    parsed = read("""
        import dlt
        from house import bronze_table
        @bronze_table
        @dlt.expect("a", "x")
        def t(): ...
        """)
    assert rules(parsed) == {"t": [("a", "x", None)]}


def test_an_expectation_function_that_does_not_exist_is_named():
    parsed = read('import dlt\n@dlt.table\n@dlt.expect_or_quarantine("a", "x")\ndef t(): ...\n')
    (fault,) = parsed.statements[0].faults
    assert fault.message == "`expect_or_quarantine` does not exist"
    assert under(parsed, fault.span) == "expect_or_quarantine"


def faults_of(text: str) -> list[tuple[str, str, str, str | None]]:
    """Return name, message, what is under it, and the fix's text of all faults of a program."""
    parsed = read(text)
    return [
        (
            fault.name,
            fault.message,
            under(parsed, fault.span),
            fault.fix.edits[0].text if fault.fix else None,
        )
        for statement in parsed.statements
        for fault in statement.faults
    ]


@pytest.mark.parametrize(
    ("written", "meant", "name"),
    [
        ("expct", "expect", "unknown-violation-action"),
        ("expect_or_dorp", "expect_or_drop", "unknown-violation-action"),
        ("expect_al_or_fail", "expect_all_or_fail", "unknown-violation-action"),
        ("tabel", "table", "syntax-error"),
        ("materialised_view", "materialized_view", "syntax-error"),
        ("apply_chagnes", "apply_changes", "syntax-error"),
    ],
)
def test_a_name_that_the_module_does_not_have_is_asked_about(written: str, meant: str, name: str):
    message = f"`{written}` does not exist; did you mean `{meant}`?"
    given = "({'a': 'x'})" if "all" in meant else "('a', 'x')"
    text = f"import dlt\n@dlt.table\n@dlt.{written}{given}\ndef t(): ...\n"
    assert faults_of(text) == [(name, message, written, meant)]
    text = f"from dlt import table, {written} as w\n@table\n@w{given}\ndef t(): ...\n"
    assert faults_of(text) == [(name, message, "w", None)]


@pytest.mark.parametrize("name", ["frobnicate", "tabel", "read_streams"])
def test_a_name_that_is_no_expectation_is_only_warned_about(name: str):
    parsed = read(f"import dlt\ndlt.{name}('a')\n")
    (fault,) = parsed.statements[0].faults
    assert fault.severity is Severity.WARNING
    assert under(parsed, fault.span) == name


@pytest.mark.parametrize("reader", ["read_stream", "readStream"])
def test_both_spellings_of_a_stream_are_known(reader: str):
    parsed = read(f"import dlt\n@dlt.table\ndef t():\n    return dlt.{reader}('s')\n")
    (statement,) = parsed.statements
    assert statement.faults == ()
    assert kind_of(statement) is ObjectKind.STREAMING_TABLE


@pytest.mark.parametrize(
    "text",
    [
        "import dlt\n@dlt.resource\ndef rows(): ...\ndlt.rnu(rows)\n",
        "from dlt.sources import rest\nimport dlt\ndlt.frobnicate()\n",
        "dp.frobnicate()",
        "def f(dp):\n    dp.tabel()",
        "dp = load()\ndp.tabel()",
        "import dlt\ndlt._private()\ndlt.version",
    ],
)
def test_names_of_other_things_are_left_alone(text: str):
    assert faults_of(text) == []


def test_expectations_of_a_misspelt_name_are_read_without_an_action():
    parsed = read("""
        import dlt
        @dlt.table
        @dlt.expect_or_dorp("a", "x")
        @dlt.expect_al({"b": "y"})
        @dlt.expect_all_or_quarantine({"c": "z"})
        def t(): ...
        """)
    assert rules(parsed) == {
        "t": [
            ("a", "x", "expect_or_dorp"),
            ("b", "y", "expect_al"),
            ("c", "z", "expect_all_or_quarantine"),
        ]
    }


def test_a_misspelt_dataset_is_one_all_the_same():
    parsed = read('import dlt\n@dlt.tabel(name="n")\n@dlt.expect("a", "x")\ndef t(): ...\n')
    assert rules(parsed) == {"n": [("a", "x", None)]}


@pytest.mark.parametrize(
    "text",
    [
        'def checked(f):\n    return dlt.expct("a", "x")(f)',
        'def make(n):\n    @dlt.tabel(name=n)\n    def f(): ...',
        "@dlt.append_flwo(target='t')\ndef f(): ...",
        "@dlt.table\n@dlt.expect_al({})\ndef f(): ...",
        "x = dlt.tabel(name='a')",
    ],
)  # fmt: skip
def test_a_misspelt_name_is_told_wherever_it_is_called(text: str):
    assert len(faults_of(f"import dlt\n{text}\n")) == 1


@pytest.mark.parametrize(
    ("decorator", "message", "where"),
    [
        ('expect("a")', "`expect` is called without a condition", 'dlt.expect("a")'),
        ("expect_or_drop()", "`expect_or_drop` is called without a name and a condition",
         "dlt.expect_or_drop()"),
        ("expect", "`expect` is called without a name and a condition", "dlt.expect"),
        ('expect(condition="x")', "`expect` is called without a name",
         'dlt.expect(condition="x")'),
        ('expect("a", "x", on="drop")', "`expect` has no argument `on`", 'on="drop"'),
        ('expect("a", "x", "drop")', "`expect` takes no more than 2 arguments", '"drop"'),
        ('expect("a", None)', "the condition of `expect` is None, not a string", "None"),
        ('expect({"a": "x"})', "`expect` takes a name and a condition, not a dictionary",
         '{"a": "x"}'),
        ('expect_all(["x"])',
         "`expect_all` takes a dictionary of names and conditions, not a list", '["x"]'),
        ('expect_all("a", "x")',
         "`expect_all` takes a dictionary of names and conditions, not a string", '"a"'),
        ("expect_all_or_fail()", "`expect_all_or_fail` is called without a dictionary",
         "dlt.expect_all_or_fail()"),
        ('expect_all({"a": "x"}, on=1)', "`expect_all` has no argument `on`", "on=1"),
        ('expect_all({"a": 5})', "the condition of `a` is a number, not a string", '{"a": 5}'),
    ],
)  # fmt: skip
def test_a_call_that_cannot_run_is_an_error(decorator: str, message: str, where: str):
    text = f"import dlt\n@dlt.table\n@dlt.{decorator}\ndef t(): ...\n"
    assert faults_of(text) == [("syntax-error", message, where, None)]


@pytest.mark.parametrize(
    "decorator",
    [
        "expect(*given)",
        'expect("a", **given)',
        "expect(given, given)",
        "expect_all(given)",
        "expect_all(**given)",
        "expect_all(*given)",
        'expect_all({"a": given})',
        'expect(description="a", condition="x")',
        'expect_all(expectations={"a": "x"})',
    ],
)
def test_a_call_that_may_run_is_none(decorator: str):
    text = f"import dlt\nfrom a import given\n@dlt.table\n@dlt.{decorator}\ndef t(): ...\n"
    assert faults_of(text) == []


def test_arguments_of_an_empty_table_are_dictionaries_or_none():
    text = (
        'import dlt\ndlt.create_streaming_table("s", expect_all=None, expect_all_or_drop=["a"])\n'
    )
    message = "`expect_all_or_drop` takes a dictionary of names and conditions, not a list"
    assert faults_of(text) == [("syntax-error", message, '["a"]', None)]


@pytest.mark.parametrize(
    ("condition", "name", "where", "reads"),
    [
        ("a = \u2018x\u2019", "smart-quotes", "\u2018x\u2019", "'x'"),
        ("col('x').isNotNull()", "dataframe-api-in-sql", "col('x')", "x IS NOT NULL"),
        ("(a > 0", "syntax-error", "(", None),
        ("f(a) > (b AND (c > 1", "syntax-error", "(", None),
        ("a > 0)", "syntax-error", ")", None),
        ("a > 0;", "syntax-error", ";", None),
        ("a > 0 ON VIOLATION DROP ROW", "clause-out-of-place", "ON VIOLATION DROP ROW", None),
    ],
)
def test_a_condition_is_judged_as_one_of_sql(
    condition: str, name: str, where: str, reads: str | None
):
    parsed = read(f'import dlt\n@dlt.table\n@dlt.expect("a", "{condition}")\ndef t(): ...\n')
    (dataset,) = parsed.statements
    (fault,) = dataset.faults
    assert (fault.name, fault.constraint, under(parsed, fault.span)) == (name, "a", where)
    (clause,) = expectations_of(dataset)
    assert (clause.predicate is not None) == (reads is not None)
    if reads is not None:
        assert fault.fix is not None
        assert fault.fix.safety is Safety.SAFE
        assert parsed.source.host_edits(fault.fix.edits) is not None


def test_the_parenthesis_that_is_not_closed_is_the_one_that_is_shown():
    parsed = read('import dlt\n@dlt.table\n@dlt.expect("a", "f(a) > (b + (c)")\ndef t(): ...\n')
    (fault,) = parsed.statements[0].faults
    assert fault.message == "the parenthesis opened here is never closed"
    assert parsed.source.place(fault.span).start == parsed.source.original.index("(b + (c)")


@pytest.mark.parametrize("module", ["dlt.", "dp.", ""])
def test_a_function_that_only_lacks_its_table_is_told_which(module: str):
    imported = "from dlt import expect\nimport dlt\nfrom pyspark import pipelines as dp"
    parsed = read(f'{imported}\n@{module}expect("a", "x")\ndef f(): ...\n')
    (fault,) = parsed.statements[0].faults
    assert fault.help == f"add `@{module}table` above"


def test_a_dataset_with_a_name_from_a_run_keeps_its_rules():
    parsed = read("""
        import dlt
        for n in spark.catalog.listTables():
            @dlt.table(name=n)
            @dlt.expect("a", "x")
            def t(): ...
        """)
    (dataset,) = parsed.statements
    assert isinstance(dataset, CreateDataset)
    assert [each.predicate is not None for each in expectations_of(dataset)] == [True]


@pytest.mark.parametrize(
    "text",
    [
        "import dlt\nx = " + "(" * 500 + ")" * 500,
        "import dlt\nx = " + "-" * 50_000 + "1",
        "import dlt\nx = spark" + ".a(1)" * 3_000,
        "import dlt\nx = " + "+".join("a" for _ in range(20_000)),
        "import dlt\ndef f(): f()\nf()",
        "import dlt\nx = {f'{a}{b}{c}': 'x' for a in range(999) for b in range(999)"
        " for c in range(999)}\n@dlt.table\n@dlt.expect_all(x)\ndef t(): ...",
        "import dlt\n" + "".join(f"{' ' * k}for i{k} in range(9):\n" for k in range(9))
        + " " * 9 + "x = 1\n@dlt.table\ndef t(): ...",
        "import dlt\x00",
    ],
    ids=["brackets", "signs", "chain", "sum", "recursion", "comprehension", "loops", "null"],
)  # fmt: skip
def test_nothing_takes_long_or_raises(text: str):
    read(text)


def test_steps_that_one_expression_takes_are_no_loss_for_the_next():
    parsed = read("""
        import dlt
        x = {f"{a}{b}": "x" for a in range(9999) for b in range(9999)}
        @dlt.table
        @dlt.expect("a", "x > 0")
        def t(): ...
        """)
    assert rules(parsed) == {"t": [("a", "x > 0", None)]}


def test_a_program_that_does_not_parse_says_where_and_keeps_the_rest():
    parsed = read("""
        import dlt
        @dlt.table
        @dlt.expect("a", "x")
        def t(): ...
        def broken(:
            pass
        @dlt.table
        def u(): ...
        spark.sql("SELECT 1")
        """)
    assert [named(each) for each in parsed.statements] == ["t", "u", "?"]
    (unread,) = parsed.unread
    assert unread.reason == "it is not valid Python: invalid syntax"
    assert unread.offset == parsed.source.original.index(":\n    pass")
    assert (unread.is_exact, unread.is_partial, unread.cell) == (True, True, None)


@pytest.mark.parametrize("table", ["**options", "**{'expect_all_or_drop': {'a': 'x'}}"])
def test_expectations_in_spread_arguments_are_not_lost(table: str):
    parsed = read(f"""
        import dlt
        options = {{"expect_all_or_drop": {{"a": "x"}}}}
        dlt.create_streaming_table("t", {table})
        """)
    assert rules(parsed) == {"t": [("a", "x", DROP)]}


@pytest.mark.parametrize(
    ("start", "doubled"),
    [
        ("'ab'", "x = x + x"),
        ("'ab'", "x += x"),
        ("'ab'", "x = f'{x}{x}'"),
        ("'ab'", "x = '{}{}'.format(x, x)"),
        ("'ab'", "x = '%s%s' % (x, x)"),
        ("'ab'", f"x = '{'%s' * 50}' % ({'x, ' * 50})"),
        ("'ab'", "x = x.replace('a', x)"),
        ("'ab'", "x = x.join([x, x])"),
        ("['ab']", "x = [*x, *x]"),
        ("['ab']", "x = x + x"),
        ("['ab']", "x.extend(x)"),
        ("['ab']", "x = list(x + x)"),
    ],
)
def test_what_doubles_itself_is_given_up_before_it_fills_the_memory(start: str, doubled: str):
    lines = f"x = {start}\n" + f"{doubled}\n" * 60
    tracemalloc.start()
    try:
        ((_, predicate, _),) = told('@dlt.expect("a", x)', lines)
        assert tracemalloc.get_traced_memory()[1] < 50_000_000
    finally:
        tracemalloc.stop()
    assert predicate.startswith("it is not statically known: ")


def test_a_return_outside_a_function_is_passed_over():
    parsed = read("""
        import dlt
        for x in (1, 2):
            return x
        return 1
        @dlt.table
        def t(): ...
        """)
    assert rules(parsed) == {"t": []}


def test_lines_that_only_a_notebook_knows_are_passed_over():
    lines = ["%pip install x", "!ls", "dlt.table?", "import dlt", "@dlt.table", "def t(): ..."]
    cells = {"cells": [{"cell_type": "code", "source": "\n".join(lines)}]}
    parsed = read(json.dumps(cells), "a.ipynb")
    assert (list(rules(parsed)), parsed.unread) == (["t"], ())


def test_a_broken_cell_costs_only_itself():
    sources = ["import dlt", "%pip install x\ndef broken(:", "@dlt.table\ndef t(): ..."]
    text = {"cell_type": "markdown", "source": "# About"}
    cells = {"cells": [text, *({"cell_type": "code", "source": each} for each in sources)]}
    parsed = read(json.dumps(cells), "a.ipynb")
    assert list(rules(parsed)) == ["t"]
    (unread,) = parsed.unread
    assert unread.reason == "it is not valid Python: invalid syntax"
    assert (unread.cell, unread.is_partial) == (3, True)
    assert parsed.source.original[unread.offset :].startswith(":")


@pytest.mark.parametrize(
    "change",
    [
        "del r['a']",
        "r['a'] += ' AND y'",
        "gone = r.pop('a')",
        "print(r.pop('a'))",
        "s = r\ns['b'] = 'y'",
        "s = r\ns.update({'b': 'y'})",
        "s = r\ns.pop('a')",
        "def add(s):\n    s['b'] = 'y'\nadd(r)",
        "def put():\n    global r\n    r = load()\nput()",
        "with load() as r:\n    pass",
        "with load() as (q, r):\n    pass",
        "try:\n    pass\nexcept ValueError as r:\n    pass",
        "match load():\n    case r:\n        pass",
        "n = {'r': r}\nr = n\nr['r']['a'] = 'z'\nr = r['r']",
        "class C: v = r\nC.v = load()\nr = C.v",
        "i = 0\nwhile load():\n    i += 1\n    r = {'a': f'x > {i}'}",
        "import r",
    ],
)
def test_what_is_changed_in_other_ways_is_not_guessed(change: str):
    found = told("@dlt.expect_all(r)", f"r = {{'a': 'x'}}\n{change}")
    assert found != [("a", "x", None)]


def test_what_a_loop_carries_on_is_not_guessed():
    parsed = read("""
        import dlt
        i = 0
        while more():
            i += 1
            @dlt.table(name="t")
            @dlt.expect("a", f"x > {i}")
            def t(): ...
        """)
    ((_, predicate, _),) = rules(parsed)["t"]
    assert predicate.startswith("it is not statically known")


@pytest.mark.parametrize(
    "change",
    [
        "s = r.copy()\ns['b'] = 'y'",
        "s = dict(r)\ns['b'] = 'y'",
        "s = {**r}\ns.pop('a')",
        "print(r.get('a'), r.items())",
        "def other(r):\n    r['b'] = 'y'\nother({})",
        "with load() as s:\n    pass",
    ],
)
def test_what_is_not_changed_stays_known(change: str):
    assert told("@dlt.expect_all(r)", f"r = {{'a': 'x'}}\n{change}") == [("a", "x", None)]
