"""S008: commas between list items."""

from tidegate.linter.rule import Bad, FaultRule


class MissingOrExtraComma(FaultRule):
    """One comma stands between two items of a list, and none before the first or behind the last.

    Most lists break when an item is added, removed or moved. The other items are still checked.

    The fix inserts or removes the comma. It is safe.
    """

    bad = (
        Bad(
            """
            CREATE OR REFRESH STREAMING TABLE orders (
              CONSTRAINT id_given EXPECT (id IS NOT NULL) ON VIOLATION DROP ROW
              --                                                               ^ S008
              CONSTRAINT amount_given EXPECT (amount IS NOT NULL),
              --                                                 ^ S008
            ) AS SELECT * FROM STREAM raw.orders;
            """,
            fixed="""
            CREATE OR REFRESH STREAMING TABLE orders (
              CONSTRAINT id_given EXPECT (id IS NOT NULL) ON VIOLATION DROP ROW,
              CONSTRAINT amount_given EXPECT (amount IS NOT NULL)
            ) AS SELECT * FROM STREAM raw.orders;
            """,
        ),
    )
    good = (
        """
        CREATE OR REFRESH STREAMING TABLE orders (
          CONSTRAINT id_given EXPECT (id IS NOT NULL) ON VIOLATION DROP ROW, -- the key
          -- CONSTRAINT amount_given EXPECT (amount IS NOT NULL),
          CONSTRAINT note_given EXPECT (note IS NOT NULL)
        ) AS SELECT * FROM STREAM raw.orders;
        """,
    )
