"""SQL text in, plan out: what the tests of this folder start from."""

from tidegate.grammar.parser import parse
from tidegate.model.binding import bind
from tidegate.model.binding_settings import BindSettings
from tidegate.model.names import Namespace
from tidegate.source.text import SourceFile
from tidegate.transpiler.lowering import lower
from tidegate.transpiler.plan import Choices, Lowered, PlannedDataset


def lowered(*texts: str, variables: dict[str, str] | None = None) -> Lowered:
    files = [parse(SourceFile(path=f"{n}.sql", text=text)) for n, text in enumerate(texts)]
    settings = BindSettings(namespace=Namespace(), variables=variables or {})
    return lower(bind(files, settings), Choices())


def planned(*texts: str) -> PlannedDataset:
    """The last dataset of a pipeline without faults."""
    result = lowered(*texts)
    assert result.faults == ()
    return result.plan.datasets[-1]


def fault_names(result: Lowered) -> list[str]:
    return [each.fault.name for each in result.faults]
