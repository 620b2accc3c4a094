"""Parsed files in, one bound pipeline out: names resolved, defaults known, faults found."""

from collections.abc import Iterator, Mapping, Sequence, Set

from tidegate.grammar.nodes import (
    CheckConstraint,
    CreateDataset,
    ExpectClause,
    KeyConstraint,
    Name,
    ObjectKind,
    SetStatement,
    UseStatement,
)
from tidegate.grammar.outline import Relation, RelationKind
from tidegate.grammar.outline_scan import relations
from tidegate.grammar.parser import ParsedFile
from tidegate.model.graph import MOST_NAMED, in_order, streaming_views, streams
from tidegate.model.names import DatasetName, Namespace
from tidegate.model.pipeline import (
    Action,
    BindSettings,
    Dataset,
    Expectation,
    LocatedFault,
    Pipeline,
    Reference,
)
from tidegate.model.placeholders import Variables, bound_parts
from tidegate.source.diagnostic import Fault, Related
from tidegate.source.edit import Edit, Fix, Safety
from tidegate.source.span import Span
from tidegate.source.text import SourceFile

ACTIONS = {"DROP ROW": Action.DROP, "FAIL UPDATE": Action.FAIL}
"""The two spellings behind ON VIOLATION; without it an expectation warns."""


def bind(files: Sequence[ParsedFile], settings: BindSettings) -> Pipeline:
    """Resolve names and references of all files together; faults instead of exceptions."""
    datasets: list[Dataset] = []
    values: dict[str, str] = {}
    for file in files:
        datasets += _bind_file(file, settings, values)
    pipeline = Pipeline(files=tuple(files), datasets=tuple(datasets), settings=values, faults=())
    by_key = pipeline.by_key()
    flowing = streaming_views(by_key)
    faults = [
        *_unlisted(files, settings),
        *_duplicate_datasets(datasets),
        *(_circle(each) for each in in_order(datasets, by_key)[1]),
        *(found for each in datasets for found in _duplicate_names(each)),
        *(found for each in datasets for found in _missing_stream(each, flowing)),
    ]
    return Pipeline(
        files=pipeline.files,
        datasets=pipeline.datasets,
        settings=pipeline.settings,
        faults=tuple(faults),
    )


def _unlisted(files: Sequence[ParsedFile], settings: BindSettings) -> Iterator[LocatedFault]:
    if settings.parameters is not None:
        from tidegate.model.unlisted import unlisted_placeholders  # noqa: PLC0415

        for file in files:
            yield from unlisted_placeholders(file, settings)


def action_of(words: Name | None) -> Action | None:
    """Return the action behind the words after ON VIOLATION; none written is WARN."""
    return Action.WARN if words is None else ACTIONS.get(words.text.upper())


def _bind_file(
    file: ParsedFile, settings: BindSettings, values: dict[str, str]
) -> Iterator[Dataset]:
    namespace = settings.namespace
    variables = Variables(settings.variables, settings.given)
    for statement in file.statements:
        match statement:
            case UseStatement():
                namespace = _use(namespace, statement)
            case SetStatement(value=str(value)):
                variables = variables.and_set(statement.key, value)
                values[statement.key] = unquoted(value)
            case CreateDataset():
                written = [part.text for part in statement.name.parts]
                name = namespace.resolve(bound_parts(written, variables))
                if name is not None:
                    yield _bind_dataset(file.source, statement, name, namespace, variables)
            case _:
                pass


def _bind_dataset(
    source: SourceFile,
    statement: CreateDataset,
    name: DatasetName,
    namespace: Namespace,
    variables: Mapping[str, str],
) -> Dataset:
    query = statement.query
    read = relations(source.text, query.span) if query is not None else ()
    return Dataset(
        name=name,
        kind=statement.kind,
        source=source,
        statement=statement,
        expectations=tuple(
            Expectation(
                name=clause.name.text,
                predicate=source.slice(clause.predicate_span),
                action=action_of(clause.action),
                clause=clause,
            )
            for clause in statement.expectations
            if clause.name is not None
        ),
        references=tuple(
            Reference(relation=each, name=_referenced(each, namespace, variables)) for each in read
        ),
        namespace=namespace,
        variables=variables,
    )


