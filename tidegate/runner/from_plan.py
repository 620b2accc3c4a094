"""From the plan's words to those of the run time, field by field."""

from tidegate.transpiler.plan import FileRead, Plan, PlannedDataset, TableRead
from tidegate.transpiler.runtime import spec


def to_spec(plan: Plan, *, version: str) -> spec.Pipeline:
    """Return the pipeline that the engine runs; the ``pyspark`` target prints the same."""
    choices = plan.choices
    return spec.Pipeline(
        datasets=tuple(_dataset(each) for each in plan.datasets),
        null_policy=choices.null_policy,
        fail_sees_dropped=choices.fail_sees_dropped,
        on_fail=choices.on_fail,
        sample_rows=choices.sample_rows,
        redact=choices.redact,
        settings=tuple(plan.settings.items()),
        variables=plan.variables,
        version=version,
    )


def _dataset(planned: PlannedDataset) -> spec.Dataset:
    return spec.Dataset(
        name=planned.name,
        path=planned.path,
        kind=planned.kind,
        query=planned.query,
        reads=tuple(_read(each) for each in planned.reads),
        rules=tuple(
            spec.Rule(each.name, each.action.value, each.predicate) for each in planned.gates
        ),
        columns=tuple(
            spec.Column(each.name, each.type, each.not_null, each.comment)
            for each in planned.columns
        ),
        comment=planned.comment,
        properties=tuple(planned.properties.items()),
        partition_by=planned.partition_by,
        cluster_by=planned.cluster_by,
    )


def _read(read: TableRead | FileRead) -> spec.Read | spec.FileRead:
    if isinstance(read, TableRead):
        return spec.Read(read.view, read.of, read.streaming, read.metadata)
    return spec.FileRead(
        view=read.view,
        path=read.path,
        format=read.format,
        options=tuple(sorted(read.options.items())),
        schema=read.schema,
        streaming=read.streaming,
        metadata=read.metadata,
    )
