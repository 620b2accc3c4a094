"""A check's result comes in; what was counted and what was left out goes out, in sentences."""

from collections.abc import Iterator

from tidegate.report.counting import counted
from tidegate.report.findings import CheckResult
from tidegate.report.position import Positions
from tidegate.report.terminal import visible
from tidegate.source.diagnostic import Severity
from tidegate.source.edit import Safety

_NOUNS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}


def summarize(result: CheckResult) -> Iterator[str]:
    """Yield the lines that close a check."""
    lint = result.lint
    if not lint.files:
        return
    found = [
        counted(number, noun)
        for severity, noun in _NOUNS.items()
        if (number := result.count(severity))
    ]
    checked = (
        f"{counted(lint.checked, 'expectation')} checked in {counted(len(lint.files), 'file')}"
    )
    yield f"{checked}: {', '.join(found) or 'nothing found'}{_fixable(result)}"
    if lint.not_shown:
        yield f"{counted(lint.not_shown, 'finding')} counted, but not shown one by one"
    if lint.suppressed:
        yield f"{counted(lint.suppressed, 'finding')} suppressed by comments"
    if lint.other:
        is_one = lint.other == 1
        yield f"{lint.other} {'statement' if is_one else 'statements'} of other kinds left alone"
    if lint.templates:
        is_one = lint.templates == 1
        are = "is a template" if is_one else "are templates"
        yield f"{counted(lint.templates, 'file')} {are}: checked as far as it can be read"
    if lint.not_analysed:
        yield from _left_out(result)


def _fixable(result: CheckResult) -> str:
    fixes = [found.fix.safety for found in result.diagnostics if found.fix]
    safe, unsafe = fixes.count(Safety.SAFE), fixes.count(Safety.UNSAFE)
    # A fix may bring another finding to light, and of many findings only the first are known here.
    if safe and unsafe:
        return f"; --fix mends at least {safe}, with --unsafe-fixes {safe + unsafe}"
    if safe:
        return f"; --fix mends at least {safe}"
    return f"; --fix --unsafe-fixes mends at least {unsafe}" if unsafe else ""


def _left_out(result: CheckResult) -> Iterator[str]:
    positions = Positions(result.sources)
    for left in result.lint.not_analysed:
        at = positions.at(left.path, left.span.start)
        name = f"`{visible(left.constraint)}`" if left.constraint else "an expectation"
        yield f"not analysed: {name} ({visible(left.path)}:{at.line}:{at.column}): {left.reason}"
