"""A statement comes in; what it is made of, and the dialects that accept that, go out."""

from collections.abc import Iterator
from functools import lru_cache

from tidegate.grammar.availability import (
    ALONE_ROWS,
    CREATE_ROWS,
    FLOW_ROWS,
    Alone,
    FlowPart,
    Part,
    spelled,
)
from tidegate.grammar.nodes import (
    AlterDataset,
    AlterTable,
    ApplyAsClause,
    AutoCdc,
    CdcBody,
    CdcClause,
    CdcColumns,
    CdcWhere,
    CheckConstraint,
    Clause,
    ClusterByClause,
    ColumnDefinition,
    ColumnPropertyKind,
    ColumnsToUpdate,
    CommentClause,
    CreateDataset,
    CreateFlow,
    CreateFunction,
    DefaultCollationClause,
    Dialect,
    DropStatement,
    ExpectClause,
    ExplainStatement,
    FlowForm,
    IgnoreNullUpdates,
    InsertBody,
    KeyConstraint,
    KeysClause,
    ListItem,
    LocationClause,
    NameList,
    Node,
    ObjectKind,
    OptionsClause,
    PartitionedByClause,
    PropertiesClause,
    RefreshPolicyClause,
    RefreshStatement,
    ReplaceUsing,
    ReplaceWhere,
    RowFilterClause,
    ScheduleClause,
    SequenceBy,
    SetStatement,
    Spelling,
    Statement,
    StoredAs,
    TrackHistory,
    UseStatement,
    UsingClause,
)

AnyPart = Part | FlowPart | Alone

_ACCEPTING: dict[tuple[ObjectKind | None, AnyPart], frozenset[Dialect]] = {
    **{
        (kind, row.part): row.accepts(kind)
        for row in CREATE_ROWS
        for kind in (
            ObjectKind.STREAMING_TABLE,
            ObjectKind.MATERIALIZED_VIEW,
            ObjectKind.TEMPORARY_VIEW,
            ObjectKind.VIEW,
            ObjectKind.TABLE,
        )
    },
    **{(None, part): spelled(letters) for part, letters in FLOW_ROWS.items()},
    **{(None, part): spelled(letters) for part, letters in ALONE_ROWS.items()},
}

_CLAUSES: dict[type[Clause], Part] = {
    CommentClause: Part.COMMENT,
    PropertiesClause: Part.TBLPROPERTIES,
    OptionsClause: Part.OPTIONS,
    PartitionedByClause: Part.PARTITIONED_BY,
    LocationClause: Part.LOCATION,
    ScheduleClause: Part.SCHEDULE,
    RefreshPolicyClause: Part.REFRESH_POLICY,
    RowFilterClause: Part.ROW_FILTER,
    DefaultCollationClause: Part.DEFAULT_COLLATION,
}
_PROPERTIES = {
    ColumnPropertyKind.NOT_NULL: Part.NOT_NULL,
    ColumnPropertyKind.COMMENT: Part.COLUMN_COMMENT,
    ColumnPropertyKind.DEFAULT: Part.DEFAULT,
    ColumnPropertyKind.GENERATED: Part.GENERATED,
    ColumnPropertyKind.IDENTITY: Part.IDENTITY,
    ColumnPropertyKind.PRIMARY_KEY: Part.KEY,
    ColumnPropertyKind.FOREIGN_KEY: Part.KEY,
    ColumnPropertyKind.UNIQUE: Part.KEY,
    ColumnPropertyKind.CHECK: Part.CHECK,
    ColumnPropertyKind.MASK: Part.MASK,
    ColumnPropertyKind.COLLATE: Part.COLLATE,
}
_FORMATS = {"delta": Part.USING_DELTA, "iceberg": Part.USING_ICEBERG}
_FLOWS = {
    FlowForm.INSERT_ONCE: Part.FLOW_INSERT_ONCE,
    FlowForm.AUTO_CDC: Part.FLOW_AUTO_CDC,
}
_CDC_CLAUSES: dict[type[CdcClause], FlowPart] = {
    CdcWhere: FlowPart.WHERE,
    IgnoreNullUpdates: FlowPart.IGNORE_NULL_UPDATES,
    CdcColumns: FlowPart.COLUMNS,
    ColumnsToUpdate: FlowPart.COLUMNS_TO_UPDATE,
}

