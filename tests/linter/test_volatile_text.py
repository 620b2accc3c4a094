import pytest

from tidegate.linter.volatile_text import volatile_run


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("amount_ok_20260131", "20260131"),
        ("ok20260131", "20260131"),
        ("ok_31012026", "31012026"),
        ("ok_20260131235959", "20260131235959"),
        ("ok_2026_01_31", "2026_01_31"),
        ("ok-2026-01-31", "2026-01-31"),
        ("ok_2026_01", "2026_01"),
        ("ok_2024q1", "2024q1"),
        ("q3_2024_ok", "q3_2024"),
        ("ok_2024w07", "2024w07"),
        ("ok_march_2026", "march_2026"),
        ("ok_1767225600", "1767225600"),
        ("r_0b9e3f6c-1a2b-4c3d-8e9f-001122334455", "0b9e3f6c-1a2b-4c3d-8e9f-001122334455"),
        ("r_0b9e3f6c1a2b4c3d8e9f001122334455", "0b9e3f6c1a2b4c3d8e9f001122334455"),
        ("ok_3fa85f64", "3fa85f64"),
        ("check_abcdef12", "abcdef12"),
        ("ok_3f2a9bc", "3f2a9bc"),
        ("amount_ok_v2", "v2"),
        ("amountOkV12", "V12"),
        ("JIRA-123", "JIRA-123"),
        ("DQ-17", "DQ-17"),
        ("ticket_4711", "ticket_4711"),
        ("user 42", "user 42"),
    ],
)
def test_what_changes_with_each_regeneration_is_found(name, part):
    run = volatile_run(name)
    assert run is not None
    assert name[run.start : run.end] == part


@pytest.mark.parametrize(
    "name",
    [
        "amount_positive",
        "deadbeef",
        "facade",
        "decade20",
        "over_65",
        "phone_2",
        "iso_3166",
        "ISO-3166",
        "RFC-5322",
        "utf8",
        "sha256_given",
        "h3_cell",
        "ipv4_valid",
        "ipv6",
        "top_100",
        "fiscal_2024",
        "id_12345678",
        "ean_99999999",
        "zip_12345",
        "line2_given",
        "v2_schema_known",
        "rev2",
        "level_3b",
    ],
)
def test_digits_that_belong_to_the_name_are_left_alone(name):
    assert volatile_run(name) is None
