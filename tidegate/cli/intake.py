"""The files of a call come in; what is wrong with them goes out: sentences and an exit code."""

from collections.abc import Iterable

from tidegate.cli.arguments import EXIT_DONE, EXIT_WORLD
from tidegate.cli.console import Console
from tidegate.project.check_settings import EmptySource
from tidegate.project.files import Gathered, Listed
from tidegate.report.findings import Unhandled


def report_no_dataset(console: Console, *, allow_empty: bool) -> int:
    """Say that a pipeline makes nothing."""
    if allow_empty:
        return EXIT_DONE
    console.error("nothing matched: no statement makes a dataset", "accept that with --allow-empty")
    return EXIT_WORLD


def report_intake(
    unhandled: Iterable[Unhandled], empty: Iterable[str], console: Console, *, allow_empty: bool
) -> int:
    """Name every file that could not be read and every path without files."""
    code = EXIT_DONE
    for file in unhandled:
        failed = (
            f"`{file.path}` is read in part" if file.is_partial else f"cannot read `{file.path}`"
        )
        console.error(f"{failed}: {file.reason}", file.help)
        code = EXIT_WORLD
    for path in empty:
        if not allow_empty:
            console.error(
                f"nothing matched: no SQL file behind `{path}`",
                "name a file, or accept that with --allow-empty",
            )
            code = EXIT_WORLD
    return code


def report_empty_sources(empty: Iterable[EmptySource], console: Console) -> int:
    """Name the sources of configurations that give no file: then each file would stand alone."""
    code = EXIT_DONE
    for each in empty:
        console.error(
            f"nothing matched: no SQL file behind `{each.pattern}`, a source of `{each.config}`",
            "correct `sources` under `[pipeline]` there, or accept that with --allow-empty",
        )
        code = EXIT_WORLD
    return code


def report_idle(gathered: Gathered | Listed, console: Console, *, allow_empty: bool) -> int:
    """Name the Python files that a call names and that hold nothing for it."""
    for path in gathered.idle:
        console.note(f"left out: `{path}` holds no pipeline SQL")
    if gathered.idle and not (gathered.files or gathered.unhandled or allow_empty):
        console.error(
            "nothing matched: no file holds pipeline SQL",
            "name another file, or accept that with --allow-empty",
        )
        return EXIT_WORLD
    return EXIT_DONE
