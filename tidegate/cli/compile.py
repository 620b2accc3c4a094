"""``tidegate compile``: writes a pipeline as a job for another engine."""

import argparse

from tidegate.cli.arguments import (
    EXIT_DONE,
    EXIT_FINDINGS,
    add_isolated,
    add_paths,
    add_stdin,
    add_traceback,
)
from tidegate.cli.choices import add_choices, overrides_of
from tidegate.cli.console import Console
from tidegate.cli.intake import report_intake, report_no_dataset
from tidegate.project.compile import TARGETS, compile_pipeline, differing, write_files
from tidegate.project.configs import Configs
from tidegate.project.pipeline import open_pipeline
from tidegate.report.compile_text import render_compiled, render_left_alone
from tidegate.report.compiled import CompileResult
from tidegate.report.full import render_full
from tidegate.report.position import Positions


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the flags of the command."""
    add_paths(parser, "files and folders of one pipeline (default: `.`)")
    parser.add_argument(
        "--to", metavar="TARGET", choices=tuple(TARGETS), required=True, help=", ".join(TARGETS)
    )
    parser.add_argument(
        "-o", "--output", metavar="DIR", required=True, help="the folder to write into"
    )
    parser.add_argument(
        "--check",
        action="store_true",
        help="write nothing; exit with 1 if a file would change",
    )
    parser.add_argument(
        "--output-format", choices=("full", "json"), default="full", help="default: full"
    )
    add_choices(parser)
    add_stdin(parser)
    add_isolated(parser)
    add_traceback(parser)


def execute(arguments: argparse.Namespace, console: Console) -> int:
    """Compile, write unless only asked, show, and return the exit code."""
    configs = Configs(isolated=arguments.isolated)
    opened = open_pipeline(arguments.paths, arguments.stdin_filename, configs)
    code = report_intake(
        opened.gathered.unhandled, opened.gathered.empty, console, allow_empty=arguments.allow_empty
    )
    if code:
        return code
    result = compile_pipeline(opened, arguments.to, arguments.output, overrides_of(arguments))
    for line in render_left_alone(result.left_alone, Positions(result.sources)):
        console.note(line)
    if not result.datasets and not result.faults:
        return report_no_dataset(console, allow_empty=arguments.allow_empty)
    changed = differing(result) if arguments.check else None
    if changed is None and not result.faults:
        write_files(result, arguments.output)
    _show(result, changed, arguments.output_format, console)
    if result.faults:
        return EXIT_FINDINGS
    return EXIT_FINDINGS if changed else EXIT_DONE


def _show(
    result: CompileResult, changed: list[str] | None, output_format: str, console: Console
) -> None:
    if output_format == "json":
        from tidegate.report.json_compile import compile_document
        from tidegate.report.json_output import encode

        console.result_bytes(encode(compile_document(result)))
        return
    found = (*result.faults, *result.losses)
    for paragraph in render_full(found, Positions(result.sources), console.notes_palette()):
        console.note(paragraph.removesuffix("\n"))
    if result.faults:
        console.error("nothing was compiled", "correct what is named above")
    console.results(render_compiled(result, changed, console.results_palette()))
