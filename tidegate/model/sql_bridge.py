"""The one door to sqlglot: a query enters, an answer in our own types leaves.

sqlglot analyses here and never generates: its output changes meaning in several constructs. It is
imported inside the functions, since its import costs more than checking a whole file.
"""

import msgspec


class QueryProblem(msgspec.Struct, frozen=True):
    """Why a query could not be read; the offset is within the query's text."""

    message: str
    offset: int


def find_problem(query: str) -> QueryProblem | None:
    """Return what keeps sqlglot's Databricks dialect from reading a query, if anything.

    It knows less than Spark does (WATERMARK, for one), so a problem is a hint and no verdict.
    """
    import logging  # noqa: PLC0415

    import sqlglot  # noqa: PLC0415
    from sqlglot.errors import ParseError, SqlglotError  # noqa: PLC0415
    from sqlglot.expressions import Command  # noqa: PLC0415

    logging.getLogger("sqlglot").setLevel(logging.ERROR)
    try:
        tree = sqlglot.parse_one(query, read="databricks")
    except ParseError as error:
        first = error.errors[0] if error.errors else {}
        line, column = int(first.get("line") or 1), int(first.get("col") or 1)
        what = str(first.get("description") or error).partition(" but got <")[0]
        return QueryProblem(what, _offset(query, line, column))
    except SqlglotError as error:
        return QueryProblem(str(error).splitlines()[0], 0)
    if isinstance(tree, Command):
        return QueryProblem("the text is no query", 0)
    return None


def _offset(text: str, line: int, column: int) -> int:
    starts = [0]
    for each in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(each))
    return min(starts[min(line, len(starts)) - 1] + column - 1, len(text))
