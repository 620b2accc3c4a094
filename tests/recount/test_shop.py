"""The shipped example, run three times in a row, against its recount."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import pytest

from recount.counting import Recounted, multiset
from recount.observed import (
    ROOT,
    Multiset,
    Run,
    assert_envelope,
    assert_figures,
    assert_rows,
    assert_shown,
    read_tables,
    run_for_people,
    run_pipeline,
)
from recount.shop import Inputs, recomputed, streams
from recount.shop_inputs import CUSTOMERS, read_csv, read_orders, read_payments

EXAMPLE = ROOT / "fixtures" / "example"
LATE_EXPORT = """\
order_id,customer_id,ordered_at,product,quantity,unit_price,discount_percent,currency,status
SO-900001,17,2024-12-31 23:59:59,desk lamp,2,49.90,10,EUR,PAID
SO-900002,,2024-12-30 10:00:00,keyboard,1,69.99,0,EUR,PAID
SO-900003,18,2024-12-32 10:00:00,keyboard,0,-5,101,,
SO-900004,19,2024-12-30T10:00:00+02:00,"cable set, 3 pieces",3,12.95,75,eur ,paid
SO-100001,554,2024-12-30 10:00:00,office chair,1,190.50,,USD,lost
,20,2024-12-30 10:00:00,office chair,,190.5,5,USD,NEW
"""


@dataclass(frozen=True)
class Shop:
    """Three runs on one warehouse: the first, one with nothing new, one after a new file.

    Of the last, which prints its tables for people, the text is kept.
    """

    first: Run
    again: Run
    later: str
    tables: dict[str, Multiset]
    tables_again: dict[str, Multiset]
    tables_later: dict[str, Multiset]
    before: Inputs
    new: Inputs


def read_inputs(folder: Path) -> Inputs:
    orders = sorted((folder / "orders").iterdir())
    payments = sorted((folder / "payments").iterdir())
    return Inputs(
        orders=[row for path in orders for row in read_orders(path)],
        customers=read_csv(folder / "customers.csv", CUSTOMERS),
        payments=[row for path in payments for row in read_payments(path)],
    )


def stored(datasets: Iterable[Recounted]) -> dict[str, Multiset]:
    return {each.name: multiset(each.kept) for each in datasets if each.kind != "temporary_view"}


def join(old: list[Recounted], new: list[Recounted]) -> list[Recounted]:
    """Append to each streaming table what came later."""
    return [
        Recounted(each.name, each.kind, each.figures, each.kept + more.kept)
        for each, more in zip(old, new, strict=True)
    ]


def rest(datasets: Iterable[Recounted]) -> list[Recounted]:
    return recomputed({each.name: each.kept for each in datasets})


@pytest.fixture(scope="module")
def shop(spark, tmp_path_factory) -> Shop:
    folder = tmp_path_factory.mktemp("shop")
    project, warehouse = folder / "example", folder / "warehouse"
    shutil.copytree(EXAMPLE, project)
    before = read_inputs(project / "inputs")
    names = list(stored([*streams(Inputs()), *rest(streams(Inputs()))]))
    first = run_pipeline(project, warehouse=warehouse)
    tables = read_tables(spark, warehouse, names)
    again = run_pipeline(project, warehouse=warehouse)
    tables_again = read_tables(spark, warehouse, names)
    late = project / "inputs" / "orders" / "orders-2024-late.csv"
    late.write_text(LATE_EXPORT, encoding="utf-8")
    later = run_for_people(project, warehouse=warehouse)
    tables_later = read_tables(spark, warehouse, names)
    new = Inputs(orders=read_orders(late))
    return Shop(first, again, later, tables, tables_again, tables_later, before, new)


def test_the_inputs_are_what_their_script_writes(tmp_path):
    subprocess.run([sys.executable, str(EXAMPLE / "make_inputs.py"), str(tmp_path)], check=True)
    shipped = {p.relative_to(EXAMPLE / "inputs"): p for p in (EXAMPLE / "inputs").rglob("*.*")}
    made = {path.relative_to(tmp_path): path for path in tmp_path.rglob("*.*")}
    assert sorted(shipped) == sorted(made)
    assert [str(n) for n, p in shipped.items() if p.read_bytes() != made[n].read_bytes()] == []


def test_the_inputs_hold_at_least_fifty_thousand_rows():
    inputs = read_inputs(EXAMPLE / "inputs")
    assert len(inputs.orders) + len(inputs.customers) + len(inputs.payments) >= 50_000


def test_every_rule_but_the_guards_meets_rows_that_break_it():
    datasets = streams(read_inputs(EXAMPLE / "inputs"))
    never_broken = {
        rule["name"]
        for dataset in [*datasets, *rest(datasets)]
        for rule in dataset.figures["expectations"]
        if not rule["failed"]
    }
    assert never_broken == {
        "file_is_an_order_export",
        "customer_id_present",
        "net_amount_not_negative",
        "day_present",
        "revenue_not_negative",
    }


@pytest.mark.spark
def test_every_figure_of_the_first_run_equals_the_recount(shop):
    datasets = streams(shop.before)
    assert shop.first.exit_code == 0
    assert_envelope(shop.first, "COMPLETED")
    assert shop.first.document["errors"] == []
    assert_figures(shop.first, [*datasets, *rest(datasets)])


@pytest.mark.spark
def test_the_tables_hold_the_rows_of_the_recount(shop):
    datasets = streams(shop.before)
    assert_rows(shop.tables, stored([*datasets, *rest(datasets)]))


@pytest.mark.spark
def test_a_second_run_reads_nothing_new_and_leaves_the_tables_as_they_are(shop):
    nothing = streams(Inputs())
    assert shop.again.exit_code == 0
    assert_figures(shop.again, [*nothing, *rest(streams(shop.before))])
    assert_rows(shop.tables_again, shop.tables)


@pytest.mark.spark
def test_after_a_new_file_exactly_its_rows_are_read(shop):
    new = streams(shop.new)
    everything = join(streams(shop.before), new)
    assert new[0].figures["rows_read"] == 6
    assert_shown(shop.later, [*new, *rest(everything)])
    assert_rows(shop.tables_later, stored([*everything, *rest(everything)]))
