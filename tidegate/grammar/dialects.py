"""A statement comes in; the dialects that accept it as written go out."""

from tidegate.grammar.nodes import (
    AlterTable,
    CheckConstraint,
    ClusterByClause,
    ColumnDefinition,
    ColumnPropertyKind,
    CreateDataset,
    DefaultCollationClause,
    Dialect,
    ExpectClause,
    FlowForm,
    KeyConstraint,
    LocationClause,
    ObjectKind,
    OptionsClause,
    PropertiesClause,
    RefreshPolicyClause,
    RowFilterClause,
    ScheduleClause,
    Spelling,
    UsingClause,
)

_PIPELINE, _STANDALONE, _SPARK = Dialect.PIPELINE, Dialect.STANDALONE, Dialect.SPARK
_ALL = frozenset(Dialect)
_NONE: frozenset[Dialect] = frozenset()
_PIPELINE_ONLY = frozenset((_PIPELINE,))
_DATABRICKS = frozenset((_PIPELINE, _STANDALONE))
_FLOWING = frozenset((ObjectKind.STREAMING_TABLE, ObjectKind.MATERIALIZED_VIEW))
_KEY_PROPERTIES = frozenset(
    (ColumnPropertyKind.PRIMARY_KEY, ColumnPropertyKind.FOREIGN_KEY, ColumnPropertyKind.MASK)
)
_VALUE_PROPERTIES = frozenset(
    (ColumnPropertyKind.GENERATED, ColumnPropertyKind.IDENTITY, ColumnPropertyKind.DEFAULT)
)

# Clauses of streaming tables and materialized views that not all dialects know.
_FLOWING_CLAUSES: dict[type, frozenset[Dialect]] = {
    DefaultCollationClause: frozenset((_STANDALONE, _SPARK)),
    UsingClause: frozenset((_PIPELINE, _SPARK)),
    LocationClause: _PIPELINE_ONLY,
    OptionsClause: _NONE,
}


def dialects_of(statement: CreateDataset | AlterTable) -> tuple[Dialect, ...]:
    """Return the dialects that accept a statement, in the order of their declaration."""
    if isinstance(statement, AlterTable):
        return (_STANDALONE, _SPARK)
    left = _by_head(statement)
    for item in statement.items:
        left &= _by_item(statement.kind, item)
    for clause in statement.clauses:
        left &= _by_clause(statement.kind, clause)
    if statement.flow is not None:
        left &= _by_flow(statement.kind, statement.flow.form)
    if statement.misplaced:
        left = _NONE
    return tuple(dialect for dialect in Dialect if dialect in left)


def _by_head(statement: CreateDataset) -> frozenset[Dialect]:
    kind = statement.kind
    if statement.spelling is Spelling.LEGACY or statement.private:
        return _PIPELINE_ONLY
    left = _ALL
    if statement.or_refresh:
        left &= _DATABRICKS if kind in _FLOWING else _PIPELINE_ONLY
    if statement.or_replace:
        if kind is ObjectKind.STREAMING_TABLE:
            return _NONE
        left &= _DATABRICKS if kind is ObjectKind.MATERIALIZED_VIEW else _ALL
    if statement.if_not_exists:
        left -= _PIPELINE_ONLY
    return left


def _by_item(kind: ObjectKind, item: object) -> frozenset[Dialect]:
    if isinstance(item, ExpectClause):
        if kind is ObjectKind.VIEW:
            return _NONE
        return _PIPELINE_ONLY if kind is ObjectKind.TEMPORARY_VIEW else _DATABRICKS
    if isinstance(item, CheckConstraint):
        return _NONE if kind in _FLOWING else _ALL
    if isinstance(item, KeyConstraint):
        return _DATABRICKS if kind in _FLOWING else _ALL
    if isinstance(item, ColumnDefinition) and kind in _FLOWING:
        kinds = {one.kind for one in item.properties}
        left = _DATABRICKS if kinds & _KEY_PROPERTIES or item.type is None else _ALL
        if kind is ObjectKind.MATERIALIZED_VIEW and kinds & _VALUE_PROPERTIES:
            left &= frozenset((_SPARK,))
        return left
    return _ALL


def _by_flow(kind: ObjectKind, form: FlowForm) -> frozenset[Dialect]:
    if kind is not ObjectKind.STREAMING_TABLE:
        once = kind is ObjectKind.TABLE and form is FlowForm.INSERT_ONCE
        return _PIPELINE_ONLY if once else _NONE
    if form is FlowForm.AUTO_CDC:
        return _ALL
    return _PIPELINE_ONLY if form is FlowForm.INSERT_ONCE else _DATABRICKS


def _by_clause(kind: ObjectKind, clause: object) -> frozenset[Dialect]:
    if isinstance(clause, RowFilterClause):
        return _DATABRICKS
    if isinstance(clause, ClusterByClause) and clause.mode is not None:
        return _DATABRICKS
    if isinstance(clause, RefreshPolicyClause):
        return _DATABRICKS if kind is ObjectKind.MATERIALIZED_VIEW else _NONE
    if isinstance(clause, ScheduleClause):
        return frozenset((_STANDALONE,)) if kind in _FLOWING else _NONE
    if kind in _FLOWING:
        return _FLOWING_CLAUSES.get(type(clause), _ALL)
    if kind is ObjectKind.TEMPORARY_VIEW and isinstance(clause, PropertiesClause):
        return _PIPELINE_ONLY
    return _ALL
