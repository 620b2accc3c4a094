"""F201: expectations that call a function written in Python."""

from collections.abc import Iterator

from tidegate.catalog.functions import lookup
from tidegate.grammar.nodes import ExpectClause, FunctionCall
from tidegate.linter.context import Context
from tidegate.linter.rule import Bad, Category, Rule
from tidegate.source.diagnostic import Diagnostic, Severity


class PythonUdfInExpectation(Rule[FunctionCall]):
    """A function written in Python may not stand in an expectation.

    The platform refuses custom Python functions in constraints. Open-source Spark runs them,
    but outside its own engine: each row goes to a Python process and back, the filter cannot
    be pushed to the source: a measured three million rows took 23 seconds where a pattern match
    took 5 and a plain search one. So this is an error for the platform's targets and a warning
    where only open-source targets are configured.

    A function counts as Python when the files create it with `LANGUAGE PYTHON`, when a Python
    file of the project registers it, or when the configuration lists it under `python_udfs`.
    A function of the same name that is created in SQL takes its place.

    Say the same with built-in functions, or compute a column in the query and expect on that.
    """

    code = "F201"
    category = Category.CORRECTNESS
    severity = Severity.ERROR
    severity_open_source = Severity.WARNING
    bad = (
        Bad(
            """
            CREATE FUNCTION py_is_mail(mail STRING) RETURNS BOOLEAN LANGUAGE PYTHON
              AS $$ return '@' in mail $$;
            CREATE OR REFRESH STREAMING TABLE customers (
              CONSTRAINT mail_valid EXPECT (py_is_mail(mail))
              --                            ^^^^^^^^^^^^^^^^ F201
            ) AS SELECT * FROM STREAM raw.customers;
            """,
        ),
    )
    good = (
        """
        CREATE OR REFRESH STREAMING TABLE customers (
          CONSTRAINT mail_valid EXPECT (mail RLIKE r'^[^@]+@[^@]+$')
        ) AS SELECT * FROM STREAM raw.customers;
        """,
        """
        CREATE FUNCTION is_mail(mail STRING) RETURNS BOOLEAN RETURN contains(mail, '@');
        CREATE OR REFRESH STREAMING TABLE customers (
          CONSTRAINT mail_valid EXPECT (is_mail(mail))
        ) AS SELECT * FROM STREAM raw.customers;
        """,
    )

    def check(self, node: FunctionCall, ctx: Context) -> Iterator[Diagnostic]:
        """Flag calls of registered Python functions in expectations."""
        name = node.name.text
        if not isinstance(ctx.gate, ExpectClause) or lookup(name) is not None:
            return
        declared = ctx.declared
        folded = name.lower()
        if folded in declared.python and folded not in declared.sql:
            yield self.at(
                node.span,
                f"`{name}` is a Python function, which an expectation may not call",
                help=_help(declared.bodies.get(folded, "")),
            )


def _help(body: str) -> str:
    if body:
        # Needs Python's own parser, for the few that get so far.
        from tidegate.linter.python_functions import said_in_sql  # noqa: PLC0415

        if built_ins := said_in_sql(body):
            return f"write it with {' and '.join(built_ins)} instead"
    return (
        "use built-in functions (RLIKE, contains, BETWEEN), or compute a column in the query and "
        "expect on that"
    )
