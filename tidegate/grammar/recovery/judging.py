"""A statement that parses comes in; what does not go together in it goes out, as faults."""

from collections.abc import Iterator

import msgspec

from tidegate.grammar.nodes import (
    CheckConstraint,
    Clause,
    ClusterByClause,
    ColumnDefinition,
    ColumnProperty,
    ColumnPropertyKind,
    CommentClause,
    CreateDataset,
    DefaultCollationClause,
    ExpectClause,
    LocationClause,
    Name,
    ObjectKind,
    OptionsClause,
    PartitionedByClause,
    PropertiesClause,
    RefreshPolicyClause,
    RowFilterClause,
    ScheduleClause,
    Spelling,
    UsingClause,
)
from tidegate.grammar.recovery.stretch import second_clause, unsafe
from tidegate.grammar.tokens import raw_tokens
from tidegate.source.diagnostic import Fault, Related
from tidegate.source.edit import Edit
from tidegate.source.span import Span

_CLAUSES: dict[type[Clause], str] = {
    CommentClause: "COMMENT",
    PropertiesClause: "TBLPROPERTIES",
    OptionsClause: "OPTIONS",
    PartitionedByClause: "PARTITIONED BY",
    ClusterByClause: "CLUSTER BY",
    UsingClause: "USING",
    LocationClause: "LOCATION",
    ScheduleClause: "SCHEDULE",
    RefreshPolicyClause: "REFRESH POLICY",
    RowFilterClause: "ROW FILTER",
    DefaultCollationClause: "DEFAULT COLLATION",
}
# Either may stand once, but not both.
_EXCLUSIVE: dict[type[Clause], type[Clause]] = {
    PartitionedByClause: ClusterByClause,
    ClusterByClause: PartitionedByClause,
}
_ONCE = (
    ColumnPropertyKind.NOT_NULL,
    ColumnPropertyKind.COMMENT,
    ColumnPropertyKind.DEFAULT,
    ColumnPropertyKind.GENERATED,
    ColumnPropertyKind.IDENTITY,
    ColumnPropertyKind.COLLATE,
    ColumnPropertyKind.MASK,
)
_PIPELINE_KINDS = frozenset(
    (ObjectKind.STREAMING_TABLE, ObjectKind.MATERIALIZED_VIEW, ObjectKind.TEMPORARY_VIEW)
)
PLAIN_TABLE = "a plain table takes no expectations"
_SAID = {
    ObjectKind.STREAMING_TABLE: "a streaming table",
    ObjectKind.MATERIALIZED_VIEW: "a materialized view",
    ObjectKind.TEMPORARY_VIEW: "a temporary view",
    ObjectKind.VIEW: "a view",
    ObjectKind.TABLE: "a table",
}


def judge(text: str, statement: CreateDataset) -> Iterator[Fault]:
    """Yield what does not go together in a statement."""
    # One wrong word is often why the rest does not fit.
    wrong = list(_judge_head(text, statement)) or list(_judge_expectations(text, statement))
    yield from wrong
    if statement.clauses:
        yield from _judge_clauses(text, statement)
    for item in statement.items:
        if isinstance(item, ColumnDefinition):
            yield from _judge_column(statement, item)
        elif isinstance(item, CheckConstraint) and statement.kind in _PIPELINE_KINDS:
            yield _check_fault(text, statement, item)
    if not wrong and (fault := _columns_and_query(text, statement)):
        yield fault


# ---------------------------------------------------------------- the object


