"""Which tree a predicate has."""

import pytest

from tidegate.grammar.nodes import (
    And,
    Arithmetic,
    BareWord,
    Between,
    CallForm,
    Case,
    Cast,
    ColumnReference,
    Comparison,
    DistinctFrom,
    Exists,
    Expression,
    FieldAccess,
    FunctionCall,
    InList,
    InQuery,
    Interval,
    IsNull,
    IsTruth,
    JsonPath,
    Lambda,
    Like,
    Literal,
    LiteralKind,
    NamedArgument,
    Not,
    Or,
    Parenthesized,
    Placeholder,
    Star,
    Subquery,
    Subscript,
    Unary,
)
from tidegate.grammar.parser import parse_predicate
from tidegate.source.diagnostic import Fault


def tree(text: str) -> Expression:
    found = parse_predicate(text)
    assert not isinstance(found, Fault), found
    return found


def shape(node: object, text: str) -> str:
    """Show how a predicate groups, with every operation in parentheses."""
    match node:
        case And() | Or():
            word = " AND " if isinstance(node, And) else " OR "
            return f"({word.join(shape(one, text) for one in node.operands)})"
        case Not() | Unary():
            return f"({node.operator.text} {shape(node.operand, text)})"
        case Comparison() | Arithmetic():
            return f"({shape(node.left, text)} {node.operator.text} {shape(node.right, text)})"
        case IsNull():
            return f"({shape(node.operand, text)} IS{' NOT' * node.negated} NULL)"
        case Between():
            parts = [shape(one, text) for one in (node.operand, node.low, node.high)]
            return f"({parts[0]} BETWEEN {parts[1]} AND {parts[2]})"
        case Cast():
            return f"({shape(node.operand, text)} :: {node.type.name})"
        case _:
            return text[node.span.start : node.span.end]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a OR b AND c", "(a OR (b AND c))"),
        ("a AND b AND c OR d", "((a AND b AND c) OR d)"),
        ("NOT a AND b", "((NOT a) AND b)"),
        ("NOT a = b", "(NOT (a = b))"),
        ("!a = b", "(! (a = b))"),
        ("NOT NOT a IS NULL", "(NOT (NOT (a IS NULL)))"),
        ("a = b = c", "((a = b) = c)"),
        ("a > 1 IS NULL", "((a > 1) IS NULL)"),
        ("a + b * c - d", "((a + (b * c)) - d)"),
        ("a || b + c", "((a || b) + c)"),
        ("a - b - c", "((a - b) - c)"),
        ("a | b ^ c & d", "(a | (b ^ (c & d)))"),
        ("a & b << 1 + 2", "(a & (b << (1 + 2)))"),
        ("a = b | c", "(a = (b | c))"),
        ("-a * b", "((- a) * b)"),
        ("- -a", "(- (- a))"),
        ("-a::int", "(- (a :: INT))"),
        ("a BETWEEN b + 1 AND c AND d", "((a BETWEEN (b + 1) AND c) AND d)"),
        ("a BETWEEN 1 AND 2 = TRUE", "(a BETWEEN 1 AND (2 = TRUE))"),
        ("a DIV b % c", "((a DIV b) % c)"),
        ("a >= 0 AND (b OR c)", "((a >= 0) AND (b OR c))"),
    ],
)
def test_operators_bind_as_in_spark(text: str, expected: str):
    assert shape(tree(text), text) == expected


@pytest.mark.parametrize(
    ("text", "kind", "value", "type_name"),
    [
        ("1", LiteralKind.INTEGER, 1, None),
        ("1L", LiteralKind.INTEGER, 1, "L"),
        ("1.50", LiteralKind.DECIMAL, "1.50", None),
        ("2BD", LiteralKind.DECIMAL, "2", "BD"),
        ("1e3", LiteralKind.DOUBLE, 1000.0, None),
        (".5D", LiteralKind.DOUBLE, 0.5, "D"),
        ("NULL", LiteralKind.NULL, None, None),
        ("true", LiteralKind.BOOLEAN, True, None),
        ("'it''s'", LiteralKind.STRING, "it's", None),
        (r"'a\tb\\c\'d'", LiteralKind.STRING, "a\tb\\c'd", None),
        (r"'100\%'", LiteralKind.STRING, r"100\%", None),
        (r"r'\d+'", LiteralKind.STRING, r"\d+", None),
        (r"'é\101'", LiteralKind.STRING, "éA", None),
        ("'a' 'b'", LiteralKind.STRING, "ab", None),
        ("'--no' -- yes\n 'c'", LiteralKind.STRING, "--noc", None),
        ("DATE'2020-02-29'", LiteralKind.TYPED, "2020-02-29", "DATE"),
        ("x'1F'", LiteralKind.TYPED, "1F", "X"),
    ],
)
def test_a_literal_has_its_value(
    text: str, kind: LiteralKind, value: object, type_name: str | None
):
    found = tree(text)
    assert isinstance(found, Literal)
    assert (found.kind, found.value, found.type_name) == (kind, value, type_name)
    assert (found.span.start, found.span.end) == (0, len(text))


def test_a_double_quoted_text_is_a_string():
    found = tree('"a"')
    assert isinstance(found, Literal)
    assert found.double_quoted


