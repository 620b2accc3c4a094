"""A folder comes in; the pipelines that settings files of the platform define there go out.

That is ``databricks.yml`` with what it includes, a pipeline's settings, and ``spark-pipeline.yml``.
"""

import os
import re
from collections.abc import Iterator, Mapping

import msgspec

from tidegate.project.config import BUNDLES, Config, read_bytes
from tidegate.project.files import SUFFIX
from tidegate.project.refusal import Refusal
from tidegate.project.settings_text import Table, merged, read_table
from tidegate.source.text import PYTHON_SUFFIXES

_REFERENCE = re.compile(r"\$\{([\w.\-\[\]]+)\}")
_MOST_STEPS = 10
_MOST_CHARACTERS = 100_000
_NOTEBOOK_ENDINGS = ("", ".sql", ".py", ".ipynb")


class PipelineSettings(msgspec.Struct, frozen=True, kw_only=True):
    """One pipeline as a settings file defines it."""

    path: str
    """The file that was found."""
    name: str
    sources: tuple[str, ...]
    """The files of its libraries that are here, as absolute paths."""
    catalog: str | None = None
    schema: str | None = None
    values: Mapping[str, str] = {}
    """Values for ``${name}``."""
    parameters: tuple[str, ...] = ()
    """The names that it gives a value, also those whose value is known only on the platform."""

    @property
    def folder(self) -> str:
        """The folder of the file."""
        return os.path.dirname(self.path)


def read_settings(path: str) -> tuple[PipelineSettings, ...]:
    """Return the pipelines that a settings file defines.

    Raises:
        Refusal: if the file is malformed.

    """
    try:
        return _defined(path, read_table(path, read_bytes(path)))
    except RecursionError as error:
        # In YAML a mapping may hold itself.
        raise Refusal(
            f"cannot read the settings `{path}`: they are nested too deeply",
            "correct them, or pass --isolated",
        ) from error


def _defined(path: str, table: Table) -> tuple[PipelineSettings, ...]:
    if os.path.basename(path) in BUNDLES or "bundle" in table:
        return tuple(_bundled(path, table))
    inner = table.table("spec") or table.table("settings") or table
    if "libraries" not in inner:
        return ()
    name = inner.text("name") or os.path.splitext(os.path.basename(path))[0]
    return (_pipeline(path, name, inner, _Values({})),)


def completed(config: Config, settings: PipelineSettings) -> Config:
    """Return a configuration with what it leaves open; what it says itself stands."""
    return msgspec.structs.replace(
        config,
        path=config.path or settings.path,
        folder=config.folder if config.path else settings.folder,
        sources=config.sources or settings.sources,
        pipeline=None if config.sources else settings.name,
        catalog=config.catalog or settings.catalog,
        schema=config.schema or settings.schema,
        variables={**settings.values, **config.variables},
        parameters=(config.parameters or frozenset()).union(settings.parameters),
    )


def _bundled(path: str, root: Table) -> Iterator[PipelineSettings]:
    """Yield the pipelines of a bundle, as its default target has them."""
    whole = root
    for included in _included(path, root):
        whole = merged(whole, read_table(included, read_bytes(included)))
    targets = whole.table("targets")
    chosen = next((key for key in targets if targets.table(key).text("default") == "true"), None)
    if chosen is None and len(targets) == 1:
        chosen = next(iter(targets))
    target = targets.table(chosen) if chosen is not None else Table(path)
    values = _Values(_bundle_values(whole, target, chosen))
    resources = merged(whole.table("resources"), target.table("resources"))
    pipelines = resources.table("pipelines")
    for key in pipelines:
        yield _pipeline(path, key, pipelines.table(key), values)


def _included(path: str, root: Table) -> Iterator[str]:
    folder = os.path.dirname(path)
    seen = {os.path.normpath(path)}
    for pattern in root.texts("include"):
        for found in _globbed(os.path.join(folder, pattern)):
            if found not in seen and found.endswith((".yml", ".yaml", ".json")):
                seen.add(found)
                yield found


