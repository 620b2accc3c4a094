"""A compiled pipeline comes in; its JSON document goes out."""

import msgspec

from tidegate.report.compiled import CompileResult, MappedLine
from tidegate.report.json_output import DiagnosticShape, Document, diagnostic_shape
from tidegate.report.position import Position, Positions
from tidegate.report.terminal import readable_path


class MappedLineShape(msgspec.Struct, frozen=True, kw_only=True):
    """A line of a generated file and the text it stands for."""

    line: int
    path: str
    start: Position
    end: Position


class CompiledFileShape(msgspec.Struct, frozen=True, kw_only=True):
    """One generated file."""

    path: str
    sha256: str
    source_map: list[MappedLineShape]


class CompiledDatasetShape(msgspec.Struct, frozen=True, kw_only=True):
    """One dataset of the job."""

    name: str
    gates: list[str]


class CompileDocument(Document, frozen=True, kw_only=True):
    """What ``compile`` puts out."""

    target: str
    files: list[CompiledFileShape]
    losses: list[DiagnosticShape]
    datasets: list[CompiledDatasetShape]


def compile_document(result: CompileResult) -> CompileDocument:
    """Return the document of ``compile``; where errors forbid a job they stand under ``losses``."""
    positions = Positions(result.sources)
    return CompileDocument(
        target=result.target,
        files=[
            CompiledFileShape(
                path=readable_path(file.path),
                sha256=file.sha256,
                source_map=[_mapped_shape(each, positions) for each in file.source_map],
            )
            for file in result.files
        ],
        losses=[diagnostic_shape(each, positions) for each in (*result.faults, *result.losses)],
        datasets=[
            CompiledDatasetShape(name=each.name, gates=list(each.gates)) for each in result.datasets
        ],
    )


def _mapped_shape(mapped: MappedLine, positions: Positions) -> MappedLineShape:
    start, end = positions.ends(mapped.path, mapped.span)
    return MappedLineShape(line=mapped.line, path=readable_path(mapped.path), start=start, end=end)
