"""``tidegate parse``: shows the statements of files and their expectations."""

import argparse

from tidegate.cli.arguments import (
    EXIT_DONE,
    EXIT_FINDINGS,
    add_isolated,
    add_paths,
    add_stdin,
    add_traceback,
)
from tidegate.cli.console import Console
from tidegate.cli.intake import report_idle, report_intake
from tidegate.project.files import gather
from tidegate.project.parse import parse_files
from tidegate.report.statements import ParseResult
from tidegate.source.diagnostic import Severity


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the flags of the command."""
    add_paths(parser, "files, folders and patterns; `-` is standard input (default: `.`)")
    parser.add_argument(
        "--output-format",
        choices=("full", "json", "sql"),
        default="full",
        help="`sql` writes each statement anew, from what was understood of it (default: full)",
    )
    add_stdin(parser)
    add_isolated(parser)
    add_traceback(parser)


def execute(arguments: argparse.Namespace, console: Console) -> int:
    """Parse, show, and return the exit code."""
    gathered = gather(arguments.paths, arguments.stdin_filename)
    result = parse_files(gathered)
    if arguments.output_format == "json":
        from tidegate.report.json_output import encode
        from tidegate.report.json_parse import parse_document

        console.result_bytes(encode(parse_document(result)))
    elif arguments.output_format == "sql":
        from tidegate.report.parse_sql import as_written, render_sql

        for text in render_sql(result):
            console.result_bytes(text.encode())
        for line in as_written(result):
            console.note(line)
    else:
        from tidegate.report.parse_text import render_parse

        console.results(render_parse(result, console.results_palette()))
    code = report_intake(
        result.unhandled, gathered.empty, console, allow_empty=arguments.allow_empty
    )
    code = code or report_idle(gathered, console, allow_empty=arguments.allow_empty)
    return code or (EXIT_FINDINGS if _has_errors(result) else EXIT_DONE)


def _has_errors(result: ParseResult) -> bool:
    return any(
        found.severity is Severity.ERROR for file in result.files for found in file.diagnostics
    )
