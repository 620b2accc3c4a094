"""``tidegate.toml`` or a table of ``pyproject.toml`` comes in; checked settings go out."""

import os
from collections.abc import Callable, Iterable, Mapping
from typing import get_args

import msgspec

from tidegate.catalog.targets import LINT_TARGETS
from tidegate.linter.settings import Profile
from tidegate.model.binding_settings import BindSettings
from tidegate.model.names import Namespace
from tidegate.model.verdict import NullPolicy
from tidegate.project.refusal import Refusal

FILE_NAME = "tidegate.toml"
SHARED_FILE_NAME = "pyproject.toml"
BUNDLES = ("databricks.yml", "databricks.yaml")
PIPELINE_SETTINGS = tuple(
    f"{stem}.{ending}"
    for stem in ("pipeline", "pipeline-settings", "pipeline_settings")
    for ending in ("json", "yml", "yaml")
)
SPARK_PIPELINES = ("spark-pipeline.yml", "spark-pipeline.yaml")
SETTINGS_FILES = (*BUNDLES, *PIPELINE_SETTINGS, *SPARK_PIPELINES)
"""In the order in which they count within one folder."""


Identity = tuple[str | None, str | None]
"""A configuration file, and the pipeline in it where it defines several."""


class Config(msgspec.Struct, frozen=True, kw_only=True):
    """Everything a configuration file may say; what it leaves out stands as here."""

    path: str | None = None
    folder: str = ""
    """Relative paths of the file start here."""
    sources: tuple[str, ...] = ()
    catalog: str | None = None
    schema: str | None = None
    """``None`` is ``default``."""
    settings: str | None = None
    """A settings file of the platform that is to be read, beside those that are found."""
    pipeline: str | None = None
    """The name of the pipeline, where a settings file defines several."""
    inputs: Mapping[str, str] = {}
    """Names outside the pipeline and where their rows come from."""
    variables: Mapping[str, str] = {}
    parameters: frozenset[str] | None = None
    """The names that may stand in ``${name}``, if the project lists them."""
    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] = ()
    targets: tuple[str, ...] | None = None
    profile: Profile = "recommended"
    functions: tuple[str, ...] = ()
    python_udfs: tuple[str, ...] = ()
    null_policy: NullPolicy = NullPolicy.VIOLATION
    on_fail: str = "dependents"
    sample_rows: int = 5
    redact: tuple[str, ...] = ()
    fail_sees_dropped: bool = True
    storage: str | None = None

    @property
    def identity(self) -> Identity:
        """What two files of one project have in common."""
        return self.path, self.pipeline

    @property
    def source_paths(self) -> dict[str, str]:
        """The sources as they are written, by their paths from where we are."""
        return {os.path.relpath(os.path.join(self.folder, name)): name for name in self.sources}

    @property
    def shown(self) -> str:
        """What the project is called in messages."""
        where = self.path or "no configuration"
        return where if self.pipeline is None else f"{where}: {self.pipeline}"

    def is_of(self, path: str) -> bool:
        """Tell whether a path is the folder of a project that names its sources."""
        if not (self.sources and self.path and os.path.isdir(path)):
            return False
        return os.path.samefile(path, self.folder)


PROFILES: tuple[str, ...] = get_args(Profile)


def bind_settings(config: Config, variables: Iterable[tuple[str, str]] = ()) -> BindSettings:
    """Return what the configuration says about names and values; given values win."""
    return BindSettings(
        namespace=Namespace(config.catalog, config.schema or "default"),
        variables=dict(config.variables),
        given=dict(variables),
        parameters=config.parameters,
    )


def find_config(start: str) -> Config:
    """Return the nearest configuration at or above a folder, or the defaults."""
    folder = os.path.abspath(start)
    while True:
        own = os.path.join(folder, FILE_NAME)
        if os.path.isfile(own):
            return _read(own, _load(own))
        shared = os.path.join(folder, SHARED_FILE_NAME)
        if os.path.isfile(shared) and (table := _shared_table(shared)) is not None:
            return _read(shared, table)
        above = os.path.dirname(folder)
        if above == folder:
            return Config()
        folder = above


def settings_file_in(folder: str) -> str | None:
    """Return the settings file of the platform that stands in a folder, if one does."""
    for name in SETTINGS_FILES:
        path = os.path.join(folder, name)
        if not os.path.isfile(path):
            continue
        # Other tools call their files `pipeline.yml` too.
        if name not in PIPELINE_SETTINGS or b"libraries" in read_bytes(path):
            return path
    return None


def _shared_table(path: str) -> Mapping[str, object] | None:
    # Most pyproject.toml files say nothing about us: then the TOML reader is not loaded at all.
    if b"tidegate" not in read_bytes(path):
        return None
    tool = _load(path).get("tool")
    table = tool.get("tidegate") if isinstance(tool, dict) else None
    return table if isinstance(table, dict) else None


def read_bytes(path: str) -> bytes:
    """Return what a configuration file holds.

    Raises:
        Refusal: if it cannot be read.

    """
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError as error:
        raise Refusal(
            f"there is no configuration `{path}`", "correct the path that names it"
        ) from error
    except OSError as error:
        raise Refusal(
            f"cannot read the configuration `{path}`: {error.strerror}",
            "change its permissions, or pass --isolated",
        ) from error


def _load(path: str) -> dict[str, object]:
    import tomllib  # noqa: PLC0415

    data = read_bytes(path)
    try:
        return tomllib.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise Refusal(f"the configuration `{path}` is not UTF-8", "save it as UTF-8") from error
    except tomllib.TOMLDecodeError as error:
        raise Refusal(
            f"the configuration `{path}` is not TOML: {error}", "correct that line"
        ) from error


