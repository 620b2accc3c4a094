"""Text comes in; files on disk, replaced whole or not at all, come out of it."""

import codecs
import os

from tidegate.project.refusal import Refusal
from tidegate.source.text import SourceFile


def rewrite(source: SourceFile, text: str) -> None:
    """Put new text into the file it was read from; its byte order mark and its mode stay.

    Raises:
        Refusal: if the file cannot be written, or is not what was read any more.

    """
    # A link stays a link: what it points to is replaced.
    path = os.path.realpath(source.path)
    try:
        with open(path, "rb") as file:
            before = file.read()
        mode = os.stat(path).st_mode & 0o7777
    except OSError as error:
        raise _refusal(source.path, error) from error
    mark = codecs.BOM_UTF8 if before.startswith(codecs.BOM_UTF8) else b""
    if before != mark + source.original.encode("utf-8"):
        raise Refusal(
            f"`{source.path}` changed while it was read; nothing was written", "try again"
        )
    if not os.access(path, os.W_OK):
        raise Refusal(f"cannot write `{source.path}`: it is read-only", "change its permissions")
    write_whole(path, mark + text.encode("utf-8"), mode, source.path)


def write_whole(path: str, data: bytes, mode: int | None = None, shown: str | None = None) -> None:
    """Write a file so that a reader sees the old content or the new one, never a part.

    Raises:
        Refusal: if it cannot be written.

    """
    folder, name = os.path.split(path)
    beside = os.path.join(folder, f".{name[:100]}.{os.getpid()}.tmp")
    try:
        with open(beside, "xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if mode is not None:
            os.chmod(beside, mode)
        os.replace(beside, path)
    except OSError as error:
        _remove(beside)
        raise _refusal(path if shown is None else shown, error) from error


def make_folder(path: str) -> None:
    """Make a folder and those above it.

    Raises:
        Refusal: if it cannot be made.

    """
    try:
        os.makedirs(path, exist_ok=True)
    except FileExistsError:
        raise Refusal(f"`{path}` is a file, not a folder", "name another folder") from None
    except OSError as error:
        raise _refusal(path, error) from error


def _remove(path: str) -> None:
    try:
        os.unlink(path)
    except OSError:
        return


def _refusal(path: str, error: OSError) -> Refusal:
    reason = (error.strerror or str(error)).lower()
    way_out = "check the permissions of its folder, and the free space"
    return Refusal(f"cannot write `{path}`: {reason}", way_out)
