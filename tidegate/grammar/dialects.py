"""A statement comes in; what it is made of, and the dialects that accept that, go out.

What each dialect accepts is written here once, as data: the pages of the language are printed from
the same rows.
"""

from collections.abc import Iterator
from enum import Enum

import msgspec

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

_LETTERS = {"p": Dialect.PIPELINE, "d": Dialect.STANDALONE, "s": Dialect.SPARK}


def _spelled(letters: str) -> frozenset[Dialect]:
    return frozenset(_LETTERS[letter] for letter in letters)


class Part(Enum):
    """What a statement may be made of; the values are how the pages name it."""

    OR_REFRESH = "OR REFRESH"
    OR_REPLACE = "OR REPLACE"
    IF_NOT_EXISTS = "IF NOT EXISTS"
    PRIVATE = "PRIVATE"
    LIVE = "LIVE in the head"
    COLUMN = "column with a type"
    UNTYPED_COLUMN = "column without a type"
    COLUMN_COMMENT = "COMMENT of a column"
    NOT_NULL = "NOT NULL"
    DEFAULT = "DEFAULT"
    GENERATED = "GENERATED ALWAYS AS"
    IDENTITY = "AS IDENTITY"
    MASK = "MASK"
    COLLATE = "COLLATE"
    EXPECT = "EXPECT"
    KEY = "PRIMARY KEY, FOREIGN KEY, UNIQUE"
    CHECK = "CHECK"
    USING = "USING"
    PARTITIONED_BY = "PARTITIONED BY"
    CLUSTER_BY = "CLUSTER BY (...)"
    CLUSTER_BY_MODE = "CLUSTER BY AUTO, CLUSTER BY NONE"
    LOCATION = "LOCATION"
    COMMENT = "COMMENT"
    TBLPROPERTIES = "TBLPROPERTIES"
    OPTIONS = "OPTIONS"
    DEFAULT_COLLATION = "DEFAULT COLLATION"
    ROW_FILTER = "WITH ROW FILTER"
    REFRESH_POLICY = "REFRESH POLICY"
    SCHEDULE = "SCHEDULE, TRIGGER ON UPDATE"
    AS_QUERY = "AS query"
    FLOW_INSERT = "FLOW INSERT BY NAME"
    FLOW_INSERT_ONCE = "FLOW INSERT ONCE BY NAME"
    FLOW_REPLACE_WHERE = "FLOW REPLACE WHERE"
    FLOW_REPLACE_USING = "FLOW REPLACE USING"
    FLOW_AUTO_CDC = "FLOW AUTO CDC"
    NO_QUERY = "neither query nor flow"


class Row(msgspec.Struct, frozen=True):
    """Which dialects accept a part, for each object: p pipeline, d stand-alone, s Spark."""

    part: Part
    streaming_table: str = ""
    materialized_view: str = ""
    temporary_view: str = ""
    view: str = ""
    table: str = ""

    def accepts(self, kind: ObjectKind) -> frozenset[Dialect]:
        """Return the dialects that accept the part in a statement of a kind."""
        return _spelled(getattr(self, kind.value))


