"""S001: text that the grammar does not allow."""

from tidegate.linter.rule import Bad, FaultRule


class SyntaxError(FaultRule):  # noqa: A001  the class bears the rule's name
    """What does not parse is never guessed at: the statement is reported, not lowered.

    Engines are lenient where it hurts: Spark reads `depth > 0 AND` as a column named AND, and
    other linters pass over what they cannot read. Here the message says what was found and what
    could have stood there. An error costs only its own clause or list item; the others are still
    checked.

    Of Python, calls are reported that can never run: of functions that `dlt` and
    `pyspark.pipelines` do not have, and of expect functions without a condition, with a list in the
    place of a dictionary, or with arguments that do not exist.

    There is no fix but for misspelt words. Ignoring the rule hides the message, not the fact: `run`
    and `compile` refuse the statement all the same.
    """

    bad = (
        Bad(
            """
            CREATE OR REFRESH STREAMING TABLE soundings (
              CONSTRAINT depth_positive EXPECT (depth > 0 AND)
              --                                             ^ S001
            ) AS SELECT * FROM STREAM raw.soundings;
            """,
        ),
    )
    good = (
        """
        CREATE OR REFRESH STREAMING TABLE soundings (
          CONSTRAINT depth_in_range EXPECT (depth > 0 AND depth < 9),
          CONSTRAINT stream_known EXPECT (stream IS NOT NULL)
        ) AS SELECT * FROM STREAM raw.soundings;
        """,
    )
