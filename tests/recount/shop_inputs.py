"""The example's input files as Spark reads them: a row per record, with the types it infers."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Mapping
from pathlib import Path

from recount.counting import Row

CUSTOMERS: Mapping[str, Callable[[str], object]] = {"customer_id": int, "change_no": int}
ORDERS: Mapping[str, Callable[[str], object]] = {
    "customer_id": int,
    "quantity": int,
    "unit_price": float,
    "discount_percent": int,
}
PAYMENT_COLUMNS = ("payment_id", "order_id", "amount", "method", "paid_at")


def read_csv(path: Path, types: Mapping[str, Callable[[str], object]]) -> list[Row]:
    """Read one CSV file: an empty field is NULL, blanks stay, columns without a type are text."""
    with path.open(encoding="utf-8", newline="") as file:
        return [
            {name: types.get(name, str)(text) if text else None for name, text in record.items()}
            for record in csv.DictReader(file)
        ]


def read_orders(path: Path) -> list[Row]:
    """Read one file of order lines, with the name of the file that they came in."""
    return [row | {"source_file": path.name} for row in read_csv(path, ORDERS)]


def read_payments(path: Path) -> list[Row]:
    """Read one file of payment messages; amounts are text, because some of them are."""
    rows = []
    for line in path.read_text(encoding="utf-8").splitlines():
        # Spark keeps the digits of a number as they stand in the file when the column is text.
        message = json.loads(line, parse_float=str, parse_int=str)
        row = {name: message.get(name) for name in PAYMENT_COLUMNS}
        rows.append(row | {"card": message.get("card")})
    return rows
