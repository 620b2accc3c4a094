"""The points that a run reaches come in; on a terminal, a moving line goes out."""

from collections.abc import Callable, Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Protocol, Self, TextIO

from tidegate.report.terminal import visible

if TYPE_CHECKING:
    from rich.console import Console
    from rich.status import Status

Say = Callable[[str], None]

_WAITING = "waiting for another run on this warehouse to end"


class Progress(Protocol):
    """Shows how far a run has come, for as long as it is entered."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...

    def on_event(self, point: str, dataset: str | None, detail: Mapping[str, object]) -> None:
        """Take note of a point that the run has reached."""


def progress(datasets: int, say: Say, stream: TextIO) -> Progress:
    """Return a display for a stream: moving on a terminal, elsewhere warnings alone."""
    if not stream.isatty():
        return Silent(say)
    try:
        from rich import console  # noqa: PLC0415
    except ImportError:
        return Lines(say, datasets)
    return Moving(console.Console(file=stream), datasets)


class Silent:
    """Says only what a reader of a log must know."""

    def __init__(self, say: Say) -> None:
        self._say = say

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        return

    def on_event(self, point: str, dataset: str | None, detail: Mapping[str, object]) -> None:
        """Tell of a wait, which may be long, and of what a run noticed."""
        if point == "lock awaited":
            self._say(_WAITING)
        elif (noticed := _noticed(point, dataset, detail)) is not None:
            self._say(noticed)


class Lines(Silent):
    """A line for each dataset, where nothing can move."""

    def __init__(self, say: Say, datasets: int) -> None:
        super().__init__(say)
        self._count = _Count(datasets)

    def on_event(self, point: str, dataset: str | None, detail: Mapping[str, object]) -> None:
        """Say which dataset is made now."""
        super().on_event(point, dataset, detail)
        if (text := self._count.text_of(point, dataset, detail)) is not None:
            self._say(text)


class Moving:
    """One moving line that says which dataset is made now, and how far it is."""

    def __init__(self, console: "Console", datasets: int) -> None:
        self._console = console
        self._status: Status = console.status("starting Spark")
        self._count = _Count(datasets)

    def __enter__(self) -> Self:
        self._status.__enter__()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._status.__exit__(kind, error, trace)

    def on_event(self, point: str, dataset: str | None, detail: Mapping[str, object]) -> None:
        """Change the line."""
        from rich.text import Text  # noqa: PLC0415

        if point == "lock awaited":
            self._status.update(Text(_WAITING))
        elif (noticed := _noticed(point, dataset, detail)) is not None:
            self._console.print(Text(noticed))
        elif (text := self._count.text_of(point, dataset, detail)) is not None:
            self._status.update(Text(text))


def _noticed(point: str, dataset: str | None, detail: Mapping[str, object]) -> str | None:
    """Return what a run found that stops nothing, as a warning."""
    if point != "notice":
        return None
    where = f"`{dataset}`: " if dataset is not None else ""
    advice = detail.get("help")
    return f"warning: {where}{detail['message']}" + (f"\n  help: {advice}" if advice else "")


class _Count:
    """Numbers the datasets and the rows of the one that is being made."""

    def __init__(self, datasets: int) -> None:
        self._datasets = datasets
        self._number = 0
        self._rows = 0

    def text_of(self, point: str, dataset: str | None, detail: Mapping[str, object]) -> str | None:
        """Return what is to be shown now, or ``None`` for no change."""
        rows = detail.get("rows_read")
        if dataset is None:
            return None
        if point == "dataset skipped":
            self._number += 1
            return None
        if point == "dataset started":
            self._number, self._rows = self._number + 1, 0
            return self._line(dataset)
        if point == "after figures" and isinstance(rows, int):
            self._rows += rows
            return f"{self._line(dataset)}: {self._rows:,} rows"
        return None

    def _line(self, dataset: str) -> str:
        return f"{self._number} of {self._datasets}  {visible(dataset)}"
