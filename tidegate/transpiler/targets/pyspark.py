"""The ``pyspark`` target: one self-contained job file for any Spark cluster.

The pipeline stands at the top as data; behind it stands the same run-time source that a run uses.
"""

import hashlib
from collections.abc import Iterable, Iterator
from typing import ClassVar

import msgspec

from tidegate.transpiler.embedding import embed
from tidegate.transpiler.emission import Emission, MappedLine, Writer
from tidegate.transpiler.plan import (
    FileRead,
    Gate,
    Plan,
    PlannedColumn,
    PlannedDataset,
    TableRead,
)
from tidegate.transpiler.python_text import call, literal, pairs, text_block

_ENTRY = "tidegate.transpiler.runtime.job"

_HEADER = '''\
#!/usr/bin/env python3
"""A Spark job made by Tidegate {version} from {sources}.

Run it with Python, or with spark-submit:

    spark-submit --packages {delta} \\
        {file} --warehouse DIR --input NAME=PATH

It needs PySpark 4.2 and Delta Lake 4.4, and nothing of Tidegate. The pipeline comes first; what
runs it follows.

Source hash: {digest}
"""
'''

_DELTA_PACKAGE = "io.delta:delta-spark_4.2_2.13:4.4.0"


class PySparkJob:
    """A plain PySpark job, with the same tables, figures and messages as a run."""

    name: ClassVar[str] = "pyspark"

    def emit(self, plan: Plan, *, stem: str, version: str) -> Emission:
        """Emit ``<stem>.py``; the same plan gives the same text."""
        runtime = embed(_ENTRY)
        file = f"{stem}.py"
        out = Writer()
        out.add(
            _HEADER.format(
                version=version,
                sources=", ".join(_sources(plan)),
                delta=_DELTA_PACKAGE,
                file=file,
                digest=_digest(plan),
            )
        )
        out.add(runtime.imports)
        out.add("\n\n")
        _pipeline(out, plan, version)
        out.add("\n\n# What follows runs any such pipeline.\n\n\n")
        out.add(runtime.body)
        out.add('\n\nif __name__ == "__main__":\n    sys.exit(main(pipeline()))\n')
        return Emission(files={file: out.text()}, source_map={file: out.source_map()})


def _sources(plan: Plan) -> list[str]:
    return sorted({_stem(each.source.path) for each in plan.datasets})


def _stem(path: str) -> str:
    return path.replace("\\", "/").rsplit("/", 1)[-1]


def _digest(plan: Plan) -> str:
    texts = {each.source.path: each.source.text for each in plan.datasets}
    whole = hashlib.sha256()
    for path in sorted(texts):
        whole.update(_stem(path).encode() + b"\0" + texts[path].encode() + b"\0")
    return whole.hexdigest()


def _pipeline(out: Writer, plan: Plan, version: str) -> None:
    out.add('def pipeline() -> Pipeline:\n    """The datasets, each behind those it reads."""\n')
    out.add("    return Pipeline(\n        datasets=(\n")
    for dataset in plan.datasets:
        _dataset(out, dataset)
    out.add("        ),\n")
    choices = plan.choices
    out.add(f"        null_policy=NullPolicy.{choices.null_policy.name},\n")
    out.add(f"        fail_sees_dropped={choices.fail_sees_dropped},\n")
    out.add(f"        on_fail={literal(choices.on_fail)},\n")
    out.add(f"        sample_rows={choices.sample_rows},\n")
    if choices.redact:
        out.add(f"        redact={literal(choices.redact)},\n")
    if plan.settings:
        out.add(f"        settings={pairs(plan.settings, 8)},\n")
    if plan.variables:
        out.add(f"        variables={literal(plan.variables)},\n")
    out.add(f"        version={literal(version)},\n    )\n")


def _dataset(out: Writer, dataset: PlannedDataset) -> None:
    pad = " " * 16
    out.add("            Dataset(\n", MappedLine.of(dataset.source, dataset.span))
    for key in ("name", "path", "kind"):
        out.add(f"{pad}{key}={literal(getattr(dataset, key))},\n")
    out.add(f"{pad}query={text_block(dataset.query)},\n")
    _many(out, "reads", (_read(each) for each in dataset.reads))
    if dataset.gates:
        out.add(f"{pad}rules=(\n")
        for gate in dataset.gates:
            out.add(f"{pad}    {_rule(gate)},\n", MappedLine.of(dataset.source, gate.span))
        out.add(f"{pad}),\n")
    _many(out, "columns", (_column(each) for each in dataset.columns))
    if dataset.comment is not None:
        out.add(f"{pad}comment={literal(dataset.comment)},\n")
    if dataset.properties:
        out.add(f"{pad}properties={pairs(dataset.properties, 16)},\n")
    if dataset.partition_by:
        out.add(f"{pad}partition_by={literal(dataset.partition_by)},\n")
    if dataset.cluster_by:
        out.add(f"{pad}cluster_by={literal(dataset.cluster_by)},\n")
    out.add("            ),\n")


def _many(out: Writer, keyword: str, calls: Iterable[str]) -> None:
    lines = list(calls)
    if lines:
        inner = "".join(f"                    {line},\n" for line in lines)
        out.add(f"                {keyword}=(\n{inner}                ),\n")


def _rule(gate: Gate) -> str:
    return call(
        "Rule",
        {"name": gate.name, "action": gate.action.value, "predicate": gate.predicate},
        indent=20,
    )


def _read(read: TableRead | FileRead) -> str:
    return call("Read" if isinstance(read, TableRead) else "FileRead", _set(read), indent=20)


def _column(column: PlannedColumn) -> str:
    return call("Column", _set(column), indent=20)


def _set(given: msgspec.Struct) -> dict[str, object]:
    """Return the fields that differ from the defaults of the spec's class of the same shape."""
    return dict(_fields(given))


def _fields(given: msgspec.Struct) -> Iterator[tuple[str, object]]:
    for name in given.__struct_fields__:
        value = getattr(given, name)
        if value is None or value is False or value == {}:
            continue
        yield name, tuple(sorted(value.items())) if isinstance(value, dict) else value