def _judge_head(text: str, statement: CreateDataset) -> Iterator[Fault]:
    """Yield wrong combinations of the words between CREATE and the name."""
    kind = statement.kind
    is_current = statement.spelling is Spelling.CURRENT
    if is_current and statement.or_replace and kind is ObjectKind.STREAMING_TABLE:
        word = _word(text, statement.head, "REPLACE")
        yield _wrong(
            word,
            "a streaming table cannot be replaced",
            "write `OR REFRESH`",
            Edit(word, "REFRESH"),
        )
    if is_current and kind is ObjectKind.TABLE and statement.or_refresh:
        yield _wrong(
            _word(text, statement.head, "REFRESH"),
            "OR REFRESH belongs to streaming tables and materialized views",
            "write `STREAMING TABLE` or `MATERIALIZED VIEW`, or leave OR REFRESH out",
        )
    elif is_current and kind in (ObjectKind.TABLE, ObjectKind.VIEW) and statement.private:
        yield from _judge_private(text, _word(text, statement.head, "PRIVATE"))
    if statement.if_not_exists and (statement.or_refresh or statement.or_replace):
        said = "OR REFRESH" if statement.or_refresh else "OR REPLACE"
        first = _word(text, statement.head, "OR")
        clause = Span(statement.head.end, statement.name.span.start)
        yield second_clause(
            _word(text, clause, "IF"),
            first,
            f"IF NOT EXISTS and {said} exclude each other",
            said,
        )
    yield from _judge_flow(text, statement)


def _judge_private(text: str, private: Span) -> Iterator[Fault]:
    if text[private.start : private.end].upper() == "PRIVATE":
        yield _wrong(
            private,
            "PRIVATE belongs to streaming tables and materialized views",
            "write `PRIVATE STREAMING TABLE` or `PRIVATE MATERIALIZED VIEW`, or leave PRIVATE out",
        )


def _judge_expectations(text: str, statement: CreateDataset) -> Iterator[Fault]:
    """Yield the fault of expectations on an object that takes none."""
    clauses = [*statement.expectations, *statement.misplaced]
    if not clauses or statement.kind not in (ObjectKind.TABLE, ObjectKind.VIEW):
        return
    if statement.kind is ObjectKind.TABLE and (statement.flow or _is_flow(text, statement)):
        return
    is_view = statement.kind is ObjectKind.VIEW
    advice = "write `TEMPORARY VIEW` or `MATERIALIZED VIEW`"
    if not is_view:
        advice = "write `STREAMING TABLE` or `MATERIALIZED VIEW`, or fill the table with a FLOW"
    yield Fault(
        name="wrong-dataset-keyword",
        span=_word(text, statement.head, "VIEW" if is_view else "TABLE"),
        message="a plain view takes no expectations" if is_view else PLAIN_TABLE,
        help=advice,
        related=(Related(message="an expectation", span=clauses[0].span),),
    )


def _judge_flow(text: str, statement: CreateDataset) -> Iterator[Fault]:
    """Yield the fault of clauses that belong to other objects."""
    kind = statement.kind
    has_flow = False
    # The pages know no flow of a materialized view, but published files have REPLACE WHERE there.
    if kind in (ObjectKind.VIEW, ObjectKind.TEMPORARY_VIEW):
        has_flow = statement.flow is not None or _is_flow(text, statement)
    if has_flow:
        start = statement.flow.span if statement.flow else statement.as_span
        assert start is not None
        yield _wrong(
            _word(text, start, "FLOW"),
            f"{_SAID[kind]} has no FLOW",
            "write `AS` and the query, or make it a streaming table",
        )
    for clause in statement.clauses:
        if isinstance(clause, RefreshPolicyClause) and kind is not ObjectKind.MATERIALIZED_VIEW:
            yield _wrong(
                clause.span,
                f"REFRESH POLICY belongs to materialized views, and this is {_SAID[kind]}",
                "remove it",
            )


def _is_flow(text: str, statement: CreateDataset) -> bool:
    """Tell whether FLOW stands where AS could."""
    span = statement.as_span
    return span is not None and text[span.start : span.start + 4].upper() == "FLOW"


def _columns_and_query(text: str, statement: CreateDataset) -> Fault | None:
    if statement.kind is not ObjectKind.TABLE or statement.query is None:
        return None
    if statement.list_span is None or _is_flow(text, statement):
        return None
    if not any(isinstance(item, ColumnDefinition) for item in statement.items):
        return None
    return Fault(
        name="ctas-with-columns",
        span=statement.list_span,
        message="a plain CREATE TABLE has columns or a query, not both",
        help="give the types by CAST in the query, or create the table first and insert then",
    )


