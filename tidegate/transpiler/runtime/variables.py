"""Values for ``${name}``: a pipeline that leaves some open and values enter, a whole one leaves."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from tidegate.model.placeholders import substituted
from tidegate.transpiler.runtime.failures import Refusal
from tidegate.transpiler.runtime.spec import Dataset, FileRead, Pipeline, Read


def parse_value(text: str) -> tuple[str, str]:
    """Split ``NAME=VALUE``; the value may be empty."""
    name, equals, value = text.partition("=")
    if not (name.strip() and equals):
        raise Refusal(f"`{text}` gives nothing a value", "write --var NAME=VALUE")
    return name.strip(), value


def with_values(pipeline: Pipeline, values: Mapping[str, str]) -> Pipeline:
    """Put values in as text; a name without one is a refusal that says it."""
    missing = [name for name in pipeline.variables if name not in values]
    if missing:
        names = ", ".join(f"`${{{name}}}`" for name in missing)
        example = f"--var {missing[0]}=VALUE"
        raise Refusal(f"{names} {'has' if len(missing) == 1 else 'have'} no value", example)

    def fill(text: str) -> str:
        return substituted(text, values)

    datasets = tuple(_dataset_with(dataset, fill) for dataset in pipeline.datasets)
    return replace(pipeline, datasets=datasets, variables=())


def _dataset_with(dataset: Dataset, fill: Callable[[str], str]) -> Dataset:
    name = fill(dataset.name)
    return replace(
        dataset,
        name=name,
        path=dataset.path if name == dataset.name else tuple(name.split(".")),
        query=fill(dataset.query),
        reads=tuple(_read_with(read, fill) for read in dataset.reads),
        rules=tuple(replace(rule, predicate=fill(rule.predicate)) for rule in dataset.rules),
    )


def _read_with(read: Read | FileRead, fill: Callable[[str], str]) -> Read | FileRead:
    if isinstance(read, Read):
        return replace(read, of=fill(read.of))
    options = tuple((key, _bare(fill(value))) for key, value in read.options)
    schema = None if read.schema is None else _bare(fill(read.schema))
    return replace(read, path=_bare(fill(read.path)), options=options, schema=schema)


def _bare(text: str) -> str:
    """Take off the quotes with which a value stands where SQL wants a literal."""
    quoted = len(text) > 1 and text[0] == text[-1] and text[0] in "'\""
    return text[1:-1] if quoted else text
