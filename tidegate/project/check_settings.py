"""Flags and configuration come in; what a check is told goes out, and the shape of its result."""

from collections.abc import Collection, Mapping

import msgspec

from tidegate.linter.settings import LintSettings
from tidegate.project.config import Config
from tidegate.project.refusal import Refusal
from tidegate.report.findings import CheckResult
from tidegate.source.text import SourceFile


class CheckFlags(msgspec.Struct, frozen=True, kw_only=True):
    """What the flags of a call say; ``None`` leaves it to the configuration."""

    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] = ()
    targets: tuple[str, ...] | None = None
    variables: tuple[tuple[str, str], ...] = ()
    """Values for ``${name}``."""


class EmptySource(msgspec.Struct, frozen=True):
    """A source of a configuration behind which there is no file."""

    pattern: str
    config: str


def empty_sources(config: Config, empty: Collection[str]) -> tuple[EmptySource, ...]:
    """Return those of the sources of a configuration whose paths gave no file."""
    return tuple(
        EmptySource(name, config.path or "")
        for path, name in config.source_paths.items()
        if path in empty
    )


class Checked(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a check, and the texts that fixes made on the way to it."""

    result: CheckResult
    rewritten: Mapping[str, tuple[SourceFile, SourceFile]] = {}
    """By path: the file as it was read, and as it is after all fixes."""
    fixed: Mapping[str, int] = {}
    """By path: how many findings were fixed."""
    empty_sources: tuple[EmptySource, ...] = ()
    fails_from_warning: bool
    """Whether a configuration asks that warnings fail, as the profile ``strict`` does."""


def lint_settings(config: Config, flags: CheckFlags) -> LintSettings:
    """Return what the linter is told, flags before configuration."""
    settings = LintSettings(
        profile=config.profile,
        select=config.select if flags.select is None else flags.select,
        ignore=(*config.ignore, *flags.ignore),
        functions=config.functions,
        python_udfs=config.python_udfs,
    )
    targets = flags.targets or config.targets
    return msgspec.structs.replace(settings, targets=targets) if targets else settings


def refuse_unknown(settings: LintSettings, config: Config) -> None:
    """Refuse selectors that name no rule.

    Raises:
        Refusal: naming the first of them.

    """
    selectors = (*(settings.select or ()), *settings.ignore)
    if not selectors:
        return
    from tidegate.linter.registry import entries  # noqa: PLC0415  needed only in this case
    from tidegate.linter.selection import unknown_selectors  # noqa: PLC0415

    for selector, near in unknown_selectors(selectors, entries().values()).items():
        where = f" (flags, or `{config.path}`)" if config.path else ""
        raise Refusal(
            f"`{selector}` selects no rule{where}",
            f"did you mean `{near}`?" if near else "give a rule's name, code, letter or category",
        )
