"""Jobs come in, a file each; what the files bring, or what is found in them, goes out.

A bench keeps the files that it parsed, since those of a larger pipeline are asked for twice: first
for their facts, then, when all facts are known, for what is found in them.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from tidegate.linter.declared import CreatedFunction
from tidegate.project.files import read_bytes, text_of
from tidegate.project.outcome import UnitResult
from tidegate.project.question import Question
from tidegate.project.units import Unit, UnitFacts
from tidegate.report.findings import Unhandled
from tidegate.source.diagnostic import Fault
from tidegate.source.text import SourceFile


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """A file and what is wanted of it."""

    number: int
    path: str
    shown: str
    size: int
    question: int
    is_alone: bool
    """Whether it is a pipeline of its own; else its facts are wanted, unless there is a group."""
    group: int | None = None
    """The group whose functions it is to be judged with."""
    between: tuple[Fault, ...] = ()
    is_kept: bool = False
    """Whether the digest of its content is wanted."""
    data: bytes | None = None
    """What it holds, where that cannot be read again."""


class Batch(msgspec.Struct, frozen=True, kw_only=True):
    """Jobs to be done together."""

    jobs: tuple[Job, ...]
    functions: Mapping[int, tuple[CreatedFunction, ...]] = {}
    """What the files of each group create."""


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """What became of a job."""

    number: int
    content: bytes = b""
    """Digest of the bytes that were read."""
    facts: UnitFacts | None = None
    result: UnitResult | None = None
    unhandled: Unhandled | None = None
    failed: bool = False
    """Whether it has to be done again where errors can be shown."""


class Bench:
    """Does jobs, one after the other."""

    def __init__(self, questions: Sequence[Question]) -> None:
        self._questions = questions
        self._units: dict[int, tuple[bytes, Unit]] = {}
        self.sources: dict[int, SourceFile] = {}
        """The files in which something was found."""

    def run(self, batch: Batch) -> Iterator[Answer]:
        """Yield an answer to each job."""
        for job in batch.jobs:
            yield self._answer(job, batch.functions)

    def together(self, jobs: Iterable[Job]) -> Iterator[Answer]:
        """Yield the answers of a whole pipeline that has to be looked at as such."""
        opened = [(job, self._open(job)) for job in jobs]
        found = [(job, each) for job, each in opened if not isinstance(each, Unhandled)]
        yield from (
            Answer(number=job.number, unhandled=each)
            for job, each in opened
            if isinstance(each, Unhandled)
        )
        if not found:
            return
        settings = self._questions[found[0][0].question].lint
        results = Unit.together([unit for _, (_, unit) in found], settings)
        for (job, (content, unit)), result in zip(found, results, strict=True):
            yield self._result(job, content, unit, result)

    def _result(self, job: Job, content: bytes, unit: Unit, result: UnitResult) -> Answer:
        if result.lint.not_analysed or result.lint.files[0].diagnostics:
            self.sources[job.number] = unit.parsed.source
        return Answer(number=job.number, content=content, result=result)

    def _answer(self, job: Job, functions: Mapping[int, tuple[CreatedFunction, ...]]) -> Answer:
        opened = self._open(job)
        if isinstance(opened, Unhandled):
            return Answer(number=job.number, unhandled=opened)
        content, unit = opened
        settings = self._questions[job.question].lint
        try:
            if job.is_alone:
                return self._result(job, content, unit, unit.alone(settings))
            if job.group is not None:
                self._units.pop(job.number, None)
                result = unit.among(job.between, functions[job.group], settings)
                return self._result(job, content, unit, result)
            self._units[job.number] = opened
            return Answer(number=job.number, content=content, facts=unit.facts())
        except Exception as error:
            error.add_note(job.shown)
            raise

    def _open(self, job: Job) -> tuple[bytes, Unit] | Unhandled:
        found = self._units.get(job.number)
        if found is not None:
            return found
        data = read_bytes(job.path, job.shown) if job.data is None else job.data
        if isinstance(data, Unhandled):
            return data
        source = text_of(data, job.shown)
        if isinstance(source, Unhandled):
            return source
        content = b""
        if job.is_kept:
            from tidegate.project.cache import content_digest  # noqa: PLC0415

            content = content_digest(data)
        del data  # the text is there, and that is enough for the memory
        return content, Unit(source, self._questions[job.question].binding)
