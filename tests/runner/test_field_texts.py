"""The texts of the field, run on a few rows each, with figures counted by hand."""

import json
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from tidegate.project.configs import Configs
from tidegate.project.pipeline import open_pipeline
from tidegate.project.planning import Overrides, plan_pipeline
from tidegate.runner.from_plan import to_spec
from tidegate.runner.run import RunOptions, run_in

ROOT = Path(__file__).parents[2]
FIELD = ROOT / "fixtures" / "field"

CLAUSES_AFTER_THE_QUERY = """\
CREATE OR REFRESH STREAMING LIVE TABLE orders_bronze AS SELECT * FROM STREAM(raw.orders);

CREATE OR REFRESH STREAMING LIVE TABLE orders_silver
AS SELECT * FROM STREAM(LIVE.orders_bronze)
CONSTRAINT not_null_id EXPECT (`id` IS NOT NULL) ON VIOLATION DROP ROW{comma}
CONSTRAINT valid_amount EXPECT (`amount` IS NOT NULL AND `amount` > 0) ON VIOLATION DROP ROW;
"""

pytestmark = pytest.mark.spark


class Field:
    """Runs texts in the tests' one session, from the files to the tables."""

    def __init__(self, spark, folder: Path) -> None:
        self._spark = spark
        self.folder = folder
        self.warehouse = folder / "warehouse"

    def csv(self, name: str, rows: str) -> tuple[str, str]:
        """Write the one file of an input's folder, and bind the folder to a name."""
        file = self.folder / "in" / name / "rows.csv"
        file.parent.mkdir(parents=True)
        file.write_text(rows, encoding="utf-8")
        return name, str(file.parent)

    def run(self, text: Path, *inputs: tuple[str, str], exit_code: int = 0) -> dict[str, dict]:
        opened = open_pipeline([str(text)], None, Configs(isolated=True))
        planned = plan_pipeline(opened, Overrides())
        assert planned.faults == ()
        options = RunOptions(warehouse=self.warehouse, inputs=inputs)
        pipeline = to_spec(planned.plan, version="")
        outcome = run_in(self._spark, pipeline, options, lambda event: None)
        assert outcome.exit_code == exit_code, outcome.errors
        return {each["name"]: each for each in msgspec.to_builtins(outcome)["datasets"]}

    def stored(self, name: str) -> list[tuple]:
        folder = self.warehouse.joinpath(*name.split("."))
        table = self._spark.read.format("delta").load(str(folder))
        return sorted((tuple(row) for row in table.collect()), key=str)


@pytest.fixture
def field(spark, tmp_path) -> Field:
    return Field(spark, tmp_path)


