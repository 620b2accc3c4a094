"""S013: Python's column functions in SQL."""

from tidegate.linter.rule import Bad, FaultRule


class DataframeApiInSql(FaultRule):
    """A predicate is SQL: `col(...)`, `.isNotNull()`, `None` and `&&` are Python.

    Some of it parses and fails later: `col` is no function of SQL, `a = 1 & b = 2` compares with
    the bits of `1 & b`. Bits of whole numbers, as in `flags & 4 = 4`, are legal, and so is a
    function called `col` with the name of its schema before it.

    The fix says the same in SQL. It is safe: the text could not run. It is offered where all of
    the predicate can be said so.
    """

    bad = (
        Bad(
            """
            CREATE OR REFRESH STREAMING TABLE orders (
              CONSTRAINT positive EXPECT (col("amount") > 0 && quantity > 0)
              --                          ^^^^^^^^^^^^^ S013
            ) AS SELECT * FROM STREAM raw.orders;
            """,
            fixed="""
            CREATE OR REFRESH STREAMING TABLE orders (
              CONSTRAINT positive EXPECT (amount > 0 AND quantity > 0)
            ) AS SELECT * FROM STREAM raw.orders;
            """,
        ),
        Bad(
            """
            CREATE OR REFRESH STREAMING TABLE orders (
              CONSTRAINT known EXPECT (status.isin('new', 'paid'))
              --                             ^^^^^^^^^^^^^^^^^^^^ S013
            ) AS SELECT * FROM STREAM raw.orders;
            """,
            fixed="""
            CREATE OR REFRESH STREAMING TABLE orders (
              CONSTRAINT known EXPECT (status IN ('new', 'paid'))
            ) AS SELECT * FROM STREAM raw.orders;
            """,
        ),
    )
    good = (
        """
        CREATE OR REFRESH STREAMING TABLE orders (
          CONSTRAINT marked EXPECT (flags & 4 = 4 AND col > 0)
        ) AS SELECT * FROM STREAM raw.orders;
        """,
    )
