"""Paths come in; source files, and what could not be read with a reason, go out."""

import os
import sys
from collections.abc import Iterable, Iterator
from stat import S_ISDIR, S_ISREG

import msgspec

from tidegate.report.findings import Unhandled
from tidegate.source.text import (
    PYTHON_SUFFIXES,
    STANDARD_INPUT_SHOWN,
    SourceFile,
    Undecodable,
    decode,
)

STANDARD_INPUT = "-"
SUFFIX = ".sql"


class ListedFile(msgspec.Struct, frozen=True):
    """A file that a call names."""

    path: str
    """Where it is, or ``-``."""
    shown: str
    """What it is called in all that is put out."""
    place: str
    """The same as an absolute path."""


class Listed(msgspec.Struct, frozen=True, kw_only=True):
    """The files behind the paths of one call, in the order given, each once; not read yet."""

    files: tuple[ListedFile, ...]
    unhandled: tuple[Unhandled, ...]
    """Folders that could not be read."""
    empty: tuple[str, ...]
    """Folders and patterns behind which there was no file."""
    idle: tuple[str, ...] = ()
    """Python files that the call names and that hold no pipeline SQL."""
    python_udfs: tuple[str, ...] = ()
    """The functions that Python files register for SQL."""
    java_udfs: tuple[str, ...] = ()


class Gathered(msgspec.Struct, frozen=True, kw_only=True):
    """The files behind the paths of one call, in the order given, each once."""

    files: tuple[SourceFile, ...]
    unhandled: tuple[Unhandled, ...]
    empty: tuple[str, ...]
    """Folders and patterns behind which there was no file."""
    idle: tuple[str, ...] = ()
    """Python files that the call names and that hold no pipeline SQL."""
    python_udfs: tuple[str, ...] = ()
    """The functions that Python files register for SQL."""
    java_udfs: tuple[str, ...] = ()
    stdin: SourceFile | None = None
    """The one of the files that is standard input, if it was asked for and could be read."""


def gather(paths: Iterable[str], stdin_filename: str | None) -> Gathered:
    """Read every file that the paths name."""
    listed = list_files(paths, stdin_filename)
    files: list[SourceFile] = []
    unhandled = list(listed.unhandled)
    stdin: SourceFile | None = None
    for file in listed.files:
        read = read_file(file.path, stdin_filename)
        if isinstance(read, SourceFile):
            files.append(read)
            stdin = read if file.path == STANDARD_INPUT else stdin
        else:
            unhandled.append(read)
    return Gathered(
        files=tuple(files),
        unhandled=tuple(unhandled),
        empty=listed.empty,
        idle=listed.idle,
        python_udfs=listed.python_udfs,
        java_udfs=listed.java_udfs,
        stdin=stdin,
    )


def list_files(paths: Iterable[str], stdin_filename: str | None) -> Listed:
    """Find every file that the paths name."""
    files: list[ListedFile] = []
    unhandled: list[Unhandled] = []
    empty: list[str] = []
    seen: set[str] = set()
    python = _PythonFiles()
    for path in paths:
        is_empty = True
        for name in _expand(path, unhandled):
            if name.lower().endswith(PYTHON_SUFFIXES) and not python.keeps(name, named=path):
                is_empty = is_empty and not python.is_told(name)
                continue
            is_empty = False
            shown = stdin_filename or STANDARD_INPUT_SHOWN if name == STANDARD_INPUT else name
            identity = os.path.abspath(shown)
            if identity not in seen:
                seen.add(identity)
                files.append(ListedFile(name, shown, identity))
        if is_empty:
            empty.append(path)
    return Listed(
        files=tuple(files),
        unhandled=(*unhandled, *python.unread),
        empty=tuple(empty),
        idle=tuple(python.idle),
        python_udfs=tuple(sorted(python.python_udfs)),
        java_udfs=tuple(sorted(python.java_udfs)),
    )


class _PythonFiles:
    """Sorts the Python files of a call, each looked at once."""

    def __init__(self) -> None:
        self.idle: dict[str, None] = {}
        self.python_udfs: set[str] = set()
        self.java_udfs: set[str] = set()
        self.unread: list[Unhandled] = []
        self._sources: dict[str, bool] = {}

    def keeps(self, name: str, *, named: str) -> bool:
        """Tell whether a file is a source; one that is none is kept in mind if the call names it.

        What it registers counts in any case.
        """
        identity = os.path.abspath(name)
        if identity not in self._sources:
            # Needs Python's own parser, which plain SQL should not wait for.
            from tidegate.project.python_files import look_at  # noqa: PLC0415

            found = look_at(name, is_named=name == named)
            self._sources[identity] = found.is_source
            self.python_udfs |= found.functions.python
            self.java_udfs |= found.functions.java
            self.unread += found.unread
        is_source = self._sources[identity]
        if not is_source and name == named and not self.is_told(name):
            self.idle[name] = None
        return is_source

    def is_told(self, name: str) -> bool:
        """Tell whether something is said about a file that is no source."""
        return name in self.idle or any(name == each.path for each in self.unread)