CREATE_ROWS = (
    Row(Part.OR_REFRESH, "pd", "pd", "p", "p", ""),
    Row(Part.OR_REPLACE, "", "pd", "pds", "pds", "ds"),
    Row(Part.IF_NOT_EXISTS, "ds", "ds", "ds", "ds", "ds"),
    Row(Part.PRIVATE, "p", "p", "", "", "d"),
    Row(Part.LIVE, "p", "p", "p", "", ""),
    Row(Part.COLUMN, "pds", "pds", "", "", "pds"),
    Row(Part.UNTYPED_COLUMN, "pd", "pd", "pds", "ds", ""),
    Row(Part.COLUMN_COMMENT, "pds", "pds", "pds", "ds", "pds"),
    Row(Part.NOT_NULL, "pds", "pds", "", "", "pds"),
    Row(Part.DEFAULT, "pds", "s", "", "", "pds"),
    Row(Part.GENERATED, "pds", "s", "", "", "pds"),
    Row(Part.IDENTITY, "pds", "s", "", "", "pds"),
    Row(Part.MASK, "pd", "pd", "", "", "pd"),
    Row(Part.COLLATE, "pds", "pds", "", "", "pds"),
    Row(Part.EXPECT, "pd", "pd", "p", "", "p"),
    Row(Part.KEY, "pd", "pd", "", "", "pds"),
    Row(Part.CHECK, "", "", "", "", "pds"),
    Row(Part.USING, "ps", "ps", "", "", "ds"),
    Row(Part.PARTITIONED_BY, "pds", "pds", "", "", "pds"),
    Row(Part.CLUSTER_BY, "pds", "pds", "", "", "pds"),
    Row(Part.CLUSTER_BY_MODE, "pd", "pd", "", "", "pd"),
    Row(Part.LOCATION, "p", "p", "", "", "pds"),
    Row(Part.COMMENT, "pds", "pds", "pds", "pds", "pds"),
    Row(Part.TBLPROPERTIES, "pds", "pds", "p", "pds", "pds"),
    Row(Part.OPTIONS, "", "", "", "", "ds"),
    Row(Part.DEFAULT_COLLATION, "ds", "ds", "ds", "ds", "ds"),
    Row(Part.ROW_FILTER, "pd", "pd", "", "", "pd"),
    Row(Part.REFRESH_POLICY, "", "pd", "", "", ""),
    Row(Part.SCHEDULE, "d", "d", "", "", ""),
    Row(Part.AS_QUERY, "pds", "pds", "pds", "pds", "ds"),
    Row(Part.FLOW_INSERT, "pd", "", "", "", "p"),
    Row(Part.FLOW_INSERT_ONCE, "p", "", "", "", "p"),
    Row(Part.FLOW_REPLACE_WHERE, "pd", "", "", "", ""),
    Row(Part.FLOW_REPLACE_USING, "pd", "", "", "", ""),
    Row(Part.FLOW_AUTO_CDC, "pds", "", "", "", ""),
    Row(Part.NO_QUERY, "pds", "", "", "", "pds"),
)
"""What a CREATE of each object may hold."""


class FlowPart(Enum):
    """What a flow or a change feed may be made of."""

    CREATE_FLOW = "CREATE FLOW"
    ALONE = "AUTO CDC INTO as a statement"
    APPLY_CHANGES = "APPLY CHANGES INTO"
    COMMENT = "COMMENT of a flow"
    INSERT_BY_NAME = "INSERT INTO ... BY NAME"
    INSERT_BY_POSITION = "INSERT INTO without BY NAME"
    INSERT_COLUMNS = "INSERT INTO target (columns)"
    INSERT_OVERWRITE = "INSERT OVERWRITE"
    ONCE = "ONCE"
    REPLACE_WHERE = "REPLACE WHERE"
    REPLACE_USING = "REPLACE USING"
    READ_OPTIONS = "WITH (options) of a stream"
    WATERMARK = "WATERMARK"
    KEYS = "KEYS"
    KEYS_BARE = "KEYS without parentheses"
    WHERE = "WHERE"
    IGNORE_NULL_UPDATES = "IGNORE NULL UPDATES"
    APPLY_AS_DELETE = "APPLY AS DELETE WHEN"
    APPLY_AS_TRUNCATE = "APPLY AS TRUNCATE WHEN"
    SEQUENCE_BY = "SEQUENCE BY"
    SYSTEM_SEQUENCE_BY = "SYSTEM SEQUENCE BY"
    COLUMNS = "COLUMNS (...), COLUMNS * EXCEPT (...)"
    SCD_TYPE = "STORED AS SCD TYPE 1, STORED AS SCD TYPE 2"
    OTHER_SCD_TYPE = "STORED AS SCD TYPE of another value"
    BITEMPORAL = "STORED AS BITEMPORAL"
    TRACK_HISTORY = "TRACK HISTORY ON (...), TRACK HISTORY ON * EXCEPT (...)"
    TRACK_HISTORY_ALL = "TRACK HISTORY ON *"
    COLUMNS_TO_UPDATE = "COLUMNS TO UPDATE"
    BARE_LIST = "a list of columns without parentheses"