@pytest.mark.parametrize(
    ("text", "node"),
    [
        ("a.b.c", ColumnReference),
        ("`a b`.c", ColumnReference),
        ("f(a).b", FieldAccess),
        ("a[0].b", FieldAccess),
        ("a['k']", Subscript),
        ("a:b.c[0]", JsonPath),
        ("a::date", Cast),
        ("a?::date", Cast),
        ("CASE WHEN a THEN b END", Case),
        ("INTERVAL 7 DAYS", Interval),
        ("a IN (1, 2)", InList),
        ("a IN (SELECT 1)", InQuery),
        ("EXISTS (SELECT 1)", Exists),
        ("exists(a, x -> x)", FunctionCall),
        ("(SELECT 1)", Subquery),
        ("((SELECT 1) UNION (SELECT 2))", Subquery),
        ("((a))", Parenthesized),
        ("a IS NOT UNKNOWN", IsTruth),
        ("a IS DISTINCT FROM b", DistinctFrom),
        ("a NOT RLIKE 'x'", Like),
        (":p", Placeholder),
        ("${x}", Placeholder),
        ("{{ x }}", Placeholder),
        ("?", Placeholder),
        ("${x}.y", ColumnReference),
        ("pre${x}", ColumnReference),
        ("case", ColumnReference),
        ("number", ColumnReference),
    ],
)
def test_a_form_has_its_node(text: str, node: type):
    assert type(tree(text)) is node


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("current_date", CallForm.BARE),
        ("current_date()", CallForm.PLAIN),
        ("EXTRACT(YEAR FROM a)", CallForm.SPECIAL),
        ("extract('year', a)", CallForm.PLAIN),
        ("TRIM(a)", CallForm.PLAIN),
        ("TRIM(BOTH 'x' FROM a)", CallForm.SPECIAL),
        ("SUBSTRING(a FROM 1 FOR 2)", CallForm.SPECIAL),
        ("POSITION('a' IN b)", CallForm.SPECIAL),
        ("position('a', b)", CallForm.PLAIN),
        ("OVERLAY(a PLACING 'x' FROM 1)", CallForm.SPECIAL),
        ("timestampdiff(DAY, a, b)", CallForm.SPECIAL),
        ("date_add(a, 1)", CallForm.PLAIN),
        ("a.b.f(c)", CallForm.PLAIN),
    ],
)
def test_a_call_knows_how_it_is_spelt(text: str, form: CallForm):
    found = tree(text)
    assert isinstance(found, FunctionCall)
    assert found.form is form


def test_the_unit_of_a_call_is_no_column():
    found = tree("timestampdiff(DAY, a, b)")
    assert isinstance(found, FunctionCall)
    assert isinstance(found.arguments[0], BareWord)


def test_a_call_keeps_all_that_belongs_to_it():
    text = "sum(DISTINCT a) FILTER (WHERE b > 1) OVER (PARTITION BY c)"
    found = tree(text)
    assert isinstance(found, FunctionCall)
    assert found.distinct
    assert isinstance(found.filter, Comparison)
    assert found.window is not None
    assert text[found.window.start : found.window.end] == "OVER (PARTITION BY c)"


def test_arguments_may_be_stars_names_and_lambdas():
    found = tree("f(*, t.*, n => 1, (x, y) -> x + y)")
    assert isinstance(found, FunctionCall)
    assert [type(one) for one in found.arguments] == [Star, Star, NamedArgument, Lambda]


def test_a_long_chain_of_and_is_flat():
    found = tree(" AND ".join(f"a{i} > {i}" for i in range(5000)))
    assert isinstance(found, And)
    assert len(found.operands) == 5000


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("a = 1 AND", 9, "the predicate ends too early: expected an expression"),
        ("a IN (1,)", 8, "found `)`, expected an expression"),
        ("a > 0; b", 5, "found `;`, expected an operator or the end"),
        ("CAST(a AS FOO)", 10, "`FOO` does not fit here: it is no data type"),
        ("DATE '2020-02-30' > a", 5, "`'2020-02-30'` does not fit here: it is no DATE"),
        ("a > INTERVAL 3", 13, "`3` does not fit here: an interval needs a unit, such as DAYS"),
        ("a = 'x", 4, "the string opened here is never closed"),
        ("größe > 1", 0, "the name `größe` has letters that need backticks"),
        (
            "a BETWEN 1",
            2,
            "found `BETWEN`, expected an operator or the end; did you mean `BETWEEN`?",
        ),
        ("f((x, 1) -> x)", 6, "`1` does not fit here: not a parameter name"),
    ],
)
def test_a_fault_says_where_and_what(text: str, place: int, message: str):
    fault = parse_predicate(text)
    assert isinstance(fault, Fault)
    assert (fault.span.start, fault.message) == (place, message)


def test_a_misspelt_word_gets_a_suggestion():
    fault = parse_predicate("a BETWEN 1 AND 2")
    assert isinstance(fault, Fault)
    assert fault.help == "write `BETWEEN`"


@pytest.mark.parametrize("text", ["a:b[0].c. /* why */ d", "a:b[0].c -- why\n . d"])
def test_a_path_into_json_goes_on_behind_a_comment(text: str):
    path = parse_predicate(text)
    assert isinstance(path, JsonPath)
    assert path.path == "b[0].c.d"
    assert (path.span.start, path.span.end) == (0, len(text))


def test_a_comment_in_braces_ends_what_would_be_a_placeholder():
    assert isinstance(parse_predicate("${a-b} > ${c/d}"), Comparison)
    assert isinstance(parse_predicate("${a--b} > 1"), Fault)