def tidegate(*arguments) -> subprocess.CompletedProcess:
    command = [sys.executable, "-m", "tidegate", *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def figures(dataset: dict) -> dict[str, tuple[str, int, int, int]]:
    return {
        each["name"]: (each["action"], each["passed"], each["failed"], each["null"])
        for each in dataset["expectations"]
    }


def counts(dataset: dict) -> tuple[int, int, int]:
    return dataset["rows_read"], dataset["rows_written"], dataset["rows_dropped"]


def test_two_rules_on_keys_drop_every_row_without_one(field):
    rows = "customer_id,email\n1,a@example.org\n2,\n,b@example.org\n,\n3,c@example.org\n"
    outcome = field.run(FIELD / "1-two-keys.sql", field.csv("raw.customers", rows))
    ran = outcome["default.customers"]
    assert figures(ran) == {
        "valid_email": ("drop", 3, 2, 0),
        "valid_customer_id": ("drop", 3, 2, 0),
    }
    assert counts(ran) == (5, 2, 3)
    assert field.stored("default.customers") == [
        (1, "a@example.org"),
        (3, "c@example.org"),
    ]


def test_range_rules_drop_what_is_outside_and_what_is_missing(field):
    rows = (
        "id,amount,transaction_date,quantity\n"
        "1,0.01,2024-01-01,1\n"
        "2,0,2024-01-01,10000\n"
        "3,-5,2199-01-01,10001\n"
        "4,,,\n"
        "5,7,2199-01-01,5\n"
        "6,7,2024-02-29,0\n"
    )
    outcome = field.run(FIELD / "2-ranges.sql", field.csv("raw.transactions", rows))
    ran = outcome["default.transactions"]
    assert figures(ran) == {
        "valid_amount": ("drop", 3, 3, 1),
        "valid_date": ("drop", 3, 3, 1),
        "valid_quantity": ("drop", 3, 3, 1),
    }
    assert counts(ran) == (6, 1, 5)
    assert [row[0] for row in field.stored("default.transactions")] == [1]


def test_three_actions_in_one_list_keep_drop_and_guard(field):
    rows = (
        "order_id,customer_id,amount,order_date,status\n"
        "1,10,9.999,2024-05-01,PAID\n"
        "2,10,-0.01,2024-05-01,OPEN\n"
        "3,,,2024-05-02,\n"
        "4,11,0,2024-05-03,LOST\n"
    )
    orders = field.csv("dev.bronze.orders", rows)
    ran = field.run(FIELD / "3-three-actions.sql", orders)["dev.silver.orders"]
    assert figures(ran) == {
        "valid_order_id": ("fail", 4, 0, 0),
        "valid_amount": ("drop", 2, 2, 1),
        "known_status": ("warn", 2, 2, 1),
    }
    assert counts(ran) == (4, 2, 2)
    assert [(str(row[2]), row[4]) for row in field.stored("dev.silver.orders")] == [
        ("10.00", "PAID"),
        ("0.00", "LOST"),
    ]


def test_three_actions_in_one_list_write_nothing_when_a_key_is_missing(field):
    rows = (
        "order_id,customer_id,amount,order_date,status\n"
        "1,10,5,2024-05-01,PAID\n"
        ",10,-1,2024-05-01,OPEN\n"
    )
    orders = field.csv("dev.bronze.orders", rows)
    ran = field.run(FIELD / "3-three-actions.sql", orders, exit_code=1)["dev.silver.orders"]
    assert ran["status"] == "FAILED"
    assert figures(ran) == {
        "valid_order_id": ("fail", 1, 1, 0),
        "valid_amount": ("drop", 1, 1, 0),
        "known_status": ("warn", 2, 0, 0),
    }
    assert counts(ran) == (2, 0, 0)
    first = '"order_id":null,"customer_id":10,"amount":-1.00'
    row = f'{{{first},"order_date":"2024-05-01","status":"OPEN"}}'
    assert ran["violations"] == [
        {
            "name": "valid_order_id",
            "predicate": "order_id IS NOT NULL",
            "failed": 1,
            "null": 0,
            "rows": [row],
        }
    ]


@pytest.mark.parametrize("comma", ["", ","])
def test_constraints_after_the_query_run_once_the_safe_fix_has_moved_them(field, comma):
    sources = field.folder / "sources"
    sources.mkdir()
    text = sources / "orders.sql"
    text.write_text(CLAUSES_AFTER_THE_QUERY.format(comma=comma), encoding="utf-8")
    before = tidegate("check", text, "--output-format", "json")
    found = {each["name"] for each in json.loads(before.stdout)["files"][0]["diagnostics"]}
    assert before.returncode == 1
    assert "clause-out-of-place" in found
    fixed = tidegate("check", text, "--fix")
    assert fixed.returncode == 0, fixed.stdout + fixed.stderr
    ran = field.run(text, field.csv("raw.orders", "id,amount\n1,10\n2,\n,5\n4,-3\n,0\n6,1\n"))
    assert figures(ran["default.orders_silver"]) == {
        "not_null_id": ("drop", 4, 2, 0),
        "valid_amount": ("drop", 3, 3, 0),
    }
    assert counts(ran["default.orders_silver"]) == (6, 2, 4)
    assert field.stored("default.orders_silver") == [(1, 10), (6, 1)]


def test_constraints_after_the_query_are_not_run_as_they_stand(tmp_path):
    text = CLAUSES_AFTER_THE_QUERY.format(comma="")
    (tmp_path / "orders.sql").write_text(text, encoding="utf-8")
    (tmp_path / "rows.csv").write_text("id,amount\n1,10\n", encoding="utf-8")
    place = ["--warehouse", tmp_path / "w", "--input", f"raw.orders={tmp_path / 'rows.csv'}"]
    done = tidegate("run", tmp_path / "orders.sql", *place)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "clause-out-of-place" in done.stdout + done.stderr
    assert not (tmp_path / "w" / "default").exists()


def test_the_compound_rule_is_judged_with_three_valued_logic(field):
    rows = (
        "id,discount_percent,customer_tier\n"
        "1,0,STANDARD\n"
        "2,50,\n"
        "3,51,PREMIUM\n"
        "4,100,PREMIUM\n"
        "5,51,STANDARD\n"
        "6,101,PREMIUM\n"
        "7,-1,PREMIUM\n"
        "8,60,\n"
        "9,,PREMIUM\n"
    )
    ran = field.run(FIELD / "5-compound.sql", field.csv("raw.discounts", rows))["default.discounts"]
    assert figures(ran) == {"valid_discount": ("drop", 4, 5, 2)}
    assert counts(ran) == (9, 4, 5)
    assert [row[0] for row in field.stored("default.discounts")] == [1, 2, 3, 4]


def test_uniqueness_is_counted_by_a_group_and_by_a_window(field):
    orders = "order_id,amount\n7,1\n7,2\n8,1\n9,1\n9,1\n9,1\n,4\n,5\n"
    employees = "id,ssn\n1,11\n2,22\n3,33\n"
    ran = field.run(
        FIELD / "6-uniqueness.sql",
        field.csv("silver.orders", orders),
        field.csv("hr.employees", employees),
    )
    assert figures(ran["default.duplicate_orders"]) == {"no_duplicates": ("warn", 0, 3, 0)}
    assert counts(ran["default.duplicate_orders"]) == (3, 3, 0)
    assert field.stored("default.duplicate_orders") == [(7, 2), (9, 3), (None, 2)]
    assert figures(ran["default.employees_checked"]) == {"unique_ssn": ("fail", 3, 0, 0)}
    assert field.stored("default.employees_checked") == [
        (1, 11, 1),
        (2, 22, 1),
        (3, 33, 1),
    ]


def test_a_number_given_twice_stops_the_view_that_wants_it_unique(field):
    ran = field.run(
        FIELD / "6-uniqueness.sql",
        field.csv("silver.orders", "order_id\n1\n"),
        field.csv("hr.employees", "id,ssn\n1,11\n2,22\n3,11\n"),
        exit_code=1,
    )
    assert ran["default.duplicate_orders"]["status"] == "COMPLETED"
    assert counts(ran["default.duplicate_orders"]) == (0, 0, 0)
    assert figures(ran["default.employees_checked"]) == {"unique_ssn": ("fail", 1, 2, 0)}
    assert ran["default.employees_checked"]["violations"][0]["rows"] == [
        '{"id":1,"ssn":11,"ssn_count":2}',
        '{"id":3,"ssn":11,"ssn_count":2}',
    ]
    assert field.stored("default.employees_checked") == []


def test_read_files_reads_what_its_literal_path_is_bound_to(field):
    folder = field.folder / "clients"
    folder.mkdir()
    (folder / "a.csv").write_text('id,name\n1,"Dupont, Anne"\n2,\n', encoding="utf-8")
    (folder / "b.csv").write_text("id,name\n3,Zoë\n", encoding="utf-8")
    bound = ("/data/clients/(export)", str(folder))
    ran = field.run(FIELD / "8-read-files.sql", bound)["default.bronze_clients"]
    assert counts(ran) == (3, 3, 0)
    assert ran["expectations"] == []
    assert field.stored("default.bronze_clients") == [
        (1, "Dupont, Anne", "a.csv"),
        (2, None, "a.csv"),
        (3, "Zoë", "b.csv"),
    ]
