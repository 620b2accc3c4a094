"""The files of one pipeline come in; its plan, with coded faults and losses, goes out."""

import msgspec

from tidegate.catalog.diagnosis import diagnose
from tidegate.linter.fingerprints import with_fingerprints
from tidegate.model.binding import bind
from tidegate.model.verdict import NullPolicy
from tidegate.project.config import Config, bind_settings
from tidegate.project.parse import parse_noted
from tidegate.project.pipeline import OnePipeline
from tidegate.report.compiled import LeftAlone
from tidegate.source.diagnostic import Diagnostic, Severity
from tidegate.source.span import Span
from tidegate.source.text import SourceFile
from tidegate.transpiler.lowering import lower
from tidegate.transpiler.plan import Choices, Plan

_PYTHON = "only files of SQL can be compiled and run"


class Overrides(msgspec.Struct, frozen=True, kw_only=True):
    """What the flags of a call say; ``None`` leaves it to the configuration."""

    null_policy: NullPolicy | None = None
    fail_sees_dropped: bool | None = None
    variables: tuple[tuple[str, str], ...] = ()


class Planned(msgspec.Struct, frozen=True, kw_only=True):
    """A plan, and what was found on the way to it."""

    plan: Plan
    faults: tuple[Diagnostic, ...]
    """Errors: the plan must not be used."""
    losses: tuple[Diagnostic, ...]
    left_alone: tuple[LeftAlone, ...]
    sources: tuple[SourceFile, ...]
    """All files of the pipeline, as they were parsed."""


def plan_pipeline(opened: OnePipeline, overrides: Overrides) -> Planned:
    """Parse, bind and lower all files of a pipeline together."""
    parsed = [parse_noted(source) for source in opened.sql]
    pipeline = bind(parsed, bind_settings(opened.config, overrides.variables))
    lowered = lower(pipeline, choices(opened.config, overrides))
    found = [diagnose(each.fault, each.source.path) for each in lowered.faults]
    found = [_refused(each) if _is_template(each) else each for each in found]
    found = [
        each
        for file in parsed
        for each in with_fingerprints((one for one in found if one.path == file.source.path), file)
    ]
    order = {source.path: number for number, source in enumerate(opened.gathered.files)}
    found.sort(key=lambda each: (order[each.path], each.span, each.code))
    return Planned(
        plan=lowered.plan,
        faults=tuple(each for each in found if each.severity is Severity.ERROR),
        losses=tuple(each for each in found if each.severity is not Severity.ERROR),
        left_alone=(
            *(
                LeftAlone(path=each.source.path, span=each.span, what=each.what, reason=each.reason)
                for each in lowered.plan.skipped
            ),
            *(
                LeftAlone(path=each.path, span=Span(0, 0), what="Python", reason=_PYTHON)
                for each in opened.python
            ),
        ),
        sources=(*(each.source for each in parsed), *opened.python),
    )


def _is_template(found: Diagnostic) -> bool:
    return found.name == "unrendered-template" and found.severity is Severity.INFO


def _refused(found: Diagnostic) -> Diagnostic:
    """Say of a template that nothing can be made of it; to read it is another matter."""
    return msgspec.structs.replace(
        found,
        severity=Severity.ERROR,
        message=f"`{found.path}` is a template, and what it renders to is not known here",
        help="render it, and give the files that come out of that",
    )


def choices(config: Config, overrides: Overrides) -> Choices:
    """Return what the platform leaves open, flags before configuration."""
    policy, sees = overrides.null_policy, overrides.fail_sees_dropped
    return Choices(
        null_policy=config.null_policy if policy is None else policy,
        fail_sees_dropped=config.fail_sees_dropped if sees is None else sees,
        on_fail=config.on_fail,
        sample_rows=config.sample_rows,
        redact=config.redact,
    )
