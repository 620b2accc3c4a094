"""S012: typographic characters in SQL."""

from tidegate.linter.rule import Bad, FaultRule


class SmartQuotes(FaultRule):
    """SQL knows plain quotes and hyphens; typographic ones come from web pages.

    Translated product pages carry them in their examples. Zero-width blanks are among them too:
    they break a name in two without being seen. Inside strings, comments and names in backticks
    all of them are legal, and are left alone.

    The fix writes the plain characters. It is safe, and is offered where the text then parses.
    """

    bad = (
        Bad(
            """
            CREATE OR REFRESH STREAMING TABLE orders (
              CONSTRAINT tagged EXPECT (tag <> \u2018\u2019)
              --                               ^^ S012
            ) AS SELECT * FROM STREAM raw.orders;
            """,
            fixed="""
            CREATE OR REFRESH STREAMING TABLE orders (
              CONSTRAINT tagged EXPECT (tag <> '')
            ) AS SELECT * FROM STREAM raw.orders;
            """,
        ),
    )
    good = (
        """
        CREATE OR REFRESH STREAMING TABLE orders (
          CONSTRAINT tagged EXPECT (tag <> '\u201cnone\u201d')
        ) AS SELECT * FROM STREAM raw.orders;
        """,
    )
