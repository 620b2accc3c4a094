"""One pipeline comes in; the files of a target go out, and onto the disk when asked."""

import hashlib
import os

from tidegate import __version__
from tidegate.catalog.diagnosis import diagnose
from tidegate.project.pipeline import OnePipeline
from tidegate.project.planning import Overrides, Planned, plan_pipeline
from tidegate.project.writing import make_folder, write_whole
from tidegate.report.compiled import CompiledDataset, CompiledFile, CompileResult, MappedLine
from tidegate.source.diagnostic import Diagnostic
from tidegate.transpiler.emission import Emission
from tidegate.transpiler.targets.pyspark import PySparkJob
from tidegate.transpiler.verification import unverified

TARGETS = {PySparkJob.name: PySparkJob()}


def compile_pipeline(
    opened: OnePipeline, target: str, folder: str, overrides: Overrides
) -> CompileResult:
    """Emit a pipeline for a target; nothing is written yet."""
    planned = plan_pipeline(opened, overrides)
    files: tuple[CompiledFile, ...] = ()
    if not planned.faults:
        emission = TARGETS[target].emit(planned.plan, stem=opened.stem, version=__version__)
        files = _files(emission, folder)
    return CompileResult(
        target=target,
        sources=planned.sources,
        faults=planned.faults,
        losses=(*planned.losses, *_hints(planned)),
        files=files,
        datasets=_datasets(planned) if files else (),
        left_alone=planned.left_alone,
    )


def _hints(planned: Planned) -> tuple[Diagnostic, ...]:
    # No engine reads the queries here, so that a slip in one would show only on the cluster.
    return tuple(diagnose(each.fault, each.source.path) for each in unverified(planned.plan))


def _files(emission: Emission, folder: str) -> tuple[CompiledFile, ...]:
    return tuple(
        CompiledFile(
            path=os.path.join(folder, name),
            text=text,
            sha256=hashlib.sha256(text.encode()).hexdigest(),
            source_map=tuple(
                MappedLine(line=each.line, path=each.source.path, span=each.span)
                for each in emission.source_map.get(name, ())
            ),
        )
        for name, text in sorted(emission.files.items())
    )


def _datasets(planned: Planned) -> tuple[CompiledDataset, ...]:
    return tuple(
        CompiledDataset(name=each.name, gates=tuple(gate.name for gate in each.gates))
        for each in planned.plan.datasets
    )


def differing(result: CompileResult) -> list[str]:
    """Return the files on disk that are missing or hold other text than was made now."""
    return [file.path for file in result.files if _on_disk(file.path) != file.text.encode()]


def _on_disk(path: str) -> bytes | None:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return None


def write_files(result: CompileResult, folder: str) -> None:
    """Write what was made, each file whole or not at all."""
    make_folder(folder)
    for file in result.files:
        make_folder(os.path.dirname(file.path) or ".")
        write_whole(file.path, file.text.encode())
