"""The example pipeline a second time: its queries and rules, rewritten by hand in Python."""

from __future__ import annotations

import operator
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal

from recount.conversions import day, decimal, lower, moment, number, trim, upper
from recount.counting import Recounted, Row, Rule, recount
from recount.verdicts import between, both, compare, either, like, negate, within

LAUNCH = datetime(2024, 1, 1)
CENT = Decimal("0.01")
STREAMING = "streaming_table"
MATERIALIZED = "materialized_view"


@dataclass(frozen=True)
class Inputs:
    """The rows of the three raw inputs."""

    orders: Sequence[Row] = ()
    customers: Sequence[Row] = ()
    payments: Sequence[Row] = ()


def streams(inputs: Inputs) -> list[Recounted]:
    """Recount the streaming tables for the rows that are new to them."""
    bronze = [
        recount("bronze.orders", STREAMING, inputs.orders, BRONZE_ORDERS),
        recount("bronze.customers", STREAMING, inputs.customers, BRONZE_CUSTOMERS),
        recount("bronze.payments", STREAMING, inputs.payments, BRONZE_PAYMENTS),
    ]
    orders, _, payments = bronze
    return [
        *bronze,
        recount("silver.orders", STREAMING, [order_line(row) for row in orders.kept], ORDER_LINES),
        recount("silver.payments", STREAMING, [payment(row) for row in payments.kept], PAYMENTS),
    ]


def recomputed(tables: dict[str, list[Row]]) -> list[Recounted]:
    """Recount what every run computes afresh from the whole streaming tables."""
    customers = recount(
        "silver.customers", MATERIALIZED, latest_customers(tables["bronze.customers"]), CUSTOMERS
    )
    payable = recount(
        "default.payable_orders",
        "temporary_view",
        payable_orders(tables["silver.orders"], customers.kept),
        PAYABLE_ORDERS,
    )
    balances = open_balances(tables["silver.orders"], tables["silver.payments"])
    value = customer_value(customers.kept, payable.kept)
    duplicates = duplicate_orders(tables["silver.orders"])
    return [
        customers,
        payable,
        recount("gold.daily_revenue", MATERIALIZED, daily_revenue(payable.kept), DAILY_REVENUE),
        recount("gold.customer_value", MATERIALIZED, value, CUSTOMER_VALUE),
        recount("gold.open_balances", MATERIALIZED, balances, OPEN_BALANCES),
        recount("gold.duplicate_orders", MATERIALIZED, duplicates, DUPLICATE_ORDERS),
    ]


BRONZE_ORDERS = (
    Rule(
        "order_id_given",
        "warn",
        lambda r: compare(trim(r["order_id"]), lambda text, least: len(text) > least, 0),
    ),
    Rule("file_is_an_order_export", "fail", lambda r: like(r["source_file"], "orders-%.csv")),
)
BRONZE_CUSTOMERS = (
    Rule("customer_id_given", "drop", lambda r: r["customer_id"] is not None),
    Rule("email_given", "warn", lambda r: r["email"] is not None),
)
BRONZE_PAYMENTS = (
    Rule("payment_id_given", "warn", lambda r: r["payment_id"] is not None),
    Rule("amount_is_a_number", "warn", lambda r: number(r["amount"]) is not None),
)


def order_line(row: Row) -> Row:
    """One row of silver.orders."""
    price = decimal(row["unit_price"], 12, 2)
    discount = row["discount_percent"]
    return {
        "order_id": trim(row["order_id"]),
        "customer_id": row["customer_id"],
        "ordered_at": moment(row["ordered_at"]),
        "product": trim(row["product"]),
        "quantity": row["quantity"],
        "unit_price": price,
        "discount_percent": discount,
        "currency": upper(trim(row["currency"])),
        "status": upper(trim(row["status"])),
        "net_amount": _net(row["quantity"], price, discount),
    }


def _net(quantity: int | None, price: Decimal | None, discount: int | None) -> Decimal | None:
    if quantity is None or price is None:
        return None
    return decimal(quantity * price * (100 - (discount or 0)) * CENT, 18, 2)


def _in_the_past(at: datetime | None) -> bool | None:
    return compare(at, operator.le, datetime.now(UTC).replace(tzinfo=None))


