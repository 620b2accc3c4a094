import pytest

from tidegate.catalog.spelling import distance, nearest


@pytest.mark.parametrize(
    ("left", "right", "edits"),
    [
        ("length", "length", 0),
        ("lenght", "length", 1),
        ("lengt", "length", 1),
        ("colesce", "coalesce", 1),
        ("abc", "xyz", 3),
        ("a", "abcdef", 3),
    ],
)
def test_a_swap_of_neighbors_is_one_edit(left, right, edits):
    assert distance(left, right, 2) == edits


def test_the_nearest_name_is_the_one_meant():
    assert nearest("null-comparision", ["null-comparison", "null-in-list"]) == "null-comparison"


def test_a_word_far_from_all_names_has_no_nearest():
    assert nearest("freshness", ["null-comparison", "null-in-list"]) is None
