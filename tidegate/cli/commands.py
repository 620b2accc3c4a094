"""The commands by name; the module of one is loaded only when it is called."""

import argparse
from typing import Protocol

from tidegate.cli.console import Console

COMMANDS = {
    "check": "find faults in pipelines and their expectations",
    "format": "bring pipeline SQL into one layout without changing what it says",
    "parse": "show the statements of files and their expectations",
    "compile": "write a pipeline as a job for another engine",
    "run": "run a pipeline on Spark and count what its expectations say",
    "rule": "show the page of a rule",
}


class Command(Protocol):
    """What the module of a command offers."""

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add the flags of the command."""

    def execute(self, arguments: argparse.Namespace, console: Console) -> int:
        """Do it, and return the exit code."""


def load(name: str) -> Command:
    """Import the module of a command."""
    match name:
        case "check":
            from tidegate.cli import check

            return check
        case "format":
            from tidegate.cli import format as format_command

            return format_command
        case "parse":
            from tidegate.cli import parse

            return parse
        case "compile":
            from tidegate.cli import compile as compile_command

            return compile_command
        case "run":
            from tidegate.cli import run

            return run
        case _:
            from tidegate.cli import rule

            return rule
