"""What was found in one file, in a form that can be kept and sent."""

import msgspec

from tidegate.linter.result import LintResult
from tidegate.report.findings import Unhandled


class UnitResult(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What was found in one file."""

    lint: LintResult
    unread: tuple[Unhandled, ...] = ()
    """Parts of it that could not be read."""
    is_host: bool = False
    """Whether only the parsed file knows where its SQL stands."""
