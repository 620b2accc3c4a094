"""Files come in, each with its pipeline; findings, and fixed text, go out."""

from collections import Counter
from collections.abc import Sequence, Set

import msgspec

from tidegate.grammar.parser import ParsedFile
from tidegate.linter.engine import counted, lint
from tidegate.linter.result import LintResult, merged
from tidegate.linter.settings import LintSettings
from tidegate.linter.withholding import without_endless
from tidegate.model.binding import bind
from tidegate.model.binding_settings import BindSettings
from tidegate.project.check_settings import Checked, CheckFlags, lint_settings, refuse_unknown
from tidegate.project.config import bind_settings
from tidegate.project.configs import Configs
from tidegate.project.files import Gathered
from tidegate.project.parse import parse_noted, unread_parts
from tidegate.project.pipeline import PipelineFiles, group
from tidegate.project.registered import with_registered
from tidegate.report.findings import CheckResult, Unhandled
from tidegate.source.edit import Safety
from tidegate.source.text import SourceFile


def check_files(
    gathered: Gathered, configs: Configs, flags: CheckFlags, fixing: frozenset[Safety]
) -> Checked:
    """Check every file; with ``fixing``, apply those fixes until none is left."""
    groups = [
        msgspec.structs.replace(each, config=with_registered(each.config, gathered))
        for each in group(gathered.files, configs)
    ]
    for config in {each.config.path: each.config for each in groups}.values():
        refuse_unknown(lint_settings(config, flags), config)
    results: list[LintResult] = []
    rewritten: dict[str, tuple[SourceFile, SourceFile]] = {}
    fixed = Counter[str]()
    sources: dict[str, SourceFile] = {}
    missing: list[Unhandled] = []
    for each in groups:
        group_result = _check_group(each, flags, fixing)
        results.append(group_result.result)
        fixed.update(group_result.fixed)
        missing += each.unhandled
        for before, now in zip(each.asked, group_result.asked, strict=True):
            missing += unread_parts(now)
            if before.original != now.source.original:
                rewritten[before.path] = (before, now.source)
        # Of a notebook, only the parsed file knows where its SQL stands.
        for file in (*group_result.others, *group_result.asked):
            sources[file.source.path] = file.source
    return Checked(
        result=CheckResult(
            lint=_in_order_of(gathered.files, merged(results)),
            sources=tuple(sources.values()),
            unhandled=(*gathered.unhandled, *missing),
        ),
        rewritten=rewritten,
        fixed=fixed,
        empty_sources=tuple(one for each in groups for one in each.empty),
        fails_from_warning=any(each.config.profile == "strict" for each in groups),
    )


def as_it_stands(
    checked: Checked, unwritten: Set[str], gathered: Gathered, configs: Configs, flags: CheckFlags
) -> Checked:
    """Check once more, now that some of the files could not be written and are as they were."""
    kept = {path: pair for path, pair in checked.rewritten.items() if path not in unwritten}
    fixed = {path: after.original for path, (_, after) in kept.items()}
    files = tuple(
        SourceFile(path=file.path, text=fixed.get(file.path, file.text)) for file in gathered.files
    )
    now = msgspec.structs.replace(gathered, files=files)
    return msgspec.structs.replace(
        check_files(now, configs, flags, frozenset()),
        rewritten=kept,
        fixed={path: count for path, count in checked.fixed.items() if path not in unwritten},
    )


class _GroupResult(msgspec.Struct, frozen=True, kw_only=True):
    """What was found in the files of one pipeline, and those files as they are now."""

    result: LintResult
    asked: Sequence[ParsedFile]
    others: Sequence[ParsedFile]
    fixed: Sequence[str] = ()
    """The path of each finding that was fixed."""


def _check_group(
    files: PipelineFiles, flags: CheckFlags, fixing: frozenset[Safety]
) -> _GroupResult:
    settings = msgspec.structs.replace(lint_settings(files.config, flags), tells_all=bool(fixing))
    others = [parse_noted(source) for source in files.others]
    parsed = [parse_noted(source) for source in files.asked]
    binding = bind_settings(files.config, flags.variables)

    def look(asked: Sequence[ParsedFile]) -> LintResult:
        # Of two definitions the second is reported; which that is must not depend on the call.
        by_path = {file.source.path: file for file in (*asked, *others)}
        whole = [by_path[path] for path in files.order] or asked
        found = _lint(whole, binding, settings)
        return found if not others else _only(asked, found)

    if not fixing:
        return _GroupResult(result=look(parsed), asked=parsed, others=others)
    from tidegate.linter.fixing import fix_until_stable  # noqa: PLC0415

    fixed = fix_until_stable(parsed, look, fixing)
    paths = [each.path for each in fixed.applied]
    shown = tuple(
        msgspec.structs.replace(each, diagnostics=tuple(without_endless(each.diagnostics)))
        for each in fixed.result.files
    )
    result = msgspec.structs.replace(fixed.result, files=shown)
    return _GroupResult(result=result, asked=fixed.files, others=others, fixed=paths)


def _lint(files: Sequence[ParsedFile], binding: BindSettings, settings: LintSettings) -> LintResult:
    try:
        return lint(bind(files, binding), settings)
    except Exception as error:
        error.add_note(files[0].source.path)
        raise


def _only(asked: Sequence[ParsedFile], found: LintResult) -> LintResult:
    """Keep what concerns the files asked for, counts included."""
    paths = {file.source.path for file in asked}
    counts = counted(asked, [each for each in found.files if each.path in paths])
    left = tuple(each for each in found.not_analysed if each.path in paths)
    return msgspec.structs.replace(counts, not_analysed=left)


def _in_order_of(files: Sequence[SourceFile], found: LintResult) -> LintResult:
    order = {file.path: number for number, file in enumerate(files)}
    ordered = sorted(found.files, key=lambda each: order[each.path])
    return msgspec.structs.replace(found, files=tuple(ordered))
