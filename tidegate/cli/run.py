"""``tidegate run``: runs a pipeline on Spark and shows what its expectations counted."""

import argparse
import logging

from tidegate.cli.arguments import (
    EXIT_FINDINGS,
    EXIT_WORLD,
    add_isolated,
    add_paths,
    add_stdin,
    add_traceback,
)
from tidegate.cli.choices import add_choices, overrides_of
from tidegate.cli.console import Console
from tidegate.cli.intake import report_intake, report_no_dataset
from tidegate.model.outcome import RunOutcome
from tidegate.project.config import bind_settings
from tidegate.project.configs import Configs
from tidegate.project.pipeline import OnePipeline, open_pipeline
from tidegate.project.planning import Planned, plan_pipeline
from tidegate.project.refusal import Refusal
from tidegate.project.run import RunFlags, run_planned, storage_of, unread
from tidegate.report.compile_text import render_left_alone
from tidegate.report.full import render_full
from tidegate.report.position import Positions
from tidegate.report.progress import progress
from tidegate.report.run_text import render_run


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the flags of the command."""
    add_paths(parser, "files and folders of one pipeline (default: `.`)")
    parser.add_argument(
        "--warehouse", metavar="DIR", required=True, help="the folder that holds the tables"
    )
    parser.add_argument(
        "--input",
        metavar="NAME=PATH",
        action="append",
        default=[],
        help="where the rows of a name outside the pipeline are: a file or folder of CSV, JSON "
        "lines, Parquet or Delta; may be repeated",
    )
    parser.add_argument(
        "--storage",
        choices=("delta", "parquet"),
        help="default: as configured, else delta, and parquet where the Delta jars cannot be had",
    )
    parser.add_argument(
        "--full-refresh",
        metavar="NAME",
        action="append",
        default=[],
        help="empty a streaming table and read its sources from the start; may be repeated",
    )
    parser.add_argument(
        "--no-wait",
        action="store_true",
        help="give up at once while another run holds the warehouse",
    )
    parser.add_argument(
        "--output-format", choices=("full", "json"), default="full", help="default: full"
    )
    add_choices(parser)
    add_stdin(parser)
    add_isolated(parser)
    add_traceback(parser)


def execute(arguments: argparse.Namespace, console: Console) -> int:
    """Plan, run, show, and return the exit code."""
    flags = RunFlags(
        warehouse=arguments.warehouse,
        inputs=tuple(_binding(text) for text in arguments.input),
        storage=arguments.storage,
        full_refresh=tuple(arguments.full_refresh),
        wait=not arguments.no_wait,
    )
    opened = open_pipeline(
        arguments.paths, arguments.stdin_filename, Configs(isolated=arguments.isolated)
    )
    code = report_intake(
        opened.gathered.unhandled, opened.gathered.empty, console, allow_empty=arguments.allow_empty
    )
    if code:
        return code
    planned = plan_pipeline(opened, overrides_of(arguments))
    _tell_findings(planned, console)
    if planned.faults:
        console.error("nothing was run", "correct what is named above")
        return EXIT_FINDINGS
    if planned.plan.variables:
        # A value that is missing is the call's to give; everything else is the text's fault.
        names = ", ".join(f"`${{{name}}}`" for name in planned.plan.variables)
        console.error(f"nothing was run: no value for {names}", "give it with --var NAME=VALUE")
        return EXIT_WORLD
    if not planned.plan.datasets:
        return report_no_dataset(console, allow_empty=arguments.allow_empty)
    _warn(planned, opened, flags, console)
    # What libraries log (the bridge to the JVM, when it is interrupted) is no business of a user.
    logging.getLogger().addHandler(logging.NullHandler())
    with (
        console.own_stderr() as stream,
        progress(len(planned.plan.datasets), console.note, stream) as display,
    ):
        outcome = run_planned(planned, opened.config, flags, display.on_event)
    _show(outcome, arguments.output_format, console)
    if outcome.status == "CANCELED":
        console.note("interrupted")
    return outcome.exit_code


def _binding(text: str) -> tuple[str, str]:
    name, _, path = text.partition("=")
    if not name.strip() or not path.strip():
        raise Refusal(f"`--input {text}` binds nothing", "write --input NAME=PATH")
    return name.strip(), path.strip()


def _tell_findings(planned: Planned, console: Console) -> None:
    positions = Positions(planned.sources)
    for line in render_left_alone(planned.left_alone, positions):
        console.note(line)
    found = (*planned.faults, *planned.losses)
    for paragraph in render_full(found, positions, console.notes_palette()):
        console.note(paragraph.removesuffix("\n"))


def _warn(planned: Planned, opened: OnePipeline, flags: RunFlags, console: Console) -> None:
    namespace = bind_settings(opened.config).namespace
    for name, way_out in unread(planned.plan, [name for name, _ in flags.inputs], namespace):
        console.warn(f"--input binds `{name}`, which nothing reads", way_out)
    if storage_of(opened.config, flags) == "parquet":
        console.warn(
            "the tables are plain Parquet, not Delta: readers may see a refresh half published",
            "leave --storage parquet out where the Delta jars can be had",
        )


def _show(outcome: RunOutcome, output_format: str, console: Console) -> None:
    if output_format == "json":
        from tidegate.report.json_output import encode
        from tidegate.report.json_run import run_document

        console.result_bytes(encode(run_document(outcome)))
        return
    console.results(render_run(outcome, console.results_palette()))
