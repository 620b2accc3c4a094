"""N102: expectations whose name changes with each regeneration."""

from collections.abc import Iterator

from tidegate.grammar.nodes import ExpectClause
from tidegate.linter.context import Context
from tidegate.linter.rule import Bad, Category, Rule
from tidegate.source.diagnostic import Diagnostic, Severity
from tidegate.source.edit import Edit, Fix, Safety


class VolatileName(Rule[ExpectClause]):
    """A date, hash, version or ticket number in a name starts a new metric with each change.

    The name of an expectation is the key under which its figures are kept. Where a generator or
    a habit puts the day, a commit or a version into it, every release begins an empty history,
    and nobody can tell which rule was in force in March.

    Flagged are dates (eight or fourteen digits, `2026_01_31`), periods (`2026q1`), UUIDs,
    eight or more hexadecimal digits that mix letters and digits, a version at the end, and a
    ticket number that is all there is. A date that the predicate compares with, and text that
    stands in a column's name, belong to the rule and are left alone.

    The fix takes the part out, or derives a name where nothing else is left. It is unsafe: under
    its new name the metric starts anew, for the last time.
    """

    code = "N102"
    category = Category.SUSPICIOUS
    severity = Severity.WARNING
    bad = (
        Bad(
            """
            CREATE OR REFRESH STREAMING TABLE sales (
              CONSTRAINT amount_ok_20260131 EXPECT (amount > 0)
              --         ^^^^^^^^^^^^^^^^^^ N102
            ) AS SELECT * FROM STREAM raw.sales;
            """,
            fixed="""
            CREATE OR REFRESH STREAMING TABLE sales (
              CONSTRAINT amount_ok EXPECT (amount > 0)
            ) AS SELECT * FROM STREAM raw.sales;
            """,
        ),
        Bad(
            """
            CREATE OR REFRESH STREAMING TABLE sales (
              CONSTRAINT `JIRA-123` EXPECT (amount > 0)
              --         ^^^^^^^^^^ N102
            ) AS SELECT * FROM STREAM raw.sales;
            """,
            fixed="""
            CREATE OR REFRESH STREAMING TABLE sales (
              CONSTRAINT amount_positive EXPECT (amount > 0)
            ) AS SELECT * FROM STREAM raw.sales;
            """,
        ),
    )
    good = (
        """
        CREATE OR REFRESH STREAMING TABLE sales (
          CONSTRAINT after_20200101 EXPECT (sold_on >= DATE '2020-01-01'),
          CONSTRAINT deadbeef_facade EXPECT (facade IS NOT NULL),
          CONSTRAINT schema_v2 EXPECT (schema_v2 IS NOT NULL)
        ) AS SELECT * FROM STREAM raw.sales;
        """,
    )

    def check(self, node: ExpectClause, ctx: Context) -> Iterator[Diagnostic]:
        """Flag names with a part that the predicate does not explain."""
        name = node.name
        if name is None or not any(map(str.isdigit, name.text)):
            return
        # Most names hold no digit; what only the others need is imported here.
        from tidegate.linter.evidence import column_names, literal_texts  # noqa: PLC0415
        from tidegate.linter.volatile_text import (  # noqa: PLC0415
            letters_and_digits,
            volatile_run,
        )

        run = volatile_run(name.text)
        if run is None:
            return
        known = [
            letters_and_digits(text) for text in (*column_names(node, ctx), *literal_texts(node))
        ]
        if any(each in text for each in run.evidence for text in known):
            return
        fix = None
        stable = _stable_name(node, ctx, run.start, run.end)
        if stable:
            fix = Fix(f"Rename to `{stable}`", (Edit(name.span, stable),), Safety.UNSAFE)
        yield self.at(
            name.span,
            f"`{name.text}` holds {run.what} (`{name.text[run.start : run.end]}`), "
            "so that its metric starts anew with each change of it",
            help="name what the rule demands" + (f": `{stable}`" if stable else ""),
            fix=fix,
        )


def _stable_name(node: ExpectClause, ctx: Context, start: int, end: int) -> str | None:
    """Return the name without a part; derive one where that says nothing or is taken."""
    from tidegate.linter.naming import as_identifier  # noqa: PLC0415
    from tidegate.linter.volatile_text import volatile_run  # noqa: PLC0415

    text = node.name.text if node.name else ""
    before, after = text[:start].rstrip("_-. "), text[end:].lstrip("_-. ")
    rest = f"{before}_{after}" if before and after else before or after
    says_something = any(len(part) > 2 for part in rest.replace("-", "_").split("_"))
    if says_something and not volatile_run(rest) and ctx.names.is_free(rest, node):
        return as_identifier(rest)
    return ctx.names.derived(node)
