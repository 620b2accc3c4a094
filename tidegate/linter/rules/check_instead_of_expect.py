"""S004: CHECK on a dataset of a pipeline."""

from tidegate.linter.rule import Bad, FaultRule


class CheckInsteadOfExpect(FaultRule):
    """A streaming table, a materialized view or a view of a pipeline has expectations, no CHECK.

    Spark refuses CHECK there, and Databricks documents none. With ON VIOLATION behind it, an
    expectation is certainly meant.

    The fix writes EXPECT. With ON VIOLATION it is safe. Without, it is unsafe: a CHECK refuses
    rows, an expectation without an action only counts them.
    """

    bad = (
        Bad(
            """
            CREATE OR REFRESH STREAMING TABLE orders (
              CONSTRAINT dated CHECK (placed_on >= '2022-01-01') ON VIOLATION DROP ROW
              --               ^^^^^ S004
            ) AS SELECT * FROM STREAM raw.orders;
            """,
            fixed="""
            CREATE OR REFRESH STREAMING TABLE orders (
              CONSTRAINT dated EXPECT (placed_on >= '2022-01-01') ON VIOLATION DROP ROW
            ) AS SELECT * FROM STREAM raw.orders;
            """,
        ),
    )
    good = (
        """
        CREATE TABLE orders (
          placed_on DATE,
          CONSTRAINT dated CHECK (placed_on >= '2022-01-01')
        );
        """,
    )
