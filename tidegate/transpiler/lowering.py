"""From a bound pipeline to a plan: order, reads, gates; what cannot be done is a fault by name."""

from collections.abc import Iterator, Mapping, Set

from tidegate.grammar.nodes import (
    ClusterByClause,
    ColumnDefinition,
    ColumnProperty,
    ColumnPropertyKind,
    CommentClause,
    DefaultCollationClause,
    ExpectClause,
    KeyConstraint,
    LocationClause,
    ObjectKind,
    OptionsClause,
    PartitionedByClause,
    PlaceholderClause,
    PlaceholderItem,
    PropertiesClause,
    RefreshPolicyClause,
    RowFilterClause,
    ScheduleClause,
    UsingClause,
)
from tidegate.grammar.outlines.outline import RelationKind
from tidegate.model.graph import VIEWS, in_order, streaming_views, streams
from tidegate.model.pipeline import Dataset, LocatedFault, Pipeline, Reference
from tidegate.model.placeholders import UNLISTED, placeholders, substituted, unbound
from tidegate.source.diagnostic import Fault
from tidegate.source.span import Span
from tidegate.transpiler.file_reads import (
    PATH_FORMATS,
    READERS,
    FileArguments,
    lost_options,
    read_arguments,
)
from tidegate.transpiler.left_alone import refused, skipped
from tidegate.transpiler.plan import (
    Choices,
    FileRead,
    Gate,
    Lowered,
    Plan,
    PlannedColumn,
    PlannedDataset,
    TableRead,
)
from tidegate.transpiler.splice import ViewOf, name_views, place_of, splice

_KINDS = {
    ObjectKind.STREAMING_TABLE: "streaming_table",
    ObjectKind.MATERIALIZED_VIEW: "materialized_view",
    ObjectKind.TEMPORARY_VIEW: "temporary_view",
    ObjectKind.VIEW: "temporary_view",
}

_UNKEPT = (
    LocationClause,
    OptionsClause,
    ScheduleClause,
    RefreshPolicyClause,
    DefaultCollationClause,
)


def lower(pipeline: Pipeline, choices: Choices) -> Lowered:
    """Plan every dataset of the pipeline that its statements allow to plan.

    Faults of error severity mean that the plan must not run; the others are losses. Statements that
    no plan can hold (plain tables, ALTER, queries on their own) are listed as skipped.
    """
    by_key = pipeline.by_key()
    # A name that the project does not list is a job's to ask for, like any other without a value.
    bound = (each for each in pipeline.faults if each.fault.name != UNLISTED)
    faults: list[LocatedFault] = [*_parse_faults(pipeline), *bound]
    lowerable = [each for each in pipeline.datasets if each.kind in _KINDS]
    ordered, _ = in_order(lowerable, by_key)
    flowing = streaming_views(by_key)
    faults += [each for file in pipeline.files for each in refused(file)]
    planned: list[PlannedDataset] = []
    variables: dict[str, None] = {}
    for dataset in ordered:
        if dataset.kind not in _KINDS:
            continue
        lowering = _Lowering(dataset, by_key, flowing)
        plan = lowering.plan()
        faults += lowering.faults
        variables |= lowering.variables
        if plan is not None:
            planned.append(plan)
    return Lowered(
        plan=Plan(
            datasets=tuple(planned),
            settings={k: v for k, v in pipeline.settings.items() if k.startswith("spark.")},
            skipped=tuple(each for file in pipeline.files for each in skipped(file)),
            variables=tuple(variables),
            choices=choices,
        ),
        faults=tuple(faults),
    )


def _parse_faults(pipeline: Pipeline) -> Iterator[LocatedFault]:
    for file in pipeline.files:
        for fault in file.faults:
            yield LocatedFault(file.source, fault)
        for statement in file.statements:
            for fault in statement.faults:
                yield LocatedFault(file.source, fault)


