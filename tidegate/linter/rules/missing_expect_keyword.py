"""S002: constraints without EXPECT."""

from tidegate.linter.rule import Bad, FaultRule


class MissingExpectKeyword(FaultRule):
    """A constraint of a pipeline's dataset says what it is: EXPECT, PRIMARY KEY or FOREIGN KEY.

    `CONSTRAINT name (predicate)` is found in published pages, and no engine reads it.

    The fix inserts EXPECT. It is safe where ON VIOLATION follows, which only an expectation has,
    and unsafe elsewhere, where a CHECK may have been meant.
    """

    bad = (
        Bad(
            """
            CREATE OR REFRESH STREAMING TABLE orders (
              CONSTRAINT dated (placed_on > '2000-01-01') ON VIOLATION FAIL UPDATE
              --               ^ S002
            ) AS SELECT * FROM STREAM raw.orders;
            """,
            fixed="""
            CREATE OR REFRESH STREAMING TABLE orders (
              CONSTRAINT dated EXPECT (placed_on > '2000-01-01') ON VIOLATION FAIL UPDATE
            ) AS SELECT * FROM STREAM raw.orders;
            """,
        ),
    )
    good = (
        """
        CREATE OR REFRESH STREAMING TABLE orders (
          id BIGINT,
          CONSTRAINT dated EXPECT (placed_on > '2000-01-01') ON VIOLATION FAIL UPDATE,
          CONSTRAINT order_key PRIMARY KEY (id)
        ) AS SELECT * FROM STREAM raw.orders;
        """,
    )
