"""A name that a program takes from the module of pipelines comes in; what it does goes out."""

import ast
from collections.abc import Iterator

from tidegate.catalog.spelling import distance, nearest
from tidegate.grammar.python.values import Wrong
from tidegate.source.span import Span

PIPELINE_MODULES = frozenset({"dlt", "pyspark.pipelines", "databricks.pipelines"})

_DROP, _FAIL = "DROP ROW", "FAIL UPDATE"
SINGLE = {"expect": "", "expect_or_drop": _DROP, "expect_or_fail": _FAIL}
SEVERAL = {"expect_all": "", "expect_all_or_drop": _DROP, "expect_all_or_fail": _FAIL}
DECORATORS = frozenset(
    ("table", "materialized_view", "view", "temporary_view", "append_flow", "update_flow")
)
STREAMING = frozenset(
    ("create_streaming_table", "create_target_table", "create_streaming_live_table")
)
_NOT_READ = frozenset(
    (
        "apply_changes",
        "apply_changes_from_snapshot",
        "create_auto_cdc_flow",
        "create_auto_cdc_from_snapshot_flow",
        "create_sink",
        "create_table",
        "create_view",
        "foreach_batch_sink",
        "on_event_hook",
        "read",
        "readStream",
        "read_stream",
        "replace_flow",
    )
)
_NAMES = frozenset((*SINGLE, *SEVERAL, *DECORATORS, *STREAMING, *_NOT_READ))
# Another package has the name dlt as well, and these.
_DATA_LOAD_TOOL = frozenset(
    (
        "attach",
        "config",
        "current",
        "dataset",
        "defer",
        "destination",
        "hub",
        "mark",
        "pipeline",
        "resource",
        "run",
        "secrets",
        "source",
        "sources",
        "transformer",
    )
)
_LIKE_EXPECTATION = "expect"
_ADVICE = (
    "write `expect`, `expect_or_drop` or `expect_or_fail`, or `expect_all` and its siblings; to "
    "keep bad rows apart, make a second dataset of them"
)


def is_known(name: str) -> bool:
    """Tell whether the module has a function of that name, or may have one of its own."""
    return name in _NAMES or name.startswith("_")


def is_door(name: str) -> bool:
    """Tell whether a name is one of the functions that are read."""
    return name in DECORATORS or name in STREAMING or name.startswith(_LIKE_EXPECTATION)


def makes_dataset(name: str) -> bool:
    """Tell whether a function of that name decorates functions that return datasets."""
    return name in DECORATORS


def meant_name(name: str) -> str | None:
    """Return the function that a misspelt name means, if any is near."""
    return nearest(name, _NAMES)


def unknown_name(name: str, span: Span, *, is_written_there: bool) -> Wrong:
    """Say that a function does not exist, and which one is meant."""
    meant = meant_name(name)
    is_expectation = (meant or name).startswith(_LIKE_EXPECTATION)
    message, advice = f"`{name}` does not exist", _ADVICE
    if meant is not None:
        message, advice = f"{message}; did you mean `{meant}`?", f"write `{meant}`"
    elif not is_expectation:
        message = f"`{name}` is not known as a function of pipelines"
        advice = "check its name"
    return Wrong(
        name="unknown-violation-action" if is_expectation else "syntax-error",
        span=span,
        message=message,
        help=advice,
        meant=meant if is_written_there else None,
        is_certain=is_expectation and meant is not None and _is_certain(name, meant),
        # The module's own list of names is not public: only its expectations are known for sure.
        is_doubtful=not is_expectation,
    )


def _is_certain(name: str, meant: str) -> bool:
    near = [each for each in _NAMES if distance(name.lower(), each, 1) <= 1]
    return near == [meant]


def is_data_load_tool(tree: ast.Module) -> bool:
    """Tell whether a program uses the other package that is called dlt."""
    return any(_is_of_tool(node) for node in ast.walk(tree))


def _is_of_tool(node: ast.AST) -> bool:
    match node:
        case ast.Attribute(value=ast.Name(id="dlt"), attr=attr):
            return attr in _DATA_LOAD_TOOL
        case ast.ImportFrom(module="dlt", names=names):
            return any(each.name in _DATA_LOAD_TOOL for each in names)
        case ast.ImportFrom(module=str(module)):
            return module.startswith("dlt.")
        case _:
            return False


def mentions_of_pipelines(tree: ast.Module) -> list[int]:
    """Return the lines that name anything that declares datasets or expectations."""
    modules, imported = {"dlt", "dp"}, set[str]()
    for name, whole, module in _imports(tree):
        if whole in PIPELINE_MODULES:
            modules.add(name)
        elif module in PIPELINE_MODULES:
            imported.add(name)
    return sorted(
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute | ast.Name) and _is_mention(node, modules, imported)
    )


def _is_mention(node: ast.Attribute | ast.Name, modules: set[str], imported: set[str]) -> bool:
    match node:
        case ast.Attribute(value=ast.Name(id=owner), attr=name) if owner in modules:
            return is_door(name) or not is_known(name)
        case ast.Attribute(attr=name):
            return is_door(name)
        case ast.Name(id=name):
            return is_door(name) or name in imported


def _imports(tree: ast.Module) -> Iterator[tuple[str, str, str]]:
    """Yield each name that an import binds, with the whole name and the module of what it is."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            module = node.module or "" if isinstance(node, ast.ImportFrom) else ""
            for each in node.names:
                whole = f"{module}.{each.name}" if module else each.name
                yield each.asname or each.name, whole, module
