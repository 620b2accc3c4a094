"""Parsers and the flags that several commands share."""

import argparse
import os
import sys
from typing import NoReturn

from tidegate.project.refusal import Refusal

EXIT_DONE, EXIT_FINDINGS, EXIT_WORLD, EXIT_INTERNAL, EXIT_INTERRUPTED = 0, 1, 2, 3, 130


class Formatter(argparse.RawDescriptionHelpFormatter):
    """Help as wide as the terminal. argparse would import ``shutil`` to find that width."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=30, width=_columns())


def _columns() -> int:
    wanted = os.environ.get("COLUMNS", "")
    if wanted.isdigit() and int(wanted) > 0:
        return max(40, int(wanted) - 2)
    if not sys.stdout.isatty():
        return 98
    try:
        return min(98, max(40, os.get_terminal_size(sys.stdout.fileno()).columns - 2))
    except (OSError, ValueError):
        return 98


class Parser(argparse.ArgumentParser):
    """A parser that knows no abbreviations and whose complaints are sentences of ours."""

    def __init__(self, **options: object) -> None:
        options.setdefault("formatter_class", Formatter)
        super().__init__(allow_abbrev=False, **options)  # type: ignore[arg-type]

    def error(self, message: str) -> NoReturn:
        """Raise instead of printing, so that every complaint looks the same."""
        raise Refusal(message, f"`{self.prog} --help` lists what it takes")


def add_paths(parser: argparse.ArgumentParser, what: str) -> None:
    """Add PATH and what goes with it."""
    parser.add_argument("paths", metavar="PATH", nargs="*", default=["."], help=what)
    parser.add_argument(
        "--allow-empty",
        action="store_true",
        help="a folder or pattern behind which there is no file is no error",
    )


def add_stdin(parser: argparse.ArgumentParser) -> None:
    """Add the name under which standard input is shown."""
    parser.add_argument(
        "--stdin-filename",
        metavar="NAME",
        help="the name under which standard input (`-`) is shown, and beside which "
        "the configuration is looked for",
    )


def add_isolated(parser: argparse.ArgumentParser) -> None:
    """Add the flag that switches configuration files off."""
    parser.add_argument(
        "--isolated", action="store_true", help="ignore configuration files and caches"
    )


def add_traceback(parser: argparse.ArgumentParser) -> None:
    """Add what every command takes."""
    parser.add_argument(
        "--traceback", action="store_true", help="after an internal error, show where it happened"
    )


def add_null_policy(parser: argparse.ArgumentParser) -> None:
    """Add the question what a NULL verdict counts as."""
    parser.add_argument(
        "--null-policy",
        choices=("violation", "pass"),
        help="what a NULL verdict counts as (default: as configured, else violation)",
    )


def add_variables(parser: argparse.ArgumentParser) -> None:
    """Add the flag that gives placeholders their values."""
    parser.add_argument(
        "--var",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="give ${NAME} a value, put in as text; wins over SET, [variables] and settings files",
    )


def variables_of(arguments: argparse.Namespace) -> tuple[tuple[str, str], ...]:
    """Return the values that the call gives."""
    return tuple(_variable(text) for text in arguments.var)


def _variable(text: str) -> tuple[str, str]:
    name, separator, value = text.partition("=")
    if not name.strip() or not separator:
        raise Refusal(f"`--var {text}` gives nothing a value", "write --var NAME=VALUE")
    return name.strip(), value
