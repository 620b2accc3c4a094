"""The files of a run come in; what is kept about them goes out, and what was found now goes in."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING, TypeVar

import msgspec

from tidegate.project.files import STANDARD_INPUT, ListedFile, read_bytes
from tidegate.project.marks import UNKNOWN, Stat, stat_of
from tidegate.project.outcome import UnitResult
from tidegate.report.findings import Unhandled

if TYPE_CHECKING:
    from tidegate.project.cache import Cache, Entry
    from tidegate.project.units import UnitFacts

_SMALL = 128_000
"""Below so much text, looking into files takes no longer than remembering them."""

_LITTLE = 1_000_000
"""More than so much is read again rather than held in memory twice."""

_Kept = TypeVar("_Kept")


class Item:
    """A file of a run, and what is known about it by now."""

    __slots__ = (
        "content",
        "data",
        "entry",
        "facts",
        "file",
        "is_asked",
        "key",
        "number",
        "result",
        "stat",
        "unhandled",
        "was_read",
    )

    def __init__(self, number: int, file: ListedFile, *, is_asked: bool) -> None:
        self.number = number
        self.file = file
        self.is_asked = is_asked
        self.stat: Stat | None = None
        self.entry: Entry | None = None
        self.content = b""
        """Digest of what it holds; empty while that is not known."""
        self.data: bytes | None = None
        """What it holds, where that was read already and is little."""
        self.was_read = False
        """Whether it had to be read to tell whether it changed."""
        self.key = b""
        """Digest of what its result depends on beside the content."""
        self.facts: UnitFacts | None = None
        self.result: UnitResult | None = None
        self.unhandled: Unhandled | None = None

    @property
    def name(self) -> bytes:
        """What it is called."""
        return self.file.shown.encode("utf-8", "surrogateescape")

    @property
    def identity(self) -> str:
        """Where it is, and what it is called: findings hold the name."""
        return f"{self.file.place}\0{self.file.shown}"

    @property
    def size(self) -> int:
        """How much there is to read, as far as that is known."""
        return self.stat[0] if self.stat else len(self.data or b"")

    def holds(self) -> "Entry | None":
        """Return what is kept about it, if its content is still the same."""
        entry = self.entry
        return entry if entry is not None and entry.content == self.content else None


class Memory:
    """What is kept about the files of a run."""

    __slots__ = ("_cache",)

    def __init__(self, opened: "Callable[[], Cache] | None", items: Sequence[Item]) -> None:
        for item in items:
            if item.file.path != STANDARD_INPUT:
                item.stat = stat_of(item.file.path)
            elif not isinstance(data := read_bytes(STANDARD_INPUT, item.file.shown), Unhandled):
                item.data = data  # it can be read once only, and only here
        self._cache: Cache | None = None
        if opened is not None and sum(item.size for item in items) >= _SMALL:
            self._cache = opened()
            for item in items:
                self._look_up(item, self._cache)

    @property
    def is_on(self) -> bool:
        """Whether anything is kept at all."""
        return self._cache is not None

    def save(self) -> None:
        """Write down what is to be kept."""
        if self._cache is not None:
            self._cache.save()

    def _look_up(self, item: Item, kept: "Cache") -> None:
        """Find out what a file holds, without reading it if that can be helped."""
        item.entry = entry = kept.get(item.identity)
        if entry is None or item.stat is None:
            return
        if item.stat == entry.stat != UNKNOWN:
            item.content = entry.content
            return
        from tidegate.project.cache import content_digest  # noqa: PLC0415

        data = read_bytes(item.file.path, item.file.shown)
        if not isinstance(data, Unhandled):
            item.was_read, item.content = True, content_digest(data)
            item.data = data if len(data) <= _LITTLE else None

    def recall(self, members: Sequence[Item], mark: bytes) -> bool:
        """Take the results of a whole group, if all that its files say is as it was."""
        if self._cache is None or not mark:
            return False
        asked = [item for item in members if item.is_asked]
        for item in asked:
            entry = item.holds()
            if entry is None or entry.verified != mark or not entry.result:
                return False
        for item in asked:
            entry = item.holds()
            item.result = None if entry is None else _decoded(_results(), entry.result)
        if any(item.result is None for item in asked):
            return False
        for item in members:
            self._refresh(item, self._cache)
        return True

    @staticmethod
    def _refresh(item: Item, kept: "Cache") -> None:
        from tidegate.project.cache import settled  # noqa: PLC0415

        entry = item.entry
        if entry is None:
            return
        if item.was_read:
            item.data = None
            kept.put(item.identity, msgspec.structs.replace(entry, stat=settled(item.stat)))
        else:
            kept.use(item.identity, entry)

    def recall_facts(self, item: Item, settings: bytes) -> bool:
        """Take the facts of a file, if they are kept and still hold."""
        entry = item.holds()
        if entry is None or entry.settings != settings or not entry.facts:
            return False
        item.facts = _decoded(_facts(), entry.facts)
        return item.facts is not None

    def recall_result(self, item: Item) -> bool:
        """Take the result of a file, if it was found under the same circumstances."""
        entry = item.holds()
        if entry is None or entry.key != item.key or not entry.result:
            return False
        item.result = _decoded(_results(), entry.result)
        return item.result is not None

    def keep(self, members: Sequence[Item], settings: bytes, mark: bytes) -> None:
        """Keep what was found about the files of a group."""
        if self._cache is None:
            return
        for item in members:
            if item.file.path == STANDARD_INPUT or not item.content or item.unhandled is not None:
                continue
            try:
                self._cache.put(item.identity, _entry(item, settings, mark))
            except UnicodeEncodeError:
                continue  # a name that is no text cannot be written down


def _entry(item: Item, settings: bytes, mark: bytes) -> "Entry":
    from tidegate.project.cache import Entry, settled  # noqa: PLC0415

    item.identity.encode()
    before = item.holds()
    facts, key, result = b"", b"", b""
    if before is not None and before.settings == settings:
        facts, key, result = before.facts, before.key, before.result
    if item.facts is not None:
        facts = msgspec.msgpack.encode(item.facts)
    if item.result is not None:
        key, result = item.key, msgspec.msgpack.encode(item.result)
    return Entry(
        stat=settled(item.stat),
        content=item.content,
        settings=settings,
        facts=facts,
        key=key,
        result=result,
        verified=mark if item.result is not None else b"",
        day=0,
    )


def _decoded(decoder: msgspec.msgpack.Decoder[_Kept], data: bytes) -> _Kept | None:
    try:
        return decoder.decode(data)
    except (ValueError, RecursionError):
        return None  # whoever wrote that, it is no use


@cache
def _results() -> msgspec.msgpack.Decoder[UnitResult]:
    return msgspec.msgpack.Decoder(UnitResult)


@cache
def _facts() -> "msgspec.msgpack.Decoder[UnitFacts]":
    # What facts are made of belongs to the rooms that read files, and those need not be loaded.
    from tidegate.project.units import UnitFacts  # noqa: PLC0415

    return msgspec.msgpack.Decoder(UnitFacts)
