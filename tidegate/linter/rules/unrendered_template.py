"""S014: templates, and blanks that nobody filled in."""

from tidegate.linter.rule import Bad, FaultRule


class UnrenderedTemplate(FaultRule):
    """What was to be filled in stands in the text as it is, and no engine reads it.

    Rules that a Python loop writes into a SQL file keep their `{name}` or `%(name)s` when the
    formatting was forgotten, or the string's own `f"`; exercises of courses keep `<FILL_IN>`,
    `FILL_IN` or `<TODO>`, and text from a manual its `<TABLE_NAME>`. Each is reported where it
    stands, once per expectation. Read as a placeholder, it lets the rest of the statement be
    checked, and what does not parse because of it is not reported besides. Braces inside strings
    are text (`'^[0-9]{3}$'`), and those of an f-string in a Python file are placeholders.

    A file with `{{ ... }}` or `{% ... %}` is a template: something else makes SQL of it. That is a
    note, one per file. Values are read as placeholders, tags are passed over, and the file is
    counted as a template, never as clean; `compile` and `run` refuse it. Best check what it
    renders to.

    `${name}` is ordinary pipeline syntax. It is reported only where the project lists its
    parameters, under `[variables]` or in a settings file, and `name` is not among them.

    There is no fix: only you know what belongs there.
    """

    bad = (
        Bad(
            """
            CREATE OR REFRESH STREAMING TABLE orders (
              CONSTRAINT id_given EXPECT ({column} IS NOT NULL) ON VIOLATION DROP ROW,
              --                          ^^^^^^^^ S014
              CONSTRAINT amount_positive EXPECT (amount > <FILL_IN>)
              --                                          ^^^^^^^^^ S014
            ) AS SELECT * FROM STREAM raw.orders;
            """,
        ),
        Bad(
            """
            CREATE MATERIALIZED VIEW totals AS
              SELECT count(*) AS n FROM {{ source('raw', 'orders') }};
              --                        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ S014
            """,
        ),
    )
    good = (
        """
        CREATE OR REFRESH STREAMING TABLE orders (
          CONSTRAINT id_given EXPECT (order_id IS NOT NULL) ON VIOLATION DROP ROW,
          CONSTRAINT code_valid EXPECT (code RLIKE r'^\\d{3}$'),
          CONSTRAINT recent EXPECT (order_date > '${first_day}')
        ) AS SELECT * FROM STREAM ${schema}.orders;
        """,
    )
