"""What a query or a flow reads comes in; it goes out with resolved names."""

from collections.abc import Iterable, Mapping

from tidegate.grammar.nodes import (
    AutoCdc,
    CdcBody,
    CreateDataset,
    CreateFlow,
    InsertBody,
    QualifiedName,
)
from tidegate.grammar.outlines.outline import Relation, RelationKind
from tidegate.grammar.outlines.scan import relations
from tidegate.model.names import DatasetName, Namespace
from tidegate.model.pipeline import Flow, Reference
from tidegate.model.placeholders import bound_parts
from tidegate.source.text import SourceFile


def references_to(
    read: Iterable[Relation], namespace: Namespace, variables: Mapping[str, str]
) -> tuple[Reference, ...]:
    """Resolve the names of relations; functions and paths have none."""
    return tuple(
        Reference(
            relation=each,
            name=namespace.resolve(bound_parts(each.parts, variables))
            if each.kind is RelationKind.NAME
            else None,
        )
        for each in read
    )


def bind_flow(
    source: SourceFile,
    statement: CreateFlow | AutoCdc | CreateDataset,
    namespace: Namespace,
    variables: Mapping[str, str],
) -> Flow | None:
    """Return the flow of a statement with its target and what it reads."""
    body = _body(statement)
    if body is None:
        return None
    target = statement.name if isinstance(statement, CreateDataset) else body.target
    span = body.query.span if isinstance(body, InsertBody) else body.source.reading
    read = relations(source.text, span) if span is not None else ()
    return Flow(
        name=statement.name.text if isinstance(statement, CreateFlow) else None,
        target=_resolved(target, namespace, variables),
        source=source,
        statement=statement,
        body=body,
        references=references_to(read, namespace, variables),
        namespace=namespace,
        variables=variables,
    )


def _body(statement: CreateFlow | AutoCdc | CreateDataset) -> InsertBody | CdcBody | None:
    if isinstance(statement, CreateDataset):
        return statement.flow.body if statement.flow is not None else None
    return statement.body


def _resolved(
    name: QualifiedName | None, namespace: Namespace, variables: Mapping[str, str]
) -> DatasetName | None:
    if name is None:
        return None
    return namespace.resolve(bound_parts([part.text for part in name.parts], variables))
