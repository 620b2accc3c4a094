"""A Python file or a notebook comes in; whether it is a source, and what it registers, goes out."""

import re

import msgspec
from msgspec.structs import replace

from tidegate.grammar.nodes import ObjectKind, Statement, expectations_of, kind_of
from tidegate.linter.python_functions import RegisteredFunctions, registered_functions
from tidegate.project.parse import parse_noted, unread_parts
from tidegate.report.findings import Unhandled
from tidegate.source.hosts import open_host
from tidegate.source.text import SourceFile, Undecodable, decode

_DOOR = re.compile(rb"\bdlt\b|pyspark[^\n]*\bpipelines\b|\bdp\.")
# Files found without any of these have nothing for us, and are not worth taking apart.
_MARKS = re.compile(
    rb"%sql|\bFLOW\b|\bSTREAMING\s|\bMATERIALIZED\s|\bLIVE\s|\bOR\s+REFRESH\b|\bEXPECT\s*\("
    rb"|APPLY\s+CHANGES|AUTO\s+CDC|udt?f\b",
    re.IGNORECASE,
)
_NO_FUNCTIONS = RegisteredFunctions()


class PythonFile(msgspec.Struct, frozen=True, kw_only=True):
    """What a look at a file told."""

    is_source: bool
    """Whether it holds pipeline SQL or datasets."""
    functions: RegisteredFunctions = _NO_FUNCTIONS
    unread: tuple[Unhandled, ...] = ()
    """Why it gives nothing, where it might and cannot be read."""


def look_at(path: str, *, is_named: bool) -> PythonFile:
    """Look at a file; one that cannot be read is left to whoever reads it.

    A file that was only found is a source if it holds something of a pipeline; of one that the call
    names, any SQL will do.
    """
    try:
        with open(path, "rb") as file:
            data = file.read()
    except (OSError, ValueError, MemoryError):
        return PythonFile(is_source=True)
    concerns = _DOOR.search(data) is not None
    if not (is_named or concerns or _MARKS.search(data)):
        return PythonFile(is_source=False)
    text = decode(data)
    if isinstance(text, Undecodable):
        return PythonFile(is_source=True)
    source = SourceFile(path=path, text=text)
    parsed = parse_noted(source)
    is_source = any(_is_of_pipeline(each) for each in parsed.statements)
    if is_named:
        is_source = is_source or bool(parsed.statements or parsed.faults)
    is_lost = (is_named or concerns) and not is_source
    return PythonFile(
        is_source=is_source,
        # Of what is left nothing was of use.
        unread=tuple(replace(each, is_partial=False) for each in unread_parts(parsed))
        if is_lost
        else (),
        functions=_functions(source) if b"udf" in data or b"udtf" in data else _NO_FUNCTIONS,
    )


def _is_of_pipeline(statement: Statement) -> bool:
    return kind_of(statement) is not ObjectKind.OTHER or bool(expectations_of(statement))


def _functions(source: SourceFile) -> RegisteredFunctions:
    """Return the functions that a program makes callable in SQL."""
    from tidegate.grammar.python.program import parse_program  # noqa: PLC0415 - needs ast

    opened = open_host(source)
    program = parse_program(opened.python)[0] if opened.python else None
    return registered_functions(program.text) if program else _NO_FUNCTIONS
