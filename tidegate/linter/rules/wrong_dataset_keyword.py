"""S011: words of a CREATE that do not go together."""

from tidegate.linter.rule import Bad, FaultRule


class WrongDatasetKeyword(FaultRule):
    """Not all words between CREATE and the name go together, nor with expectations.

    A plain table and a plain view take no expectations. A streaming table cannot be replaced,
    only refreshed. PRIVATE belongs to streaming tables and materialized views, and there is no
    STREAMING VIEW. Spellings with LIVE have combinations of their own.

    The fix, where there is one, writes the combination that is nearest. It is unsafe: another
    object may be meant.
    """

    bad = (
        Bad(
            """
            CREATE OR REPLACE STREAMING TABLE orders AS SELECT * FROM STREAM raw.orders;
            --        ^^^^^^^ S011
            """,
            fixed="""
            CREATE OR REFRESH STREAMING TABLE orders AS SELECT * FROM STREAM raw.orders;
            """,
        ),
        Bad(
            """
            CREATE TABLE orders (CONSTRAINT id_given EXPECT (id IS NOT NULL))
            --     ^^^^^ S011
            AS SELECT * FROM raw.orders;
            """,
        ),
    )
    good = (
        """
        CREATE OR REPLACE MATERIALIZED VIEW totals AS SELECT sum(amount) AS amount FROM orders;
        """,
        """
        CREATE OR REFRESH STREAMING TABLE orders (CONSTRAINT id_given EXPECT (id IS NOT NULL))
        AS SELECT * FROM STREAM raw.orders;
        """,
    )
