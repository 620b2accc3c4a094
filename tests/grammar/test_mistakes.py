"""What people really write: each mistake has its name, its place, its way out, and no company."""

import pytest

from tidegate.grammar.nodes import BrokenStatement, CreateDataset, Statement, expectations_of
from tidegate.grammar.parser import parse
from tidegate.source.diagnostic import Fault
from tidegate.source.edit import Safety, apply_edits
from tidegate.source.text import SourceFile

SAFE, UNSAFE = Safety.SAFE, Safety.UNSAFE
HEAD = "CREATE OR REFRESH STREAMING TABLE t "
TAIL = " AS SELECT * FROM STREAM s"


def statement_of(text: str) -> Statement:
    (statement,) = parse(SourceFile(path="x.sql", text=text)).statements
    return statement


def located(text: str, offset: int) -> tuple[int, int]:
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)


def only_fault(text: str) -> Fault:
    (fault,) = statement_of(text).faults
    return fault


def kept(text: str) -> list[tuple[str | None, str, str | None]]:
    return [
        (
            clause.name.text if clause.name else None,
            text[clause.predicate_span.start : clause.predicate_span.end],
            clause.action.text if clause.action else None,
        )
        for clause in expectations_of(statement_of(text))
    ]


# The item on line 3 between two that are well, its column there, and how safe the fix is.
ITEMS = [
    ("missing-expect-keyword", "CONSTRAINT a (x > 0) ON VIOLATION DROP ROW", 16, SAFE),
    ("missing-expect-keyword", "CONSTRAINT a (x > 0)", 16, UNSAFE),
    ("missing-expect-keyword", "CONSTRAINT a x > 0 ON VIOLATION DROP ROW", 16, SAFE),
    ("unknown-violation-action", "CONSTRAINT a EXPECT (x > 0) ON VIOLATION DROP", 44, SAFE),
    ("unknown-violation-action", "CONSTRAINT a EXPECT (x > 0) ON VIOLATION DROP ROWS", 44, SAFE),
    ("unknown-violation-action", "CONSTRAINT a EXPECT (x > 0) ON VIOLATION DROP RECORD", 44, SAFE),
    ("unknown-violation-action", "CONSTRAINT a EXPECT (x > 0) ON VIOLATION FAIL", 44, SAFE),
    (
        "unknown-violation-action",
        "CONSTRAINT a EXPECT (x > 0) ON VIOLATION FAIL PIPELINE",
        44,
        SAFE,
    ),
    ("unknown-violation-action", "CONSTRAINT a EXPECT (x > 0) ON VIOLATION STOP", 44, SAFE),
    ("unknown-violation-action", "CONSTRAINT a EXPECT (x > 0) ON VIOLATION ABORT", 44, SAFE),
    ("unknown-violation-action", "CONSTRAINT a EXPECT (x > 0) ON VIOLATION WARN", 44, SAFE),
    ("unknown-violation-action", "CONSTRAINT a EXPECT (x > 0) ON VIOLATION LOG", 44, SAFE),
    ("unknown-violation-action", "CONSTRAINT a EXPECT (x > 0) ON VIOLATION KEEP", 44, SAFE),
    ("unknown-violation-action", "CONSTRAINT a EXPECT (x > 0) ON VIOLATION IGNORE", 44, SAFE),
    ("unknown-violation-action", "CONSTRAINT a EXPECT (x > 0) ON VIOLATION QUARANTINE", 44, None),
    ("unknown-violation-action", "CONSTRAINT a EXPECT (x > 0) ON VIOLATION DORP ROW", 44, SAFE),
    ("unknown-violation-action", "CONSTRAINT a EXPECT (x > 0) ON VIOLATION 'DROP ROW'", 44, SAFE),
    ("check-instead-of-expect", "CONSTRAINT a CHECK (x > 0) ON VIOLATION DROP ROW", 16, SAFE),
    ("unparenthesised-expectation", "CONSTRAINT a EXPECT x > 0 ON VIOLATION DROP ROW", 23, SAFE),
    ("unparenthesised-expectation", "CONSTRAINT a EXPECT x > 0", 23, SAFE),
    ("unparenthesised-expectation", "CONSTRAINT a EXPECT (x) > 0", 23, SAFE),
    ("clause-out-of-place", "CONSTRAINT a EXPECT (x > 0 ON VIOLATION DROP ROW)", 30, SAFE),
    ("clause-out-of-place", "CONSTRAINT a ON VIOLATION DROP ROW EXPECT (x > 0)", 16, SAFE),
    ("missing-constraint-name", "CONSTRAINT EXPECT (x > 0)", 14, None),
    ("missing-constraint-name", "EXPECT (x > 0)", 3, None),
    ("missing-constraint-name", "EXPECT a (x > 0)", 10, SAFE),
    ("missing-or-extra-comma", "CONSTRAINT a EXPECT (x > 0), ON VIOLATION DROP ROW", 30, SAFE),
    ("missing-or-extra-comma", "CONSTRAINT a, EXPECT (x > 0)", 15, SAFE),
    ("missing-or-extra-comma", "CONSTRAINT a EXPECT (x > 0),", 31, SAFE),
    ("missing-or-extra-comma", "y INT CONSTRAINT a EXPECT (x > 0)", 8, SAFE),
    (
        "duplicate-or-conflicting-clause",
        "CONSTRAINT a EXPECT (x > 0) ON VIOLATION DROP ROW ON VIOLATION FAIL UPDATE",
        53,
        None,
    ),
    ("smart-quotes", "CONSTRAINT a EXPECT (x <> \u2018\u2019)", 29, SAFE),
    ("smart-quotes", "CONSTRAINT a EXPECT (x > \u20135)", 28, SAFE),
    ("smart-quotes", "CONSTRAINT a EXPECT (a\u200bx > 5)", 25, SAFE),
    ("dataframe-api-in-sql", 'CONSTRAINT a EXPECT (col("x") > 0 && y > 1)', 24, SAFE),
    ("dataframe-api-in-sql", "CONSTRAINT a EXPECT (F.col('x') > 0)", 24, SAFE),
    ("dataframe-api-in-sql", "CONSTRAINT a EXPECT (x > lit(5))", 28, SAFE),
    ("dataframe-api-in-sql", "CONSTRAINT a EXPECT (x.isNotNull())", 25, SAFE),
    ("dataframe-api-in-sql", "CONSTRAINT a EXPECT (x.isin('a', 'b'))", 25, SAFE),
    ("dataframe-api-in-sql", "CONSTRAINT a EXPECT (x != None)", 29, SAFE),
    ("dataframe-api-in-sql", "CONSTRAINT a EXPECT (x = 1 & y = 2)", 30, SAFE),
    ("dataframe-api-in-sql", "CONSTRAINT a EXPECT ((x = 1) | (y = 2))", 32, SAFE),
    ("syntax-error", "CONSTRAINT a EXPCT (x > 0)", 16, UNSAFE),
    ("syntax-error", "CONSTRIANT a EXPECT (x > 0)", 3, UNSAFE),
    ("syntax-error", "CONSTRAINT a EXPECT (x > 0) ON VOILATION DROP ROW", 34, UNSAFE),
    ("syntax-error", "CONSTRAINT a EXPECT (x > 0) ON DROP ROW", 34, UNSAFE),
    ("syntax-error", "CONSTRAINT a EXPECT (x > 0) DROP ROW", 31, UNSAFE),
    ("syntax-error", "CONSTRAINT my-rule EXPECT (x > 0)", 14, SAFE),
    ("syntax-error", "CONSTRAINT 'my rule' EXPECT (x > 0)", 14, SAFE),
    ("syntax-error", "CONSTRAINT a EXPECT OR DROP (x > 0)", 23, UNSAFE),
    ("syntax-error", "a EXPECT (x > 0)", 3, UNSAFE),
    ("syntax-error", "CONSTRAINT a EXPECT (x > (0) ON VIOLATION DROP ROW", 23, None),
    ("syntax-error", "CONSTRAINT a EXPECT (x > 0)) ON VIOLATION DROP ROW", 30, None),
    ("syntax-error", "CONSTRAINT a EXPECT (x = 'y) ON VIOLATION DROP ROW", 28, None),
    ("syntax-error", "CONSTRAINT a EXPECT (gr\u00f6\u00dfe > 0)", 24, SAFE),
]


