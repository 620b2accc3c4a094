"""The rules there are: their identities from the generated index, their classes on demand."""

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

import msgspec

from tidegate.source.diagnostic import Severity

if TYPE_CHECKING:
    from tidegate.linter.rule import FaultRule, Rule


class RuleEntry(msgspec.Struct, frozen=True, kw_only=True):
    """What the engine knows about a rule without importing it."""

    name: str
    code: str
    category: str
    severity: Severity
    severity_open_source: Severity | None = None
    severity_strict: Severity | None = None
    on_by_default: bool = True
    kinds: tuple[str, ...] = ()
    """Classes of what the rule visits; none for a fault."""
    triggers: tuple[str, ...] = ()
    reads_pipeline: bool = False
    """Whether it looks at other files than the one it visits."""
    is_fault: bool = False
    amends: bool = False
    """A fault whose rule has something to add."""
    is_indexed: bool = True
    """``False`` for a fault without a rule of its own: other commands find it."""

    @property
    def module(self) -> str:
        """The module of the rule."""
        return f"tidegate.linter.rules.{self.name.replace('-', '_')}"

    @property
    def class_name(self) -> str:
        """The class of the rule."""
        return "".join(word.capitalize() for word in self.name.split("-"))


def load_rule(entry: RuleEntry) -> "Rule[object]":
    """Import a rule that visits nodes."""
    rule: Rule[object] = getattr(import_module(entry.module), entry.class_name)()
    return rule


@cache
def load_fault_rule(entry: RuleEntry) -> "FaultRule":
    """Import what documents a fault."""
    rule: FaultRule = getattr(import_module(entry.module), entry.class_name)()
    return rule


@cache
def entries() -> dict[str, RuleEntry]:
    """Return all rules by public name, faults without a rule of their own included."""
    from tidegate.catalog.faults import FAULTS  # noqa: PLC0415
    from tidegate.linter._index import RULES  # noqa: PLC0415  generated from what imports us

    found = {entry.name: entry for entry in RULES}
    for name, fault in FAULTS.items():
        if name not in found:
            found[name] = RuleEntry(
                name=name,
                code=fault.code,
                category="correctness",
                severity=fault.severity,
                is_fault=True,
                is_indexed=False,
            )
    return found
