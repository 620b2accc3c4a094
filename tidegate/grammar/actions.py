"""An expectation's action comes in; what is wrong with it, and the fix, go out."""

from tidegate.grammar.nodes import ExpectClause
from tidegate.source.diagnostic import Fault
from tidegate.source.edit import Edit, Fix, Safety
from tidegate.source.span import Span

_KNOWN = frozenset(("DROP ROW", "FAIL UPDATE"))
_MEANT = {
    **dict.fromkeys(("DROP", "DROP ROWS", "DROP RECORD", "DROP RECORDS"), "DROP ROW"),
    **dict.fromkeys(("FAIL", "FAIL PIPELINE", "STOP", "ABORT"), "FAIL UPDATE"),
}
_WARNING_WORDS = frozenset(("WARN", "LOG", "KEEP", "IGNORE"))


def action_faults(item: ExpectClause, text: str, dataset: str | None) -> list[Fault]:
    """Return the fault of an action that is neither DROP ROW nor FAIL UPDATE."""
    action, whole = item.action, item.violation_span
    if action is None or whole is None or action.text.upper() in _KNOWN:
        return []
    words = action.text.upper()
    fix: Fix | None = None
    advice = "write `DROP ROW` or `FAIL UPDATE`, or leave ON VIOLATION out to keep the row"
    if meant := _MEANT.get(words):
        fix = Fix(f"Write {meant}", (Edit(action.span, meant),), Safety.SAFE)
        advice = f"write `{meant}`"
    elif words in _WARNING_WORDS:
        start = item.predicate_span.end + 1
        start = text.rindex(")", item.predicate_span.end, whole.start) + 1
        fix = Fix("Remove ON VIOLATION", (Edit(Span(start, whole.end), ""),), Safety.SAFE)
        advice = "leave ON VIOLATION out: rows are then kept and counted"
    elif words.startswith("QUARANTINE"):
        advice = (
            "write two datasets over one source: one with DROP ROW on the rule, one that selects "
            "`WHERE (rule) IS NOT TRUE`"
        )
    return [
        Fault(
            name="unknown-violation-action",
            span=action.span,
            message=f"`{action.text}` is not an action of ON VIOLATION",
            help=advice,
            dataset=dataset,
            constraint=item.name.text if item.name else None,
            fix=fix,
        )
    ]