@pytest.mark.parametrize(
    ("name", "item", "column", "safety"), ITEMS, ids=[f"{one[0]}: {one[1]}" for one in ITEMS]
)
def test_a_mistake_in_an_item_has_its_name_and_place(
    name: str, item: str, column: int, safety: Safety | None
):
    text = (
        f"{HEAD}(\n  CONSTRAINT first EXPECT (f = 'v'),\n  {item},\n"
        f"  CONSTRAINT last EXPECT (l > 0) ON VIOLATION DROP ROW\n){TAIL}"
    )
    fault = only_fault(text)
    assert (fault.name, located(text, fault.span.start)) == (name, (3, column))
    assert isinstance(statement_of(text), CreateDataset)
    assert [kept(text)[0], kept(text)[-1], len(kept(text))] == [
        ("first", "f = 'v'", None),
        ("last", "l > 0", "DROP ROW"),
        3,
    ]
    assert (fault.fix.safety if fault.fix else None) is safety
    if fault.fix:
        assert statement_of(apply_edits(text, fault.fix.edits)).faults == ()


RULE = "CONSTRAINT a EXPECT (x > 0)"
# The place of the mistake is marked by @.
SHELLS = [
    ("syntax-error", f"@CRAETE OR REFRESH STREAMING TABLE t ({RULE}){TAIL}", UNSAFE),
    ("syntax-error", f"CREATE OR @REFERSH STREAMING TABLE t ({RULE}){TAIL}", UNSAFE),
    ("syntax-error", f"CREATE OR REFRESH @STREMING TABLE t ({RULE}){TAIL}", UNSAFE),
    ("syntax-error", f"CREATE OR REFRESH STREAMING @TABEL t ({RULE}){TAIL}", UNSAFE),
    ("syntax-error", f"CREATE @MATERIALISED VIEW t ({RULE}) AS SELECT 1", UNSAFE),
    ("syntax-error", f"CREATE @REFRESH STREAMING TABLE t ({RULE}){TAIL}", UNSAFE),
    ("syntax-error", f"{HEAD}({RULE}) @COMENT 'x'{TAIL}", UNSAFE),
    ("syntax-error", f"{HEAD}({RULE}) @TBLPROPERTES ('a' = 'b'){TAIL}", UNSAFE),
    ("syntax-error", f"{HEAD}({RULE}) @PARTITIOND BY (x){TAIL}", UNSAFE),
    ("syntax-error", f"{HEAD}({RULE}) @PARTITION BY (x){TAIL}", UNSAFE),
    ("syntax-error", f"{HEAD}({RULE}) CLUSTER BY @x, y{TAIL}", UNSAFE),
    ("syntax-error", f"{HEAD}({RULE}) COMMENT @= 'x'{TAIL}", None),
    ("syntax-error", f"{HEAD}({RULE}) AS @SELCT * FROM STREAM s", UNSAFE),
    ("syntax-error", f"{HEAD}({RULE}) AS @AS SELECT * FROM STREAM s", SAFE),
    ("syntax-error", f"{HEAD}({RULE}) TBLPROPERTIES @('a' = 'b'{TAIL}", None),
    ("syntax-error", f"{HEAD}@({RULE}{TAIL}", None),
    ("syntax-error", f"{HEAD}@{RULE}){TAIL}", UNSAFE),
    ("syntax-error", f"{HEAD}({RULE})@) COMMENT 'x'{TAIL}", None),
    ("syntax-error", f"{HEAD}({RULE}) COMMENT @'x{TAIL}", None),
    ("syntax-error", f"{HEAD}({RULE}) @/* why{TAIL}", None),
    ("missing-as-before-query", f"{HEAD}({RULE}) COMMENT 'x' @SELECT * FROM STREAM s", SAFE),
    ("missing-as-before-query", f"{HEAD}({RULE}) @WITH q AS (SELECT 1) SELECT * FROM q", SAFE),
    ("missing-or-extra-comma", f"{HEAD}({RULE})@, COMMENT 'x'{TAIL}", SAFE),
    ("syntax-error", f"{HEAD}(@({RULE}, CONSTRAINT b EXPECT (x))){TAIL}", None),
    ("syntax-error", f"{HEAD}@x INT, y DECIMAL(3, 1), z INT){TAIL}", UNSAFE),
    ("missing-or-extra-comma", f"{HEAD}(@, {RULE}){TAIL}", SAFE),
    ("missing-or-extra-comma", f"{HEAD}({RULE}@,){TAIL}", SAFE),
    ("missing-or-extra-comma", f"{HEAD}({RULE},@, y INT){TAIL}", SAFE),
    ("clause-out-of-place", f"CREATE OR REFRESH STREAMING TABLE t{TAIL} @{RULE}", SAFE),
    ("clause-out-of-place", f"CREATE OR REFRESH STREAMING TABLE t{TAIL} @EXPECT x > 0", None),
    ("clause-out-of-place", f"{HEAD}AS SELECT * FROM STREAM s @({RULE})", None),
    ("clause-out-of-place", f"{HEAD}@{RULE} COMMENT 'x'{TAIL}", SAFE),
    ("clause-out-of-place", f"{HEAD}@{RULE}, CONSTRAINT b EXPECT (x){TAIL}", SAFE),
    ("clause-out-of-place", f"{HEAD}({RULE}){TAIL} @COMMENT 'x'", SAFE),
    ("clause-out-of-place", f"{HEAD}({RULE}){TAIL} @TBLPROPERTIES ('a' = 'b')", SAFE),
    ("clause-out-of-place", f"{HEAD}({RULE}){TAIL} @CLUSTER BY AUTO", SAFE),
    ("clause-out-of-place", f"{HEAD}COMMENT 'x' @({RULE}){TAIL}", SAFE),
    ("clause-out-of-place", f"{HEAD}({RULE}){TAIL} @FLOW INSERT BY NAME SELECT 1", None),
    ("duplicate-or-conflicting-clause", f"{HEAD}({RULE}) COMMENT 'x' @COMMENT 'y'{TAIL}", None),
    (
        "duplicate-or-conflicting-clause",
        f"{HEAD}({RULE}) PARTITIONED BY (x) @CLUSTER BY (y){TAIL}",
        None,
    ),
    ("duplicate-or-conflicting-clause", f"{HEAD}(y INT) @({RULE}){TAIL}", None),
    (
        "duplicate-or-conflicting-clause",
        f"CREATE OR REFRESH STREAMING TABLE @IF NOT EXISTS t ({RULE}){TAIL}",
        None,
    ),
    ("wrong-dataset-keyword", f"CREATE OR @REPLACE STREAMING TABLE t ({RULE}){TAIL}", UNSAFE),
    ("wrong-dataset-keyword", f"CREATE @PRIVATE TABLE t ({RULE}) AS SELECT 1", None),
    ("wrong-dataset-keyword", f"CREATE @STREAMING VIEW t ({RULE}){TAIL}", UNSAFE),
    ("wrong-dataset-keyword", f"CREATE @TABLE t ({RULE}) AS SELECT 1", None),
    ("wrong-dataset-keyword", f"CREATE @VIEW t ({RULE}) AS SELECT 1", None),
    ("check-instead-of-expect", f"{HEAD}({RULE}, CONSTRAINT b @CHECK (x > 0)){TAIL}", UNSAFE),
    ("ctas-with-columns", "CREATE TABLE t @(x INT) AS SELECT 1 AS x", None),
]