Used = tuple[AnyPart, Node, frozenset[Dialect]]


def dialects_of(statement: Statement) -> tuple[Dialect, ...]:
    """Return the dialects that accept a statement, in the order of their declaration."""
    used = frozenset([part for part, _ in _parts(statement)])
    if not used or (isinstance(statement, CreateDataset) and statement.misplaced):
        return ()
    return _accepting_all(_kind(statement), used)


def parts_of(statement: Statement) -> Iterator[Used]:
    """Yield what a statement is made of: the part, where it stands, and who accepts it there."""
    kind = _kind(statement)
    for part, node in _parts(statement):
        yield part, node, accepting(kind, part)


def accepting(kind: ObjectKind | None, part: AnyPart) -> frozenset[Dialect]:
    """Return the dialects that accept a part; the kind matters to the parts of a CREATE alone."""
    return _ACCEPTING[kind if isinstance(part, Part) else None, part]


@lru_cache(maxsize=1024)
def _accepting_all(kind: ObjectKind | None, used: frozenset[AnyPart]) -> tuple[Dialect, ...]:
    left = frozenset(Dialect)
    for part in used:
        left &= accepting(kind, part)
    return tuple(dialect for dialect in Dialect if dialect in left)


def _kind(statement: Statement) -> ObjectKind | None:
    """Return what a CREATE makes, or would make if it were not only explained."""
    if isinstance(statement, ExplainStatement):
        return statement.statement.kind
    return statement.kind if isinstance(statement, CreateDataset) else None


def _parts(statement: Statement) -> Iterator[tuple[AnyPart, Node]]:
    match statement:
        case CreateDataset():
            yield from _of_create(statement)
            if statement.flow is not None:
                yield from _of_body(statement.flow.body, inline=True)
        case CreateFlow():
            yield from _of_flow(statement)
        case AutoCdc():
            yield FlowPart.ALONE, statement
            yield from _of_body(statement.body, inline=False)
        case ExplainStatement():
            yield Alone.EXPLAIN, statement
            yield from _parts(statement.statement)
        case _:
            alone = _alone(statement)
            if alone is not None:
                yield alone, statement


def _alone(statement: Statement) -> Alone | None:
    match statement:
        case AlterTable():
            return Alone.ALTER_TABLE
        case AlterDataset():
            return Alone[f"ALTER_{statement.target.name}"]
        case RefreshStatement():
            plain = statement.what in (None, "TABLE")
            return Alone.REFRESH_TABLE if plain else Alone.REFRESH
        case DropStatement():
            return (
                Alone.DROP
                if " " in statement.what and "FUNCTION" not in statement.what
                else (Alone.DROP_PLAIN)
            )
        case CreateFunction():
            return Alone.FUNCTION
        case SetStatement():
            return Alone.SET
        case UseStatement():
            return Alone.USE_CATALOG if statement.what == "CATALOG" else Alone.USE
        case _:
            return None


# ---------------------------------------------------------------- CREATE


def _of_create(statement: CreateDataset) -> Iterator[tuple[Part, Node]]:
    for is_there, part in (
        (statement.or_refresh, Part.OR_REFRESH),
        (statement.or_replace, Part.OR_REPLACE),
        (statement.if_not_exists, Part.IF_NOT_EXISTS),
        (statement.private, Part.PRIVATE),
        (statement.spelling is Spelling.LEGACY, Part.LIVE),
    ):
        if is_there:
            yield part, statement
    for item in statement.items:
        yield from _of_item(item)
    for clause in statement.clauses:
        if isinstance(clause, ClusterByClause):
            yield Part.CLUSTER_BY if clause.mode is None else Part.CLUSTER_BY_MODE, clause
        elif isinstance(clause, UsingClause):
            written = clause.format.text.casefold()
            # A placeholder may stand for the one format that all take.
            default = Part.USING_DELTA if "${" in written else Part.USING_OTHER
            yield _FORMATS.get(written, default), clause
        elif (known := _CLAUSES.get(type(clause))) is not None:
            yield known, clause
    if statement.flow is not None:
        form, body = statement.flow.form, statement.flow.body
        using = isinstance(body, InsertBody) and isinstance(body.replace, ReplaceUsing)
        replaces = Part.FLOW_REPLACE_USING if using else Part.FLOW_REPLACE_WHERE
        yield _FLOWS.get(form, replaces), statement.flow
    elif statement.query is not None:
        yield Part.FLOW_INSERT if statement.by_flow else Part.AS_QUERY, statement.query
    else:
        yield Part.NO_QUERY, statement


