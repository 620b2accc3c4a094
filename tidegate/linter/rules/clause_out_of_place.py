"""S006: clauses that stand where they have no effect."""

from tidegate.linter.rule import Bad, FaultRule


class ClauseOutOfPlace(FaultRule):
    """Expectations belong in the list before AS; behind the query they are no expectations.

    `FROM src CONSTRAINT a EXPECT (x IS NOT NULL)` is published in guides. Read as plain SQL,
    words behind a table are its alias, and the rule is lost without a message.

    The fix moves the expectations into the list, whether or not commas stand between them. It is
    safe, because the statement cannot run as it is written.
    """

    bad = (
        Bad(
            """
            CREATE OR REFRESH STREAMING TABLE orders AS SELECT * FROM STREAM raw.orders
                CONSTRAINT id_given EXPECT (id IS NOT NULL) ON VIOLATION DROP ROW;
              --^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ S006
            """,
            fixed="""
            CREATE OR REFRESH STREAMING TABLE orders (
              CONSTRAINT id_given EXPECT (id IS NOT NULL) ON VIOLATION DROP ROW
            ) AS SELECT * FROM STREAM raw.orders;
            """,
        ),
    )
    good = (
        """
        CREATE OR REFRESH STREAMING TABLE orders (
          CONSTRAINT id_given EXPECT (id IS NOT NULL) ON VIOLATION DROP ROW
        ) AS SELECT * FROM STREAM raw.orders;
        """,
    )
