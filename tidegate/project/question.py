"""What the files of one configuration are asked."""

import msgspec

from tidegate.linter.settings import LintSettings
from tidegate.model.binding_settings import BindSettings


class Question(msgspec.Struct, frozen=True):
    """The rules, and what is known about names and values."""

    lint: LintSettings
    binding: BindSettings
