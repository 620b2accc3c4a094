"""S003: actions that do not exist."""

from tidegate.linter.rule import Bad, FaultRule


class UnknownViolationAction(FaultRule):
    """ON VIOLATION knows two actions, DROP ROW and FAIL UPDATE; without it rows are only counted.

    QUARANTINE, WARN or FAIL PIPELINE come from other frameworks and from teaching material. An
    unknown action is never read as a warning: the statement is not lowered.

    The fix is safe, because the text could not run: near spellings become DROP ROW or FAIL UPDATE,
    and words that mean to keep the row (WARN, LOG, KEEP, IGNORE) go with their ON VIOLATION. For
    QUARANTINE there is none: write two datasets with opposite predicates.

    In Python the action is part of the function's name, and a decorator that does not exist is
    reported alike: ``@dlt.expect_or_dorp`` with a fix, ``@dlt.expect_or_quarantine`` without. What
    it expects is still read, with an unknown action.
    """

    bad = (
        Bad(
            """
            CREATE OR REFRESH STREAMING TABLE orders (
              CONSTRAINT amount_positive EXPECT (amount > 0) ON VIOLATION FAIL PIPELINE
              --                                                          ^^^^^^^^^^^^^ S003
            ) AS SELECT * FROM STREAM raw.orders;
            """,
            fixed="""
            CREATE OR REFRESH STREAMING TABLE orders (
              CONSTRAINT amount_positive EXPECT (amount > 0) ON VIOLATION FAIL UPDATE
            ) AS SELECT * FROM STREAM raw.orders;
            """,
        ),
    )
    good = (
        """
        CREATE OR REFRESH STREAMING TABLE orders (
          CONSTRAINT amount_positive EXPECT (amount > 0) ON VIOLATION FAIL UPDATE,
          CONSTRAINT quantity_positive EXPECT (quantity > 0) ON VIOLATION DROP ROW,
          CONSTRAINT note_given EXPECT (note IS NOT NULL)
        ) AS SELECT * FROM STREAM raw.orders;
        """,
    )