def _bundle_values(whole: Table, target: Table, chosen: str | None) -> dict[str, str]:
    found: dict[str, str] = {}
    variables = whole.table("variables")
    for name in variables:
        given = variables[name]
        value = given.get("default") if isinstance(given, Table) else None
        if isinstance(value, str):
            found[f"var.{name}"] = value
    overrides = target.table("variables")
    for name, given in overrides.items():
        value = given.get("default") if isinstance(given, Table) else given
        if isinstance(value, str):
            found[f"var.{name}"] = value
    found |= {f"variables.{key[4:]}.value": value for key, value in found.items()}
    bundle = merged(whole.table("bundle"), target.table("bundle"))
    if (called := bundle.text("name")) is not None:
        found["bundle.name"] = called
    if chosen is not None:
        found["bundle.target"] = found["bundle.environment"] = chosen
    return found


class _Values:
    """Resolves ``${...}`` references of a bundle."""

    def __init__(self, known: Mapping[str, str]) -> None:
        self._known = known

    def resolve(self, text: str | None) -> str | None:
        """Return a text with its references resolved; ``None`` if one of them is not known."""
        if text is None:
            return None
        for _ in range(_MOST_STEPS):
            if "${" not in text:
                return text
            # A reference may give another one; one to itself would go on for ever.
            given = sum(len(self._value(match)) for match in _REFERENCE.finditer(text))
            if given > _MOST_CHARACTERS:
                return None
            text = _REFERENCE.sub(self._value, text)
        return None

    def _value(self, match: re.Match[str]) -> str:
        return self._known.get(match[1], match[0])


def _pipeline(path: str, name: str, table: Table, values: _Values) -> PipelineSettings:
    configuration = table.table("configuration")
    found = {key: values.resolve(configuration.text(key) or "") for key in configuration}
    schema = table.text("schema") or table.text("target") or table.text("database")
    return PipelineSettings(
        path=path,
        name=name,
        sources=tuple(dict.fromkeys(_libraries(table, values))),
        catalog=values.resolve(table.text("catalog")),
        schema=values.resolve(schema),
        values={key: value for key, value in found.items() if value is not None},
        parameters=tuple(found),
    )


def _libraries(table: Table, values: _Values) -> Iterator[str]:
    """Yield the files of a pipeline; what stands on the platform only is passed over."""
    for library in table.tables("libraries"):
        folder = os.path.dirname(library.path)
        for kind in ("glob", "file", "notebook"):
            if kind not in library:
                continue
            key = "include" if kind == "glob" else "path"
            written = values.resolve(library.table(kind).text(key))
            if written is None:
                continue
            place = os.path.normpath(os.path.join(folder, written))
            if kind == "glob":
                yield from _sources_behind(place)
            else:
                yield from _source_at(place, endings=kind == "notebook", here=written)


def _source_at(place: str, *, endings: bool, here: str) -> Iterator[str]:
    for ending in _NOTEBOOK_ENDINGS if endings else ("",):
        if os.path.isfile(place + ending):
            if _is_source(place + ending):
                yield place + ending
            return
    # An absolute path is one of the workspace. A relative one should be here: reading it will say.
    if not os.path.isabs(here) and _is_source(place):
        yield place


def _sources_behind(pattern: str) -> Iterator[str]:
    whole = os.path.join(pattern, "**") if os.path.isdir(pattern) else pattern
    for found in _globbed(whole):
        if os.path.isfile(found) and _is_source(found):
            yield found


def _globbed(pattern: str) -> list[str]:
    from glob import glob  # noqa: PLC0415  needed only where there is such a file

    return sorted(os.path.normpath(each) for each in glob(pattern, recursive=True))


def _is_source(path: str) -> bool:
    return path.lower().endswith((SUFFIX, *PYTHON_SUFFIXES))
