"""What a query reads and puts out, from its tokens."""

import pytest

from tidegate.grammar.outlines.outline import Outline, RelationKind
from tidegate.grammar.outlines.scan import outline
from tidegate.grammar.outlines.scan import relations as found
from tidegate.grammar.outlines.skim import skimmed
from tidegate.source.span import Span


def scan(text: str) -> Outline:
    return outline(text, Span(0, len(text)))


def relations(text: str) -> list[str]:
    """Show each relation as ``~name alias``, with a tilde for a stream."""
    return [
        f"{'~' * one.streaming}{'.'.join(one.parts)}{' ' + one.alias if one.alias else ''}"
        for one in scan(text).relations
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("SELECT * FROM STREAM(raw.customers)", ["~raw.customers"]),
        ("select * from stream(live.b) x", ["~live.b x"]),
        ("SELECT * FROM STREAM a.b.c AS t", ["~a.b.c t"]),
        ("SELECT * FROM stream", ["stream"]),
        ("SELECT * FROM stream WHERE a", ["stream"]),
        ("SELECT * FROM stream AS s", ["stream s"]),
        ("SELECT * FROM stream stream", ["~stream"]),
        ("SELECT * FROM t stream", ["t stream"]),
        ("SELECT * FROM STREAM /* c */ ( -- x )\n t )", ["~t"]),
        ("SELECT * FROM a, b c JOIN d USING (k) JOIN e f ON f.k = a.k", ["a", "b c", "d", "e f"]),
        ("SELECT * FROM a JOIN b ON a.x = b.x, c", ["a", "b", "c"]),
        ("SELECT * FROM (a JOIN b ON a.x = b.x) JOIN c", ["a", "b", "c"]),
        ("SELECT * FROM (SELECT * FROM a) b", ["a"]),
        ("SELECT * FROM ((SELECT * FROM a) UNION ALL (SELECT * FROM b)) c", ["a", "b"]),
        ("SELECT (SELECT max(x) FROM a) FROM b WHERE k IN (SELECT k FROM c)", ["a", "b", "c"]),
        ("SELECT * FROM a WHERE EXISTS (SELECT 1 FROM b WHERE b.k = a.k)", ["a", "b"]),
        ("WITH c AS (SELECT * FROM a) SELECT * FROM c JOIN b", ["a", "b"]),
        ("WITH a AS (SELECT * FROM a) SELECT * FROM a", ["a"]),
        ("WITH a (x) AS (SELECT 1 FROM p), b AS (SELECT * FROM a, q) SELECT * FROM b", ["p", "q"]),
        ("WITH RECURSIVE r AS (SELECT 1 UNION ALL SELECT * FROM r) SELECT * FROM r", []),
        ("SELECT * FROM (WITH c AS (SELECT 1 FROM a) SELECT * FROM c) JOIN c", ["a", "c"]),
        ("FROM STREAM s |> WHERE a > 1 |> JOIN t USING (k) |> SELECT a", ["~s", "t"]),
        ("FROM a SELECT b", ["a"]),
        ("TABLE a", ["a"]),
        ("SELECT 1 FROM a UNION TABLE b", ["a", "b"]),
        ("VALUES (1, 2), (3, 4)", []),
        ("SELECT * FROM VALUES (1), (2) AS t (x) JOIN b", ["b"]),
        ("SELECT extract(year FROM a) FROM t", ["t"]),
        ("SELECT trim(BOTH 'x' FROM a), substring(a FROM 1 FOR 2) FROM t", ["t"]),
        ("SELECT a IS NOT DISTINCT FROM b FROM t", ["t"]),
        ("SELECT * FROM t LATERAL VIEW OUTER explode(m) e AS k, v WHERE k", ["t"]),
        ("SELECT * FROM t, LATERAL explode(t.m) AS e (k)", ["t", "explode e"]),
        ("SELECT * FROM t TABLESAMPLE (5 PERCENT) s", ["t s"]),
        ("SELECT * FROM t VERSION AS OF 3 v JOIN u TIMESTAMP AS OF '2020-01-01'", ["t v", "u"]),
        ("SELECT * FROM t@v3 x", ["t x"]),
        ("SELECT * FROM t PIVOT (sum(a) FOR b IN (1, 2)) p", ["t p"]),
        ("SELECT * FROM STREAM(t) WITH (skipChangeCommits = true) AS s", ["~t s"]),
        ("SELECT * FROM STREAM t WATERMARK ts DELAY OF INTERVAL 10 MINUTES AS w", ["~t w"]),
        ("SELECT * FROM delta.`/x/y` d", ["delta./x/y d"]),
        ("SELECT * FROM ${cat}.raw_${env}.t", ["${cat}.raw_${env}.t"]),
        ("SELECT a.from, b.join FROM t", ["t"]),
        ("SELECT 'FROM x', \"FROM y\" FROM t -- FROM z", ["t"]),
        ("SELECT x FROM f(TABLE(a), TABLE b)", ["a", "b", "f"]),
    ],
)  # fmt: skip
def test_relations_are_found(text: str, expected: list[str]):
    assert relations(text) == expected


