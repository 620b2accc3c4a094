"""S010: clauses that exclude each other."""

from tidegate.linter.rule import Bad, FaultRule


class DuplicateOrConflictingClause(FaultRule):
    """A clause stands once, and some clauses exclude each other.

    PARTITIONED BY excludes CLUSTER BY, SCHEDULE excludes TRIGGER, IF NOT EXISTS excludes OR
    REFRESH, and an expectation has one ON VIOLATION. Where an engine does not refuse the second,
    which of them counts differs between platforms.

    There is no fix: only you know which one is meant. The message names the place of the first.
    The comment of a column and the comment of its table are two different things.
    """

    bad = (
        Bad(
            """
            CREATE OR REFRESH STREAMING TABLE orders
              COMMENT 'all orders'
              COMMENT 'orders of the shop'
            --^^^^^^^^^^^^^^^^^^^^^^^^^^^^ S010
            AS SELECT * FROM STREAM raw.orders;
            """,
        ),
        Bad(
            """
            CREATE OR REFRESH STREAMING TABLE orders
              PARTITIONED BY (country)
              CLUSTER BY (id)
            --^^^^^^^^^^^^^^^ S010
            AS SELECT * FROM STREAM raw.orders;
            """,
        ),
    )
    good = (
        """
        CREATE OR REFRESH STREAMING TABLE orders (id BIGINT COMMENT 'the key')
          COMMENT 'all orders'
        AS SELECT * FROM STREAM raw.orders;
        """,
    )