class _Lowering:
    """Plans one dataset and collects what was lost or refused on the way."""

    def __init__(self, dataset: Dataset, by_key: Mapping[str, Dataset], flowing: Set[str]) -> None:
        self.dataset = dataset
        self.by_key = by_key
        self.flowing = flowing
        self.faults: list[LocatedFault] = []
        self.variables: dict[str, None] = {}
        """Placeholders without a value, in the order of the text."""

    def plan(self) -> PlannedDataset | None:
        """Return the plan of the dataset, or ``None`` where a fault forbids it."""
        dataset, statement = self.dataset, self.dataset.statement
        if statement.name.is_computed:
            self._refuse(
                statement.name.span,
                f"the name `{dataset.name.full}` is known only when a pipeline runs",
                "write the name itself, or IDENTIFIER with one string",
            )
            return None
        if statement.flow is not None:
            self._refuse(
                statement.flow.span,
                f"FLOW {statement.flow.form.value} is not run yet",
                "give the dataset a query with AS SELECT",
            )
            return None
        if statement.query is None or dataset.outline is None:
            self._refuse(
                statement.name.span,
                f"`{dataset.name.full}` has no query, and flows into it are not run yet",
                "give it a query with AS SELECT",
            )
            return None
        self._name_unbound(dataset.name.full, statement.name.span)
        self._name_opaque_parts()
        self._name_lost_clauses()
        reads = self._reads()
        query = self._query(reads)
        return PlannedDataset(
            name=dataset.name.full,
            path=dataset.name.parts,
            kind=_KINDS[dataset.kind],
            query=query,
            reads=_distinct([read for read, _ in reads]),
            gates=tuple(self._gates()),
            columns=tuple(self._columns()),
            comment=self._comment(),
            properties=self._properties(),
            partition_by=self._names(PartitionedByClause),
            cluster_by=self._names(ClusterByClause),
            source=dataset.source,
            span=statement.span,
            query_span=statement.query.span,
        )

    # ------------------------------------------------------------ query and reads

    def _reads(self) -> list[tuple[TableRead | FileRead, ViewOf]]:
        shape = self.dataset.outline
        assert shape is not None
        keys = [self._key(each) for each in self.dataset.references]
        carries = [self._has_files(each) for each in self.dataset.references]
        views = name_views(shape, keys, carries)
        reads: list[tuple[TableRead | FileRead, ViewOf]] = []
        for reference, view in zip(self.dataset.references, views, strict=True):
            read = self._read(reference, view)
            if read is not None:
                reads.append((read, view))
        return reads

    def _key(self, reference: Reference) -> str:
        mode = "stream" if self._streams(reference) else "batch"
        if reference.name is not None:
            return f"{mode} {reference.name.key}"
        return f"{mode} {self.dataset.source.slice(reference.relation.span)}"

    def _has_files(self, reference: Reference) -> bool:
        target = self.by_key.get(reference.name.key) if reference.name is not None else None
        return target is None or target.kind not in VIEWS

    def _streams(self, reference: Reference) -> bool:
        return streams(reference, self.flowing)

    def _read(self, reference: Reference, view: ViewOf) -> TableRead | FileRead | None:
        relation, streaming = reference.relation, self._streams(reference)
        if streaming and self.dataset.kind is ObjectKind.MATERIALIZED_VIEW:
            self._add(
                "stream-in-materialized-view",
                relation.whole,
                f"materialized view `{self.dataset.name.full}` reads a stream",
                "remove STREAM, or make it a streaming table",
            )
        if relation.kind is RelationKind.NAME:
            return self._table_read(reference, view, streaming=streaming)
        arguments = self._file_arguments(reference)
        if arguments is None:
            return None
        return FileRead(
            view=view.view,
            path=arguments.path,
            format=arguments.format,
            options=arguments.options,
            schema=arguments.schema,
            streaming=streaming,
            metadata=view.metadata,
        )

    def _table_read(
        self, reference: Reference, view: ViewOf, *, streaming: bool
    ) -> TableRead | None:
        relation, name = reference.relation, reference.name
        if name is None:
            self._refuse(
                relation.span,
                f"`{'.'.join(relation.parts)}` has more than three parts",
                "write catalog.schema.name",
            )
            return None
        self._name_unbound(name.full, relation.span)
        target = self.by_key.get(name.key)
        if target is not None and target.kind not in _KINDS:
            self._refuse(
                relation.span,
                f"`{name.full}` is a plain table of this pipeline, which a run does not make yet",
                "fill it beforehand and remove its statement, or make it a materialized view",
            )
        batch_view = target is not None and target.kind in VIEWS and relation.streaming
        if (
            batch_view
            and target is not None
            and not any(streams(each, self.flowing) for each in target.references)
        ):
            self._add(
                "stream-over-batch-view",
                relation.whole,
                f"`{name.full}` is a view over no stream, so it cannot be read as one",
                f"write STREAM inside the query of `{name.full}`, or leave it out here",
            )
        full = target.name.full if target is not None else name.full
        return TableRead(view=view.view, of=full, streaming=streaming, metadata=view.metadata)

    def _file_arguments(self, reference: Reference) -> FileArguments | None:
        relation, source = reference.relation, self.dataset.source
        known = (
            relation.parts[-1].casefold() in READERS
            if relation.kind is RelationKind.FUNCTION
            else relation.parts[0].casefold() in PATH_FORMATS
        )
        if not known:
            self._refuse(
                relation.span,
                f"`{relation.parts[0]}` is no source that a run can read yet",
                "read files with read_files, or bind a table with --input NAME=PATH",
            )
            return None
        arguments = read_arguments(source, relation, self.dataset.variables)
        if isinstance(arguments, Fault):
            self.faults.append(LocatedFault(source, arguments))
            return None
        texts = (arguments.path, arguments.schema or "", *arguments.options.values())
        self._name_unbound("\n".join(texts), relation.span)
        for name in lost_options(arguments):
            self._lose(
                relation.span, f"option `{name}` of `{relation.parts[-1]}` is not kept", None
            )
        return arguments

    def _query(self, reads: list[tuple[TableRead | FileRead, ViewOf]]) -> str:
        dataset, query = self.dataset, self.dataset.statement.query
        assert query is not None
        assert dataset.outline is not None
        text = splice(dataset.source.text, query.span, dataset.outline, [view for _, view in reads])
        return self._bound(text, query.span)

    def _bound(self, text: str, span: Span) -> str:
        bound = substituted(text, self.dataset.variables)
        self._name_unbound(bound, span)
        return bound

    def _name_unbound(self, text: str, span: Span) -> None:
        for name in unbound(text):
            self.variables[name] = None
            self._add(
                "unbound-placeholder",
                place_of(name, self.dataset.source.text, span),
                f"`${{{name}}}` has no value",
                f"give it one: --var {name}=VALUE, [variables] in tidegate.toml, or SET above",
            )

    # ------------------------------------------------------------ gates, columns, clauses

    def _gates(self) -> Iterator[Gate]:
        for each in self.dataset.expectations:
            if each.action is None or each.clause.predicate is None:
                self._name_unknown_action(each.clause)
                continue  # a fault says so, and forbids the run
            yield Gate(
                name=each.name,
                predicate=self._bound(each.predicate, each.clause.predicate_span),
                action=each.action,
                span=each.clause.span,
            )

    def _name_unknown_action(self, clause: ExpectClause) -> None:
        """Refuse an action that is a placeholder; of any other the parser has told."""
        name = clause.name.text if clause.name else ""
        if clause.action is not None and next(placeholders(clause.action.text), None):
            self._refuse(
                clause.action.span,
                f"the action of `{name}` is `{clause.action.text}`, whose value is no known action",
                "write the action itself, or give DROP ROW or FAIL UPDATE with --var",
            )

    def _columns(self) -> Iterator[PlannedColumn]:
        for item in self.dataset.statement.items:
            if not isinstance(item, ColumnDefinition):
                continue
            kinds = {each.kind for each in item.properties}
            comment = next(
                (p.text for p in item.properties if p.kind is ColumnPropertyKind.COMMENT), None
            )
            yield PlannedColumn(
                name=item.name.text,
                type=self.dataset.source.slice(item.type.span) if item.type else None,
                not_null=ColumnPropertyKind.NOT_NULL in kinds,
                comment=comment,
            )

    def _comment(self) -> str | None:
        found = (c.text for c in self.dataset.statement.clauses if isinstance(c, CommentClause))
        return next(found, None)

    def _properties(self) -> dict[str, str]:
        return {
            entry.key: entry.value
            for clause in self.dataset.statement.clauses
            if isinstance(clause, PropertiesClause)
            for entry in clause.entries
        }

    def _names(self, kind: type[PartitionedByClause] | type[ClusterByClause]) -> tuple[str, ...]:
        return tuple(
            name.text
            for clause in self.dataset.statement.clauses
            if isinstance(clause, kind)
            for name in clause.columns
        )

    def _name_opaque_parts(self) -> None:
        """Refuse placeholders that may hide a rule or a clause."""
        for part in (*self.dataset.statement.clauses, *self.dataset.statement.items):
            if isinstance(part, PlaceholderClause | PlaceholderItem):
                self._refuse(
                    part.span,
                    f"`{part.spelling}` may stand for any clause or rule",
                    "write out what it stands for",
                )

    def _name_lost_clauses(self) -> None:
        source = self.dataset.source
        for clause in self.dataset.statement.clauses:
            lost = (
                isinstance(clause, _UNKEPT)
                or (isinstance(clause, ClusterByClause) and clause.mode is not None)
                or (isinstance(clause, UsingClause) and clause.format.text.casefold() != "delta")
            )
            if isinstance(clause, RowFilterClause):
                # Losing it would show rows that somebody meant to hide.
                self._refuse(
                    clause.span,
                    f"row filter `{clause.function.text}` cannot be kept",
                    "filter the rows in the query, or remove the clause",
                )
            elif lost:
                self._lose(clause.span, f"`{source.slice(clause.span)}` is not kept", None)
        if self.dataset.kind is ObjectKind.VIEW:
            self._lose(
                self.dataset.statement.head,
                f"view `{self.dataset.name.full}` exists only while the update runs",
                "write CREATE TEMPORARY VIEW if that is meant",
            )
        for item in self.dataset.statement.items:
            if isinstance(item, KeyConstraint):
                self._lose(item.span, f"{item.kind.value} is not kept: Delta has no keys", None)
            elif isinstance(item, ColumnDefinition):
                for each in item.properties:
                    self._judge_property(item, each)

    def _judge_property(self, column: ColumnDefinition, given: ColumnProperty) -> None:
        kind = given.kind
        if kind in {ColumnPropertyKind.NOT_NULL, ColumnPropertyKind.COMMENT}:
            return
        what = f"{kind.value} of column `{column.name.text}`"
        computes = {
            ColumnPropertyKind.GENERATED,
            ColumnPropertyKind.IDENTITY,
            ColumnPropertyKind.DEFAULT,
            ColumnPropertyKind.MASK,
            ColumnPropertyKind.CHECK,
        }
        if kind in computes:
            self._refuse(given.span, f"{what} is not run yet", "compute the value in the query")
        else:
            self._lose(given.span, f"{what} is not kept", None)

    # ------------------------------------------------------------ faults

    def _refuse(self, span: Span, message: str, help_text: str) -> None:
        self._add("not-supported", span, message, help_text)

    def _lose(self, span: Span, message: str, help_text: str | None) -> None:
        self._add("clause-not-kept", span, message, help_text)

    def _add(self, name: str, span: Span, message: str, help_text: str | None) -> None:
        fault = Fault(
            name=name,
            span=span,
            message=message,
            help=help_text,
            dataset=self.dataset.name.full,
        )
        self.faults.append(LocatedFault(self.dataset.source, fault))


def _distinct(reads: list[TableRead | FileRead]) -> tuple[TableRead | FileRead, ...]:
    by_view: dict[str, TableRead | FileRead] = {}
    for read in reads:
        by_view.setdefault(read.view, read)
    return tuple(by_view.values())