def test_a_relation_has_its_spans():
    text = "SELECT * FROM STREAM( a.b ) AS x"
    (one,) = scan(text).relations
    assert text[one.span.start : one.span.end] == "a.b"
    assert text[one.whole.start : one.whole.end] == "STREAM( a.b )"
    assert one.alias_span is not None
    assert text[one.alias_span.start : one.alias_span.end] == "x"


@pytest.mark.parametrize("around", ["STREAM read_files{}", "STREAM(read_files{})"])
def test_a_table_function_has_its_arguments(around: str):
    arguments = """(
      '/data/(a, b', -- source d'un client
      format => 'csv', -- header => 'x (',
      /* schema => 'a, b' */ header => true,
      -- sep => ';'
      schemaHints => concat('a INT', ', b INT')
    )"""
    text = f"SELECT *, _metadata.file_name FROM {around.format(arguments)} f"
    (one,) = scan(text).relations
    assert one.kind is RelationKind.FUNCTION
    assert one.streaming
    assert one.alias == "f"
    assert text[one.span.start : one.span.end] == f"read_files{arguments}"
    assert [(a.name, text[a.span.start : a.span.end]) for a in one.arguments] == [
        (None, "'/data/(a, b'"),
        ("format", "'csv'"),
        ("header", "true"),
        ("schemaHints", "concat('a INT', ', b INT')"),
    ]


def test_a_path_is_no_name():
    (one,) = scan("SELECT * FROM parquet.`/x`").relations
    assert one.kind is RelationKind.PATH


@pytest.mark.parametrize(
    ("items", "expected"),
    [
        ("a", ["a"]),
        ("t.a", ["a"]),
        ("`a b`", ["a b"]),
        ("a AS b, c d", ["b", "d"]),
        ("count(*) AS n, count(*) m, count(*)", ["n", "m", None]),
        ("a + 1", [None]),
        ("a + 1 b", ["b"]),
        ("CASE WHEN a THEN b END", [None]),
        ("CASE WHEN a THEN b END c", ["c"]),
        ("a IS NULL", [None]),
        ("NULL, TRUE", [None, None]),
        ("INTERVAL 3 DAYS", [None]),
        ("a::int", [None]),
        ("raw:x.y", [None]),
        ("CAST(a AS INT) AS `b`", ["b"]),
        ("(a, b) AS c, f(x, y) g", ["c", "g"]),
        ("DISTINCT a, b", ["b"]),
        ("a order, b limit", ["order", "limit"]),
        ("sum(a) OVER (PARTITION BY b ORDER BY c) s", ["s"]),
        ("'x' AS expect", ["expect"]),
    ],
)
def test_outputs_have_their_names(items: str, expected: list[str | None]):
    found = [one.name for one in scan(f"SELECT {items} FROM t").outputs]
    assert found[-len(expected) :] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("SELECT a FROM t UNION SELECT b FROM u", ["a"]),
        ("(SELECT a FROM t) UNION (SELECT b FROM u)", ["a"]),
        ("WITH c AS (SELECT x FROM t) SELECT a FROM c", ["a"]),
        ("SELECT a FROM (SELECT b FROM t)", ["a"]),
        ("SELECT a ORDER BY b", ["a"]),
        ("SELECT (SELECT b FROM u) AS c FROM t", ["c"]),
        ("FROM t |> SELECT a, b AS c", ["a", "c"]),
    ],
)
def test_outputs_are_those_of_the_outermost_list(text: str, expected: list[str]):
    assert [one.name for one in scan(text).outputs] == expected


