"""Batches come in; several processes do their jobs, and the answers go out.

What a process cannot do, or does not finish, is done again here, where an error can be shown.
"""

import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing import Pipe, get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess

import msgspec

from tidegate.project.jobs import Answer, Batch, Bench, Job
from tidegate.project.question import Question

_BATCH = msgspec.msgpack.Decoder(Batch)
_ANSWER = msgspec.msgpack.Decoder(Answer)


class Workers:
    """Processes that do jobs like a bench; each keeps the files that it parsed."""

    def __init__(self, questions: Sequence[Question], count: int, local: Bench) -> None:
        self._local = local
        self._places: dict[int, int] = {}
        """Which process has parsed a file."""
        self._links: list[Connection | None] = []
        self.processes: list[BaseProcess] = []
        self._questions = tuple(questions)
        self._count = count

    def start(self) -> None:
        """Make the processes."""
        # An interrupt waits until all of them are known, or one would be left behind.
        with _uninterrupted():
            for _ in range(self._count):
                here, there = Pipe()
                self._links.append(here)
                # A forked process has copies of all ends; one left open would hide our end.
                copies = tuple(self._links) if start_method() == "fork" else ()
                process = _make_process()(
                    target=_work, args=(there, self._questions, copies), daemon=True
                )
                process.start()
                there.close()
                self.processes.append(process)

    def run(self, batch: Batch) -> Iterator[Answer]:
        """Yield an answer to each job, in no order."""
        waiting = self._send(batch)
        left = list(waiting.pop(-1, {}).values())
        while waiting:
            links = {self._links[place]: place for place in waiting}
            ready = set(wait([each for each in links if each is not None]))
            for place in [place for link, place in links.items() if link in ready]:
                answer = self._receive(place)
                if answer is None:
                    left += waiting.pop(place).values()
                    continue
                jobs = waiting[place]
                job = jobs.pop(answer.number)
                if answer.failed:
                    left.append(job)
                else:
                    yield answer
                if not jobs:
                    del waiting[place]
        yield from self._local.run(Batch(jobs=tuple(left), functions=batch.functions))

    def close(self) -> None:
        """End all processes, whatever they are doing."""
        for process in self.processes:
            process.terminate()
        for process in self.processes:
            process.join()
        for link in self._links:
            if link is not None:
                link.close()

    def _send(self, batch: Batch) -> dict[int, dict[int, Job]]:
        """Give each process its jobs; those under -1 are for nobody."""
        shares: dict[int, dict[int, Job]] = {}
        loads = [0] * len(self._links)
        for job in sorted(batch.jobs, key=lambda each: (-each.size, each.number)):
            place = self._places.get(job.number)
            if place is None:
                place = self._places[job.number] = loads.index(min(loads))
            loads[place] += job.size
            shares.setdefault(place, {})[job.number] = job
        for place in list(shares):
            link = self._links[place]
            share = Batch(jobs=tuple(shares[place].values()), functions=batch.functions)
            try:
                if link is None:
                    raise OSError
                link.send_bytes(msgspec.msgpack.encode(share))
            except (OSError, UnicodeEncodeError):
                shares.setdefault(-1, {}).update(shares.pop(place))
        return shares

    def _receive(self, place: int) -> Answer | None:
        link = self._links[place]
        if link is None:
            return None
        try:
            return _ANSWER.decode(link.recv_bytes())
        except (EOFError, OSError):
            link.close()
            self._links[place] = None
            return None


def start_method() -> str:
    """Return how processes are made here; a copy of this one is ready at once."""
    return "fork" if sys.platform == "linux" else "spawn"


@contextmanager
def _uninterrupted() -> Iterator[None]:
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _make_process() -> Callable[..., BaseProcess]:
    made: Callable[..., BaseProcess] = getattr(get_context(start_method()), "Process")  # noqa: B009
    return made


def _work(
    link: Connection, questions: tuple[Question, ...], copies: tuple[Connection, ...]
) -> None:
    # An interrupt is the parent's to answer; it ends this process.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for each in copies:
        each.close()
    bench = Bench(questions)
    while True:
        try:
            batch = _BATCH.decode(link.recv_bytes())
        except (EOFError, OSError):
            return
        for job in batch.jobs:
            try:
                link.send_bytes(_answered(bench, job, batch))
            except (BrokenPipeError, ConnectionResetError):
                return


def _answered(bench: Bench, job: Job, batch: Batch) -> bytes:
    try:
        (answer,) = bench.run(Batch(jobs=(job,), functions=batch.functions))
        return msgspec.msgpack.encode(answer)
    except Exception:  # the parent does it again, and shows what went wrong
        return msgspec.msgpack.encode(Answer(number=job.number, failed=True))
