"""R601: streaming tables that read no stream."""

from tidegate.linter.rule import Bad, FaultRule


class StreamingTableWithoutStream(FaultRule):
    """A streaming table follows at least one stream; a query over tables alone is refused.

    One leaf of the query has to be read with STREAM, directly or through a view of the pipeline;
    the others may be tables. Where everything is to be read anew at each update, a materialized
    view is the right kind.

    The fix adds STREAM to the only table there is. It is unsafe: from then on only new rows are
    read.
    """

    bad = (
        Bad(
            """
            CREATE OR REFRESH STREAMING TABLE orders (
              CONSTRAINT amount_positive EXPECT (amount > 0)
            ) AS SELECT * FROM raw.orders;
              --               ^^^^^^^^^^ R601
            """,
            fixed="""
            CREATE OR REFRESH STREAMING TABLE orders (
              CONSTRAINT amount_positive EXPECT (amount > 0)
            ) AS SELECT * FROM STREAM raw.orders;
            """,
        ),
    )
    good = (
        """
        CREATE OR REFRESH STREAMING TABLE orders AS
          SELECT o.*, c.tier FROM STREAM raw.orders o JOIN raw.customers c ON o.customer = c.id;
        """,
        """
        CREATE TEMPORARY VIEW fresh AS SELECT * FROM STREAM raw.orders;
        CREATE OR REFRESH STREAMING TABLE orders AS SELECT * FROM fresh;
        """,
    )
