"""Listed files come in; what is found in them goes out, remembered or looked for.

A file that has not changed is neither read nor parsed, as long as what is kept about it holds.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

import msgspec

from tidegate.linter.result import LintResult, merged
from tidegate.project.check_settings import Checked, CheckFlags, lint_settings, refuse_unknown
from tidegate.project.config import bind_settings
from tidegate.project.configs import Configs
from tidegate.project.files import Listed
from tidegate.project.groups import Group, grouped
from tidegate.project.memory import Item, Memory
from tidegate.report.findings import CheckResult, Unhandled

if TYPE_CHECKING:
    from tidegate.linter.declared import CreatedFunction
    from tidegate.project.cache import Cache
    from tidegate.project.jobs import Answer, Batch, Bench, Job
    from tidegate.project.question import Question
    from tidegate.project.workers import Workers
    from tidegate.source.diagnostic import Fault
    from tidegate.source.text import SourceFile

_FORK_BYTES, _SPAWN_BYTES = 2_000_000, 8_000_000
"""From how much text on further processes save more time than they cost."""


def judge_files(
    listed: Listed,
    configs: Configs,
    flags: CheckFlags,
    cache: "Callable[[], Cache] | None",
    processes: int,
) -> Checked:
    """Check every file, as far as nothing that is kept answers already.

    The cache is opened only for more text than is looked into at once.

    Raises:
        Refusal: if a configuration cannot be used.

    """
    groups = grouped(listed, configs)
    for config in {each.config.identity: each.config for each in groups}.values():
        refuse_unknown(lint_settings(config, flags), config)
    run = _Judging(groups, flags, cache, processes)
    try:
        run.judge()
        run.memory.save()
    finally:
        run.close()
    return run.checked(listed)


class _Judging:
    """One run over all groups."""

    def __init__(
        self,
        groups: Sequence[Group],
        flags: CheckFlags,
        cache: "Callable[[], Cache] | None",
        processes: int,
    ) -> None:
        self._groups = groups
        self._processes = processes
        self._bench: Bench | None = None
        self._workers: Workers | None = None
        self._members = _members(groups)
        self.memory = Memory(cache, [item for each in self._members for item in each])
        self._questions: list[Question] = []
        # Groups of one configuration ask the same.
        asked: dict[object, tuple[int, bytes]] = {}
        self._asked: list[tuple[int, bytes]] = []
        """By group: the number of its question, and what the question's answers depend on."""
        for group in groups:
            key = group.config.identity
            if key not in asked:
                asked[key] = (len(self._questions), self._ask(group, flags))
            self._asked.append(asked[key])

    def _ask(self, group: Group, flags: CheckFlags) -> bytes:
        """Add what the files of a configuration are asked; return its digest."""
        from tidegate.project.question import Question  # noqa: PLC0415

        settings = lint_settings(group.config, flags)
        binding = bind_settings(group.config, flags.variables)
        self._questions.append(Question(settings, binding))
        if not self.memory.is_on:
            return b""
        from tidegate.project.cache import digest  # noqa: PLC0415

        return digest(*(_sorted_bytes(each) for each in (settings, binding)))

    def judge(self) -> None:
        """Find the result of every file that was asked for."""
        places = range(len(self._groups))
        open_places = [place for place in places if not self._recall(place)]
        if not open_places:
            return
        self._open_files(open_places)
        self._judge_among([place for place in open_places if len(self._members[place]) > 1])
        if self.memory.is_on:
            for place in open_places:
                settings = self._asked[place][1]
                self.memory.keep(self._members[place], settings, self._mark(place))

    def _recall(self, place: int) -> bool:
        return self.memory.is_on and self.memory.recall(self._members[place], self._mark(place))

    def close(self) -> None:
        """End what was started."""
        if self._workers is not None:
            self._workers.close()

    def _mark(self, place: int) -> bytes:
        """Return what stands for all that the files of a group say; nothing if one is unknown."""
        members, settings = self._members[place], self._asked[place][1]
        if len(members) == 1:
            return settings
        if not all(item.content for item in members):
            return b""
        from tidegate.project.cache import digest  # noqa: PLC0415

        return digest(settings, *(digest(item.name, item.content) for item in members))

    # ------------------------------------------------------------ looking into files

    def _open_files(self, places: Sequence[int]) -> None:
        """Judge the files that stand alone, and find the facts of the others."""
        from tidegate.linter.engine import needs_whole_pipeline  # noqa: PLC0415
        from tidegate.project.jobs import Bench  # noqa: PLC0415

        self._bench = Bench(self._questions)
        jobs: list[Job] = []
        for place in places:
            members = self._members[place]
            number, settings = self._asked[place]
            if len(members) > 1 and needs_whole_pipeline(self._questions[number].lint):
                together = [self._job(place, item) for item in members]
                self._take(self._bench.together(together))
                continue
            jobs += (
                self._job(place, item)
                for item in members
                if len(members) == 1 or not self.memory.recall_facts(item, settings)
            )
        self._run(jobs, {})

    def _judge_among(self, places: Sequence[int]) -> None:
        """Judge the files of larger pipelines, now that all their facts are known."""
        from tidegate.model.facts import faults_between  # noqa: PLC0415

        jobs: list[Job] = []
        functions: dict[int, tuple[CreatedFunction, ...]] = {}
        for place in places:
            known = [item for item in self._members[place] if item.facts is not None]
            facts = [item.facts for item in known if item.facts is not None]
            functions[place] = tuple(one for each in facts for one in each.functions)
            between: list[list[Fault]] = [[] for _ in known]
            for number, fault in faults_between([each.file for each in facts]):
                between[number].append(fault)
            settings = self._asked[place][1]
            created = _Circumstances(settings, functions[place]) if self.memory.is_on else None
            for item, faults in zip(known, between, strict=True):
                if created is not None:
                    item.key = created.key(faults)
                if item.is_asked and not self.memory.recall_result(item):
                    job = self._job(place, item)
                    jobs.append(msgspec.structs.replace(job, group=place, between=tuple(faults)))
        self._run(jobs, functions)

    def _job(self, place: int, item: Item) -> "Job":
        from tidegate.project.jobs import Job  # noqa: PLC0415

        return Job(
            number=item.number,
            path=item.file.path,
            shown=item.file.shown,
            size=item.size,
            question=self._asked[place][0],
            is_alone=len(self._members[place]) == 1,
            is_kept=self.memory.is_on,
            data=item.data,
        )

    def _run(self, jobs: "list[Job]", functions: "dict[int, tuple[CreatedFunction, ...]]") -> None:
        from tidegate.project.jobs import Batch  # noqa: PLC0415

        if not jobs:
            return
        batch = Batch(jobs=tuple(jobs), functions=functions)
        self._take(self._place_for(batch).run(batch))

    def _place_for(self, batch: "Batch") -> "Bench | Workers":
        """Return who does the jobs: this process, or several, which stay for the next ones."""
        assert self._bench is not None
        if self._workers is not None:
            return self._workers
        size = sum(job.size for job in batch.jobs)
        count = min(self._processes, len(batch.jobs))
        if count < 2 or size < _FORK_BYTES:
            return self._bench
        from tidegate.project.workers import Workers, start_method  # noqa: PLC0415

        if start_method() != "fork" and size < _SPAWN_BYTES:
            return self._bench
        self._workers = Workers(self._questions, count, self._bench)
        self._workers.start()
        return self._workers

    def _take(self, answers: "Iterator[Answer]") -> None:
        items = {item.number: item for members in self._members for item in members}
        for answer in answers:
            item = items[answer.number]
            item.content = answer.content or item.content
            item.facts = answer.facts or item.facts
            item.result = answer.result or item.result
            item.unhandled = answer.unhandled
            item.data = None

    # ------------------------------------------------------------ the result

    def checked(self, listed: Listed) -> Checked:
        """Return what was found, in the order of the call."""
        order = {file.shown: place for place, file in enumerate(listed.files)}
        items = [item for members in self._members for item in members]
        items.sort(key=lambda item: order.get(item.file.shown, len(order)))
        found = merged([item.result.lint for item in items if item.is_asked and item.result])
        return Checked(
            result=CheckResult(
                lint=found,
                sources=tuple(self._sources(items, found)),
                unhandled=tuple(dict.fromkeys(self._unhandled(items, listed))),
            ),
            empty_sources=tuple(one for each in self._groups for one in each.empty),
            fails_from_warning=any(each.config.profile == "strict" for each in self._groups),
        )

    def _unhandled(self, items: Sequence[Item], listed: Listed) -> Iterator[Unhandled]:
        yield from listed.unhandled
        for item in items:
            if item.unhandled is not None:
                yield item.unhandled
        for group in self._groups:
            yield from group.unhandled
        for item in items:
            if item.is_asked and item.result is not None:
                yield from item.result.unread

    def _sources(self, items: Sequence[Item], found: LintResult) -> "Iterator[SourceFile]":
        """Yield the files that something is said about; their lines are to be shown."""
        named = {each.path for each in found.not_analysed}
        for each in found.diagnostics:
            named.add(each.path)
            named.update(other.path for other in each.related if other.path is not None)
        if not named:
            return
        from tidegate.project.shown_sources import source_of  # noqa: PLC0415

        for item in items:
            if item.file.shown in named:
                source = self._bench.sources.get(item.number) if self._bench else None
                source = source or source_of(item)
                if source is not None:
                    yield source


class _Circumstances:
    """What the results of a pipeline's files depend on beside their content."""

    def __init__(self, settings: bytes, functions: "tuple[CreatedFunction, ...]") -> None:
        self._parts = (settings, _sorted_bytes(functions))

    def key(self, between: "Sequence[Fault]") -> bytes:
        """Return the digest for a file about which the others say this."""
        from tidegate.project.cache import digest  # noqa: PLC0415

        return digest(*self._parts, _sorted_bytes(between))


def _sorted_bytes(value: object) -> bytes:
    try:
        return msgspec.json.encode(value, order="sorted")
    except UnicodeEncodeError:
        # An argument need not be text; its digest need not be the same the next time.
        return repr(value).encode("utf-8", "surrogateescape")


def _members(groups: Sequence[Group]) -> list[list[Item]]:
    members: list[list[Item]] = []
    number = 0
    for group in groups:
        members.append([])
        for file in group.files:
            members[-1].append(Item(number, file, is_asked=file.shown in group.asked))
            number += 1
    return members
