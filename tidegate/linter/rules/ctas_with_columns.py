"""S015: plain tables with columns and a query."""

from tidegate.linter.rule import Bad, FaultRule


class CtasWithColumns(FaultRule):
    """A plain CREATE TABLE has a list of columns or a query, not both.

    Spark and Databricks refuse the two together. Streaming tables and materialized views may have
    both.

    There is no fix: give the types by CAST in the query, or create the table and insert then.
    """

    bad = (
        Bad(
            """
            CREATE TABLE orders (id BIGINT) AS SELECT 1 AS id;
            --                  ^^^^^^^^^^^ S015
            """,
        ),
    )
    good = (
        """
        CREATE TABLE orders AS SELECT CAST(1 AS BIGINT) AS id;
        """,
        """
        CREATE OR REFRESH STREAMING TABLE orders (id BIGINT) AS SELECT * FROM STREAM raw.orders;
        """,
    )
