"""Faults as the rooms below find them, diagnostics as people and programs see them."""

from enum import Enum

import msgspec

from tidegate.source.edit import Fix
from tidegate.source.span import Span


class Severity(Enum):
    """How much a diagnostic matters; the order is that of the members."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


class Related(msgspec.Struct, frozen=True, kw_only=True):
    """Another place that explains a finding."""

    message: str
    span: Span
    path: str | None = None
    """The file; ``None`` is the file of the finding."""


class Fault(msgspec.Struct, frozen=True, kw_only=True):
    """Something wrong in the user's text, named by its public name; codes belong to the catalog.

    ``name`` is a key of ``tidegate.catalog.faults.FAULTS``.
    """

    name: str
    span: Span
    message: str
    """Lower-case first word, no full stop, names in backticks, one line."""
    help: str | None = None
    """What to do, in the imperative."""
    dataset: str | None = None
    constraint: str | None = None
    related: tuple[Related, ...] = ()
    fix: Fix | None = None
    severity: Severity | None = None
    """Where it matters less than others of its name; ``None``: as the catalog says."""


class Diagnostic(msgspec.Struct, frozen=True, kw_only=True):
    """A finding as it is shown, suppressed, counted and compared."""

    code: str
    name: str
    severity: Severity
    message: str
    path: str
    span: Span
    help: str | None = None
    dataset: str | None = None
    constraint: str | None = None
    related: tuple[Related, ...] = ()
    fix: Fix | None = None
    fingerprint: str = ""
    stands_for: int = 1
    """How many findings it counts as: more than one where the rest of too many is left out."""
