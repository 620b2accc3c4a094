"""S006: clauses that stand where they have no effect."""

import msgspec

from tidegate.grammar.nodes import CreateDataset, ExpectClause
from tidegate.grammar.recovery.misplaced import Segment, move_edits
from tidegate.linter.context import Context
from tidegate.linter.naming import as_identifier
from tidegate.linter.rule import Bad, FaultRule
from tidegate.source.diagnostic import Fault
from tidegate.source.edit import Fix, Safety


class ClauseOutOfPlace(FaultRule):
    """Expectations belong in the list before AS; behind the query they are no expectations.

    `FROM src CONSTRAINT a EXPECT (x IS NOT NULL)` is published in guides. Read as plain SQL,
    words behind a table are its alias, and the rule is lost without a message.

    The fix moves the expectations into the list, whether or not commas stand between them. It is
    safe, because the statement cannot run as it is written. Where an expectation has no name, one
    is derived from its predicate, and the fix is unsafe.
    """

    bad = (
        Bad(
            """
            CREATE OR REFRESH STREAMING TABLE orders AS SELECT * FROM STREAM raw.orders
                CONSTRAINT id_given EXPECT (id IS NOT NULL) ON VIOLATION DROP ROW;
              --^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ S006
            """,
            fixed="""
            CREATE OR REFRESH STREAMING TABLE orders (
              CONSTRAINT id_given EXPECT (id IS NOT NULL) ON VIOLATION DROP ROW
            ) AS SELECT * FROM STREAM raw.orders;
            """,
        ),
        Bad(
            """
            CREATE OR REFRESH STREAMING TABLE orders AS SELECT * FROM STREAM raw.orders
                EXPECT id IS NOT NULL ON VIOLATION DROP ROW;
              --^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ S006
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
          CONSTRAINT id_given EXPECT (id IS NOT NULL) ON VIOLATION DROP ROW
        ) AS SELECT * FROM STREAM raw.orders;
        """,
    )

    def amend(self, fault: Fault, ctx: Context) -> Fault:
        """Add the move of expectations that lack a name or parentheses."""
        statement = ctx.statement
        if fault.fix is not None or not isinstance(statement, CreateDataset):
            return fault
        if ctx.file.text[fault.span.start] == "(":
            return fault
        moved = [
            each
            for each in statement.misplaced
            if fault.span.start <= each.span.start and each.span.end <= fault.span.end
        ]
        written = [_written(each, ctx) for each in moved]
        whole = [text for text in written if text is not None]
        if not moved or len(whole) < len(moved):
            return fault
        segments = tuple(
            Segment(span=each.span, is_constraint=True, stop=each.span.end) for each in moved
        )
        edits = move_edits(ctx.file.text, statement, segments, whole)
        title = "Move them into the list, with names" if len(moved) > 1 else "Move it into the list"
        return msgspec.structs.replace(fault, fix=Fix(title, edits, Safety.UNSAFE))


def _written(clause: ExpectClause, ctx: Context) -> str | None:
    """Return a whole expectation for one that lacks a name or parentheses."""
    name = clause.name.text if clause.name else ctx.names.derived(clause)
    if name is None or clause.predicate is None:
        return None
    span = clause.predicate_span
    predicate = ctx.file.text[span.start : span.end]
    action = f" ON VIOLATION {clause.action.text}" if clause.action else ""
    return f"CONSTRAINT {as_identifier(name)} EXPECT ({predicate}){action}"
