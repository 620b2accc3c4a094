"""S011: words of a CREATE that do not go together."""

from tidegate.grammar.nodes import AutoCdc, CreateDataset, CreateFlow
from tidegate.grammar.recovery.judging import PLAIN_TABLE
from tidegate.linter.context import Context
from tidegate.linter.rule import Bad, FaultRule
from tidegate.source.diagnostic import Fault


class WrongDatasetKeyword(FaultRule):
    """Not all words between CREATE and the name go together, nor with expectations.

    A plain table and a plain view take no expectations. A streaming table cannot be replaced,
    only refreshed. PRIVATE belongs to streaming tables and materialized views, and there is no
    STREAMING VIEW. Spellings with LIVE have combinations of their own.

    The fix, where there is one, writes the combination that is nearest. It is unsafe: another
    object may be meant.
    """

    bad = (
        Bad(
            """
            CREATE OR REPLACE STREAMING TABLE orders AS SELECT * FROM STREAM raw.orders;
            --        ^^^^^^^ S011
            """,
            fixed="""
            CREATE OR REFRESH STREAMING TABLE orders AS SELECT * FROM STREAM raw.orders;
            """,
        ),
        Bad(
            """
            CREATE TABLE orders (CONSTRAINT id_given EXPECT (id IS NOT NULL))
            --     ^^^^^ S011
            AS SELECT * FROM raw.orders;
            """,
        ),
    )
    good = (
        """
        CREATE OR REPLACE MATERIALIZED VIEW totals AS SELECT sum(amount) AS amount FROM orders;
        """,
        """
        CREATE OR REFRESH STREAMING TABLE orders (CONSTRAINT id_given EXPECT (id IS NOT NULL))
        AS SELECT * FROM STREAM raw.orders;
        """,
        """
        CREATE TABLE orders (CONSTRAINT id_given EXPECT (id IS NOT NULL));
        CREATE FLOW north AS INSERT INTO orders BY NAME SELECT * FROM STREAM raw.north;
        """,
    )

    def amend(self, fault: Fault, ctx: Context) -> Fault | None:
        """Withdraw it for a table that flows elsewhere in the pipeline fill: it may have rules."""
        if fault.message != PLAIN_TABLE or not isinstance(ctx.statement, CreateDataset):
            return fault
        own = ctx.statement.name.parts[-1].text.casefold()
        for file in ctx.pipeline.files:
            for statement in file.statements:
                if isinstance(statement, CreateFlow | AutoCdc):
                    target = statement.body.target
                    if target is not None and target.parts[-1].text.casefold() == own:
                        return None
        return fault