@pytest.mark.parametrize(
    ("name", "marked", "safety"), SHELLS, ids=[f"{one[0]}: {one[1]}" for one in SHELLS]
)
def test_a_mistake_outside_the_items_has_its_name_and_place(
    name: str, marked: str, safety: Safety | None
):
    place, text = marked.index("@"), marked.replace("@", "")
    fault = only_fault(text)
    assert (fault.name, fault.span.start) == (name, place)
    statement = statement_of(text)
    assert isinstance(statement, CreateDataset)
    assert statement.name.text == "t"
    assert bool(expectations_of(statement)) is ("EXPECT" in text)
    assert (fault.fix.safety if fault.fix else None) is safety
    if fault.fix:
        assert statement_of(apply_edits(text, fault.fix.edits)).faults == ()


CHANGE_FEEDS = [
    ("syntax-error", "APPLY CHANGES INTO t FROM s KEYS id SEQUENCE BY ts", 34),
    ("syntax-error", "AUTO CDC INTO t FROM s KESY (id) SEQUENCE BY ts", 24),
    ("syntax-error", "AUTO CDC INTO t FROM s KEYS (id) SEQUENCE BY ts STORED AS SCD TYPE 3", 68),
    ("syntax-error", "AUTO CDC INTO t FROM s KEYS (id) SEQUENCE BY ts STORED AS SCD TYPE '2'", 68),
    ("missing-cdc-clause", "AUTO CDC INTO t FROM s KEYS (id)", 1),
    ("missing-cdc-clause", "AUTO CDC INTO t FROM s SEQUENCE BY ts", 1),
    (
        "duplicate-or-conflicting-clause",
        "AUTO CDC INTO t FROM s KEYS (id) SEQUENCE BY ts SEQUENCE BY u",
        49,
    ),
    (
        "wrong-dataset-keyword",
        "CREATE FLOW f (CONSTRAINT a EXPECT (x)) AS INSERT INTO t BY NAME SELECT 1",
        15,
    ),
]


