"""The functions that a project declares itself, in SQL or in its configuration."""

from collections.abc import Iterable, Iterator

import msgspec

from tidegate.grammar.nodes import CreateFunction
from tidegate.grammar.parser import ParsedFile
from tidegate.linter.settings import LintSettings


class DeclaredFunctions(msgspec.Struct, frozen=True, kw_only=True):
    """Names in lower case: whole as created, and without catalog and schema."""

    sql: frozenset[str]
    """Made by CREATE FUNCTION in a language other than Python, or configured."""
    python: frozenset[str]
    """Made by CREATE FUNCTION ... LANGUAGE PYTHON, or configured as such."""
    bodies: dict[str, str] = {}
    """The Python text of those that are created here."""


class CreatedFunction(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A function that a file creates."""

    name: str
    is_python: bool = False
    body: str = ""
    """Its Python text."""


def created_functions(file: ParsedFile) -> Iterator[CreatedFunction]:
    """Yield the functions that a file creates."""
    for statement in file.statements:
        if isinstance(statement, CreateFunction):
            is_python, body = statement.language == "PYTHON", statement.body
            yield CreatedFunction(
                name=statement.name.text,
                is_python=is_python,
                body=_body(file.source.slice(body)) if is_python and body is not None else "",
            )


def declared_functions(
    created: Iterable[CreatedFunction], settings: LintSettings
) -> DeclaredFunctions:
    """Put together what the files of a pipeline create and the configuration lists."""
    sql = {spelling for name in settings.functions for spelling in _spellings(name)}
    python = {spelling for name in settings.python_udfs for spelling in _spellings(name)}
    bodies: dict[str, str] = {}
    for each in created:
        names = _spellings(each.name)
        (python if each.is_python else sql).update(names)
        if each.body:
            bodies |= dict.fromkeys(names, each.body)
    return DeclaredFunctions(sql=frozenset(sql), python=frozenset(python), bodies=bodies)


def _body(text: str) -> str:
    """Return what stands between ``$$`` and ``$$``."""
    _, _, behind = text.partition("$$")
    return behind.partition("$$")[0]


def _spellings(name: str) -> tuple[str, str]:
    whole = name.replace("`", "").lower()
    return whole, whole.rpartition(".")[2]
