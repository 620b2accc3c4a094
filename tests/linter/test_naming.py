import pytest

from tidegate.grammar.nodes import Expression
from tidegate.grammar.parser import parse_predicate
from tidegate.linter.naming import as_identifier, base_name, slug


def named(predicate: str) -> str | None:
    parsed = parse_predicate(predicate)
    assert isinstance(parsed, Expression)
    return base_name(parsed)


@pytest.mark.parametrize(
    ("predicate", "name"),
    [
        ("berth IS NOT NULL", "berth_not_null"),
        ("closed_at IS NULL", "closed_at_null"),
        ("amount > 0", "amount_positive"),
        ("0 < amount", "amount_positive"),
        ("amount >= 0", "amount_not_negative"),
        ("amount <> 0", "amount_not_zero"),
        ("age >= 18", "age_at_least_18"),
        ("120 >= age", "age_at_most_120"),
        ("rate > 0.5", "rate_above_0_5"),
        ("email <> ''", "email_not_empty"),
        ("status = 'Paid'", "status_is_paid"),
        ("active = true", "active_true"),
        ("active <> true", "active_false"),
        ("active", "active_true"),
        ("NOT active", "active_false"),
        ("d <= current_date()", "d_not_in_future"),
        ("d <= current_timestamp", "d_not_in_future"),
        ("shipped >= ordered", "shipped_at_least_ordered"),
        ("quantity BETWEEN 1 AND 10000", "quantity_in_range"),
        ("quantity NOT BETWEEN 1 AND 9", "quantity_outside_range"),
        ("tier IN ('A', 'B')", "tier_in_list"),
        ("tier NOT IN ('A')", "tier_not_in_list"),
        ("mail RLIKE '@'", "mail_matches_pattern"),
        ("length(code) = 8", "code_length_is_8"),
        ("trim(code) <> ''", "code_not_empty"),
        ("check_digit(code) = 0", "code_valid"),
        ("CAST(amount AS INT) > 0", "amount_positive"),
        ("(amount > 0)", "amount_positive"),
        ("amount IS NOT NULL AND amount > 0", "amount_positive"),
        ("age >= 18 AND age <= 120", "age_in_range"),
        ("address.zip IS NOT NULL", "zip_not_null"),
        ("`Order Id` IS NOT NULL", "order_id_not_null"),
        ("a > 0 OR a IS NULL", "a_valid"),
        ("size(filter(items, x -> x.qty > 0)) = size(items)", "items_valid"),
        ("a + b > 0", "a_and_b_valid"),
        ("amount > -5", "amount_valid"),
    ],
)
def test_a_name_says_column_and_operator(predicate, name):
    assert named(predicate) == name


@pytest.mark.parametrize("predicate", ["1 = 1", "a + b > c", "`größe` > `länge` + `höhe`", "TRUE"])
def test_where_nothing_short_can_be_said_there_is_no_name(predicate):
    assert named(predicate) is None


@pytest.mark.parametrize(
    ("text", "reduced"),
    [("Order Id", "order_id"), ("2020-01-31", "2020_01_31"), ("größe", "gr_e"), ("--", "")],
)
def test_a_slug_is_a_plain_identifier_part(text, reduced):
    assert slug(text) == reduced


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("amount_ok", "amount_ok"),
        ("a b", "`a b`"),
        ("a`b", "`a``b`"),
        ("grün", "`grün`"),
        ("1a", "`1a`"),
    ],
)
def test_a_name_is_quoted_where_it_needs_it(name, written):
    assert as_identifier(name) == written
