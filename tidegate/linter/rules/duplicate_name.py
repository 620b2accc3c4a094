"""N103: two expectations of one dataset with one name."""

import msgspec

from tidegate.linter.context import Context
from tidegate.linter.rule import Bad, FaultRule
from tidegate.source.diagnostic import Fault
from tidegate.source.edit import Edit, Fix, Safety


class DuplicateName(FaultRule):
    """The name of an expectation is the key of its metric; two of one name cannot be told apart.

    Names are compared without backticks and letter case, and with the names of the dataset's keys
    and checks too. The same name on another dataset is no fault.

    The fix derives a name for the second from its predicate. It is unsafe: it starts a new metric.
    """

    bad = (
        Bad(
            """
            CREATE OR REFRESH STREAMING TABLE orders (
              CONSTRAINT valid EXPECT (amount > 0),
              CONSTRAINT Valid EXPECT (quantity IS NOT NULL)
              --         ^^^^^ N103
            ) AS SELECT * FROM STREAM raw.orders;
            """,
            fixed="""
            CREATE OR REFRESH STREAMING TABLE orders (
              CONSTRAINT valid EXPECT (amount > 0),
              CONSTRAINT quantity_not_null EXPECT (quantity IS NOT NULL)
            ) AS SELECT * FROM STREAM raw.orders;
            """,
        ),
    )
    good = (
        """
        CREATE OR REFRESH STREAMING TABLE orders (
          CONSTRAINT amount_positive EXPECT (amount > 0),
          CONSTRAINT quantity_not_null EXPECT (quantity IS NOT NULL)
        ) AS SELECT * FROM STREAM raw.orders;
        CREATE OR REFRESH STREAMING TABLE returns (
          CONSTRAINT amount_positive EXPECT (amount > 0)
        ) AS SELECT * FROM STREAM raw.returns;
        """,
    )

    def amend(self, fault: Fault, ctx: Context) -> Fault:
        """Add the renaming, where the predicate yields a name."""
        derived = ctx.names.derived_at(fault.span)
        if derived is None:
            return fault
        fix = Fix(f"Rename to `{derived}`", (Edit(fault.span, derived),), Safety.UNSAFE)
        return msgspec.structs.replace(fault, fix=fix)
