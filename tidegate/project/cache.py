"""What was found in files comes in, and goes out again while neither they nor the question change.

A folder of ours holds one file per set of flags. What is kept about a file holds while its content,
all settings, the program and, in a larger pipeline, what other files say about it stay the same.
What cannot be read, or was not written by this user, is as good as nothing: a repository may bring
a folder of that name along.
"""

import os
import time
from hashlib import blake2b, sha256
from hmac import compare_digest

import msgspec

from tidegate.project.marks import UNKNOWN, Stat

SCHEMA = 2
"""Raised when what is kept changes its shape or its meaning."""

FOLDER = ".tidegate_cache"
PLACE = "TIDEGATE_CACHE_DIR"
"""The environment variable that puts the folder elsewhere."""

KEY = "tidegate.key"
"""The file with which all that is kept is sealed; it never lies among the files of a project."""

_KEY_SIZE = 32
_SETTLED_NS = 2_000_000_000
_DAY_NS = 86_400_000_000_000
_DAYS_KEPT = 30
_MOST_FILES = 16
_SIZE = 16


class Entry(msgspec.Struct, array_like=True, frozen=True):
    """What is kept about one file."""

    stat: Stat
    content: bytes
    """Digest of the bytes."""
    settings: bytes
    """Digest of what the facts depend on beside the content."""
    facts: bytes
    """Encoded facts; empty for a file that stands alone."""
    key: bytes
    """Digest of what the result depends on beside the content."""
    result: bytes
    """The encoded result; empty where only the facts were asked for."""
    verified: bytes
    """Digest of the whole pipeline with which the key was last found to be right."""
    day: int
    """When it was last used."""


class _Document(msgspec.Struct, array_like=True):
    schema: int
    stamp: str
    entries: dict[str, Entry]


class Cache:
    """What is kept for the flags of one call."""

    __slots__ = ("_changed", "_entries", "_key", "_path", "_stamp", "_today")

    def __init__(self, folder: str, flags: bytes, key: bytes) -> None:
        self._stamp = _stamp()
        self._key = key
        name = digest(b"check", flags, self._stamp.encode()).hex()
        self._path = os.path.join(folder, f"check-{name}.bin")
        self._today = time.time_ns() // _DAY_NS
        self._entries = self._load()
        self._changed = False

    def get(self, identity: str) -> Entry | None:
        """Return what is kept about a file."""
        return self._entries.get(identity)

    def put(self, identity: str, entry: Entry) -> None:
        """Keep something about a file from now on."""
        self._entries[identity] = msgspec.structs.replace(entry, day=self._today)
        self._changed = True

    def use(self, identity: str, entry: Entry) -> None:
        """Note that what is kept was of use; it is written at most once a day."""
        if entry.day != self._today:
            self.put(identity, entry)

    def save(self) -> None:
        """Write what changed; where nothing can be written, nothing is."""
        if not self._changed or not self._key:
            return
        oldest = self._today - _DAYS_KEPT
        kept = {name: entry for name, entry in self._entries.items() if entry.day >= oldest}
        data = msgspec.msgpack.encode(_Document(SCHEMA, self._stamp, kept))
        try:
            _write(self._path, seal(data, self._key) + data)
        except OSError:
            return

    def _load(self) -> dict[str, Entry]:
        if not self._key or not os.path.isfile(self._path):
            return {}
        try:
            with open(self._path, "rb") as file:
                sealed, data = file.read(_SIZE), file.read()
            if not compare_digest(sealed, seal(data, self._key)):
                return {}
            document = msgspec.msgpack.decode(data, type=_Document)
        except (OSError, ValueError, RecursionError):
            # msgspec's complaints are ValueErrors.
            return {}
        if document.schema != SCHEMA or document.stamp != self._stamp:
            return {}
        return document.entries


def open_cache(start: str, flags: object) -> Cache:
    """Open what is kept for some flags: in a folder beside the configuration, or elsewhere."""
    place = os.environ.get(PLACE)
    folder = place or os.path.join(start, FOLDER)
    key = _key(place or _own_folder())
    return Cache(folder, repr(flags).encode("utf-8", "surrogateescape"), key)


def seal(data: bytes, key: bytes) -> bytes:
    """Return what only somebody with the key could write before the data."""
    return blake2b(data, digest_size=_SIZE, key=key).digest()


def _own_folder() -> str:
    """Return the folder of this user for what may be deleted."""
    caches = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(caches, "tidegate")


def _key(folder: str) -> bytes:
    """Return the key, made where there is none yet; nothing where none can be kept."""
    path = os.path.join(folder, KEY)
    try:
        if not os.path.isfile(path):
            os.makedirs(folder, exist_ok=True)
            made = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with open(made, "wb") as file:
                file.write(os.urandom(_KEY_SIZE))
        with open(path, "rb") as file:
            key = file.read(_KEY_SIZE)
    except OSError:
        return b""
    return key if len(key) == _KEY_SIZE else b""


def settled(stat: Stat | None) -> Stat:
    """Return the marks if they can be trusted later: a file just written may change unseen."""
    if stat is None or max(stat[1:]) > time.time_ns() - _SETTLED_NS:
        return UNKNOWN
    return stat


def content_digest(data: bytes) -> bytes:
    """Return the digest of a file's bytes."""
    return sha256(data).digest()[:_SIZE]


def digest(*parts: bytes) -> bytes:
    """Return one digest of several parts."""
    whole = blake2b(digest_size=_SIZE)
    for part in parts:
        whole.update(len(part).to_bytes(8))
        whole.update(part)
    return whole.digest()


def _stamp() -> str:
    """Return what names this program: its version, and its files where they may be edited."""
    from tidegate import __version__  # noqa: PLC0415

    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    if os.path.basename(os.path.dirname(package)) in ("site-packages", "dist-packages"):
        return __version__
    whole = blake2b(digest_size=_SIZE)
    pending = [package]
    while pending:
        with os.scandir(pending.pop()) as found:
            for entry in sorted(found, key=lambda each: each.name):
                if entry.name.endswith(".py"):
                    stat = entry.stat()
                    whole.update(f"{entry.name} {stat.st_size} {stat.st_mtime_ns}\n".encode())
                elif entry.is_dir() and not entry.name.startswith(("_", ".")):
                    pending.append(entry.path)
    return f"{__version__} {whole.hexdigest()}"


def _write(path: str, data: bytes) -> None:
    """Put a file in its place whole, so that no reader sees a part of it."""
    folder = os.path.dirname(path)
    if not os.path.isdir(folder):
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, ".gitignore"), "w", encoding="utf-8") as ignored:
            ignored.write("# Made by tidegate; may be deleted.\n*\n")
    beside = f"{path}.{os.getpid()}.{time.monotonic_ns()}.tmp"
    try:
        with open(beside, "xb") as file:
            file.write(data)
        os.replace(beside, path)
    except OSError:
        _remove(beside)
        raise
    _make_room(folder, path)


def _make_room(folder: str, path: str) -> None:
    """Remove what calls with other flags left long ago."""
    with os.scandir(folder) as found:
        files = [each for each in found if each.name.startswith("check-") and each.is_file()]
    if len(files) <= _MOST_FILES:
        return
    files.sort(key=lambda each: each.stat().st_mtime_ns)
    for each in files[: len(files) - _MOST_FILES]:
        if each.path != path:
            _remove(each.path)


def _remove(path: str) -> None:
    try:
        os.unlink(path)
    except OSError:
        return
