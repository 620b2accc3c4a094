"""S005: predicates without parentheses."""

from tidegate.linter.rule import Bad, FaultRule


class UnparenthesisedExpectation(FaultRule):
    """The predicate of an expectation stands in parentheses, the whole of it.

    Without them it does not run. `EXPECT (a) > 0` is the same mistake: the parentheses close
    before the predicate ends.

    The fix puts the predicate in parentheses, up to ON VIOLATION, the comma or the list's end. It
    is safe, because the text could not run.
    """

    bad = (
        Bad(
            """
            CREATE OR REFRESH STREAMING TABLE orders (
              CONSTRAINT adult EXPECT age > 17 ON VIOLATION DROP ROW
              --                      ^^^^^^^^ S005
            ) AS SELECT * FROM STREAM raw.orders;
            """,
            fixed="""
            CREATE OR REFRESH STREAMING TABLE orders (
              CONSTRAINT adult EXPECT (age > 17) ON VIOLATION DROP ROW
            ) AS SELECT * FROM STREAM raw.orders;
            """,
        ),
        Bad(
            """
            CREATE OR REFRESH STREAMING TABLE orders (
              CONSTRAINT adult EXPECT (age) > 17
              --                      ^^^^^^^^^^ S005
            ) AS SELECT * FROM STREAM raw.orders;
            """,
            fixed="""
            CREATE OR REFRESH STREAMING TABLE orders (
              CONSTRAINT adult EXPECT ((age) > 17)
            ) AS SELECT * FROM STREAM raw.orders;
            """,
        ),
    )
    good = (
        """
        CREATE OR REFRESH STREAMING TABLE orders (
          CONSTRAINT adult EXPECT ((age) > 17) ON VIOLATION DROP ROW
        ) AS SELECT * FROM STREAM raw.orders;
        """,
    )
