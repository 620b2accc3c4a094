import pytest

from tidegate.model.names import DatasetName, Namespace


@pytest.mark.parametrize(
    ("parts", "full"),
    [
        (["t"], "default.t"),
        (["s", "t"], "s.t"),
        (["c", "s", "t"], "c.s.t"),
        (["LIVE", "t"], "default.t"),
        (["live", "s", "t"], "s.t"),
        (["live"], "default.live"),
    ],
)
def test_missing_parts_come_from_the_namespace_and_live_is_no_part(parts, full):
    assert Namespace().resolve(parts).full == full


def test_the_catalog_of_the_namespace_fills_short_names_only():
    namespace = Namespace("dev", "bronze")
    assert namespace.resolve(["t"]).full == "dev.bronze.t"
    assert namespace.resolve(["silver", "t"]).full == "dev.silver.t"
    assert namespace.resolve(["prod", "silver", "t"]).full == "prod.silver.t"


def test_four_parts_name_nothing():
    assert Namespace().resolve(["a", "b", "c", "d"]) is None


def test_names_are_kept_as_written_and_compared_without_case():
    assert DatasetName(None, "S", "Orders").full == "S.Orders"
    assert DatasetName(None, "S", "Orders").key == DatasetName(None, "s", "ORDERS").key