def test_a_query_without_a_list_puts_out_all():
    (one,) = scan("FROM t |> WHERE a > 1").outputs
    assert one.is_star


def test_stars_are_those_of_select_lists():
    text = "SELECT *, t.*, a * b, count(*), struct(*) FROM t WHERE x IN (SELECT u.* FROM u)"
    found = scan(text)
    assert [text[one.span.start : one.span.end] for one in found.stars] == ["*", "t.*", "u.*"]
    assert [one.qualifier for one in found.stars] == [(), ("t",), ("u",)]
    covered = [[text[r.start : r.end] for r in one.relations] for one in found.stars]
    assert covered == [["t"], ["t"], ["u"]]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("SELECT a, t.b + f(c.d) AS e FROM t WHERE g > 1", ["a", "t.b", "c.d", "g"]),
        ("SELECT LIVE.t.c FROM LIVE.t", ["LIVE.t.c"]),
        ("SELECT CAST(a AS DECIMAL(1, 2)), b::int, DATE '2020-01-01' FROM t", ["a", "b"]),
        ("SELECT CAST(a AS STRUCT<b: INT, c: ARRAY<MAP<INT, INT>>>), d FROM t", ["a", "d"]),
        (
            "SELECT transform(a, x -> x.b + c), reduce(d, 0, (k, v) -> k + v) FROM t",
            ["a", "c", "d"],
        ),
        ("SELECT a FROM t x JOIN u AS y ON x.k = y.k ORDER BY z DESC", ["a", "x.k", "y.k", "z"]),
        ("SELECT current_date, a + INTERVAL 1 DAY, extract(year FROM b) FROM t", ["a", "b"]),
        ("SELECT sum(a) OVER (PARTITION BY b ORDER BY c) FROM t", ["a", "b", "c"]),
        ("SELECT f(n => a), raw:b.c FROM t x (p, q)", ["a", "raw"]),
    ],
)
def test_names_are_columns(text: str, expected: list[str]):
    assert [".".join(parts) for parts, _ in scan(text).names] == expected


def test_common_table_expressions_are_listed():
    assert scan("WITH a AS (SELECT 1), b AS (SELECT 2) SELECT * FROM a, b").ctes == ("a", "b")


def test_only_what_is_under_the_span_is_read():
    text = "CREATE TABLE x AS SELECT a FROM t; SELECT b FROM u"
    found = outline(text, Span(18, 33))
    assert [one.parts for one in found.relations] == [("t",)]
    assert text[found.outputs[0].span.start : found.outputs[0].span.end] == "a"


