"""What the configuration says to the linter."""

from typing import Literal

import msgspec

from tidegate.catalog.targets import DEFAULT_TARGETS
from tidegate.source.diagnostic import Severity

Profile = Literal["recommended", "strict", "migration"]


class LintSettings(msgspec.Struct, frozen=True, kw_only=True):
    """Which rules run, how much they matter, and what the project knows beside its SQL."""

    targets: tuple[str, ...] = DEFAULT_TARGETS
    profile: Profile = "recommended"
    select: tuple[str, ...] | None = None
    """Names, codes, prefixes or categories; ``None`` leaves the choice to the profile."""
    extend_select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    severities: dict[str, Severity] = {}
    """By name or code of the rule."""
    functions: tuple[str, ...] = ()
    """Functions that exist although no file here creates them."""
    python_udfs: tuple[str, ...] = ()
    """Functions written in Python, wherever they are registered."""
    tells_all: bool = False
    """Whether every finding is wanted, as it is to fix them, and not only the first of many."""
