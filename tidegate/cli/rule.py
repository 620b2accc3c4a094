"""``tidegate rule``: shows the page of a rule, or the list of all."""

import argparse

from tidegate.catalog.faults import FAULTS
from tidegate.catalog.spelling import nearest
from tidegate.cli.arguments import EXIT_DONE, add_traceback
from tidegate.cli.console import Console
from tidegate.linter.registry import RuleEntry, entries, load_fault_rule, load_rule
from tidegate.linter.rule import Documented
from tidegate.project.refusal import Refusal
from tidegate.report.rule_page import render_rule, render_rule_list


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the flags of the command."""
    parser.add_argument(
        "name", metavar="NAME", nargs="?", help="name or code of a rule; without it, all are listed"
    )
    add_traceback(parser)


def execute(arguments: argparse.Namespace, console: Console) -> int:
    """Show the page, or the list, and return the exit code."""
    known = entries()
    palette = console.results_palette()
    if arguments.name is None:
        console.results(render_rule_list(known, palette))
        return EXIT_DONE
    entry = _find(arguments.name, known)
    summary = FAULTS[entry.name].summary if entry.is_fault else ""
    console.results([render_rule(entry, _documented(entry), summary, palette)])
    return EXIT_DONE


def _find(word: str, known: dict[str, RuleEntry]) -> RuleEntry:
    folded = word.strip().lower()
    for entry in known.values():
        if folded in (entry.name, entry.code.lower()):
            return entry
    near = nearest(word, known)
    raise Refusal(
        f"there is no rule `{word}`",
        f"did you mean `{near}`?" if near else "`tidegate rule` lists all rules",
    )


def _documented(entry: RuleEntry) -> Documented | None:
    if not entry.is_fault:
        return load_rule(entry)
    try:
        return load_fault_rule(entry)
    except ModuleNotFoundError:
        # Not every fault has a page of its own; then its summary says it all.
        return None
