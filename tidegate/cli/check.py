"""``tidegate check``: finds faults in pipelines and their expectations, and fixes some."""

import argparse
import os
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from tidegate.catalog.targets import LINT_TARGETS
from tidegate.cli.arguments import (
    EXIT_DONE,
    EXIT_FINDINGS,
    EXIT_WORLD,
    add_isolated,
    add_paths,
    add_stdin,
    add_traceback,
    add_variables,
    variables_of,
)
from tidegate.cli.console import Console
from tidegate.cli.intake import report_empty_sources, report_idle, report_intake
from tidegate.project.check_settings import Checked, CheckFlags
from tidegate.project.configs import Configs
from tidegate.project.files import Gathered, Listed, gather, list_files
from tidegate.project.judging import judge_files
from tidegate.project.refusal import Refusal
from tidegate.report.counting import counted
from tidegate.report.findings import CheckResult
from tidegate.report.position import Positions
from tidegate.report.summary import summarize
from tidegate.report.terminal import Palette
from tidegate.source.diagnostic import Diagnostic, Severity
from tidegate.source.edit import Safety
from tidegate.source.text import SourceFile

if TYPE_CHECKING:
    from tidegate.project.cache import Cache

_FORMATS = ("full", "concise", "json")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the flags of the command."""
    add_paths(parser, "files, folders and patterns; `-` is standard input (default: `.`)")
    parser.add_argument("--output-format", choices=_FORMATS, default="full", help="default: full")
    parser.add_argument(
        "--select", metavar="RULES", help="rules to run: names, codes, letters, categories; a,b"
    )
    parser.add_argument("--ignore", metavar="RULES", help="rules to leave out, as with --select")
    parser.add_argument("--fix", action="store_true", help="apply the safe fixes to the files")
    parser.add_argument(
        "--unsafe-fixes",
        action="store_true",
        help="with --fix or --diff: also fixes that may change which rows pass",
    )
    parser.add_argument(
        "--diff",
        action="store_true",
        help="show what --fix would change and write nothing; exit with 1 if it would",
    )
    parser.add_argument(
        "--fail-on",
        choices=("error", "warning", "never"),
        help="the least severity that makes the exit code 1 (default: error; in the profile "
        "`strict`: warning)",
    )
    parser.add_argument(
        "--target",
        metavar="NAME",
        action="append",
        choices=LINT_TARGETS,
        help=f"a platform to check for, may be repeated: {', '.join(LINT_TARGETS)}",
    )
    parser.add_argument(
        "-q", "--quiet", action="store_true", help="no findings of severity info, no summary"
    )
    add_variables(parser)
    add_stdin(parser)
    parser.add_argument(
        "--no-cache", action="store_true", help="look into every file, and keep nothing of it"
    )
    parser.add_argument(
        "--jobs",
        metavar="N",
        type=int,
        help="at most so many processes, where there is much to do (default: one per processor)",
    )
    add_isolated(parser)
    add_traceback(parser)


def execute(arguments: argparse.Namespace, console: Console) -> int:
    """Check, fix where asked, show, and return the exit code."""
    fixing = _fixing(arguments)
    flags = CheckFlags(
        select=_listed(arguments.select) if arguments.select is not None else None,
        ignore=_listed(arguments.ignore or ""),
        targets=tuple(arguments.target) if arguments.target else None,
        variables=variables_of(arguments),
    )
    configs = Configs(isolated=arguments.isolated)
    intake, checked = _check(arguments, configs, flags, fixing)
    stdin = intake.stdin if isinstance(intake, Gathered) else None
    code = EXIT_DONE
    if arguments.fix and isinstance(intake, Gathered):
        unwritten = _write(checked, stdin, console)
        if unwritten:
            from tidegate.project.check import as_it_stands

            code = EXIT_WORLD
            checked = as_it_stands(checked, unwritten, intake, configs, flags)
    _show(checked, arguments, console, to_stderr=arguments.fix and stdin is not None)
    told = report_intake(
        checked.result.unhandled, intake.empty, console, allow_empty=arguments.allow_empty
    )
    told = report_idle(intake, console, allow_empty=arguments.allow_empty) or told
    if not arguments.allow_empty:
        told = report_empty_sources(checked.empty_sources, console) or told
    if not arguments.quiet:
        if checked.fixed:
            done = "fixed" if arguments.fix else "would fix"
            console.note(f"{done} {counted(sum(checked.fixed.values()), 'finding')}")
        for line in summarize(checked.result):
            console.note(line)
    if code or told:
        return code or told
    level = arguments.fail_on or ("warning" if checked.fails_from_warning else "error")
    would_change = arguments.diff and checked.rewritten
    return EXIT_FINDINGS if would_change or _fails(checked.result, level) else EXIT_DONE


def _check(
    arguments: argparse.Namespace, configs: Configs, flags: CheckFlags, fixing: frozenset[Safety]
) -> tuple[Gathered | Listed, Checked]:
    """Return the files of the call, and what was found in them."""
    jobs = _jobs(arguments.jobs)
    if fixing:
        from tidegate.project.check import check_files

        gathered = gather(arguments.paths, arguments.stdin_filename)
        return gathered, check_files(gathered, configs, flags, fixing)
    listed = list_files(arguments.paths, arguments.stdin_filename)

    def opened() -> "Cache":
        from tidegate.project.cache import open_cache

        return open_cache(configs.root, flags)

    is_off = arguments.isolated or arguments.no_cache
    return listed, judge_files(listed, configs, flags, None if is_off else opened, jobs)


def _jobs(wanted: int | None) -> int:
    if wanted is None:
        return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
    if wanted < 1:
        raise Refusal("`--jobs` must be at least 1", "leave it out for one process per processor")
    return wanted


def _fixing(arguments: argparse.Namespace) -> frozenset[Safety]:
    if arguments.fix and arguments.diff:
        raise Refusal("--fix writes and --diff does not", "choose one of them")
    if arguments.diff and arguments.output_format == "json":
        raise Refusal("--diff puts out a patch, which is no JSON", "leave --output-format out")
    if not (arguments.fix or arguments.diff):
        if arguments.unsafe_fixes:
            raise Refusal("--unsafe-fixes alone does nothing", "add --fix or --diff")
        return frozenset()
    return frozenset(Safety if arguments.unsafe_fixes else {Safety.SAFE})


def _listed(text: str) -> tuple[str, ...]:
    return tuple(word for word in text.replace(",", " ").split() if word)


def _write(checked: Checked, stdin: SourceFile | None, console: Console) -> frozenset[str]:
    """Write what was fixed; return the files that could not be written."""
    from tidegate.project.writing import rewrite

    unwritten: set[str] = set()
    for before, after in checked.rewritten.values():
        if before is stdin:
            continue
        try:
            rewrite(before, after.original)
        except Refusal as refusal:
            console.error(refusal.message, refusal.way_out)
            unwritten.add(before.path)
    if stdin is not None:
        _, fixed = checked.rewritten.get(stdin.path, (stdin, stdin))
        console.results([fixed.original])
    return frozenset(unwritten)


def _show(
    checked: Checked, arguments: argparse.Namespace, console: Console, *, to_stderr: bool
) -> None:
    result = checked.result
    if arguments.diff:
        from tidegate.project.patch import unified_diff

        console.results(unified_diff(*pair) for pair in checked.rewritten.values())
        return
    if arguments.output_format == "json":
        from tidegate.report.json_check import check_document
        from tidegate.report.json_output import encode

        console.result_bytes(encode(check_document(result)))
        return
    palette = console.notes_palette() if to_stderr else console.results_palette()
    pieces = _rendered(result, arguments, palette)
    if to_stderr:
        for piece in pieces:
            console.note(piece.removesuffix("\n"))
    else:
        console.results(pieces)


def _rendered(
    result: CheckResult, arguments: argparse.Namespace, palette: Palette
) -> Iterator[str]:
    shown: list[Diagnostic] = [
        found
        for found in result.diagnostics
        if not (arguments.quiet and found.severity is Severity.INFO)
    ]
    if not shown:
        return iter(())
    positions = Positions(result.sources)
    if arguments.output_format == "concise":
        from tidegate.report.concise import render_concise

        return render_concise(shown, positions, palette)
    from tidegate.report.full import render_full

    return render_full(shown, positions, palette)


def _fails(result: CheckResult, level: str) -> bool:
    failing = {"error": {Severity.ERROR}, "warning": {Severity.ERROR, Severity.WARNING}}
    return any(found.severity in failing.get(level, ()) for found in result.diagnostics)
