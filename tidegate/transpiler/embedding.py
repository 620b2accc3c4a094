"""The source of the run time, module by module, joined to one text that imports nothing of ours.

A job and a run cannot differ: the run imports these modules, the job carries their text.
"""

import ast
import sys
from importlib import resources

import msgspec

_ROOTS = ("tidegate.transpiler.runtime", "tidegate.model.verdict", "tidegate.model.placeholders")


class Embedded(msgspec.Struct, frozen=True):
    """What a self-contained job file is put together from."""

    imports: str
    """All imports of the modules, merged and sorted."""
    body: str
    """The modules' code in dependency order, each behind one line that says what it does."""


class _Module(msgspec.Struct, frozen=True):
    name: str
    text: str
    tree: ast.Module


def embed(entry: str) -> Embedded:
    """Return the text of a runtime module and of all it imports from us."""
    modules = _closure(entry)
    plain: set[str] = set()
    names: dict[str, set[str]] = {}
    parts = []
    for module in modules:
        _collect_imports(module, plain, names)
        parts.append(_code(module))
    return Embedded(_import_lines(plain, names), "\n\n\n".join(parts) + "\n")


def _closure(entry: str) -> list[_Module]:
    ordered: dict[str, _Module] = {}
    entering: set[str] = set()

    def enter(name: str) -> None:
        if name in ordered:
            return
        if name in entering:
            raise ValueError(f"runtime modules import each other in a circle at {name}")
        entering.add(name)
        module = _read(name)
        for needed in _internal(module.tree):
            enter(needed)
        ordered[name] = module

    enter(entry)
    return list(ordered.values())


def _read(name: str) -> _Module:
    package, _, stem = name.rpartition(".")
    text = resources.files(package).joinpath(f"{stem}.py").read_text("utf-8")
    return _Module(name, text, ast.parse(text))


def _internal(tree: ast.Module) -> list[str]:
    return [
        node.module
        for node in tree.body
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith(_ROOTS)
    ]


def _collect_imports(module: _Module, plain: set[str], names: dict[str, set[str]]) -> None:
    for node in module.tree.body:
        if isinstance(node, ast.Import):
            plain |= {_spelled(each) for each in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            if node.module.startswith(_ROOTS):
                continue
            if node.module.split(".")[0] == "tidegate":
                raise ValueError(f"{module.name} imports {node.module}, which no job can carry")
            names.setdefault(node.module, set()).update(_spelled(each) for each in node.names)


def _spelled(alias: ast.alias) -> str:
    return alias.name if alias.asname is None else f"{alias.name} as {alias.asname}"


def _import_lines(plain: set[str], names: dict[str, set[str]]) -> str:
    future = sorted(names.pop("__future__", set()) | {"annotations"})
    lines = [f"from __future__ import {', '.join(future)}"]
    for standard in (True, False):  # Spark comes behind the standard library
        inside = {each for each in plain if _is_standard(each) is standard}
        lines += ["", *(f"import {each}" for each in sorted(inside))]
        modules = sorted(each for each in names if _is_standard(each) is standard)
        lines += [_from_import(each, names[each]) for each in modules]
    return "\n".join(lines) + "\n"


def _is_standard(module: str) -> bool:
    return module.split(".", maxsplit=1)[0].split(" ", maxsplit=1)[0] in sys.stdlib_module_names


def _from_import(module: str, names: set[str]) -> str:
    line = f"from {module} import {', '.join(sorted(names))}"
    if len(line) <= 100:
        return line
    inner = "".join(f"    {name},\n" for name in sorted(names))
    return f"from {module} import (\n{inner})"


def _code(module: _Module) -> str:
    lines = module.text.splitlines()
    body = module.tree.body
    title = (ast.get_docstring(module.tree) or module.name).splitlines()[0]
    skipped: set[int] = set()
    for node in body:
        is_docstring = node is body[0] and isinstance(node, ast.Expr)
        if is_docstring or isinstance(node, ast.Import | ast.ImportFrom):
            skipped |= set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    kept = [line for number, line in enumerate(lines, 1) if number not in skipped]
    return f"# {title}\n\n\n" + "\n".join(kept).strip("\n")