ORDER_LINES = (
    Rule("order_id_well_formed", "drop", lambda r: like(r["order_id"], "SO-______")),
    Rule("customer_id_present", "drop", lambda r: r["customer_id"] is not None),
    Rule(
        "ordered_in_the_past",
        "drop",
        lambda r: both(r["ordered_at"] is not None, _in_the_past(r["ordered_at"])),
    ),
    Rule("ordered_since_launch", "warn", lambda r: compare(r["ordered_at"], operator.ge, LAUNCH)),
    Rule("quantity_in_range", "drop", lambda r: between(r["quantity"], 1, 10_000)),
    Rule(
        "unit_price_plausible",
        "drop",
        lambda r: both(
            compare(r["unit_price"], operator.gt, 0),
            compare(r["unit_price"], operator.lt, 1_000_000),
        ),
    ),
    Rule(
        "discount_is_a_percentage",
        "drop",
        lambda r: either(r["discount_percent"] is None, between(r["discount_percent"], 0, 100)),
    ),
    Rule("currency_known", "warn", lambda r: within(r["currency"], ("EUR", "USD", "GBP"))),
    Rule(
        "status_known",
        "warn",
        lambda r: (
            False
            if r["status"] is None
            else within(r["status"], ("NEW", "PAID", "SHIPPED", "CANCELLED"))
        ),
    ),
)


def payment(row: Row) -> Row:
    """One row of silver.payments."""
    card = row["card"] or {}
    return {
        "payment_id": trim(row["payment_id"]),
        "order_id": trim(row["order_id"]),
        "amount": decimal(trim(row["amount"]), 12, 2),
        "method": lower(trim(row["method"])),
        "card_brand": card.get("brand"),
        "card_last4": card.get("last4"),
        "paid_at": moment(row["paid_at"]),
    }


PAYMENTS = (
    Rule("payment_id_present", "drop", lambda r: compare(r["payment_id"], operator.ne, "")),
    Rule("order_id_present", "drop", lambda r: compare(r["order_id"], operator.ne, "")),
    Rule("amount_positive", "drop", lambda r: compare(r["amount"], operator.gt, 0)),
    Rule("paid_in_the_past", "warn", lambda r: _in_the_past(r["paid_at"])),
    Rule("method_known", "warn", lambda r: within(r["method"], ("card", "paypal", "transfer"))),
    Rule(
        "card_digits_complete",
        "warn",
        lambda r: either(
            compare(r["method"], operator.ne, "card"),
            compare(
                r["card_last4"],
                lambda text, form: re.search(form, text) is not None,
                r"^[0-9]{4}$",
            ),
        ),
    ),
)


def latest_customers(changes: Iterable[Row]) -> list[Row]:
    """The rows of silver.customers."""
    latest: dict[object, Row] = {}
    for row in changes:
        known = latest.get(row["customer_id"])
        if known is None or row["change_no"] > known["change_no"]:
            latest[row["customer_id"]] = row
    shared = Counter(lower(trim(row["email"])) for row in latest.values())
    return [
        {
            "customer_id": row["customer_id"],
            "full_name": trim(row["full_name"]),
            "email": lower(trim(row["email"])),
            "email_count": shared[lower(trim(row["email"]))],
            "country": upper(trim(row["country"])),
            "tier": upper(trim(row["tier"])),
            "signed_up_on": day(row["signed_up_on"]),
            "change_no": row["change_no"],
        }
        for row in latest.values()
    ]


CUSTOMERS = (
    Rule("customer_id_present", "fail", lambda r: r["customer_id"] is not None),
    Rule("email_well_formed", "warn", lambda r: like(r["email"], "%_@_%.__%")),
    Rule("email_unique", "warn", lambda r: r["email_count"] == 1),
    Rule(
        "country_known",
        "drop",
        lambda r: within(r["country"], ("DE", "FR", "CZ", "ES", "SE", "GB", "US")),
    ),
    Rule("tier_known", "warn", lambda r: within(r["tier"], ("STANDARD", "PREMIUM"))),
    Rule(
        "signed_up_in_the_past",
        "warn",
        lambda r: compare(r["signed_up_on"], operator.le, datetime.now(UTC).date()),
    ),
)


def payable_orders(orders: Iterable[Row], customers: Iterable[Row]) -> list[Row]:
    """The rows of payable_orders, before its rules."""
    by_number = {row["customer_id"]: row for row in customers}
    rows = []
    for order in orders:
        if order["status"] not in ("PAID", "SHIPPED"):
            continue
        customer = by_number.get(order["customer_id"], {})
        columns = ("order_id", "ordered_at", "currency", "discount_percent", "net_amount")
        row = {name: order[name] for name in (*columns, "customer_id")}
        rows.append(
            row | {"customer_name": customer.get("full_name"), "tier": customer.get("tier")}
        )
    return rows