def _referenced(
    relation: Relation, namespace: Namespace, variables: Mapping[str, str]
) -> DatasetName | None:
    if relation.kind is not RelationKind.NAME:
        return None
    return namespace.resolve(bound_parts(relation.parts, variables))


def _use(namespace: Namespace, statement: UseStatement) -> Namespace:
    parts = [part.text for part in statement.name.parts]
    if statement.what == "CATALOG":
        return Namespace(parts[-1], namespace.schema)
    if len(parts) > 1:
        return Namespace(parts[-2], parts[-1])
    return Namespace(namespace.catalog, parts[0])


def unquoted(value: str) -> str:
    """Return a value of SET without the quotes around it."""
    quoted = len(value) > 1 and value[0] == value[-1] and value[0] in "'\""
    return value[1:-1] if quoted else value


def _duplicate_datasets(datasets: Sequence[Dataset]) -> Iterator[LocatedFault]:
    first: dict[str, Dataset] = {}
    for each in datasets:
        earlier = first.setdefault(each.name.key, each)
        if earlier is each:
            continue
        where = Related(
            message="first defined here",
            span=earlier.statement.name.span,
            path=earlier.source.path,
        )
        yield LocatedFault(
            each.source,
            Fault(
                name="duplicate-dataset",
                span=each.statement.name.span,
                message=f"`{each.name.full}` is defined twice in this pipeline",
                help="rename one of them, or remove it",
                dataset=each.name.full,
                related=(where,),
            ),
        )


def _circle(circle: tuple[Dataset, ...]) -> LocatedFault:
    first = circle[0]
    named = [each.name.full for each in circle[:MOST_NAMED]]
    rest = ["..."] if len(circle) > MOST_NAMED else []
    names = " -> ".join([*named, *rest, first.name.full])
    return LocatedFault(
        first.source,
        Fault(
            name="dependency-cycle",
            span=first.statement.name.span,
            message=f"datasets read each other in a circle: {names}",
            help="break the circle: let one of them read a source instead",
            dataset=first.name.full,
        ),
    )


def _duplicate_names(dataset: Dataset) -> Iterator[LocatedFault]:
    first: dict[str, tuple[Name, bool]] = {}
    for item in dataset.statement.items:
        if not isinstance(item, ExpectClause | KeyConstraint | CheckConstraint):
            continue
        if item.name is None:
            continue
        expects = isinstance(item, ExpectClause)
        earlier, earlier_expects = first.setdefault(item.name.text.casefold(), (item.name, expects))
        # Two keys of one name are no metric's business.
        if earlier is item.name or not (expects or earlier_expects):
            continue
        yield LocatedFault(
            dataset.source,
            Fault(
                name="duplicate-name",
                span=item.name.span,
                message=f"`{item.name.text}` already names a constraint of `{dataset.name.full}`",
                help="give each expectation of a dataset its own name: it is the key of its metric",
                dataset=dataset.name.full,
                constraint=item.name.text,
                related=(Related(message="first used here", span=earlier.span),),
            ),
        )


def _missing_stream(dataset: Dataset, flowing: Set[str]) -> Iterator[LocatedFault]:
    query = dataset.statement.query
    if dataset.kind is not ObjectKind.STREAMING_TABLE or query is None:
        return
    if any(streams(each, flowing) for each in dataset.references):
        return
    if _holds_unknown_text(dataset.source.slice(query.span)):
        return
    leaves = (each.relation for each in dataset.references)
    tables = [each for each in leaves if each.kind is not RelationKind.PATH]
    fix = None
    if len(tables) == 1:
        edit = Edit(Span(tables[0].whole.start, tables[0].whole.start), "STREAM ")
        fix = Fix("Read it as a stream", (edit,), Safety.UNSAFE)
    yield LocatedFault(
        dataset.source,
        Fault(
            name="streaming-table-without-stream",
            span=tables[0].whole if tables else query.span,
            message=f"the query of streaming table `{dataset.name.full}` reads no stream",
            help="write STREAM before the table it follows, or make it a materialized view",
            dataset=dataset.name.full,
            fix=fix,
        ),
    )


def _holds_unknown_text(query: str) -> bool:
    # A placeholder or template may stand for anything, a streaming source included.
    return "${" in query or "{{" in query or "{%" in query
