"""Which rules run, and how much each matters, from selectors and the profile."""

from collections.abc import Iterable, Mapping

from tidegate.catalog.targets import is_open_source
from tidegate.linter.registry import RuleEntry
from tidegate.linter.settings import LintSettings
from tidegate.source.diagnostic import Severity

Selection = Mapping[str, Severity]
"""The active rules by public name, each with its severity."""

_EXACT = 100


def select(entries: Iterable[RuleEntry], settings: LintSettings) -> Selection:
    """Return the active rules.

    The most specific selector that matches a rule decides: ``select = ["P"]`` with
    ``ignore = ["P301"]`` runs the others of P. Between equals, ``ignore`` wins.
    """
    chosen = (settings.select or ()) + settings.extend_select
    open_source = all(is_open_source(target) for target in settings.targets)
    return {
        entry.name: _severity(entry, settings, open_source=open_source)
        for entry in entries
        if _is_active(entry, chosen, settings)
    }


def unknown_selectors(
    selectors: Iterable[str], entries: Iterable[RuleEntry]
) -> dict[str, str | None]:
    """Return the selectors that match no rule, each with the name that was probably meant."""
    from tidegate.catalog.spelling import nearest  # noqa: PLC0415  needed only in this case

    known = tuple(entries)
    unknown = [each for each in selectors if not any(_specificity(each, rule) for rule in known)]
    return {each: nearest(each, (rule.name for rule in known)) for each in unknown}


def _is_active(entry: RuleEntry, chosen: tuple[str, ...], settings: LintSettings) -> bool:
    if not chosen and not settings.ignore:
        return settings.select is None and entry.on_by_default
    selected = max((_specificity(each, entry) for each in chosen), default=0)
    ignored = max((_specificity(each, entry) for each in settings.ignore), default=0)
    if selected or ignored:
        return selected > ignored
    return settings.select is None and entry.on_by_default


def _specificity(selector: str, entry: RuleEntry) -> int:
    """Say how closely a selector names a rule; 0 where it does not."""
    folded = selector.strip().lower()
    if folded in (entry.name, entry.code.lower()):
        return _EXACT
    if folded == "all":
        return 1
    if folded == entry.category:
        return 2
    return len(folded) + 2 if folded and entry.code.lower().startswith(folded) else 0


def _severity(entry: RuleEntry, settings: LintSettings, *, open_source: bool) -> Severity:
    configured = settings.severities.get(entry.name) or settings.severities.get(entry.code)
    if configured is not None:
        return configured
    if settings.profile == "strict" and entry.severity_strict is not None:
        return entry.severity_strict
    if open_source and entry.severity_open_source is not None:
        return entry.severity_open_source
    return entry.severity
