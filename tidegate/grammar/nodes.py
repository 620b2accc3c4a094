"""The typed tree: what was written, with exact spans, and nothing computed from it.

Spans are offsets into the whole file. Meaning (defaults, resolved names, types) lives in ``model``.
"""

from enum import Enum

import msgspec

from tidegate.source.diagnostic import Fault
from tidegate.source.span import Span


class Node(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """Anything that has a place in a file."""

    span: Span


# ---------------------------------------------------------------- names


class Name(Node, frozen=True, kw_only=True):
    """One identifier: ``text`` without backticks and with doubled backticks undone."""

    text: str
    quoted: bool


class QualifiedName(Node, frozen=True, kw_only=True):
    """One to four identifiers joined by dots, as written (a ``LIVE`` prefix included)."""

    parts: tuple[Name, ...]
    is_computed: bool = False
    """Whether ``IDENTIFIER(...)`` gives it when it runs: then the only part is what was written."""

    @property
    def text(self) -> str:
        """The parts without backticks, joined by dots."""
        return ".".join(part.text for part in self.parts)


# ---------------------------------------------------------------- expressions


class Expression(Node, frozen=True, kw_only=True):
    """Anything that stands for a value of a row."""


class LiteralKind(Enum):
    """What a literal is; the text is always kept as written."""

    NULL = "null"
    BOOLEAN = "boolean"
    INTEGER = "integer"
    DECIMAL = "decimal"
    DOUBLE = "double"
    STRING = "string"
    TYPED = "typed"
    """``DATE '2020-01-01'``, ``TIMESTAMP '...'``, ``X'1F'``."""


class Literal(Expression, frozen=True, kw_only=True):
    """A constant. ``value`` is its Python value where that is exact, else the inner text."""

    kind: LiteralKind
    value: bool | int | float | str | None
    type_name: str | None = None
    """``DATE`` and the like for a typed literal; the suffix (``L``, ``BD`` ...) of a number."""
    double_quoted: bool = False


class ColumnReference(Expression, frozen=True, kw_only=True):
    """A column, perhaps qualified, perhaps with struct fields: ``a``, ``t.a``, ``a.b.c``."""

    parts: tuple[Name, ...]


class Star(Expression, frozen=True, kw_only=True):
    """``*`` or ``t.*`` in an argument list."""

    qualifier: tuple[Name, ...] = ()


class Placeholder(Expression, frozen=True, kw_only=True):
    """``${x}``, ``:x``, ``?`` or ``{{ ... }}``: opaque, of unknown type and nullness."""

    name: str | None
    spelling: str


class Parenthesized(Expression, frozen=True, kw_only=True):
    """``(inner)``."""

    inner: Expression


class RowConstructor(Expression, frozen=True, kw_only=True):
    """``(a, b)``: a struct of its parts."""

    parts: tuple[Expression, ...]


class Operator(Node, frozen=True, kw_only=True):
    """An operator as written, upper-cased if a word."""

    text: str


class Comparison(Expression, frozen=True, kw_only=True):
    """``left op right`` with ``= == <> != < <= > >= <=>``."""

    left: Expression
    operator: Operator
    right: Expression


class DistinctFrom(Expression, frozen=True, kw_only=True):
    """``left IS [NOT] DISTINCT FROM right``."""

    left: Expression
    right: Expression
    negated: bool


class And(Expression, frozen=True, kw_only=True):
    """``a AND b AND c``: operands in order, nested parentheses kept as nodes of their own."""

    operands: tuple[Expression, ...]


class Or(Expression, frozen=True, kw_only=True):
    """``a OR b OR c``."""

    operands: tuple[Expression, ...]


class Not(Expression, frozen=True, kw_only=True):
    """``NOT a`` or ``! a``."""

    operand: Expression
    operator: Operator


class IsNull(Expression, frozen=True, kw_only=True):
    """``operand IS [NOT] NULL``."""

    operand: Expression
    negated: bool


class IsTruth(Expression, frozen=True, kw_only=True):
    """``operand IS [NOT] TRUE|FALSE|UNKNOWN``; ``truth`` is ``None`` for UNKNOWN."""

    operand: Expression
    truth: bool | None
    negated: bool


class Between(Expression, frozen=True, kw_only=True):
    """``operand [NOT] BETWEEN low AND high``."""

    operand: Expression
    low: Expression
    high: Expression
    negated: bool


class InList(Expression, frozen=True, kw_only=True):
    """``operand [NOT] IN (a, b)``."""

    operand: Expression
    items: tuple[Expression, ...]
    negated: bool


class Subquery(Expression, frozen=True, kw_only=True):
    """``(SELECT ...)`` kept as text; the span includes the parentheses."""


class InQuery(Expression, frozen=True, kw_only=True):
    """``operand [NOT] IN (SELECT ...)``."""

    operand: Expression
    query: Subquery
    negated: bool


class Exists(Expression, frozen=True, kw_only=True):
    """``EXISTS (SELECT ...)``."""

    query: Subquery


class Like(Expression, frozen=True, kw_only=True):
    """``operand [NOT] LIKE|ILIKE|RLIKE|REGEXP [ANY|SOME|ALL] pattern [ESCAPE 'c']``."""

    operand: Expression
    operator: Operator
    quantifier: str | None
    """``ANY``, ``SOME`` or ``ALL``: then ``patterns`` holds the list, else exactly one."""
    patterns: tuple[Expression, ...]
    escape: Expression | None
    negated: bool


class Arithmetic(Expression, frozen=True, kw_only=True):
    """``left op right`` with ``* / % DIV + - || << >> >>> & ^ |``."""

    left: Expression
    operator: Operator
    right: Expression


class Unary(Expression, frozen=True, kw_only=True):
    """``-a``, ``+a``, ``~a``."""

    operator: Operator
    operand: Expression


class TypeName(Node, frozen=True, kw_only=True):
    """A data type as written; ``name`` is its outermost word, upper-cased."""

    name: str


class CastForm(Enum):
    """How a cast is spelt."""

    CAST = "CAST"
    TRY_CAST = "TRY_CAST"
    COLONS = "::"
    TRY_COLONS = "?::"


class Cast(Expression, frozen=True, kw_only=True):
    """``CAST(a AS t)``, ``TRY_CAST(a AS t)``, ``a::t``, ``a?::t``."""

    operand: Expression
    type: TypeName
    form: CastForm


class WhenBranch(Node, frozen=True, kw_only=True):
    """``WHEN condition THEN result``."""

    condition: Expression
    result: Expression


class Case(Expression, frozen=True, kw_only=True):
    """``CASE [operand] WHEN ... THEN ... [ELSE ...] END``."""

    operand: Expression | None
    branches: tuple[WhenBranch, ...]
    otherwise: Expression | None


class Interval(Expression, frozen=True, kw_only=True):
    """``INTERVAL 7 DAYS``, ``INTERVAL '1-2' YEAR TO MONTH``; values may be expressions."""

    values: tuple[Expression, ...]
    units: tuple[str, ...]


class NamedArgument(Expression, frozen=True, kw_only=True):
    """``name => value`` in an argument list."""

    name: Name
    value: Expression


class Lambda(Expression, frozen=True, kw_only=True):
    """``x -> body`` or ``(x, y) -> body``."""

    parameters: tuple[Name, ...]
    body: Expression


class CallForm(Enum):
    """How a call is spelt; special forms have arguments that the arity table does not count."""

    PLAIN = "plain"
    SPECIAL = "special"
    """``EXTRACT(f FROM x)``, ``TRIM(BOTH x FROM y)``, ``POSITION(a IN b)``,
    ``SUBSTRING(x FROM n)``, ``OVERLAY(...)``, unit-first forms such as
    ``timestampdiff(DAY, a, b)``."""
    BARE = "bare"
    """``current_date`` without parentheses."""


class FunctionCall(Expression, frozen=True, kw_only=True):
    """``[a.b.]name([DISTINCT] args) [FILTER (...)] [IGNORE NULLS] [OVER (...)]``."""

    name: QualifiedName
    arguments: tuple[Expression, ...]
    form: CallForm = CallForm.PLAIN
    distinct: bool = False
    filter: Expression | None = None
    window: Span | None = None
    """Where ``OVER ...`` stands, if it does."""
    nulls: str | None = None
    """``IGNORE`` or ``RESPECT``."""
    within_group: Span | None = None


class Aliased(Expression, frozen=True, kw_only=True):
    """``value AS name`` inside a row or a ``STRUCT(...)``."""

    value: Expression
    name: Name


class BareWord(Expression, frozen=True, kw_only=True):
    """A word in an argument list that is no column: ``DAY``, ``YEAR FROM``, ``BOTH``."""

    text: str


class Subscript(Expression, frozen=True, kw_only=True):
    """``operand[index]``."""

    operand: Expression
    index: Expression


class FieldAccess(Expression, frozen=True, kw_only=True):
    """``operand.field`` where the operand is not a plain name: ``f(x).y``, ``a[0].b``."""

    operand: Expression
    field: Name


class JsonPath(Expression, frozen=True, kw_only=True):
    """``operand:a.b[0]``; ``path`` is the text after the colon."""

    operand: Expression
    path: str


class Collate(Expression, frozen=True, kw_only=True):
    """``operand COLLATE name``."""

    operand: Expression
    collation: QualifiedName


# ---------------------------------------------------------------- list items


class ListItem(Node, frozen=True, kw_only=True):
    """What stands between the commas of a column list."""


class ExpectClause(ListItem, frozen=True, kw_only=True):
    """``CONSTRAINT name EXPECT (predicate) [ON VIOLATION ...]``."""

    name: Name | None
    predicate_span: Span
    """The text between the parentheses, outer blanks removed."""
    predicate: Expression | None
    """``None`` when it does not parse; the fault stands on the statement."""
    action: Name | None
    """The words after ON VIOLATION as written, joined by one blank; the model knows the default."""
    violation_span: Span | None
    """From ON to the end of the action."""
    unknown: str | None = None
    """Why its predicate cannot be told, where a program makes it."""


class ColumnPropertyKind(Enum):
    """Which property of a column."""

    NOT_NULL = "NOT NULL"
    COMMENT = "COMMENT"
    DEFAULT = "DEFAULT"
    GENERATED = "GENERATED"
    IDENTITY = "IDENTITY"
    PRIMARY_KEY = "PRIMARY KEY"
    FOREIGN_KEY = "FOREIGN KEY"
    UNIQUE = "UNIQUE"
    CHECK = "CHECK"
    MASK = "MASK"
    COLLATE = "COLLATE"
    PLACEHOLDER = "a placeholder"


class ColumnProperty(Node, frozen=True, kw_only=True):
    """One property behind a column's type; ``text`` is the value of a comment or placeholder."""

    kind: ColumnPropertyKind
    text: str | None = None
    expression: Expression | None = None
    """The default, the generating expression or the check; ``None`` when it does not parse."""
    body: Span | None = None
    """Where that expression is written."""


class IdentityProperty(ColumnProperty, frozen=True, kw_only=True):
    """``GENERATED ALWAYS|BY DEFAULT AS IDENTITY [(START WITH n INCREMENT BY m)]``."""

    always: bool
    start: str | None = None
    step: str | None = None


class KeyProperty(ColumnProperty, frozen=True, kw_only=True):
    """``[CONSTRAINT name]`` and an inline key, reference, UNIQUE or CHECK, with its options."""

    name: Name | None = None
    foreign: bool = False
    """Whether ``FOREIGN KEY`` stands before ``REFERENCES``."""
    references: QualifiedName | None = None
    referenced_columns: tuple[Name, ...] = ()
    options: tuple[str, ...] = ()
    """Each as its words in capitals: ``NOT ENFORCED``, ``ON UPDATE NO ACTION``."""


class MaskProperty(ColumnProperty, frozen=True, kw_only=True):
    """``MASK function [USING COLUMNS (columns and constants)]``."""

    function: QualifiedName
    columns: tuple[Expression, ...] = ()


class CollateProperty(ColumnProperty, frozen=True, kw_only=True):
    """``COLLATE name``."""

    collation: QualifiedName


class ColumnDefinition(ListItem, frozen=True, kw_only=True):
    """``name [type] properties``."""

    name: Name
    type: TypeName | None
    properties: tuple[ColumnProperty, ...]


class KeyKind(Enum):
    """Which key."""

    PRIMARY = "PRIMARY KEY"
    FOREIGN = "FOREIGN KEY"
    UNIQUE = "UNIQUE"


class KeyConstraint(ListItem, frozen=True, kw_only=True):
    """``[CONSTRAINT name] PRIMARY KEY (a) options`` and its siblings."""

    name: Name | None
    kind: KeyKind
    columns: tuple[Name, ...]
    references: QualifiedName | None = None
    referenced_columns: tuple[Name, ...] = ()
    options: tuple[str, ...] = ()
    """Each as its words in capitals: ``NOT ENFORCED``, ``ON UPDATE NO ACTION``."""
    timeseries: Name | None = None
    """The key column behind which ``TIMESERIES`` stands."""


class CheckConstraint(ListItem, frozen=True, kw_only=True):
    """``[CONSTRAINT name] CHECK (predicate)``."""

    name: Name | None
    predicate_span: Span
    predicate: Expression | None
    options: tuple[str, ...] = ()


class PlaceholderItem(ListItem, frozen=True, kw_only=True):
    """``${x}`` or ``{{ x }}`` alone in the place of an item, or of several."""

    spelling: str


class ColumnList(Node, frozen=True, kw_only=True):
    """The parentheses behind a name, and what stands between them."""

    items: tuple[ListItem, ...]


# ---------------------------------------------------------------- clauses


class Clause(Node, frozen=True, kw_only=True):
    """What stands between the column list and the query."""


class CommentClause(Clause, frozen=True, kw_only=True):
    """``COMMENT 'text'``, or a bare placeholder in the place of the string."""

    text: str
    is_placeholder: bool = False


class PlaceholderClause(Clause, frozen=True, kw_only=True):
    """``${x}`` or ``{{ x }}`` alone in the place of a clause, a list, or of several of them."""

    spelling: str


class PropertyKind(Enum):
    """How the value of a property is written."""

    STRING = "string"
    NUMBER = "number"
    BOOLEAN = "boolean"
    WORD = "word"
    PLACEHOLDER = "placeholder"
    FLAG = "flag"
    """A key that stands alone."""


class Property(Node, frozen=True, kw_only=True):
    """``key [=] value``; a number or a bare word keeps its text."""

    key: str
    value: str
    kind: PropertyKind = PropertyKind.STRING


class PropertiesClause(Clause, frozen=True, kw_only=True):
    """``TBLPROPERTIES (...)``."""

    entries: tuple[Property, ...]


class OptionsClause(Clause, frozen=True, kw_only=True):
    """``OPTIONS (...)``."""

    entries: tuple[Property, ...]


class PartitionedByClause(Clause, frozen=True, kw_only=True):
    """``PARTITIONED BY (a, b)``; a transform such as ``days(ts)`` is one name."""

    columns: tuple[Name, ...]
    types: tuple[TypeName | None, ...] = ()
    """The types behind the columns, where any is written."""


class ClusterByClause(Clause, frozen=True, kw_only=True):
    """``CLUSTER BY (a, b)``, ``CLUSTER BY AUTO`` or ``CLUSTER BY NONE`` (then ``mode`` is set)."""

    columns: tuple[Name, ...]
    mode: str | None = None


class UsingClause(Clause, frozen=True, kw_only=True):
    """``USING format``."""

    format: QualifiedName


class LocationClause(Clause, frozen=True, kw_only=True):
    """``LOCATION 'path'``, or a bare placeholder in the place of the string."""

    path: str
    is_placeholder: bool = False


class ScheduleForm(Enum):
    """What starts a refresh."""

    EVERY = "SCHEDULE EVERY"
    CRON = "SCHEDULE CRON"
    TRIGGER = "TRIGGER ON UPDATE"


class ScheduleClause(Clause, frozen=True, kw_only=True):
    """``SCHEDULE EVERY 1 HOUR``, ``SCHEDULE CRON '...'`` or ``TRIGGER ON UPDATE``."""

    form: ScheduleForm
    with_refresh: bool = False
    """Whether it says ``SCHEDULE REFRESH``."""
    amount: str | None = None
    unit: str | None = None
    """In capitals, as written."""
    cron: str | None = None
    time_zone: str | None = None
    at_most: Interval | None = None
    """The interval behind ``AT MOST EVERY``."""


class RefreshPolicyClause(Clause, frozen=True, kw_only=True):
    """``REFRESH POLICY AUTO | FULL | INCREMENTAL [STRICT]``; ``policy`` in capitals."""

    policy: str


class RowFilterClause(Clause, frozen=True, kw_only=True):
    """``WITH ROW FILTER function ON (columns and constants)``."""

    function: QualifiedName
    columns: tuple[Expression, ...] = ()


class DefaultCollationClause(Clause, frozen=True, kw_only=True):
    """``DEFAULT COLLATION name``."""

    collation: Name


class Query(Node, frozen=True, kw_only=True):
    """The query of a statement: its exact text is the slice under the span, blanks trimmed."""


class Spelling(Enum):
    """Whether the words of a statement are today's or those with LIVE."""

    CURRENT = "current"
    LEGACY = "legacy"


# ---------------------------------------------------------------- flows


class NameList(Node, frozen=True, kw_only=True):
    """``(a, b)`` or ``a, b``; ``*``, and then ``columns`` are those behind EXCEPT."""

    columns: tuple[QualifiedName, ...]
    is_star: bool = False
    parenthesized: bool = True


class Watermark(Node, frozen=True, kw_only=True):
    """``WATERMARK expression DELAY OF interval``."""

    expression: Span
    delay: Span


class FlowSource(Node, frozen=True, kw_only=True):
    """What a change feed reads: a name, ``STREAM name``, a table function or ``(query)``."""

    streaming: bool = False
    """Whether STREAM stands before it."""
    parenthesized: bool = False
    """Whether STREAM is followed by parentheses around the name or function."""
    name: QualifiedName | None = None
    """Of a table, or of a function."""
    arguments: Span | None = None
    """What stands between a function's parentheses."""
    query: Query | None = None
    """The query in the parentheses, where there is no name."""
    options: tuple[Property, ...] = ()
    watermark: Watermark | None = None
    alias: Name | None = None
    reading: Span | None = None
    """From FROM to its end: what can be read as a query of its own."""


class CdcClause(Node, frozen=True, kw_only=True):
    """What stands behind the source of a change feed."""


class KeysClause(CdcClause, frozen=True, kw_only=True):
    """``KEYS (a, b)``."""

    columns: NameList


class CdcWhere(CdcClause, frozen=True, kw_only=True):
    """``WHERE predicate``, of old files."""

    predicate_span: Span
    predicate: Expression | None


class IgnoreNullUpdates(CdcClause, frozen=True, kw_only=True):
    """``IGNORE NULL UPDATES [ON columns]``."""

    columns: NameList | None = None


class ApplyAsClause(CdcClause, frozen=True, kw_only=True):
    """``APPLY AS DELETE|TRUNCATE WHEN predicate``."""

    truncates: bool
    predicate_span: Span
    predicate: Expression | None


class SequenceBy(CdcClause, frozen=True, kw_only=True):
    """``SEQUENCE BY expression`` or ``SYSTEM SEQUENCE BY expression``."""

    system: bool
    body: Span
    expression: Expression | None


class CdcColumns(CdcClause, frozen=True, kw_only=True):
    """``COLUMNS columns``."""

    columns: NameList


class StoredAs(CdcClause, frozen=True, kw_only=True):
    """``STORED AS SCD TYPE n`` or ``STORED AS BITEMPORAL``."""

    scd_type: str | None
    """As written, so that ``'2'`` and ``3`` can be told; ``None`` for BITEMPORAL."""


class TrackHistory(CdcClause, frozen=True, kw_only=True):
    """``TRACK HISTORY ON columns``."""

    columns: NameList


class ColumnsToUpdate(CdcClause, frozen=True, kw_only=True):
    """``COLUMNS TO UPDATE column``."""

    columns: NameList


class PlaceholderCdc(CdcClause, frozen=True, kw_only=True):
    """``${x}`` or ``{{ x }}`` alone in the place of a clause, or of several."""

    spelling: str


class Replace(Node, frozen=True, kw_only=True):
    """What rows a flow replaces."""


class ReplaceWhere(Replace, frozen=True, kw_only=True):
    """``REPLACE WHERE predicate``."""

    predicate_span: Span
    predicate: Expression | None


class ReplaceUsing(Replace, frozen=True, kw_only=True):
    """``REPLACE USING (keys) SEQUENCE BY column``."""

    keys: NameList
    sequence: QualifiedName | None


class FlowBody(Node, frozen=True, kw_only=True):
    """What a flow does."""


class InsertBody(FlowBody, frozen=True, kw_only=True):
    """``INSERT [ONCE] [INTO target [(columns)]] [BY NAME] [REPLACE ...] query``.

    Of a flow inside a CREATE there is no target, and REPLACE stands without INSERT.
    """

    once: bool
    by_name: bool
    query: Query
    target: QualifiedName | None = None
    columns: tuple[QualifiedName, ...] = ()
    overwrite: bool = False
    """Whether it says ``INSERT OVERWRITE``."""
    replace: Replace | None = None


class CdcBody(FlowBody, frozen=True, kw_only=True):
    """``AUTO CDC|APPLY CHANGES [ONCE] [INTO target] FROM source clauses``."""

    spelling: Spelling
    """Legacy for ``APPLY CHANGES``."""
    once: bool
    source: FlowSource
    clauses: tuple[CdcClause, ...]
    """In the order written."""
    target: QualifiedName | None = None


class FlowForm(Enum):
    """What a flow inside a CREATE does, where it is more than a query."""

    INSERT_ONCE = "INSERT ONCE"
    AUTO_CDC = "AUTO CDC"
    REPLACE = "REPLACE"


class InlineFlow(Node, frozen=True, kw_only=True):
    """``FLOW ...`` in the place of ``AS query``; ``FLOW INSERT BY NAME query`` is the query."""

    form: FlowForm
    body: InsertBody | CdcBody


# ---------------------------------------------------------------- statements


class ObjectKind(Enum):
    """What a statement makes or is; the values are those of the JSON output."""

    STREAMING_TABLE = "streaming_table"
    MATERIALIZED_VIEW = "materialized_view"
    TEMPORARY_VIEW = "temporary_view"
    VIEW = "view"
    TABLE = "table"
    FLOW = "flow"
    AUTO_CDC = "auto_cdc"
    ALTER_TABLE = "alter_table"
    CONFIG = "config"
    OTHER = "other"
    BROKEN = "broken"


class Dialect(Enum):
    """The three dialects of pipeline SQL."""

    PIPELINE = "pipeline"
    STANDALONE = "standalone"
    SPARK = "spark"


class Statement(Node, frozen=True, kw_only=True):
    """From the first word to the last, the terminator and outer comments left out."""

    faults: tuple[Fault, ...] = ()


class PythonRead(Node, frozen=True, kw_only=True):
    """``dlt.read("name")``, ``spark.readStream.table("name")`` and the like."""

    name: QualifiedName
    streaming: bool


class CreateDataset(Statement, frozen=True, kw_only=True):
    """``CREATE`` of a streaming table, materialized view, temporary view, view or table."""

    kind: ObjectKind
    spelling: Spelling
    name: QualifiedName
    head: Span
    """From CREATE to the end of the object words, before the name."""
    or_refresh: bool = False
    or_replace: bool = False
    private: bool = False
    if_not_exists: bool = False
    list_span: Span | None = None
    """The column list with its parentheses."""
    items: tuple[ListItem, ...] = ()
    clauses: tuple[Clause, ...] = ()
    as_span: Span | None = None
    """``AS``, or the words of a flow that stand in its place."""
    query: Query | None = None
    by_flow: bool = False
    """Whether ``FLOW INSERT BY NAME`` stands in the place of AS."""
    flow: InlineFlow | None = None
    misplaced: tuple[ExpectClause, ...] = ()
    """Expectations found outside the list; each has a fault on this statement."""
    dialects: tuple[Dialect, ...] = ()
    in_python: bool = False
    """Whether a Python function makes it: then its query is not known."""
    reads: tuple[PythonRead, ...] = ()
    """What the Python function reads by a name that its text tells."""

    @property
    def expectations(self) -> tuple[ExpectClause, ...]:
        """The expectations of the list, in order."""
        return tuple(item for item in self.items if isinstance(item, ExpectClause))


class AlterAction(Node, frozen=True, kw_only=True):
    """What an ALTER TABLE does."""


class AddConstraint(AlterAction, frozen=True, kw_only=True):
    """``ADD CONSTRAINT name CHECK (...)``, or a key."""

    constraint: CheckConstraint | KeyConstraint


class DropConstraint(AlterAction, frozen=True, kw_only=True):
    """``DROP CONSTRAINT [IF EXISTS] name``."""

    name: Name
    if_exists: bool


class AlterNotNull(AlterAction, frozen=True, kw_only=True):
    """``ALTER COLUMN name SET NOT NULL`` or ``DROP NOT NULL``."""

    column: QualifiedName
    set: bool


class AlterTable(Statement, frozen=True, kw_only=True):
    """``ALTER TABLE name action``."""

    name: QualifiedName
    action: AlterAction
    dialects: tuple[Dialect, ...] = ()


class AlterSchedule(AlterAction, frozen=True, kw_only=True):
    """``ADD|ALTER schedule``, ``DROP SCHEDULE``; ``verb`` in capitals, empty if none stands."""

    verb: str
    schedule: ScheduleClause | None


class SetProperties(AlterAction, frozen=True, kw_only=True):
    """``SET TBLPROPERTIES (...)``, or ``SET TAGS (...)`` with ``tags``."""

    entries: tuple[Property, ...]
    tags: bool = False


class SetOwner(AlterAction, frozen=True, kw_only=True):
    """``[SET] OWNER TO name``."""

    owner: Name


class AlterRowFilter(AlterAction, frozen=True, kw_only=True):
    """``SET ROW FILTER function ON (...)``, or ``DROP ROW FILTER``: then ``filter`` is ``None``."""

    filter: RowFilterClause | None


class AlterColumn(AlterAction, frozen=True, kw_only=True):
    """``ALTER [COLUMN] name`` and one change: a comment, a mask, or tags."""

    column: QualifiedName
    change: str
    """The words of the change in capitals, such as ``SET MASK``."""
    property: ColumnProperty | None = None
    """The comment or mask that is set."""
    tags: tuple[Property, ...] = ()


class RenameTo(AlterAction, frozen=True, kw_only=True):
    """``RENAME TO name``."""

    name: QualifiedName


class SetQuery(AlterAction, frozen=True, kw_only=True):
    """``AS query``, of a view."""

    query: Query


class OtherAlteration(AlterAction, frozen=True, kw_only=True):
    """A change that is not read: its text is the slice under the span."""


class AlterDataset(Statement, frozen=True, kw_only=True):
    """``ALTER STREAMING TABLE|MATERIALIZED VIEW|VIEW [IF EXISTS] name action``."""

    target: ObjectKind
    name: QualifiedName
    if_exists: bool
    action: AlterAction
    dialects: tuple[Dialect, ...] = ()


class CreateFlow(Statement, frozen=True, kw_only=True):
    """``CREATE FLOW name [COMMENT 'text'] AS body``."""

    name: QualifiedName
    comment: CommentClause | None
    body: InsertBody | CdcBody
    dialects: tuple[Dialect, ...] = ()


class AutoCdc(Statement, frozen=True, kw_only=True):
    """``AUTO CDC INTO ...`` or ``APPLY CHANGES INTO ...`` on its own."""

    body: CdcBody
    dialects: tuple[Dialect, ...] = ()


class RefreshStatement(Statement, frozen=True, kw_only=True):
    """``REFRESH [STREAMING TABLE|MATERIALIZED VIEW|TABLE] name [FULL] [ASYNC|SYNC]``."""

    what: str | None
    """The words of the object in capitals."""
    name: QualifiedName
    full: bool
    mode: str | None
    """``ASYNC`` or ``SYNC``."""
    dialects: tuple[Dialect, ...] = ()


class DropStatement(Statement, frozen=True, kw_only=True):
    """``DROP TABLE|VIEW|MATERIALIZED VIEW|STREAMING TABLE|FUNCTION [IF EXISTS] name``."""

    what: str
    """The words of the object in capitals."""
    if_exists: bool
    name: QualifiedName
    dialects: tuple[Dialect, ...] = ()


class ExplainStatement(Statement, frozen=True, kw_only=True):
    """``EXPLAIN [mode] CREATE ...``."""

    mode: str | None
    """``EXTENDED``, ``FORMATTED`` and the like, in capitals."""
    statement: CreateDataset
    dialects: tuple[Dialect, ...] = ()


class Parameter(Node, frozen=True, kw_only=True):
    """``name [type] [DEFAULT expression] [COMMENT 'text']`` of a function."""

    name: Name
    type: TypeName | None
    default: Span | None = None
    comment: str | None = None


class CreateFunction(Statement, frozen=True, kw_only=True):
    """``CREATE [OR REPLACE] [TEMPORARY] FUNCTION name (parameters) ... RETURN or AS body``."""

    name: QualifiedName
    or_replace: bool
    temporary: bool
    if_not_exists: bool
    parameters: tuple[Parameter, ...] | None
    """``None`` for a function of a class, which has none in its text."""
    returns: Span | None
    """What stands behind RETURNS."""
    language: str | None
    """In capitals; ``None`` where it is not said, which is SQL behind RETURN."""
    characteristics: tuple[str, ...] = ()
    """The other words between the parameters and the body, in order: ``DETERMINISTIC``."""
    body: Span | None = None
    """Behind RETURN or AS."""
    expression: Expression | None = None
    """What RETURN gives, where it is an expression that parses."""
    query: Query | None = None
    """What RETURN gives, where it is a query."""
    dialects: tuple[Dialect, ...] = ()


class SetStatement(Statement, frozen=True, kw_only=True):
    """``SET key = value``; the value as written (quotes kept), ``None`` for ``SET key``."""

    key: str
    value: str | None


class UseStatement(Statement, frozen=True, kw_only=True):
    """``USE [CATALOG|SCHEMA|DATABASE] name``; ``what`` is the word, upper-cased, or ``None``."""

    what: str | None
    name: QualifiedName


class OtherStatement(Statement, frozen=True, kw_only=True):
    """SQL of a kind that is not read: counted and left alone."""

    expectations: tuple[ExpectClause, ...] = ()
    """Those written in it, their predicates not parsed."""
    in_python: bool = False


class BrokenStatement(Statement, frozen=True, kw_only=True):
    """A pipeline statement that does not parse as a whole, with what could be recovered."""

    kind: ObjectKind | None
    """What it was going to be, if its first words say so."""
    name: QualifiedName | None
    expectations: tuple[ExpectClause, ...] = ()
    query: Query | None = None


def kind_of(statement: Statement) -> ObjectKind:
    """Return the kind that outputs show."""
    match statement:
        case CreateDataset():
            return statement.kind
        case AlterTable() | AlterDataset():
            return ObjectKind.ALTER_TABLE
        case CreateFlow():
            return ObjectKind.FLOW
        case AutoCdc():
            return ObjectKind.AUTO_CDC
        case SetStatement() | UseStatement():
            return ObjectKind.CONFIG
        case BrokenStatement():
            return ObjectKind.BROKEN
        case _:
            return ObjectKind.OTHER


def expectations_of(statement: Statement) -> tuple[ExpectClause, ...]:
    """Return every expectation of a statement in the order of the text, misplaced ones too."""
    match statement:
        case CreateDataset():
            found = (*statement.expectations, *statement.misplaced)
            return tuple(sorted(found, key=lambda clause: clause.span)) if found else ()
        case BrokenStatement() | OtherStatement():
            return statement.expectations
        case ExplainStatement():
            return expectations_of(statement.statement)
        case _:
            return ()
