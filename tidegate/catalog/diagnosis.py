"""Faults come in; diagnostics with their code and severity go out."""

from tidegate.catalog.faults import FAULTS
from tidegate.source.diagnostic import Diagnostic, Fault


def diagnose(fault: Fault, path: str) -> Diagnostic:
    """Return the fault as it is shown, with what the table says about its name."""
    entry = FAULTS[fault.name]
    return Diagnostic(
        code=entry.code,
        name=fault.name,
        severity=fault.severity or entry.severity,
        message=fault.message,
        path=path,
        span=fault.span,
        help=fault.help,
        dataset=fault.dataset,
        constraint=fault.constraint,
        related=fault.related,
        fix=fault.fix,
    )
