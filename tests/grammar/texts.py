"""Strategies that write predicates and statements of the grammar, and ways to break them."""

import random

from hypothesis import strategies as st

_names = st.sampled_from(
    [
        "a",
        "b.c",
        "`odd name`",
        "constraint",
        "date",
        "case",
        "stream",
        "t.row",
        "${x}",
        "x_${y}",
        "comment",
    ]
)
_atoms = st.one_of(
    _names,
    st.sampled_from(
        [
            "1", "0.5", "1e3", "7L", "'x'", "'it''s'", '"y"', "r'\\d'", "NULL", "TRUE", ":p", "?",
            "{{ v }}",
            "DATE '2020-01-01'", "INTERVAL 7 DAYS", "INTERVAL '1' DAY", "current_date",
            "current_timestamp()",
            "a:b.c[0]", "a[0].b", "x::int", "count(*)", "(SELECT max(q) FROM z)",
        ]
    ),
)  # fmt: skip


def _values(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    operator = st.sampled_from(["+", "-", "*", "/", "%", "DIV", "||", "&", "|", "^", "<<", ">>"])
    call = st.sampled_from(["coalesce", "lower", "cat.s.f", "size", "nvl"])
    return st.one_of(
        st.tuples(inner, operator, inner).map(" ".join),
        st.tuples(st.sampled_from(["-", "+", "~"]), inner).map(" ".join),
        st.builds("{0}({1}, {2})".format, call, inner, inner),
        st.builds("CAST({0} AS DECIMAL(10, 2))".format, inner),
        st.builds("({0})".format, inner),
        st.builds("CASE WHEN {0} > 1 THEN {1} ELSE {0} END".format, inner, inner),
        st.builds("transform(xs, x -> x + {0})".format, inner),
        st.builds("EXTRACT(YEAR FROM {0})".format, inner),
        st.builds("TRIM(BOTH 'x' FROM {0})".format, inner),
    )


values = st.recursive(_atoms, _values, max_leaves=5)


def _tests(value: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    comparison = st.sampled_from(["=", "==", "<>", "!=", "<", "<=", ">", ">=", "<=>"])
    return st.one_of(
        st.tuples(value, comparison, value).map(" ".join),
        st.builds("{0} BETWEEN {1} AND {2}".format, value, value, value),
        st.builds("{0} NOT IN ({1}, {2})".format, value, value, value),
        st.builds("{0} IS NOT NULL".format, value),
        st.builds("{0} IS NOT DISTINCT FROM {1}".format, value, value),
        st.builds("{0} LIKE 'a!%' ESCAPE '!'".format, value),
        st.builds("{0} RLIKE {1}".format, value, value),
        st.builds("{0} IN (SELECT k FROM z)".format, value),
        value,
    )


def _logic(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.tuples(inner, st.sampled_from(["AND", "OR"]), inner).map(" ".join),
        st.builds("NOT {0}".format, inner),
        st.builds("! {0}".format, inner),
        st.builds("({0})".format, inner),
        st.builds("{0} -- so\n".format, inner),
        st.builds("/* why */ {0}".format, inner),
    )


predicates = st.recursive(_tests(values), _logic, max_leaves=4)

_actions = st.sampled_from(
    ["", " ON VIOLATION DROP ROW", " ON VIOLATION FAIL UPDATE", " on violation drop"]
)
_items = st.one_of(
    st.builds(
        "CONSTRAINT {0} EXPECT ({1}){2}".format, st.sampled_from("pqrs"), predicates, _actions
    ),
    st.sampled_from(
        [
            "id BIGINT NOT NULL COMMENT 'the id'",
            "s STRUCT<a: INT, b: ARRAY<MAP<STRING, INT>>>",
            "constraint STRING",
            "CONSTRAINT k PRIMARY KEY (id) NOT ENFORCED RELY",
            "d DATE GENERATED ALWAYS AS (CAST(ts AS DATE))",
        ]
    ),
)
_heads = st.sampled_from(
    [
        "CREATE OR REFRESH STREAMING TABLE",
        "CREATE MATERIALIZED VIEW",
        "CREATE OR REPLACE PRIVATE MATERIALIZED VIEW",
        "CREATE TEMPORARY VIEW",
        "CREATE STREAMING LIVE TABLE",
        "CREATE TABLE IF NOT EXISTS",
    ]
)
_clauses = st.sampled_from(
    [
        "",
        "COMMENT 'c'",
        "TBLPROPERTIES ('a' = 'b', c.d = 1)",
        "CLUSTER BY AUTO",
        "PARTITIONED BY (a, b)",
        "SCHEDULE REFRESH EVERY 2 HOURS",
        "SCHEDULE CRON '0 0 * * * ?' AT TIME ZONE 'UTC'",
        "TRIGGER ON UPDATE AT MOST EVERY INTERVAL 1 HOUR",
        "REFRESH POLICY INCREMENTAL STRICT",
        "WITH ROW FILTER c.s.f ON (a, 'x')",
        "DEFAULT COLLATION UTF8_BINARY",
    ]
)
_queries = st.sampled_from(
    [
        "SELECT * FROM STREAM(s)",
        "WITH a AS (SELECT ')') SELECT * FROM a",
        "SELECT 'x; y' AS k -- it's\nFROM t",
    ]
)
_made = st.sampled_from(
    ["t", "a.b.c", "`odd name`", "${env}.t", "IDENTIFIER('a.b')", "IDENTIFIER(:p)"]
)
_lists = st.lists(_items, max_size=4).map(",\n  ".join)
_words = st.sampled_from(
    ["id", "keys", "sequence", "columns", "`a b`", "a.b", "stream", "track", "once", "${k}"]
)
_name_lists = st.one_of(
    st.lists(_words, min_size=1, max_size=3).map(lambda names: f"({', '.join(names)})"),
    st.lists(_words, min_size=1, max_size=3).map(", ".join),
    st.just("*"),
    st.builds("* EXCEPT ({0}, {1})".format, _words, _words),
)
_sources = st.sampled_from(
    [
        "s",
        "STREAM s",
        "stream(live.s)",
        "STREAM a.b.c WITH (startingVersion = 3, skipChangeCommits)",
        "STREAM s WATERMARK ts DELAY OF INTERVAL 10 MINUTES AS w",
        "cloud_files('/x', 'json', map('a', 'b'))",
        "STREAM read_files('/x')",
        "(WITH d AS (SELECT 1) SELECT DISTINCT * FROM d)",
        "stream keys",
        "${source}",
    ]
)
# A column called `case` and nothing to end it: what follows goes on with a CASE.
_conditions = predicates.filter(lambda text: not text.rstrip().endswith("case"))
_cdc_clauses = st.one_of(
    st.builds("IGNORE NULL UPDATES".format),
    st.builds("IGNORE NULL UPDATES ON {0}".format, _name_lists),
    st.builds("APPLY AS DELETE WHEN {0}".format, _conditions),
    st.builds("APPLY AS TRUNCATE WHEN {0}".format, _conditions),
    st.builds("SEQUENCE BY {0}".format, _words),
    st.builds("SEQUENCE BY STRUCT({0}, {1})".format, _words, _words),
    st.builds("COLUMNS {0}".format, _name_lists),
    st.builds("TRACK HISTORY ON {0}".format, _name_lists),
    st.builds("STORED AS SCD TYPE {0}".format, st.sampled_from(["1", "2", "${scd}"])),
    st.just("STORED AS BITEMPORAL"),
    st.builds("SYSTEM SEQUENCE BY {0}".format, _words),
    st.builds("COLUMNS TO UPDATE {0}".format, _words),
)
_feeds = st.builds(
    "FROM {0} KEYS ({1}) {2}".format,
    _sources,
    _words,
    st.lists(_cdc_clauses, max_size=5).map("\n".join),
)
_inserts = st.builds(
    "{0} {1} {2} {3}".format,
    st.sampled_from(["INSERT INTO", "INSERT ONCE INTO", "insert into once"]),
    _made,
    st.one_of(
        st.just("BY NAME"),
        st.just(""),
        st.builds("BY NAME REPLACE WHERE {0}".format, _conditions),
        st.just("REPLACE USING (keys) SEQUENCE BY sequence BY NAME"),
    ),
    _queries,
)
_changes = st.builds(
    "{0} {1} {2}".format,
    st.sampled_from(["AUTO CDC INTO", "AUTO CDC ONCE INTO", "apply changes into"]),
    _made,
    _feeds,
)
_plain = st.builds("{0} {1} ({2}) {3} AS {4}".format, _heads, _made, _lists, _clauses, _queries)
_flowing = st.builds(
    "CREATE OR REFRESH STREAMING TABLE {0} ({1}) {2} FLOW {3}".format,
    _made,
    _lists,
    _clauses,
    st.one_of(
        st.builds("INSERT BY NAME {0}".format, _queries),
        st.builds("INSERT ONCE BY NAME {0}".format, _queries),
        st.builds("REPLACE WHERE {0} BY NAME {1}".format, _conditions, _queries),
        st.builds("AUTO CDC {0}".format, _feeds),
    ),
)
statements = st.one_of(_plain, _flowing)
"""Those that make a dataset."""
flows = st.one_of(
    _changes, st.builds("CREATE FLOW {0} AS {1}".format, _made, st.one_of(_changes, _inserts))
)
"""Those that fill one made elsewhere."""
files = st.lists(st.one_of(statements, flows), min_size=1, max_size=3).map(";\n\n".join)

_PIECES = [
    "(",
    ")",
    "'",
    '"',
    "`",
    ",",
    ";",
    "--",
    "/*",
    "*/",
    "CONSTRAINT",
    "EXPECT (",
    " AS ",
    "\n",
    "${",
    "AND",
]


def broken(text: str, seed: int) -> str:
    """Damage a text in one to four places."""
    chance = random.Random(seed)
    for _ in range(chance.randrange(1, 5)):
        at = chance.randrange(len(text) + 1)
        match chance.randrange(3):
            case 0:
                text = text[:at] + text[at + chance.randrange(1, 12) :]
            case 1:
                text = text[:at] + chance.choice(_PIECES) + text[at:]
            case _:
                text = text[:at]
    return text