FLOW_ROWS = {
    FlowPart.CREATE_FLOW: "ps",
    FlowPart.ALONE: "p",
    FlowPart.APPLY_CHANGES: "p",
    FlowPart.COMMENT: "ps",
    FlowPart.INSERT_BY_NAME: "pds",
    FlowPart.INSERT_BY_POSITION: "s",
    FlowPart.INSERT_COLUMNS: "s",
    FlowPart.INSERT_OVERWRITE: "s",
    FlowPart.ONCE: "p",
    FlowPart.REPLACE_WHERE: "pd",
    FlowPart.REPLACE_USING: "pd",
    FlowPart.READ_OPTIONS: "pds",
    FlowPart.WATERMARK: "pds",
    FlowPart.KEYS: "pds",
    FlowPart.KEYS_BARE: "",
    FlowPart.WHERE: "p",
    FlowPart.IGNORE_NULL_UPDATES: "pd",
    FlowPart.APPLY_AS_DELETE: "pds",
    FlowPart.APPLY_AS_TRUNCATE: "pd",
    FlowPart.SEQUENCE_BY: "pds",
    FlowPart.SYSTEM_SEQUENCE_BY: "pd",
    FlowPart.COLUMNS: "pds",
    FlowPart.SCD_TYPE: "pds",
    FlowPart.OTHER_SCD_TYPE: "",
    FlowPart.BITEMPORAL: "pd",
    FlowPart.TRACK_HISTORY: "pds",
    FlowPart.TRACK_HISTORY_ALL: "pd",
    FlowPart.COLUMNS_TO_UPDATE: "pd",
    FlowPart.BARE_LIST: "pd",
}
"""What flows may hold, whether inside a CREATE, in CREATE FLOW, or alone."""


class Alone(Enum):
    """The statements that make no dataset and fill none."""

    ALTER_TABLE = "ALTER TABLE"
    ALTER_STREAMING_TABLE = "ALTER STREAMING TABLE"
    ALTER_MATERIALIZED_VIEW = "ALTER MATERIALIZED VIEW"
    ALTER_VIEW = "ALTER VIEW"
    REFRESH = "REFRESH STREAMING TABLE, REFRESH MATERIALIZED VIEW"
    REFRESH_TABLE = "REFRESH name, REFRESH TABLE"
    DROP = "DROP STREAMING TABLE, DROP MATERIALIZED VIEW"
    DROP_PLAIN = "DROP TABLE, DROP VIEW, DROP FUNCTION"
    EXPLAIN = "EXPLAIN CREATE"
    FUNCTION = "CREATE FUNCTION"
    SET = "SET"
    USE = "USE"
    USE_CATALOG = "USE CATALOG"


ALONE_ROWS = {
    Alone.ALTER_TABLE: "ds",
    Alone.ALTER_STREAMING_TABLE: "d",
    Alone.ALTER_MATERIALIZED_VIEW: "d",
    Alone.ALTER_VIEW: "ds",
    Alone.REFRESH: "d",
    Alone.REFRESH_TABLE: "ds",
    Alone.DROP: "d",
    Alone.DROP_PLAIN: "ds",
    Alone.EXPLAIN: "d",
    Alone.FUNCTION: "pds",
    Alone.SET: "pds",
    Alone.USE: "pds",
    Alone.USE_CATALOG: "pd",
}

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
    **{(None, part): _spelled(letters) for part, letters in FLOW_ROWS.items()},
    **{(None, part): _spelled(letters) for part, letters in ALONE_ROWS.items()},
}

_CLAUSES: dict[type[Clause], Part] = {
    CommentClause: Part.COMMENT,
    PropertiesClause: Part.TBLPROPERTIES,
    OptionsClause: Part.OPTIONS,
    PartitionedByClause: Part.PARTITIONED_BY,
    UsingClause: Part.USING,
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
    used = list(parts_of(statement))
    if not used or (isinstance(statement, CreateDataset) and statement.misplaced):
        return ()
    left = frozenset(Dialect)
    for _, _, accepting in used:
        left &= accepting
    return tuple(dialect for dialect in Dialect if dialect in left)


def parts_of(statement: Statement) -> Iterator[Used]:
    """Yield what a statement is made of: the part, where it stands, and who accepts it there."""
    match statement:
        case CreateDataset():
            kind = statement.kind
            for part, node in _of_create(statement):
                yield part, node, _ACCEPTING[kind, part]
            if statement.flow is not None:
                yield from _flowing(_of_body(statement.flow.body, inline=True))
        case CreateFlow():
            yield from _flowing(_of_flow(statement))
        case AutoCdc():
            yield FlowPart.ALONE, statement, _ACCEPTING[None, FlowPart.ALONE]
            yield from _flowing(_of_body(statement.body, inline=False))
        case ExplainStatement():
            yield Alone.EXPLAIN, statement, _ACCEPTING[None, Alone.EXPLAIN]
            yield from parts_of(statement.statement)
        case _:
            alone = _alone(statement)
            if alone is not None:
                yield alone, statement, _ACCEPTING[None, alone]


def _flowing(parts: Iterator[tuple[FlowPart, Node]]) -> Iterator[Used]:
    for part, node in parts:
        yield part, node, _ACCEPTING[None, part]


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
