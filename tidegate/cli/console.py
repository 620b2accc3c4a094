"""Text and bytes come in; they reach stdout and stderr whole, or the pipe is known to be closed."""

import os
import sys
from collections.abc import Iterable
from typing import TextIO

from tidegate.project.refusal import Refusal
from tidegate.report.terminal import COLORED, PLAIN, Palette, visible

_EXIT_WORLD = 2


class Console:
    """The two streams of the process: results on one, everything else on the other."""

    __slots__ = ("_closed",)

    def __init__(self) -> None:
        self._closed = False

    def results(self, pieces: Iterable[str]) -> None:
        """Write results as text; what the encoding of stdout lacks is escaped."""
        encoding = sys.stdout.encoding or "utf-8"
        for piece in pieces:
            if self._closed:
                return
            self.result_bytes(piece.encode(encoding, "backslashreplace"))

    def result_bytes(self, data: bytes) -> None:
        """Write a result that is bytes already."""
        if self._closed:
            return
        try:
            sys.stdout.buffer.write(data)
        except BrokenPipeError:
            self._give_up()
        except OSError as error:
            raise _unwritable(error) from error

    def finish(self, code: int) -> int:
        """Write what is buffered and return the exit code; nothing is left for the interpreter."""
        try:
            sys.stdout.flush()
        except BrokenPipeError:
            self._give_up()
        except OSError as error:
            _to_nowhere(sys.stdout)
            # Where a write has failed already, that was said.
            if code != _EXIT_WORLD:
                refusal = _unwritable(error)
                self.error(refusal.message, refusal.way_out)
            code = _EXIT_WORLD
        try:
            sys.stderr.flush()
        except OSError:
            _to_nowhere(sys.stderr)
        return code

    def note(self, text: str) -> None:
        """Write one line that is no result."""
        try:
            encoding = sys.stderr.encoding or "utf-8"
            shown = text.encode(encoding, "backslashreplace").decode(encoding, "replace")
            sys.stderr.write(shown + "\n")
        except BrokenPipeError:
            _to_nowhere(sys.stderr)

    def error(self, message: str, way_out: str | None = None) -> None:
        """Say in one sentence what went wrong, and what to do."""
        self._remark("error", self.notes_palette().error, message, way_out)

    def warn(self, message: str, way_out: str | None = None) -> None:
        """Say in one sentence what was done otherwise than expected."""
        self._remark("warning", self.notes_palette().warning, message, way_out)

    def _remark(self, kind: str, color: str, message: str, way_out: str | None) -> None:
        palette = self.notes_palette()
        self.note(f"{color}{kind}:{palette.reset} {visible(message)}")
        if way_out:
            self.note(f"  {palette.strong}help:{palette.reset} {visible(way_out)}")

    @staticmethod
    def own_stderr() -> TextIO:
        """Return stderr as a stream of its own, which stays when Spark starts behind a log file."""
        return os.fdopen(os.dup(sys.stderr.fileno()), "w", encoding=sys.stderr.encoding)

    def results_palette(self) -> Palette:
        """Return the colors for stdout."""
        return _palette(sys.stdout)

    def notes_palette(self) -> Palette:
        """Return the colors for stderr."""
        return _palette(sys.stderr)

    def _give_up(self) -> None:
        # Whoever reads has seen enough; that is no error of this program.
        self._closed = True
        _to_nowhere(sys.stdout)


def _palette(stream: TextIO) -> Palette:
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb" or not stream.isatty():
        return PLAIN
    return COLORED


def _unwritable(error: OSError) -> Refusal:
    return Refusal(f"cannot write the results: {error.strerror}", "make room, or write elsewhere")


def _to_nowhere(stream: TextIO) -> None:
    # The interpreter flushes at its end once more, and would complain about the closed pipe.
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)