# Long enough that most of it is passed over.
PADDING = "\n--" + "x" * 400
READS = [
    "SELECT a, f(b, g(c)) FROM x AS y, z WHERE a IN (SELECT q FROM w) ORDER BY a",
    "SELECT EXTRACT(YEAR FROM d), sum(a) OVER (PARTITION BY b) FROM x",
    "SELECT a IS DISTINCT FROM b, count(DISTINCT c) FROM x WHERE d IS NOT DISTINCT FROM e",
    "WITH a AS (SELECT 1. FROM x), b (c) AS (SELECT * FROM a) SELECT b.limit FROM b, y LIMIT 1",
    "SELECT * EXCEPT (a, b) FROM x EXCEPT (SELECT 1 FROM y) UNION ALL TABLE z",
    "SELECT 'FROM x', `from`, r'\\' -- FROM y\n, /* FROM z */ t.from FROM w",
    "SELECT a FROM read_files('p', format => 'csv', limit => f(1, 2)) AS r, x WHERE b",
    "SELECT a FROM x WATERMARK t DELAY OF INTERVAL 1 HOUR AS y JOIN z ON y.order = z.k, w",
    "SELECT a FROM x AS sort, y JOIN (z JOIN w ON z.a = w.a) ON TRIM(BOTH 'a' FROM b) = c",
    "FROM x |> WHERE a > 1 |> JOIN y ON b = c |> AGGREGATE sum(d) GROUP BY e |> SELECT f",
    "SELECT f((SELECT max(a) FROM x)), ((SELECT 1 FROM y)), exists(SELECT 1 FROM z) FROM w",
    "SELECT ${a}, {{ b }}, ${c(d} FROM ${e}.x LATERAL VIEW explode(f) g AS h WHERE i",
    "SELECT select, a FROM x",
]


@pytest.mark.parametrize("text", READS)
def test_relations_alone_are_those_of_the_whole_outline(text: str):
    padded = text + PADDING
    whole = Span(0, len(padded))
    assert found(padded, whole) == outline(padded, whole).relations != ()


def test_most_of_a_query_is_passed_over():
    items = ", ".join(f"upper(trim(a.b{n})) AS c{n}" for n in range(50))
    text = f"SELECT {items} FROM x WHERE d > 1 AND (e OR f)"
    tokens = skimmed(text, Span(0, len(text)))
    assert tokens is not None
    assert len(tokens) < 10


def test_a_select_that_may_be_a_name_is_read_in_full():
    assert skimmed("SELECT a, select FROM x", Span(0, 23)) is None


@pytest.mark.parametrize(
    ("query", "options", "alias"),
    [
        ("SELECT * FROM STREAM t WITH (a = 1, flag)", {"a": "1", "flag": None}, None),
        (
            "SELECT * FROM STREAM(a.b) WITH (SKIPCHANGECOMMITS) AS s",
            {"SKIPCHANGECOMMITS": None},
            "s",
        ),
        ("FROM STREAM f('x') WITH ('max' = 'y', c.d = -2) s", {"max": "'y'", "c.d": "-2"}, "s"),
        ("SELECT * FROM t WITH () x", {}, "x"),
    ],
)
def test_a_relation_has_its_read_options(
    query: str, options: dict[str, str | None], alias: str | None
):
    (relation,) = outline(query, Span(0, len(query))).relations
    found = {
        each.name: query[each.value.start : each.value.end] if each.value else None
        for each in relation.options
    }
    assert found == options
    assert relation.alias == alias


@pytest.mark.parametrize(
    ("query", "watermark", "aliases"),
    [
        ("FROM STREAM t WATERMARK ts DELAY OF INTERVAL 10 MINUTES AS w", "10 MINUTES", ["w"]),
        ("FROM STREAM t WATERMARK ts DELAY OF INTERVAL '1 hour' JOIN u", "'1 hour'", [None, None]),
        ("FROM STREAM t AS s WATERMARK ts DELAY OF INTERVAL 1 DAY, u v", "1 DAY", ["s", "v"]),
        ("FROM t WATERMARK f(a, b) DELAY OF INTERVAL 1 DAY 2 HOURS w", "1 DAY 2 HOURS", ["w"]),
        ("FROM t WATERMARK ts DELAY OF ${delay} w", "${delay}", ["w"]),
    ],
)
def test_a_relation_has_its_watermark(query: str, watermark: str, aliases: list[str | None]):
    relations = outline(query, Span(0, len(query))).relations
    assert [each.alias for each in relations] == aliases
    found = relations[0].watermark
    assert found is not None
    delay = query[found.delay.start : found.delay.end]
    assert delay.removeprefix("INTERVAL ") == watermark
