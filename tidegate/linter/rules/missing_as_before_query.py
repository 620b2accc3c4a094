"""S009: queries without AS."""

from tidegate.linter.rule import Bad, FaultRule


class MissingAsBeforeQuery(FaultRule):
    """AS stands before the query of a dataset.

    Without it the query is read as one more clause, and the statement does not run.

    The fix inserts AS. It is safe. A FLOW INSERT BY NAME has no AS before its query.
    """

    bad = (
        Bad(
            """
            CREATE OR REFRESH MATERIALIZED VIEW totals COMMENT 'by day'
                SELECT day, sum(amount) AS amount FROM orders GROUP BY day;
              --^^^^^^ S009
            """,
            fixed="""
            CREATE OR REFRESH MATERIALIZED VIEW totals COMMENT 'by day'
                AS SELECT day, sum(amount) AS amount FROM orders GROUP BY day;
            """,
        ),
    )
    good = (
        """
        CREATE OR REFRESH MATERIALIZED VIEW totals COMMENT 'by day'
        AS SELECT day, sum(amount) AS amount FROM orders GROUP BY day;
        """,
        """
        CREATE OR REFRESH STREAMING TABLE orders
        FLOW INSERT BY NAME SELECT * FROM STREAM raw.orders;
        """,
    )