@pytest.mark.parametrize(("name", "text", "column"), CHANGE_FEEDS)
def test_a_mistake_in_a_flow_has_its_name_and_place(name: str, text: str, column: int):
    fault = only_fault(text)
    assert (fault.name, located(text, fault.span.start)) == (name, (1, column))


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("CREATE OR REFERSH STREAMING TABLE t", "REFRESH"),
        ("CREATE STREAMNG TABLE t", "STREAMING"),
        (f"{HEAD}(CONSTRAINT a EXPECT (x) ON VIOLATON DROP ROW)", "VIOLATION"),
        (f"{HEAD}(CONSTRAINT a EXPECTT (x))", "EXPECT"),
        (f"{HEAD}(CONSTRIANT a EXPECT (x))", "CONSTRAINT"),
        (f"{HEAD}COMMNT 'x'", "COMMENT"),
        (f"{HEAD}(CONSTRAINT a EXPECT (x IS NOT NUL))", "NULL"),
    ],
)
def test_a_misspelt_word_is_asked_about(text: str, word: str):
    assert f"did you mean `{word}`?" in only_fault(text).message


@pytest.mark.parametrize(
    "text",
    [
        f"{HEAD}(expect INT, constraint STRING, check INT, violation INT, col INT){TAIL}",
        f"{HEAD}(CONSTRAINT expect EXPECT (expect > 0 AND constraint IS NOT NULL)){TAIL}",
        f"{HEAD}(CONSTRAINT a EXPECT (col > 0 AND lit = 1 AND flags & 4 = 4)){TAIL}",
        f"{HEAD}(CONSTRAINT a EXPECT (cat.s.col('x') > 0)){TAIL}",
        f"{HEAD}(CONSTRAINT a EXPECT (NOT (t) <=> b & c IS NOT TRUE)){TAIL}",
        f"{HEAD}(CONSTRAINT a EXPECT (b = c || 'x' = TRUE)){TAIL}",
        f"{HEAD}(CONSTRAINT a EXPECT (a || b = 'x' AND c | d = 3)){TAIL}",
        f"{HEAD}(CONSTRAINT a EXPECT (x <> '\u2018\u2019\u2013')){TAIL} -- \u201cso\u201d",
        f"{HEAD}(CONSTRAINT a EXPECT (x >\u00a00)){TAIL}",
        f"{HEAD}(b MAP<STRING, ARRAY<INT>>, {RULE}){TAIL} expect",
        f"{HEAD}AS SELECT a AS select, b AS comment FROM STREAM s CLUSTER BY (a)",
        "CREATE OR REPLACE LIVE TABLE t AS SELECT 1",
        "CREATE OR REFRESH VIEW t AS SELECT 1",
        f"CREATE OR REFRESH TEMPORARY VIEW t ({RULE}) AS SELECT 1",
        f"CREATE STREAMING LIVE VIEW t ({RULE}){TAIL}",
        f"CREATE OR REPLACE MATERIALIZED VIEW t ({RULE}) AS SELECT 1",
        f"CREATE TABLE t (x INT, {RULE}) FLOW INSERT BY NAME SELECT 1",
        "CREATE TABLE t (x INT, CONSTRAINT a CHECK (x > 0))",
        "CREATE TABLE t SELECT 1",
        f"CREATE STREAMING TABLE t CLUSTER BY (x) ({RULE}){TAIL}",
        "CREATE FLOW f AS INSERT INTO ONCE t BY NAME SELECT 1",
        "APPLY CHANGES INTO t FROM STREAM(s) KEYS (a) SEQUENCE BY b TRACK HISTORY ON c, d",
    ],
)
def test_a_legal_text_is_not_blamed(text: str):
    assert statement_of(text).faults == ()


def test_an_unclosed_comment_in_a_list_is_told_where_it_opens():
    text = f"{HEAD}(\n  {RULE},\n  /* why\n  CONSTRAINT b EXPECT (y)\n){TAIL}"
    fault = only_fault(text)
    assert (fault.message, located(text, fault.span.start)) == (
        "the comment opened here is never closed",
        (3, 3),
    )


def test_a_name_with_a_combining_accent_is_told_as_one():
    fault = only_fault(f"{HEAD}(CONSTRAINT a EXPECT (cafe\u0301 > 0)){TAIL}")
    assert fault.message == "the name `cafe\u0301` has letters that need backticks"


def test_words_before_a_statement_do_not_hide_it():
    statement = statement_of(f"# the orders\n{HEAD}({RULE}){TAIL}")
    assert isinstance(statement, CreateDataset)
    assert [fault.name for fault in statement.faults] == ["syntax-error"]


def test_a_statement_without_a_name_stays_broken():
    statement = statement_of("CREATE STREAMING TABLE AS SELECT 1")
    assert isinstance(statement, BrokenStatement)
    assert statement.faults[0].message == "found `AS`, expected a name"
