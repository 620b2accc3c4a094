"""Parsers and the flags that several commands share."""

import argparse
import os
import re
import sys
from typing import NoReturn

from tidegate.catalog.spelling import nearest
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
        way_out = f"`{self.prog} --help` lists what it takes"
        if message.startswith(_REQUIRED):
            missing = message.removeprefix(_REQUIRED).split(", ")
            names = " and ".join(f"`{name}`" for name in missing)
            raise Refusal(f"{names} must be given", way_out)
        if found := _IGNORED.fullmatch(message):
            raise Refusal(f"`{found[1]}` takes no value", "write it alone")
        raise Refusal(message, way_out)

    # argparse has no public way to word these three complaints.

    def _check_value(self, action: argparse.Action, value: object) -> None:
        if action.choices is not None and value not in action.choices:
            known = [str(each) for each in action.choices]
            near = nearest(str(value), known)
            way_out = f"did you mean `{near}`?" if near else f"write {_either(known)}"
            raise Refusal(f"`{_flag(action)}` knows no `{value}`", way_out)

    def _get_value(self, action: argparse.Action, arg_string: str) -> object:
        try:
            return super()._get_value(action, arg_string)
        except argparse.ArgumentError:
            flag = _flag(action)
            what = "whole number" if action.type is int else "value that it takes"
            raise Refusal(
                f"`{flag} {arg_string}`: `{arg_string}` is no {what}", f"write {flag} 2"
            ) from None

    def _match_argument(self, action: argparse.Action, arg_strings_pattern: str) -> int:
        try:
            return super()._match_argument(action, arg_strings_pattern)
        except argparse.ArgumentError:
            flag = _flag(action)
            wanted = _either([str(each) for each in action.choices or ()]) or f"{action.metavar}"
            raise Refusal(f"`{flag}` needs a value", f"write {flag} and then {wanted}") from None


_REQUIRED = "the following arguments are required: "
_IGNORED = re.compile(r"argument (\S+): ignored explicit argument .*", re.DOTALL)


def _flag(action: argparse.Action) -> str:
    return action.option_strings[-1] if action.option_strings else str(action.metavar)


def _either(words: list[str]) -> str:
    *most, last = [f"`{word}`" for word in words] or [""]
    return f"{', '.join(most)} or {last}" if most else last


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
