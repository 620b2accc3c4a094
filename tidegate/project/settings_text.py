"""YAML and JSON text comes in; tables that know the lines of their keys go out."""

from collections.abc import Iterator

from tidegate.project.refusal import Refusal

_NOTHING = ("", "null", "~")


class Table(dict[str, object]):
    """A mapping of a settings file, with the file and the line of each key."""

    __slots__ = ("lines", "path")

    def __init__(self, path: str = "") -> None:
        super().__init__()
        self.path = path
        self.lines: dict[str, int] = {}

    def table(self, key: str) -> "Table":
        """Return the mapping under a key; an empty one where there is none."""
        value = self.get(key)
        if value is None or value in _NOTHING:
            return Table(self.path)
        if not isinstance(value, Table):
            raise self.wrong(key, "a mapping")
        return value

    def texts(self, key: str) -> list[str]:
        """Return the list of texts under a key."""
        return [each for each in self.items_of(key) if isinstance(each, str)]

    def tables(self, key: str) -> list["Table"]:
        """Return the list of mappings under a key."""
        return [each for each in self.items_of(key) if isinstance(each, Table)]

    def items_of(self, key: str) -> list[object]:
        """Return the list under a key; an empty one where there is none."""
        value = self.get(key)
        if value is None or value in _NOTHING:
            return []
        if not isinstance(value, list):
            raise self.wrong(key, "a list")
        return value

    def text(self, key: str) -> str | None:
        """Return the text under a key, if it has one."""
        value = self.get(key)
        if value is None or value in _NOTHING:
            return None
        if not isinstance(value, str):
            raise self.wrong(key, "a text")
        return value

    def wrong(self, key: str, wanted: str) -> Refusal:
        """Say that the value of a key has the wrong shape."""
        line = self.lines.get(key)
        place = f"{self.path}:{line}" if line else self.path
        return Refusal(f"{place}: `{key}` must be {wanted}", "correct it, or pass --isolated")


def merged(under: Table, over: Table) -> Table:
    """Return two mappings as one, as bundles merge them: lists are joined, the second wins."""
    both = Table(under.path)
    both.update(under)
    both.lines = {**under.lines, **over.lines}
    for key, value in over.items():
        before = both.get(key)
        if isinstance(before, Table) and isinstance(value, Table):
            both[key] = merged(before, value)
        elif isinstance(before, list) and isinstance(value, list):
            both[key] = [*before, *value]
        else:
            both[key] = value
    return both


def read_table(path: str, data: bytes) -> Table:
    """Read a settings file.

    Raises:
        Refusal: if it is malformed, naming the line.

    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Refusal(f"the settings file `{path}` is not UTF-8", "save it as UTF-8") from error
    try:
        value = _json(path, text) if path.endswith(".json") else _yaml(path, text)
    except RecursionError as error:
        raise _malformed(path, None, "it is nested too deeply") from error
    if value is None or value in _NOTHING:
        return Table(path)
    if not isinstance(value, Table):
        raise _malformed(path, 1, "a mapping of keys and values is expected")
    return value


def _malformed(path: str, line: int | None, why: str) -> Refusal:
    place = f"{path}:{line}" if line else path
    return Refusal(f"{place}: cannot read these settings: {why}", "correct it, or pass --isolated")


def _json(path: str, text: str) -> object:
    import json  # noqa: PLC0415  needed only where there is such a file

    try:
        # A number is put into SQL as it is written.
        return _tables(path, json.loads(text, parse_int=str, parse_float=str, parse_constant=str))
    except json.JSONDecodeError as error:
        message = f"{error.msg[:1].lower()}{error.msg[1:]}"
        raise _malformed(path, error.lineno, message) from error


def _tables(path: str, value: object) -> object:
    # What YAML gives as text, JSON has in types of its own.
    match value:
        case dict():
            table = Table(path)
            table.update((key, _tables(path, each)) for key, each in value.items())
            return table
        case list():
            return [_tables(path, each) for each in value]
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case _:
            return str(value)


def _yaml(path: str, text: str) -> object:
    try:
        import yaml  # noqa: PLC0415  as slow to load as a whole check; needed only here
    except ModuleNotFoundError as error:
        raise Refusal(
            f"reading `{path}` needs PyYAML, which is not installed",
            "pip install PyYAML, or pass --isolated",
        ) from error

    class Loader(yaml.SafeLoader):
        """Makes tables, and texts of all that is plain: a value is put into SQL as written."""

        yaml_implicit_resolvers = {"<": [("tag:yaml.org,2002:merge", _Merge())]}  # noqa: RUF012

    def table(loader: yaml.SafeLoader, node: yaml.MappingNode) -> Iterator[Table]:
        made = Table(path)
        yield made
        made.update((str(key), value) for key, value in loader.construct_mapping(node).items())
        made.lines = {
            key.value: key.start_mark.line + 1
            for key, _ in node.value
            if isinstance(key, yaml.ScalarNode)
        }

    def written(loader: yaml.SafeLoader, node: yaml.ScalarNode) -> str:
        return str(loader.construct_scalar(node))

    Loader.add_constructor("tag:yaml.org,2002:map", table)
    for kind in ("int", "float", "bool", "null", "timestamp", "binary"):
        Loader.add_constructor(f"tag:yaml.org,2002:{kind}", written)
    try:
        return yaml.load(text, Loader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        why = error.problem or error.context or "it is no YAML"
        raise _malformed(path, mark.line + 1 if mark else None, why) from error
    except yaml.YAMLError as error:
        raise _malformed(path, None, str(error).replace("\n", " ")) from error


class _Merge:
    """Matches the merge key, as the regular expression of YAML's own resolver does."""

    @staticmethod
    def match(text: str) -> bool:
        return text == "<<"
