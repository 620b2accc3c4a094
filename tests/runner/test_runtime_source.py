"""The run time can be embedded: one text of all its modules, each name once, nothing of ours."""

import ast
from collections import Counter
from pathlib import Path

import tidegate.model.placeholders
import tidegate.model.verdict
import tidegate.transpiler.runtime

RUNTIME = Path(tidegate.transpiler.runtime.__file__).parent
BESIDE = (tidegate.model.placeholders, tidegate.model.verdict)
MODULES = [*sorted(RUNTIME.glob("*.py")), *(Path(each.__file__) for each in BESIDE)]
OURS = ("tidegate.transpiler.runtime.", *(each.__name__ for each in BESIDE))


def trees() -> list[ast.Module]:
    return [ast.parse(file.read_text(encoding="utf-8")) for file in MODULES]


def imports(tree: ast.Module) -> list[ast.Import | ast.ImportFrom]:
    return [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]


def defined(tree: ast.Module) -> list[str]:
    names = []
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.append(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names += [target.id for target in targets if isinstance(target, ast.Name)]
    return names


def test_no_two_modules_define_one_name():
    counted = Counter(name for tree in trees() for name in defined(tree))
    assert [name for name, times in counted.items() if times > 1] == []


def test_no_module_defines_a_name_that_another_imports_from_elsewhere():
    taken = {name for tree in trees() for name in defined(tree)}
    elsewhere = {
        (alias.asname or alias.name).split(".")[0]
        for tree in trees()
        for node in imports(tree)
        if not (isinstance(node, ast.ImportFrom) and (node.module or "").startswith(OURS))
        for alias in node.names
    }
    assert taken & elsewhere == set()


def test_of_ours_only_what_a_job_carries_is_imported_under_its_own_name():
    for tree in trees():
        for node in imports(tree):
            module = node.module if isinstance(node, ast.ImportFrom) else node.names[0].name
            if module and module.split(".")[0] == "tidegate":
                assert module.startswith(OURS)
                assert node in tree.body
                assert all(alias.asname is None for alias in node.names)


def test_the_top_level_of_a_module_only_imports_and_defines():
    allowed = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef, ast.Assign, ast.AnnAssign)
    for tree in trees():
        for node in tree.body:
            is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
            assert isinstance(node, allowed) or is_text, ast.dump(node)
