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
    "missing-expect-keyword": FaultEntry("S002", _ERROR, "a constraint without its EXPECT"),
    "unknown-violation-action": FaultEntry(
        "S003", _ERROR, "an action other than DROP ROW or FAIL UPDATE"
    ),
    "check-instead-of-expect": FaultEntry("S004", _ERROR, "a CHECK on a pipeline's dataset"),
    "unparenthesised-expectation": FaultEntry(
        "S005", _ERROR, "a predicate without parentheses around the whole of it"
    ),
    "clause-out-of-place": FaultEntry("S006", _ERROR, "a clause where it has no effect"),
    "missing-constraint-name": FaultEntry("S007", _ERROR, "an expectation without a name"),
    "missing-or-extra-comma": FaultEntry(
        "S008", _ERROR, "two items without a comma, or a comma without an item"
    ),
    "missing-as-before-query": FaultEntry("S009", _ERROR, "a query without AS before it"),
    "duplicate-or-conflicting-clause": FaultEntry(
        "S010", _ERROR, "a clause given twice, or two that exclude each other"
    ),
    "wrong-dataset-keyword": FaultEntry(
        "S011", _ERROR, "words of a CREATE that do not go together, or not with expectations"
    ),
    "smart-quotes": FaultEntry("S012", _ERROR, "typographic characters in the place of plain ones"),
    "dataframe-api-in-sql": FaultEntry("S013", _ERROR, "Python's column functions in SQL"),
    "ctas-with-columns": FaultEntry("S015", _ERROR, "a plain CREATE TABLE with columns and query"),
    "unrendered-template": FaultEntry(
        "S014", _ERROR, "a template or a blank that was not filled in"
    ),
    "expectation-not-attached": FaultEntry(
        "S016", _ERROR, "an expectation of Python code that decorates no dataset"
    ),
    "missing-cdc-clause": FaultEntry("C701", _ERROR, "a change feed without KEYS or SEQUENCE BY"),
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
