"""Parsed files in, one bound pipeline out: names resolved, defaults known, faults found."""

from collections.abc import Iterator, Mapping, Sequence

from tidegate.grammar.nodes import (
    AutoCdc,
    CheckConstraint,
    CreateDataset,
    CreateFlow,
    ExpectClause,
    KeyConstraint,
    Name,
    SetStatement,
    UseStatement,
)
from tidegate.grammar.outlines.outline import Relation, RelationKind
from tidegate.grammar.outlines.scan import relations
from tidegate.grammar.parser import ParsedFile
from tidegate.model.binding_settings import BindSettings
from tidegate.model.facts import facts_of, faults_between
from tidegate.model.names import DatasetName, Namespace
from tidegate.model.pipeline import (
    Action,
    Dataset,
    Expectation,
    Flow,
    LocatedFault,
    Pipeline,
)
from tidegate.model.placeholders import Variables, bound_parts, substituted
from tidegate.model.reading import bind_flow, references_to
from tidegate.source.diagnostic import Fault, Related
from tidegate.source.span import Span
from tidegate.source.text import SourceFile

ACTIONS = {"DROP ROW": Action.DROP, "FAIL UPDATE": Action.FAIL}
"""The two spellings behind ON VIOLATION; without it an expectation warns."""


def bind(files: Sequence[ParsedFile], settings: BindSettings) -> Pipeline:
    """Resolve names and references of all files together; faults instead of exceptions."""
    parts = [bind_file(file, settings) for file in files]
    facts = [facts_of(part.files[0].source.path, part.datasets) for part in parts]
    between = [LocatedFault(files[number].source, fault) for number, fault in faults_between(facts)]
    return Pipeline(
        files=tuple(files),
        datasets=tuple(each for part in parts for each in part.datasets),
        flows=tuple(each for part in parts for each in part.flows),
        settings={key: value for part in parts for key, value in part.settings.items()},
        faults=(*(each for part in parts for each in part.faults), *between),
    )


def bind_file(file: ParsedFile, settings: BindSettings) -> Pipeline:
    """Bind one file; what is wrong between datasets, its own included, is not looked for."""
    values: dict[str, str] = {}
    bound = list(_bind_file(file, settings, values))
    datasets = tuple(each for each in bound if isinstance(each, Dataset))
    names = (found for each in datasets for found in _duplicate_names(each))
    return Pipeline(
        files=(file,),
        datasets=datasets,
        flows=tuple(each for each in bound if isinstance(each, Flow)),
        settings=values,
        faults=(*_unlisted(file, settings), *names),
    )


def _unlisted(file: ParsedFile, settings: BindSettings) -> Iterator[LocatedFault]:
    if settings.parameters is not None:
        from tidegate.model.unlisted import unlisted_placeholders  # noqa: PLC0415

        yield from unlisted_placeholders(file, settings)


def action_of(words: Name | None) -> Action | None:
    """Return the action behind the words after ON VIOLATION; none written is WARN."""
    return Action.WARN if words is None else ACTIONS.get(words.text.upper())


def _bind_file(
    file: ParsedFile, settings: BindSettings, values: dict[str, str]
) -> Iterator[Dataset | Flow]:
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
                if flow := bind_flow(file.source, statement, namespace, variables):
                    yield flow
            case CreateFlow() | AutoCdc():
                if flow := bind_flow(file.source, statement, namespace, variables):
                    yield flow
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
    if statement.in_python:
        read = tuple(_read_in_python(statement))
    return Dataset(
        name=name,
        kind=statement.kind,
        source=source,
        statement=statement,
        expectations=tuple(
            Expectation(
                name=clause.name.text,
                predicate=source.slice(clause.predicate_span),
                action=_bound_action(clause.action, variables),
                clause=clause,
            )
            for clause in statement.expectations
            if clause.name is not None
        ),
        references=references_to(read, namespace, variables),
        namespace=namespace,
        variables=variables,
    )


def _bound_action(words: Name | None, variables: Mapping[str, str]) -> Action | None:
    """Return the action, of a placeholder that of its value."""
    if words is None or "${" not in words.text:
        return action_of(words)
    written = substituted(words.text, variables)
    return ACTIONS.get(" ".join(written.upper().split()))


def _read_in_python(statement: CreateDataset) -> Iterator[Relation]:
    """Yield what a Python function reads; where that is not known, it may well be a stream."""
    for read in statement.reads:
        parts = tuple(part.text for part in read.name.parts)
        yield _leaf(RelationKind.NAME, parts, read.span, streaming=read.streaming)
    if not statement.reads:
        yield _leaf(RelationKind.PATH, (), statement.span, streaming=True)


def _leaf(kind: RelationKind, parts: tuple[str, ...], span: Span, *, streaming: bool) -> Relation:
    return Relation(
        kind=kind,
        parts=parts,
        span=span,
        whole=span,
        streaming=streaming,
        alias=None,
        alias_span=None,
    )


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


_NAMED = (ExpectClause, KeyConstraint, CheckConstraint)


def _duplicate_names(dataset: Dataset) -> Iterator[LocatedFault]:
    first: dict[str, tuple[Name, bool]] = {}
    for item in dataset.statement.items:
        if not isinstance(item, _NAMED):
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
