"""A file or folder comes in; what holds there goes out, each folder looked at once.

What ``tidegate.toml`` leaves open, a settings file of the platform may say.
"""

import os
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, TypeVar

from tidegate.project.config import Config, Identity, find_config, settings_file_in
from tidegate.project.refusal import Refusal

if TYPE_CHECKING:
    from tidegate.project.settings import PipelineSettings

    Found = tuple[PipelineSettings, ...]

File = TypeVar("File")


class Configs:
    """Finds what holds for a file."""

    __slots__ = ("_by_file", "_by_folder", "_isolated", "_merged", "_owners", "_settings")

    def __init__(self, *, isolated: bool) -> None:
        self._isolated = isolated
        self._by_folder: dict[str, Config] = {}
        self._settings: dict[str, Found] = {}
        self._by_file: dict[str, Found] = {}
        self._owners: dict[str, dict[str, PipelineSettings]] = {}
        """By settings file: the pipeline that lists a source."""
        self._merged: dict[tuple[str | None, str, str], Config] = {}

    @property
    def root(self) -> str:
        """The folder of the configuration that holds where we are; without one, where we are."""
        here = os.getcwd()
        try:
            return self._configured(here).folder or here
        except Refusal:
            return here  # whether it matters to any file is seen when files are looked at

    def of(self, path: str) -> Config:
        """Return what holds for a file.

        Raises:
            Refusal: if a file of settings is malformed.

        """
        return self.of_place(os.path.abspath(path))

    def of_place(self, whole: str) -> Config:
        """Return what holds for a file that is named by its absolute path."""
        if self._isolated:
            return Config()
        folder = os.path.dirname(whole)
        config = self._configured(folder)
        defined = self._defined(folder, config)
        if not defined:
            return config
        if config.sources:
            return self._with(config, defined[0]) if len(defined) == 1 else config
        owner = self._owners[defined[0].path].get(whole)
        if owner is not None:
            return self._with(config, owner)
        only = defined[0]
        return self._with(config, only) if len(defined) == 1 and not only.sources else config

    def of_folder(self, path: str) -> Config:
        """Return what holds for a folder as a whole.

        Raises:
            Refusal: if several pipelines have sources in it.

        """
        if self._isolated:
            return Config()
        folder = os.path.abspath(path)
        config = self._configured(folder)
        defined = self._defined(folder, config)
        if len(defined) == 1 and (config.sources or not defined[0].sources):
            return self._with(config, defined[0])
        if config.sources:
            return config
        inside = os.path.join(folder, "")
        here = [each for each in defined if any(name.startswith(inside) for name in each.sources)]
        if len(here) > 1:
            names = " and ".join(f"`{each.name}`" for each in here)
            raise Refusal(
                f"`{path}` holds several pipelines of `{here[0].path}`: {names}",
                "name the files or the folder of one of them",
            )
        return self._with(config, here[0]) if here else config

    def _configured(self, folder: str) -> Config:
        found = self._by_folder.get(folder)
        if found is None:
            found = self._by_folder[folder] = find_config(folder)
        return found

    def _defined(self, folder: str, config: Config) -> "Found":
        """Return the pipelines of the settings file that is configured, else of the nearest."""
        if config.settings is not None:
            place = os.path.normpath(os.path.join(config.folder, config.settings))
            if not os.path.lexists(place):
                raise Refusal(
                    f"there is no settings file `{place}`, which `{config.path}` names",
                    "correct `settings` under `[pipeline]` there, or leave it out",
                )
            return self._read(place)
        found = self._settings.get(folder)
        if found is None:
            path = settings_file_in(folder)
            above = os.path.dirname(folder)
            if path is not None:
                found = self._read(path)
            elif above != folder:
                found = self._defined(above, config)
            self._settings[folder] = found = found or ()
        return found

    def _read(self, path: str) -> "Found":
        found = self._by_file.get(path)
        if found is None:
            # Few projects have such a file, and fewer should wait for what it takes to read one.
            from tidegate.project.settings import read_settings  # noqa: PLC0415

            found = self._by_file[path] = read_settings(path)
            owners = self._owners[path] = {}
            for each in found:
                for source in each.sources:
                    owners.setdefault(source, each)
        return found

    def _with(self, config: Config, settings: "PipelineSettings") -> Config:
        """Complete a configuration; what it says itself stands."""
        key = (config.path, settings.path, settings.name)
        found = self._merged.get(key)
        if found is None:
            from tidegate.project.settings import completed  # noqa: PLC0415

            found = self._merged[key] = completed(config, settings)
        return found


def by_project(
    files: Iterable[File], config_of: Callable[[File], Config]
) -> tuple[list[tuple[Config, list[File]]], list[tuple[Config, File]]]:
    """Sort files: those of each project that names its sources, and those that stand alone."""
    projects: dict[Identity, tuple[Config, list[File]]] = {}
    alone: list[tuple[Config, File]] = []
    for file in files:
        config = config_of(file)
        if config.sources and config.path:
            projects.setdefault(config.identity, (config, []))[1].append(file)
        else:
            alone.append((config, file))
    return list(projects.values()), alone
