"""Listed files come in; the pipelines that they belong to go out, none of the files read."""

import msgspec

from tidegate.project.check_settings import EmptySource, empty_sources
from tidegate.project.config import Config
from tidegate.project.configs import Configs, by_project
from tidegate.project.files import Listed, ListedFile, list_files
from tidegate.project.registered import with_registered
from tidegate.report.findings import Unhandled


class Group(msgspec.Struct, frozen=True, kw_only=True):
    """The files of one pipeline, and what its configuration says."""

    config: Config
    files: tuple[ListedFile, ...]
    """In the order of the configuration, whatever the call names."""
    asked: frozenset[str]
    """Those that the call names, by what they are called."""
    unhandled: tuple[Unhandled, ...] = ()
    """Folders of the configuration that could not be read."""
    empty: tuple[EmptySource, ...] = ()


def grouped(listed: Listed, configs: Configs) -> list[Group]:
    """Sort files into pipelines: those of one project together, each other file alone."""
    projects, alone = by_project(listed.files, lambda file: configs.of_place(file.place))
    found = [group for config, asked in projects for group in _project(config, asked)]
    found += (_alone(config, file) for config, file in alone)
    if not (listed.python_udfs or listed.java_udfs):
        return found
    return [
        msgspec.structs.replace(each, config=with_registered(each.config, listed)) for each in found
    ]


def _alone(config: Config, file: ListedFile) -> Group:
    return Group(config=config, files=(file,), asked=frozenset((file.shown,)))


def _project(config: Config, asked: list[ListedFile]) -> list[Group]:
    sources = list_sources(config)
    named = {file.place: file for file in sources.files}
    taken = {file.place: file for file in asked}
    config = with_registered(config, sources)
    groups = [_alone(config, file) for path, file in taken.items() if path not in named]
    inside = frozenset(file.shown for path, file in taken.items() if path in named)
    if inside:
        groups.append(
            Group(
                config=config,
                files=tuple(taken.get(path, file) for path, file in named.items()),
                asked=inside,
                unhandled=sources.unhandled,
            )
        )
    empty = empty_sources(config, sources.empty)
    return [msgspec.structs.replace(groups[0], empty=empty), *groups[1:]]


def list_sources(config: Config) -> Listed:
    """List the sources of a configuration, as paths from where we are."""
    return list_files(config.source_paths, None)