# ---------------------------------------------------------------- clauses and columns


def _judge_clauses(text: str, statement: CreateDataset) -> Iterator[Fault]:
    """Yield clauses given twice, and those that exclude each other."""
    first: dict[type[Clause], Clause] = {}
    for clause in statement.clauses:
        kind = type(clause)
        said = _CLAUSES.get(kind)
        if said is None:
            continue
        if kind in first:
            words = {
                text[one.span.start : one.span.start + 7].upper() for one in (first[kind], clause)
            }
            message = f"a second {said} clause"
            if words == {"SCHEDUL", "TRIGGER"}:
                message = "SCHEDULE and TRIGGER exclude each other"
            yield second_clause(clause.span, first[kind].span, message, said)
            continue
        other = first.get(_EXCLUSIVE.get(kind, kind))
        if other is not None:
            yield second_clause(
                clause.span,
                other.span,
                "PARTITIONED BY and CLUSTER BY exclude each other",
                _CLAUSES[type(other)],
            )
        first[kind] = clause


def _judge_column(statement: CreateDataset, column: ColumnDefinition) -> Iterator[Fault]:
    """Yield properties of a column given twice, and checks where a pipeline has none."""
    first: dict[ColumnPropertyKind, ColumnProperty] = {}
    for one in column.properties:
        if one.kind is ColumnPropertyKind.CHECK and statement.kind in _PIPELINE_KINDS:
            yield Fault(
                name="check-instead-of-expect",
                span=one.span,
                message=f"{_SAID[statement.kind]} has no CHECK",
                help="write an expectation of its own: `CONSTRAINT name EXPECT (...)`",
            )
        if one.kind in first:
            said = one.kind.value
            yield second_clause(
                one.span,
                first[one.kind].span,
                f"a second {said} of the column `{column.name.text}`",
                said,
            )
        elif one.kind in _ONCE:
            first[one.kind] = one


def _check_fault(text: str, statement: CreateDataset, item: CheckConstraint) -> Fault:
    word = _word(text, item.span, "CHECK")
    edit = Edit(word, "EXPECT")
    return Fault(
        name="check-instead-of-expect",
        span=word,
        message=f"{_SAID[statement.kind]} has no CHECK",
        help="write `EXPECT`, with ON VIOLATION DROP ROW or FAIL UPDATE to refuse rows",
        constraint=item.name.text if item.name else None,
        fix=unsafe("Write EXPECT", edit) if item.name else None,
    )


def one_action(text: str, item: ExpectClause) -> tuple[ExpectClause, Fault] | None:
    """Take a second ON VIOLATION off an expectation: the words of both were read as one action."""
    action, whole = item.action, item.violation_span
    if action is None or whole is None or "VIOLATION" not in action.text.upper():
        return None
    words = list(raw_tokens(text, action.span.start, action.span.end))
    for place in range(1, len(words) - 1):
        if [word.text.upper() for word in words[place : place + 2]] == ["ON", "VIOLATION"]:
            break
    else:
        return None
    kept = words[:place]
    span = Span(kept[0].start, kept[-1].end)
    first = Name(span=span, text=" ".join(word.text for word in kept), quoted=False)
    whole = Span(whole.start, span.end)
    fault = second_clause(
        Span(words[place].start, action.span.end),
        whole,
        "a second ON VIOLATION on one expectation",
        "ON VIOLATION",
    )
    return msgspec.structs.replace(item, action=first, violation_span=whole), fault


def _wrong(span: Span, message: str, advice: str, edit: Edit | None = None) -> Fault:
    return Fault(
        name="wrong-dataset-keyword",
        span=span,
        message=message,
        help=advice,
        fix=unsafe(f"Write {edit.text}", edit) if edit else None,
    )


def _word(text: str, span: Span, word: str) -> Span:
    """Return where a word stands under a span, or the span itself."""
    for token in raw_tokens(text, span.start, span.end):
        if token.text.upper() == word:
            return Span(token.start, token.end)
    return span
