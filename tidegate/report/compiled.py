"""What ``compile`` made: by ``project``, shown by the renderers beside this file."""

import msgspec

from tidegate.source.diagnostic import Diagnostic
from tidegate.source.span import Span
from tidegate.source.text import SourceFile


class MappedLine(msgspec.Struct, frozen=True, kw_only=True):
    """A line of a generated file and the text it stands for."""

    line: int
    path: str
    span: Span


class CompiledFile(msgspec.Struct, frozen=True, kw_only=True):
    """One generated file."""

    path: str
    text: str
    sha256: str
    source_map: tuple[MappedLine, ...]


class CompiledDataset(msgspec.Struct, frozen=True, kw_only=True):
    """A dataset of the job and the names of its expectations."""

    name: str
    gates: tuple[str, ...]


class LeftAlone(msgspec.Struct, frozen=True, kw_only=True):
    """A statement that the job does not hold, and why."""

    path: str
    span: Span
    what: str
    reason: str


class CompileResult(msgspec.Struct, frozen=True, kw_only=True):
    """A compiled pipeline, or the faults that stand in its way."""

    target: str
    sources: tuple[SourceFile, ...]
    faults: tuple[Diagnostic, ...]
    """Errors: then there are no files."""
    losses: tuple[Diagnostic, ...]
    files: tuple[CompiledFile, ...]
    datasets: tuple[CompiledDataset, ...]
    left_alone: tuple[LeftAlone, ...]