class _Wrong(Exception):
    """A value of the wrong shape; the text says which one was wanted."""


def _text(value: object) -> str:
    if not isinstance(value, str) or not value:
        raise _Wrong("a text that is not empty")
    return value


def _texts(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) and item for item in value):
        raise _Wrong("a list of texts")
    return tuple(value)


def _choice(*allowed: str) -> Callable[[object], str]:
    def read(value: object) -> str:
        if not isinstance(value, str) or value not in allowed:
            raise _Wrong("one of " + ", ".join(f'"{name}"' for name in allowed))
        return value

    return read


def _targets(value: object) -> tuple[str, ...]:
    names = _texts(value)
    if not names or not set(names) <= set(LINT_TARGETS):
        raise _Wrong("a list of " + ", ".join(f'"{name}"' for name in LINT_TARGETS))
    return names


def _truth(value: object) -> bool:
    if not isinstance(value, bool):
        raise _Wrong("true or false")
    return value


def _count(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise _Wrong("a whole number from 0")
    return value


def _variables(value: object) -> dict[str, str]:
    if not isinstance(value, dict):
        raise _Wrong("a table of names and values")
    found = {}
    for name, given in value.items():
        if isinstance(given, bool):
            found[name] = "true" if given else "false"
        elif isinstance(given, str | int | float):
            found[name] = str(given)
        else:
            raise _Wrong(f"a table of plain values; that of `{name}` is none")
    return found


def _inputs(value: object) -> dict[str, str]:
    found = _flat(value) if isinstance(value, dict) else {}
    if not isinstance(value, dict) or not all(isinstance(each, str) for each in found.values()):
        raise _Wrong('a table of NAME = "PATH"')
    return {name: _text(each) for name, each in found.items()}


def _flat(table: dict[str, object], prefix: str = "") -> dict[str, object]:
    # In TOML a bare `raw.orders = "x"` makes a table `raw`; here it is one name with a dot.
    found: dict[str, object] = {}
    for key, value in table.items():
        if isinstance(value, dict):
            found |= _flat(value, f"{prefix}{key}.")
        else:
            found[prefix + key] = value
    return found


_READERS: dict[str, Callable[[object], object]] = {
    "null_policy": lambda value: NullPolicy(_choice("violation", "pass")(value)),
    "inputs": _inputs,
    "variables": _variables,
    "pipeline.sources": _texts,
    "pipeline.catalog": _text,
    "pipeline.schema": _text,
    "pipeline.settings": _text,
    "lint.select": _texts,
    "lint.ignore": _texts,
    "lint.targets": _targets,
    "lint.profile": _choice(*PROFILES),
    "lint.functions": _texts,
    "lint.python_udfs": _texts,
    "run.on_fail": _choice("dependents", "all"),
    "run.sample_rows": _count,
    "run.redact": _texts,
    "run.fail_sees_dropped": _truth,
    "run.storage": _choice("delta", "parquet"),
}
KEYS = tuple(_READERS)
_TABLES = {key.partition(".")[0] for key in KEYS if "." in key}


def _read(path: str, table: Mapping[str, object]) -> Config:
    values: dict[str, object] = {}
    for name, value in table.items():
        if name not in _TABLES:
            values[name] = _value(path, name, value)
        elif isinstance(value, dict):
            for key, inner in value.items():
                values[key] = _value(path, f"{name}.{key}", inner)
        else:
            raise Refusal(f"{_place(path, name)}: `{name}` must be a table", f"write `[{name}]`")
    base = Config(path=path, folder=os.path.dirname(path))
    config = msgspec.structs.replace(base, **values)
    if "variables" not in values:
        return config
    return msgspec.structs.replace(config, parameters=frozenset(config.variables))


def _value(path: str, key: str, value: object) -> object:
    reader = _READERS.get(key)
    if reader is None:
        raise Refusal(f"{_place(path, key)}: there is no key `{key}`", _nearest(key))
    try:
        return reader(value)
    except _Wrong as wrong:
        raise Refusal(f"{_place(path, key)}: `{key}` must be {wrong}") from None


def _nearest(key: str) -> str:
    from difflib import get_close_matches  # noqa: PLC0415

    known = [*KEYS, *_TABLES]
    last = key.rpartition(".")[2]
    by_last = {name.rpartition(".")[2]: name for name in known}
    if close := get_close_matches(key, known, n=1, cutoff=0.8):
        return f"did you mean `{close[0]}`?"
    if close := get_close_matches(last, by_last, n=1):
        return f"did you mean `{by_last[close[0]]}`?"
    return "the keys are " + ", ".join(f"`{name}`" for name in KEYS)


def _place(path: str, key: str) -> str:
    """Return the file, and the line of a key where that can be told without the TOML reader."""
    table, _, name = key.rpartition(".")
    prefix = "tool.tidegate" if os.path.basename(path) == SHARED_FILE_NAME else ""
    wanted = ".".join(part for part in (prefix, table) if part)
    current = ""
    for number, line in enumerate(read_bytes(path).decode("utf-8", "replace").splitlines(), 1):
        text = line.strip()
        if text.startswith("["):
            current = text.strip("[] ")
            if current == ".".join(part for part in (wanted, name) if part):
                return f"{path}:{number}"
        elif current == wanted and text.partition("=")[0].strip().strip("\"'") == name:
            return f"{path}:{number}"
    return path
