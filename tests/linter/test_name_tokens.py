import pytest

from tidegate.linter.name_tokens import reduced, singular, tokens


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("dq_check_3", ("dq", "check", "3")),
        ("amountNotNull", ("amount", "not", "null")),
        ("non zero passenger-count", ("non", "zero", "passenger", "count")),
        ("IDNumber2", ("id", "number", "2")),
        ("VALID_EMAIL", ("valid", "email")),
        ("ok20260131", ("ok", "20260131")),
        ("schema.table", ("schema", "table")),
        ("rule1a", ("rule", "1", "a")),
        ("größe_gültig", ("größe", "gültig")),
        ("", ()),
        ("__", ()),
    ],
)
def test_a_name_splits_at_its_borders(name, words):
    assert tokens(name) == words


@pytest.mark.parametrize("term", ["utf8", "sha256", "h3", "S3", "IPv4"])
def test_a_term_with_digits_is_one_word(term):
    assert tokens(f"valid_{term}") == ("valid", term.lower())


@pytest.mark.parametrize(
    ("word", "one"),
    [
        ("amounts", "amount"),
        ("countries", "country"),
        ("status", "status"),
        ("address", "address"),
        ("basis", "basis"),
        ("gas", "gas"),
    ],
)
def test_a_plain_plural_is_made_singular(word, one):
    assert singular(word) == one


def test_synonyms_are_one_word():
    assert reduced("valid_mails") == reduced("valid_email")
    assert reduced("order_qty") == reduced("orderQuantity")
