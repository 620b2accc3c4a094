"""The functions that a project declares itself, in SQL or in its configuration."""

from collections.abc import Iterable
from itertools import pairwise

import msgspec

from tidegate.grammar.nodes import OtherStatement
from tidegate.grammar.parser import ParsedFile
from tidegate.linter.settings import LintSettings
from tidegate.linter.sql_words import words


class DeclaredFunctions(msgspec.Struct, frozen=True, kw_only=True):
    """Names in lower case: whole as created, and without catalog and schema."""

    sql: frozenset[str]
    """Made by CREATE FUNCTION in a language other than Python, or configured."""
    python: frozenset[str]
    """Made by CREATE FUNCTION ... LANGUAGE PYTHON, or configured as such."""
    bodies: dict[str, str] = {}
    """The Python text of those that are created here."""


def declared_functions(files: Iterable[ParsedFile], settings: LintSettings) -> DeclaredFunctions:
    """Collect what the files create and the configuration lists."""
    sql = {spelling for name in settings.functions for spelling in _spellings(name)}
    python = {spelling for name in settings.python_udfs for spelling in _spellings(name)}
    bodies: dict[str, str] = {}
    for file in files:
        for statement in file.statements:
            if not isinstance(statement, OtherStatement):
                continue
            text = file.source.slice(statement.span)
            if (created := _created(text)) is not None:
                name, is_python = created
                (python if is_python else sql).update(_spellings(name))
                if is_python:
                    bodies |= dict.fromkeys(_spellings(name), _body(text))
    return DeclaredFunctions(sql=frozenset(sql), python=frozenset(python), bodies=bodies)


def _created(text: str) -> tuple[str, bool] | None:
    """Read ``CREATE [OR REPLACE] [TEMPORARY] FUNCTION [IF NOT EXISTS] name``."""
    stream = words(text)
    if next(stream, "").upper() != "CREATE":
        return None
    for word in stream:
        match word.upper():
            case "OR" | "REPLACE" | "TEMPORARY" | "TEMP":
                continue
            case "FUNCTION":
                break
            case _:
                return None
    rest = list(stream)
    if [word.upper() for word in rest[:3]] == ["IF", "NOT", "EXISTS"]:
        rest = rest[3:]
    if not rest:
        return None
    name, at = rest[0], 1
    while rest[at : at + 1] == ["."] and len(rest) > at + 1:
        name, at = f"{name}.{rest[at + 1]}", at + 2
    upper = [word.upper() for word in rest[at:]]
    is_python = ("LANGUAGE", "PYTHON") in pairwise(upper)
    return name, is_python


def _body(text: str) -> str:
    """Return what stands between ``$$`` and ``$$``."""
    _, _, behind = text.partition("$$")
    return behind.partition("$$")[0]


def _spellings(name: str) -> tuple[str, str]:
    whole = name.replace("`", "").lower()
    return whole, whole.rpartition(".")[2]