PAYABLE_ORDERS = (
    Rule("customer_known", "drop", lambda r: r["customer_name"] is not None),
    Rule(
        "discount_within_tier",
        "warn",
        lambda r: both(
            compare(r["discount_percent"], operator.ge, 0),
            compare(r["discount_percent"], operator.le, 100),
            either(
                compare(r["discount_percent"], operator.le, 50),
                compare(r["tier"], operator.eq, "PREMIUM"),
            ),
        ),
    ),
    Rule("net_amount_not_negative", "fail", lambda r: compare(r["net_amount"], operator.ge, 0)),
)


def daily_revenue(payable: Iterable[Row]) -> list[Row]:
    """The rows of gold.daily_revenue."""
    groups: dict[tuple[date, object], list[Row]] = defaultdict(list)
    for row in payable:
        groups[row["ordered_at"].date(), row["currency"]].append(row)
    return [
        {
            "day": on,
            "currency": currency,
            "order_count": len({row["order_id"] for row in rows}),
            "customer_count": len({row["customer_id"] for row in rows}),
            "revenue": sum(row["net_amount"] for row in rows),
            "largest_order": max(row["net_amount"] for row in rows),
        }
        for (on, currency), rows in groups.items()
    ]


DAILY_REVENUE = (
    Rule("day_present", "fail", lambda r: r["day"] is not None),
    Rule("revenue_not_negative", "fail", lambda r: compare(r["revenue"], operator.ge, 0)),
    Rule("enough_orders_for_statistics", "warn", lambda r: r["order_count"] >= 5),
)


def customer_value(customers: Iterable[Row], payable: Iterable[Row]) -> list[Row]:
    """The rows of gold.customer_value."""
    bought: dict[object, list[Row]] = defaultdict(list)
    for row in payable:
        bought[row["customer_id"]].append(row)
    rows = []
    for customer in customers:
        lines = bought[customer["customer_id"]]
        columns = ("customer_id", "country", "tier", "signed_up_on")
        row = {name: customer[name] for name in columns}
        row["order_count"] = len(lines)
        row["spent"] = sum((line["net_amount"] for line in lines), Decimal(0))
        row["first_order_at"] = min((line["ordered_at"] for line in lines), default=None)
        rows.append(row)
    return rows


def _active_since_signup(row: Row) -> bool | None:
    first = row["first_order_at"]
    return compare(first and first.date(), operator.ge, row["signed_up_on"])


CUSTOMER_VALUE = (
    Rule("spent_within_reason", "drop", lambda r: between(r["spent"], 0, 8_000)),
    Rule("active_since_signup", "warn", _active_since_signup),
)


def open_balances(orders: Iterable[Row], payments: Iterable[Row]) -> list[Row]:
    """The rows of gold.open_balances."""
    amounts: dict[object, list[Decimal]] = defaultdict(list)
    for row in payments:
        amounts[row["order_id"]].append(row["amount"])
    rows = []
    for order in orders:
        paid = amounts.get(order["order_id"], [])
        total = sum(paid, Decimal(0))
        if order["net_amount"] == total:
            continue
        rows.append(
            {
                "order_id": order["order_id"],
                "status": order["status"],
                "ordered": order["net_amount"],
                "payment_count": len(paid),
                "paid": total,
                "open_amount": order["net_amount"] - total,
            }
        )
    return rows


OPEN_BALANCES = (
    Rule("not_overpaid", "warn", lambda r: compare(r["open_amount"], operator.gt, 0)),
    Rule(
        "order_worth_chasing",
        "drop",
        lambda r: both(
            compare(r["ordered"], operator.ge, 5), negate(within(r["status"], ("CANCELLED",)))
        ),
    ),
)


def duplicate_orders(orders: Iterable[Row]) -> list[Row]:
    """The rows of gold.duplicate_orders."""
    counts = Counter(row["order_id"] for row in orders)
    return [
        {"order_id": order_id, "occurrence_count": count}
        for order_id, count in counts.items()
        if count > 1
    ]


DUPLICATE_ORDERS = (Rule("at_most_twice", "warn", lambda r: r["occurrence_count"] <= 2),)