def _expand(path: str, unhandled: list[Unhandled]) -> Iterator[str]:
    if path == STANDARD_INPUT:
        yield path
    elif os.path.isdir(path):
        yield from walk(path, unhandled)
    elif _is_pattern(path):
        # The shell expands patterns; this is for quoted ones and for shells that do not.
        from glob import iglob  # noqa: PLC0415

        for name in sorted(iglob(path, recursive=True)):
            if not os.path.isdir(name):
                yield name
    else:
        yield path


def _is_pattern(path: str) -> bool:
    return any(char in path for char in "*?[") and not os.path.lexists(path)


def walk(folder: str, unhandled: list[Unhandled]) -> Iterator[str]:
    """Yield the files below a folder that may hold SQL, sorted by name.

    Hidden folders are left out, and environments of Python.
    """
    # A stack of our own: folders may be nested deeper than calls.
    opened = [iter(_entries(folder, unhandled))]
    while opened:
        entry = next(opened[-1], None)
        if entry is None:
            opened.pop()
        elif entry.is_dir(follow_symlinks=False):
            if not entry.name.startswith("."):
                opened.append(iter(_entries(entry.path, unhandled)))
        elif entry.name.lower().endswith((SUFFIX, *PYTHON_SUFFIXES)):
            if entry.is_file() or not _is_device(entry.path):
                yield entry.path
            else:
                reason, way_out = "it is a pipe or a device", "name it in the call to read it"
                unhandled.append(Unhandled(path=entry.path, reason=reason, help=way_out))


def _entries(folder: str, unhandled: list[Unhandled]) -> "list[os.DirEntry[str]]":
    """Return what stands in a folder; nothing of an environment of Python."""
    try:
        with os.scandir(folder) as found:
            entries = sorted(found, key=lambda entry: entry.name)
    except OSError as error:
        unhandled.append(unreadable(folder, error))
        return []
    return [] if any(entry.name == "pyvenv.cfg" for entry in entries) else entries


def _is_device(path: str) -> bool:
    """Tell whether reading a path may wait for somebody who writes."""
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return False  # reading it will say why
    return not (S_ISREG(mode) or S_ISDIR(mode))


def read_file(path: str, stdin_filename: str | None) -> SourceFile | Unhandled:
    """Return one file as text, or why it is none."""
    is_input = path == STANDARD_INPUT
    shown = (stdin_filename or STANDARD_INPUT_SHOWN) if is_input else path
    data = read_bytes(path, shown)
    return data if isinstance(data, Unhandled) else text_of(data, shown)


def read_bytes(path: str, shown: str) -> bytes | Unhandled:
    """Return what a file holds, or why it cannot be read."""
    try:
        if path == STANDARD_INPUT:
            return sys.stdin.buffer.read()
        with open(path, "rb") as file:
            return file.read()
    except (OSError, ValueError) as error:
        return unreadable(shown, error)
    except MemoryError:
        return Unhandled(path=shown, reason="the file does not fit into memory", help="split it")


def text_of(data: bytes, shown: str) -> SourceFile | Unhandled:
    """Return what a file holds as text, or why it is none."""
    text = decode(data)
    if isinstance(text, Undecodable):
        return Unhandled(path=shown, reason=text.reason, help=text.help)
    if shown == STANDARD_INPUT_SHOWN:
        from tidegate.source.guesses import is_program, suffix_of_text  # noqa: PLC0415

        if not suffix_of_text(text) and is_program(text):
            reason = "it looks like Python, not SQL"
            return Unhandled(path=shown, reason=reason, help="add `--stdin-filename x.py`")
    return SourceFile(path=shown, text=text)


def unreadable(path: str, error: OSError | ValueError) -> Unhandled:
    """Say why the system refuses a file, and what to do about it."""
    if isinstance(error, FileNotFoundError):
        return Unhandled(path=path, reason="no such file or folder", help="check the path")
    if isinstance(error, IsADirectoryError):
        return Unhandled(path=path, reason="it is a folder", help="name a file")
    if isinstance(error, PermissionError):
        reason, way_out = "you may not read it", "change its permissions, or run as another user"
        return Unhandled(path=path, reason=reason, help=way_out)
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return Unhandled(path=path, reason=reason[:1].lower() + reason[1:], help="check the path")
