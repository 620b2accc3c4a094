"""A plan comes in; hints about queries that could not be read, where no engine is at hand, go out.

A run needs no such hint: Spark itself reads the query before anything is written.
"""

from collections.abc import Iterator

from tidegate.model.pipeline import LocatedFault
from tidegate.model.sql_bridge import find_problem
from tidegate.source.diagnostic import Fault
from tidegate.transpiler.plan import Plan


def unverified(plan: Plan) -> Iterator[LocatedFault]:
    """Give a fault of information for each query that may not be valid SQL."""
    for dataset in plan.datasets:
        problem = find_problem(dataset.query)
        if problem is None:
            continue
        reason = problem.message[:1].lower() + problem.message[1:].rstrip(".")
        yield LocatedFault(
            dataset.source,
            Fault(
                name="query-not-verified",
                span=dataset.query_span,
                message=f"the query of `{dataset.name}` may not be valid: {reason}",
                help="try it on Spark; some forms that Spark takes are not known here",
                dataset=dataset.name,
            ),
        )
