"""Codes and severities of what the grammar, the model and the transpiler find.

Rules carry their own code. Faults and losses are found by rooms that know no codes; this table is
where each of their names gets one.
"""

import msgspec

from tidegate.source.diagnostic import Severity


class FaultEntry(msgspec.Struct, frozen=True):
    """The public identity of one kind of fault."""

    code: str
    severity: Severity
    summary: str


_ERROR, _WARNING, _INFO = Severity.ERROR, Severity.WARNING, Severity.INFO

FAULTS: dict[str, FaultEntry] = {
    # grammar
    "syntax-error": FaultEntry("S001", _ERROR, "text that the grammar does not allow here"),
    "unknown-violation-action": FaultEntry(
        "S003", _ERROR, "an action other than DROP ROW or FAIL UPDATE"
    ),
    "clause-out-of-place": FaultEntry("S006", _ERROR, "a clause where it has no effect"),
    # model
    "duplicate-name": FaultEntry("N103", _ERROR, "two expectations of one dataset share a name"),
    "duplicate-dataset": FaultEntry("G502", _ERROR, "two definitions of one dataset"),
    "dependency-cycle": FaultEntry("G503", _ERROR, "datasets that read each other in a circle"),
    "streaming-table-without-stream": FaultEntry(
        "R601", _ERROR, "a streaming table whose query reads no stream"
    ),
    # transpiler
    "stream-in-materialized-view": FaultEntry(
        "R602", _ERROR, "a materialized view whose query reads a stream"
    ),
    "stream-over-batch-view": FaultEntry(
        "R608", _ERROR, "a view over no stream that is read as one"
    ),
    "not-supported": FaultEntry("O210", _ERROR, "a construct that this version cannot lower"),
    "unbound-placeholder": FaultEntry("O211", _WARNING, "a placeholder without a value"),
    "query-not-verified": FaultEntry("O212", _INFO, "a query that may not be valid SQL"),
    "clause-not-kept": FaultEntry("O203", _WARNING, "a clause that the target cannot keep"),
}
