"""G502: two definitions of one dataset."""

from tidegate.linter.rule import Bad, FaultRule


class DuplicateDataset(FaultRule):
    """A pipeline defines each dataset once; which of two definitions counts would be chance.

    Names are compared in full, without letter case: a missing catalog or schema is filled in from
    USE and the configuration first, and a `LIVE` prefix does not count. All files of the pipeline
    are seen together.
    """

    bad = (
        Bad(
            """
            CREATE OR REFRESH MATERIALIZED VIEW totals AS SELECT count(*) AS n FROM raw.orders;
            CREATE OR REFRESH MATERIALIZED VIEW default.Totals AS SELECT 1 AS n;
              --                                ^^^^^^^^^^^^^^ G502
            """,
        ),
    )
    good = (
        """
        CREATE OR REFRESH MATERIALIZED VIEW totals AS SELECT count(*) AS n FROM raw.orders;
        USE SCHEMA reports;
        CREATE OR REFRESH MATERIALIZED VIEW totals AS SELECT 1 AS n;
        """,
    )
