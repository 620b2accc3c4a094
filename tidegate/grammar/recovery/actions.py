"""An expectation's action comes in; what is wrong with it, and the fix, go out."""

from tidegate.catalog.spelling import distance
from tidegate.grammar.nodes import ExpectClause
from tidegate.source.diagnostic import Fault
from tidegate.source.edit import Edit, Fix, Safety
from tidegate.source.span import Span

_KNOWN = frozenset(("DROP ROW", "FAIL UPDATE"))
_DROPPING = (
    "DROP,DROP ROWS,DROP RECORD,DROP RECORDS,DROP THE ROW,DROP INVALID ROWS,DROP_ROW,DROPROW,"
    "DELETE,DELETE ROW,DELETE ROWS,DISCARD,DISCARD ROW,REMOVE,REMOVE ROW,EXPECT_OR_DROP"
)
_FAILING = (
    "FAIL,FAIL PIPELINE,FAIL UPDATES,FAIL FLOW,FAIL JOB,FAIL TABLE,FAIL QUERY,FAIL RUN,FAIL LOAD,"
    "FAIL ROW,FAIL_UPDATE,FAILUPDATE,STOP,STOP PIPELINE,STOP UPDATE,ABORT,ABORT UPDATE,"
    "ABORT PIPELINE,HALT,ERROR,RAISE,RAISE ERROR,EXPECT_OR_FAIL"
)
_MEANT = {
    **dict.fromkeys(_DROPPING.split(","), "DROP ROW"),
    **dict.fromkeys(_FAILING.split(","), "FAIL UPDATE"),
}
_KEEPING = (
    "WARN,WARNING,LOG,KEEP,KEEP ROW,KEEP ROWS,IGNORE,IGNORE ROW,RETAIN,RETAIN ROW,ALLOW,"
    "CONTINUE,NOTHING,DO NOTHING,NONE"
)
# Words of other frameworks, whose meaning is a guess.
_GUESSED = ("DELETE", "DISCARD", "REMOVE", "ERROR", "RAISE")
_WARNING_WORDS = frozenset(_KEEPING.split(","))
# A longer phrase is no misspelt action, and measuring it would take long.
_LONGEST = 24


def meant_action(words: str) -> str | None:
    """Return the action that words in capitals mean, misspelt ones too."""
    if words in _KNOWN:
        return words
    if meant := _MEANT.get(words):
        return meant
    if len(words) > _LONGEST:
        return None
    return next((known for known in sorted(_KNOWN) if distance(words, known, 2) <= 2), None)


def action_faults(item: ExpectClause, text: str, dataset: str | None) -> list[Fault]:
    """Return the fault of an action that is neither DROP ROW nor FAIL UPDATE."""
    action, whole = item.action, item.violation_span
    if action is None or whole is None or action.text.upper() in _KNOWN:
        return []
    words = action.text.upper()
    if words[0] in "${" and "}" in words:
        # A placeholder may stand for either of them.
        return []
    fix: Fix | None = None
    advice = "write `DROP ROW` or `FAIL UPDATE`, or leave ON VIOLATION out to keep the row"
    if meant := meant_action(words):
        safety = Safety.UNSAFE if words.startswith(_GUESSED) else Safety.SAFE
        fix = Fix(f"Write {meant}", (Edit(action.span, meant),), safety)
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
