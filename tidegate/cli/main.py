"""The program: finds the command, runs it, and turns what goes wrong into a sentence and a code."""

import argparse
import gc
import sys
from collections.abc import Sequence
from types import TracebackType

from tidegate import __version__
from tidegate.cli.arguments import EXIT_INTERNAL, EXIT_INTERRUPTED, EXIT_WORLD, Parser
from tidegate.cli.commands import COMMANDS, load
from tidegate.cli.console import Console
from tidegate.project.refusal import Refusal

_DESCRIPTION = """\
Understands, checks and runs the data quality expectations of pipeline SQL.

exit codes: 0 done; 1 findings, a FAIL rule tripped, or something would change;
2 the call or the world (input, configuration, Java, Spark, storage); 3 an internal error;
130 interrupted"""

# Trees and findings hold no circles, so looking for some after every 700 objects finds nothing and
# costs a fifth of a large check.
_MANY_OBJECTS = 50_000


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    words = sys.argv[1:] if arguments is None else list(arguments)
    console = Console()
    try:
        code = _run(words, console)
    except KeyboardInterrupt:
        console.note("interrupted")
        code = EXIT_INTERRUPTED
    except Refusal as refusal:
        console.error(refusal.message, refusal.way_out)
        code = EXIT_WORLD
    except OSError as error:
        console.error(_of_system(error), "check the path, the permissions and the free space")
        code = EXIT_WORLD
    except Exception as error:
        _confess(error, console, with_traceback="--traceback" in words)
        code = EXIT_INTERNAL
    return console.finish(code)


def _run(words: Sequence[str], console: Console) -> int:
    wanted = next((word for word in words if not word.startswith("-")), None)
    if wanted is not None and wanted not in COMMANDS:
        raise Refusal(f"there is no command `{wanted}`", _suggestion(wanted, COMMANDS))
    parser = build_parser(wanted)
    try:
        parsed, unknown = parser.parse_known_args(words)
    except SystemExit as leaving:
        return int(leaving.code or 0)
    if wanted is None:
        raise Refusal("a command is missing", _suggestion("", COMMANDS))
    if unknown:
        flags = _flags(parser, wanted)
        raise Refusal(f"`{unknown[0]}` is no flag of `{wanted}`", _suggestion(unknown[0], flags))
    command = load(wanted)
    # What is loaded stays to the end; from here on, only what the work makes is looked through.
    gc.freeze()
    gc.set_threshold(_MANY_OBJECTS, 50, 100)
    gc.enable()
    return command.execute(parsed, console)


def build_parser(wanted: str | None) -> Parser:
    """Return the parser of the program, with all commands or with the flags of one."""
    parser = Parser(prog="tidegate", description=_DESCRIPTION)
    parser.add_argument("--version", action="version", version=f"tidegate {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", dest="command", parser_class=Parser)
    for name in COMMANDS if wanted is None else [wanted]:
        summary = COMMANDS[name]
        own = commands.add_parser(name, help=summary, description=_sentence(summary))
        if name == wanted:
            load(name).add_arguments(own)
    return parser


def _sentence(summary: str) -> str:
    return f"{summary[0].upper()}{summary[1:]}."


def _flags(parser: argparse.ArgumentParser, command: str) -> list[str]:
    # argparse has no public way to list what a parser takes.
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            return list(action.choices[command]._option_string_actions)
    return []


def _suggestion(word: str, known: Sequence[str] | dict[str, str]) -> str:
    from difflib import get_close_matches

    if close := get_close_matches(word.partition("=")[0], known, n=1):
        return f"did you mean `{close[0]}`?"
    return f"there are {', '.join(f'`{name}`' for name in known)}"


def _of_system(error: OSError) -> str:
    reason = error.strerror or str(error) or type(error).__name__
    return f"`{error.filename}`: {reason}" if error.filename else reason


def _confess(error: Exception, console: Console, *, with_traceback: bool) -> None:
    reading = f" while working on `{notes[0]}`" if (notes := _notes(error)) else ""
    place = _place(error.__traceback__)
    console.error(
        f"internal error{reading}: {type(error).__name__}: {error} ({place}); please report it",
        None if with_traceback else "--traceback shows where it happened",
    )
    if with_traceback:
        from traceback import format_exception

        console.note("".join(format_exception(error)).rstrip())


def _notes(error: Exception) -> list[str]:
    return list(getattr(error, "__notes__", ()))


def _place(trace: TracebackType | None) -> str:
    if trace is None:
        return "nowhere"
    while trace.tb_next is not None:
        trace = trace.tb_next
    return f"{trace.tb_frame.f_code.co_filename}, line {trace.tb_lineno}"