def _of_item(item: ListItem) -> Iterator[tuple[Part, Node]]:
    match item:
        case ExpectClause():
            yield Part.EXPECT, item
        case KeyConstraint():
            yield Part.KEY, item
        case CheckConstraint():
            yield Part.CHECK, item
        case ColumnDefinition():
            yield Part.COLUMN if item.type is not None else Part.UNTYPED_COLUMN, item
            for given in item.properties:
                if (known := _PROPERTIES.get(given.kind)) is not None:
                    yield known, given
        case _:
            pass


# ---------------------------------------------------------------- flows


def _of_flow(statement: CreateFlow) -> Iterator[tuple[FlowPart, Node]]:
    yield FlowPart.CREATE_FLOW, statement
    if statement.comment is not None:
        yield FlowPart.COMMENT, statement.comment
    yield from _of_body(statement.body, inline=False)


def _of_body(body: InsertBody | CdcBody, *, inline: bool) -> Iterator[tuple[FlowPart, Node]]:
    if body.once:
        yield FlowPart.ONCE, body
    if isinstance(body, InsertBody):
        yield from _of_insert(body)
        return
    if body.spelling is Spelling.LEGACY and not inline:
        yield FlowPart.APPLY_CHANGES, body
    if body.source.options:
        yield FlowPart.READ_OPTIONS, body.source
    if body.source.watermark is not None:
        yield FlowPart.WATERMARK, body.source.watermark
    for clause in body.clauses:
        yield from _of_clause(clause)


def _of_insert(body: InsertBody) -> Iterator[tuple[FlowPart, Node]]:
    yield FlowPart.INSERT_BY_NAME if body.by_name else FlowPart.INSERT_BY_POSITION, body
    if body.columns:
        yield FlowPart.INSERT_COLUMNS, body
    if body.overwrite:
        yield FlowPart.INSERT_OVERWRITE, body
    if isinstance(body.replace, ReplaceWhere):
        yield FlowPart.REPLACE_WHERE, body.replace
    elif isinstance(body.replace, ReplaceUsing):
        yield FlowPart.REPLACE_USING, body.replace


def _of_clause(clause: CdcClause) -> Iterator[tuple[FlowPart, Node]]:
    match clause:
        case KeysClause():
            yield FlowPart.KEYS, clause
            if not clause.columns.parenthesized:
                yield FlowPart.KEYS_BARE, clause
            return
        case ApplyAsClause():
            yield (
                FlowPart.APPLY_AS_TRUNCATE if clause.truncates else FlowPart.APPLY_AS_DELETE,
                clause,
            )
        case SequenceBy():
            yield FlowPart.SYSTEM_SEQUENCE_BY if clause.system else FlowPart.SEQUENCE_BY, clause
        case StoredAs():
            yield _history(clause), clause
        case TrackHistory():
            every = clause.columns.is_star and not clause.columns.columns
            yield FlowPart.TRACK_HISTORY_ALL if every else FlowPart.TRACK_HISTORY, clause
        case _:
            if (known := _CDC_CLAUSES.get(type(clause))) is not None:
                yield known, clause
    listed = getattr(clause, "columns", None)
    if isinstance(listed, NameList) and not listed.parenthesized and not listed.is_star:
        yield FlowPart.BARE_LIST, listed


def _history(clause: StoredAs) -> FlowPart:
    if clause.scd_type is None:
        return FlowPart.BITEMPORAL
    known = clause.scd_type in ("1", "2") or clause.scd_type[0] in "${"
    return FlowPart.SCD_TYPE if known else FlowPart.OTHER_SCD_TYPE
