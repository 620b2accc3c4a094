"""The paths of a call come in; the pipelines they mean, each with its configuration, go out."""

import os
from collections.abc import Iterable, Sequence

import msgspec

from tidegate.project.check_settings import EmptySource, empty_sources
from tidegate.project.config import FILE_NAME, Config, Identity
from tidegate.project.configs import Configs, by_project
from tidegate.project.files import STANDARD_INPUT, Gathered, gather
from tidegate.project.refusal import Refusal
from tidegate.project.registered import with_registered
from tidegate.report.findings import Unhandled
from tidegate.source.text import SourceFile, holds_python, is_python


class PipelineFiles(msgspec.Struct, frozen=True, kw_only=True):
    """The files of one pipeline, and what its configuration says."""

    config: Config
    asked: tuple[SourceFile, ...]
    """Those that the call names."""
    others: tuple[SourceFile, ...] = ()
    """The pipeline's other sources: read, because names in them count, but not shown."""
    unhandled: tuple[Unhandled, ...] = ()
    """Sources that the configuration names and that could not be read."""

    empty: tuple[EmptySource, ...] = ()
    """Sources that the configuration names and behind which there is no file."""

    order: tuple[str, ...] = ()
    """The paths of all of them as the configuration lists them, whatever the call names."""

    @property
    def all(self) -> tuple[SourceFile, ...]:
        """Every file of the pipeline."""
        return (*self.asked, *self.others)


def group(files: Sequence[SourceFile], configs: Configs) -> list[PipelineFiles]:
    """Sort files into pipelines: those of one project together, each other file alone."""
    projects, alone = by_project(files, lambda file: configs.of(file.path))
    found = [each for config, asked in projects for each in _project(config, asked)]
    found += (PipelineFiles(config=config, asked=(file,)) for config, file in alone)
    return found


def _project(config: Config, files: list[SourceFile]) -> list[PipelineFiles]:
    sources = gather(config.source_paths, None)
    named = {os.path.abspath(source.path): source for source in sources.files}
    outside = [file for file in files if os.path.abspath(file.path) not in named]
    taken = {os.path.abspath(file.path): file for file in files}
    asked = [file for path, file in taken.items() if path in named]
    config = with_registered(config, sources)
    groups = [PipelineFiles(config=config, asked=(file,)) for file in outside]
    if asked:
        others = tuple(file for path, file in named.items() if path not in taken)
        groups.append(
            PipelineFiles(
                config=config,
                asked=tuple(asked),
                others=others,
                unhandled=sources.unhandled,
                order=tuple(taken.get(path, file).path for path, file in named.items()),
            )
        )
    empty = empty_sources(config, sources.empty)
    return [msgspec.structs.replace(groups[0], empty=empty), *groups[1:]]


class OnePipeline(msgspec.Struct, frozen=True, kw_only=True):
    """What ``compile`` and ``run`` work on: all paths of the call as one pipeline."""

    config: Config
    gathered: Gathered
    stem: str
    """What the pipeline is called, as a file name without its ending."""

    @property
    def sql(self) -> tuple[SourceFile, ...]:
        """The files that can be compiled and run."""
        return tuple(file for file in self.gathered.files if not holds_python(file))

    @property
    def python(self) -> tuple[SourceFile, ...]:
        """The files that are found beside them and cannot."""
        return tuple(file for file in self.gathered.files if holds_python(file))


def open_pipeline(
    paths: Iterable[str], stdin_filename: str | None, configs: Configs
) -> OnePipeline:
    """Read every path as a part of one pipeline; a folder with a configuration is that project.

    Raises:
        Refusal: if the paths belong to projects with different configurations, or name Python.

    """
    wanted: list[str] = []
    found: dict[Identity, Config] = {}
    given = list(paths)
    for path in given:
        config = configs.of_folder(path) if os.path.isdir(path) else configs.of(path)
        found[config.identity] = config
        wanted += config.source_paths if config.is_of(path) else [path]
    if len(found) > 1:
        names = " and ".join(f"`{each.shown}`" for each in found.values())
        raise Refusal(
            f"the paths belong to different projects: {names}",
            f"call it once for each, or put one {FILE_NAME} above them",
        )
    config = next(iter(found.values()), Config())
    gathered = gather(wanted, stdin_filename)
    read = (file.path for file in gathered.files)
    _refuse_python(path for path in (*read, *gathered.idle) if path in given)
    if gathered.stdin is not None and holds_python(gathered.stdin):
        raise _is_python(gathered.stdin.path)
    return OnePipeline(config=config, gathered=gathered, stem=_stem(given))


def _refuse_python(paths: Iterable[str]) -> None:
    for path in filter(is_python, paths):
        raise _is_python(path)


def _is_python(path: str) -> Refusal:
    return Refusal(
        f"`{path}` is Python: only files of SQL can be compiled and run",
        "leave it out, and keep what is to be compiled or run in .sql files",
    )


def _stem(paths: list[str]) -> str:
    first = paths[0] if paths else "."
    if first == STANDARD_INPUT:
        return "pipeline"
    if len(paths) == 1 and not os.path.isdir(first):
        name = os.path.splitext(os.path.basename(first))[0]
    else:
        folder = first if os.path.isdir(first) else os.path.dirname(first)
        name = os.path.basename(os.path.abspath(folder))
    return "".join(char if char.isalnum() or char in "_-" else "_" for char in name) or "pipeline"
