"""A text without a file name comes in; what kind of file it is goes out."""

import re

_NOTEBOOK = "# Databricks notebook source"
_JSON = re.compile(r'\s*+\{\s*+"')
_PROGRAM = re.compile(
    r"(?:\s++|#[^\n]*+)*+(?:"
    r"import [\w.]++(?: as \w++)?(?:[ \t]*,[^\n]*+|[ \t]*#[^\n]*+|[ \t\r]*+)(?:\n|\Z)"
    r"|from [\w.]++ import\b"
    r"|@[\w.]++[ \t\r]*+[(\n]"
    r"|(?:async )?def \w++\(|class \w++[:(]"
    r"|(?:\w++\.)++\w++\(|\w++ = "
    r"|\"\"\"|''')"
)


def suffix_of_text(text: str) -> str:
    """Return the ending that the name of a notebook would have; empty for any other text."""
    if text.startswith(_NOTEBOOK):
        return ".py"
    if _JSON.match(text) and ('"cells"' in text or '"nbformat"' in text):
        return ".ipynb"
    return ""


def is_program(text: str) -> bool:
    """Tell whether a text starts as programs in Python do, and SQL does not."""
    return _PROGRAM.match(text) is not None
