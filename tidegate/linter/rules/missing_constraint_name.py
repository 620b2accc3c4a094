"""S007: expectations without a name."""

import msgspec

from tidegate.linter.context import Context
from tidegate.linter.naming import as_identifier
from tidegate.linter.rule import Bad, FaultRule
from tidegate.source.diagnostic import Fault
from tidegate.source.edit import Edit, Fix, Safety
from tidegate.source.span import Span


class MissingConstraintName(FaultRule):
    """Every expectation has a name: it is the key of its metric in the event log.

    `EXPECT (...)` alone and `CONSTRAINT EXPECT (...)` do not run. An expectation that is really to
    be called `expect` gets backticks.

    The fix derives a name from column and operator. It is unsafe: whoever reads the metrics will
    look for that name.
    """

    bad = (
        Bad(
            """
            CREATE OR REFRESH STREAMING TABLE orders (
              EXPECT (quantity > 0)
            --^^^^^^ S007
            ) AS SELECT * FROM STREAM raw.orders;
            """,
            fixed="""
            CREATE OR REFRESH STREAMING TABLE orders (
              CONSTRAINT quantity_positive EXPECT (quantity > 0)
            ) AS SELECT * FROM STREAM raw.orders;
            """,
        ),
        Bad(
            """
            CREATE OR REFRESH STREAMING TABLE orders (
              CONSTRAINT EXPECT (id IS NOT NULL) ON VIOLATION DROP ROW
              --         ^^^^^^ S007
            ) AS SELECT * FROM STREAM raw.orders;
            """,
            fixed="""
            CREATE OR REFRESH STREAMING TABLE orders (
              CONSTRAINT id_not_null EXPECT (id IS NOT NULL) ON VIOLATION DROP ROW
            ) AS SELECT * FROM STREAM raw.orders;
            """,
        ),
    )
    good = (
        """
        CREATE OR REFRESH STREAMING TABLE orders (
          CONSTRAINT quantity_positive EXPECT (quantity > 0),
          CONSTRAINT `expect` EXPECT (id IS NOT NULL)
        ) AS SELECT * FROM STREAM raw.orders;
        """,
    )

    def amend(self, fault: Fault, ctx: Context) -> Fault:
        """Add a name, where the predicate yields one."""
        found = ctx.names.unnamed_at(fault.span.start)
        if found is None:
            return fault
        span, derived = found
        name = as_identifier(derived)
        word = "" if span.start < fault.span.start else "CONSTRAINT "
        at = Span(fault.span.start, fault.span.start)
        fix = Fix(f"Name it `{derived}`", (Edit(at, f"{word}{name} "),), Safety.UNSAFE)
        return msgspec.structs.replace(fault, fix=fix)
