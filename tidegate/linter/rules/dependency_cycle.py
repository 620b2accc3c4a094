"""G503: datasets that read each other in a circle."""

from tidegate.linter.rule import Bad, FaultRule


class DependencyCycle(FaultRule):
    """Datasets that read each other in a circle can never be computed.

    Every dataset needs its sources first. In a circle each waits for the other, so the graph of
    the pipeline has no order and the update is refused. A dataset that reads itself is a circle of
    one; reading its earlier content is what a streaming table is for.
    """

    bad = (
        Bad(
            """
            CREATE MATERIALIZED VIEW orders AS SELECT * FROM totals;
            --                       ^^^^^^ G503
            CREATE MATERIALIZED VIEW totals AS SELECT * FROM orders;
            """,
        ),
    )
    good = (
        """
        CREATE MATERIALIZED VIEW orders AS SELECT * FROM raw.orders;
        CREATE MATERIALIZED VIEW totals AS SELECT * FROM orders;
        """,
    )
