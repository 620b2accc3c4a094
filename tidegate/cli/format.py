"""``tidegate format``: brings pipeline SQL into one layout without changing what it says."""

import argparse

import msgspec

from tidegate.cli.arguments import (
    EXIT_DONE,
    EXIT_FINDINGS,
    EXIT_INTERNAL,
    EXIT_WORLD,
    add_isolated,
    add_paths,
    add_stdin,
    add_traceback,
)
from tidegate.cli.console import Console
from tidegate.cli.intake import report_idle, report_intake
from tidegate.grammar.formatting.formatter import Layout
from tidegate.project.files import STANDARD_INPUT, Gathered, gather
from tidegate.project.format import format_files
from tidegate.project.refusal import Refusal
from tidegate.report.formatted import FileFormat, FormatResult, render_changed, summarize_format
from tidegate.report.json_format import format_document
from tidegate.report.json_output import encode


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the flags of the command."""
    add_paths(parser, "files, folders and patterns; `-` is standard input (default: `.`)")
    parser.add_argument(
        "--check",
        action="store_true",
        help="name the files that would change and write nothing; exit with 1 if there are any",
    )
    parser.add_argument(
        "--diff",
        action="store_true",
        help="show what would change and write nothing; exit with 1 if anything would",
    )
    parser.add_argument(
        "--queries",
        action="store_true",
        help="also put each clause of a query on a line of its own, key words in capitals",
    )
    parser.add_argument(
        "--output-format", choices=("full", "json"), default="full", help="default: full"
    )
    parser.add_argument("-q", "--quiet", action="store_true", help="no summary")
    add_stdin(parser)
    add_isolated(parser)
    add_traceback(parser)


def execute(arguments: argparse.Namespace, console: Console) -> int:
    """Lay out, prove, write or show, and return the exit code."""
    _refuse_two_outputs(arguments)
    gathered = gather(arguments.paths, arguments.stdin_filename)
    options = Layout(queries=arguments.queries)
    result = format_files(gathered, options)
    writes = not (arguments.check or arguments.diff)
    if writes:
        result = _write(result, gathered, console)
    if arguments.output_format == "json":
        console.result_bytes(encode(format_document(result, writes=writes)))
    elif not writes:
        _show(result, arguments, console)
    told = report_intake(
        result.unhandled, gathered.empty, console, allow_empty=arguments.allow_empty
    )
    told = report_idle(gathered, console, allow_empty=arguments.allow_empty) or told
    if not arguments.quiet:
        for line in summarize_format(result, writes=writes):
            console.note(line)
    return confess(result, console) or told or _code(result, writes=writes)


def _code(result: FormatResult, *, writes: bool) -> int:
    if any(file.is_unwritten for file in result.files):
        return EXIT_WORLD
    would_change = not writes and any(file.is_changed for file in result.files)
    return EXIT_FINDINGS if would_change else EXIT_DONE


def _refuse_two_outputs(arguments: argparse.Namespace) -> None:
    if arguments.output_format != "json":
        return
    if arguments.diff:
        raise Refusal("--diff puts out a patch, which is no JSON", "leave --output-format out")
    if STANDARD_INPUT in arguments.paths and not arguments.check:
        raise Refusal(
            "the text of standard input goes to standard output, and so does the JSON",
            "add --check, or leave --output-format out",
        )


def _show(result: FormatResult, arguments: argparse.Namespace, console: Console) -> None:
    """Show what would change."""
    if arguments.diff:
        from tidegate.project.patch import unified_diff

        changed = [file for file in result.files if file.is_changed]
        console.results(unified_diff(file.before, file.after) for file in changed)
    else:
        console.results(render_changed(result))


def _write(result: FormatResult, gathered: Gathered, console: Console) -> FormatResult:
    """Write what changed; standard input goes to standard output, changed or not.

    What comes back knows which files could not be written.
    """
    from tidegate.project.writing import rewrite

    files: list[FileFormat] = []
    for file in result.files:
        unwritten = False
        if file.before is gathered.stdin:
            console.result_bytes(file.text.encode())
        elif file.is_changed:
            try:
                rewrite(file.before, file.text)
            except Refusal as refusal:
                console.error(refusal.message, refusal.way_out)
                unwritten = True
        files.append(msgspec.structs.replace(file, is_unwritten=unwritten))
    return msgspec.structs.replace(result, files=tuple(files))


def confess(result: FormatResult, console: Console) -> int:
    """Name the files whose new text would have said something else."""
    code = EXIT_DONE
    for file in result.files:
        if file.unproven:
            console.error(
                f"internal error: formatting `{file.before.path}` would change {file.unproven}; "
                "the file is as it was; please report it"
            )
            code = EXIT_INTERNAL
    return code
