"""C701: change feeds without a mandatory clause."""

from tidegate.linter.rule import Bad, FaultRule


class MissingCdcClause(FaultRule):
    """A change feed names the keys of a row and the column that orders its changes.

    Without KEYS no row is found again, and without SEQUENCE BY a late change overwrites a newer
    one. REPLACE USING needs its SEQUENCE BY as well. A feed whose clauses a placeholder gives is
    not judged.

    There is no fix: the columns are not known here.
    """

    bad = (
        Bad(
            """
            CREATE OR REFRESH STREAMING TABLE customers;
               AUTO CDC INTO customers FROM STREAM changes KEYS (id);
             --^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ C701
            """,
        ),
    )
    good = (
        """
        CREATE OR REFRESH STREAMING TABLE customers;
        AUTO CDC INTO customers FROM STREAM changes KEYS (id) SEQUENCE BY changed_at;
        """,
    )
