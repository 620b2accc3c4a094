"""A rule comes in; its page for people goes out."""

import inspect
from collections.abc import Iterator

from tidegate.linter.registry import RuleEntry
from tidegate.linter.rule import Documented
from tidegate.report.terminal import Palette


def render_rule(entry: RuleEntry, rule: Documented | None, summary: str, palette: Palette) -> str:
    """Return what a rule finds, why, and what is bad and good; of a bare fault, its summary."""
    return "\n".join(_page(entry, rule, summary, palette)) + "\n"


def _page(
    entry: RuleEntry, rule: Documented | None, summary: str, palette: Palette
) -> Iterator[str]:
    yield f"{palette.strong}{entry.code} {entry.name}{palette.reset}"
    state = "" if entry.on_by_default else ", off by default"
    severity = f"{palette.of(entry.severity)}{entry.severity.value}{palette.reset}"
    yield f"{severity}, {entry.category}{state}"
    yield ""
    if rule is None:
        yield summary[:1].upper() + summary[1:] + "."
        return
    yield inspect.getdoc(type(rule)) or ""
    for number, bad in enumerate(rule.bad):
        yield from _example("Bad" if number == 0 else "Also bad", bad.sql, palette)
        if bad.fixed is not None:
            yield from _example("Fixed", bad.fixed, palette)
    for number, good in enumerate(rule.good):
        yield from _example("Good" if number == 0 else "Also good", good, palette)


def _example(title: str, sql: str, palette: Palette) -> Iterator[str]:
    yield ""
    yield f"{palette.strong}{title}{palette.reset}"
    yield from (f"    {line}".rstrip() for line in inspect.cleandoc(sql).splitlines())


def render_rule_list(entries: dict[str, RuleEntry], palette: Palette) -> Iterator[str]:
    """Yield a line per rule: code, name, severity, category."""
    longest = max(map(len, entries))
    for entry in sorted(entries.values(), key=lambda each: each.code):
        severity = f"{palette.of(entry.severity)}{entry.severity.value:<7}{palette.reset}"
        state = "" if entry.on_by_default else "  off by default"
        yield f"{entry.code}  {entry.name:<{longest}}  {severity}  {entry.category}{state}\n"
