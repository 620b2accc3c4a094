"""A path comes in; the marks by which an unchanged file is known go out."""

import os

Stat = tuple[int, int, int]
"""Size, and when content and file were changed last; all zero: not to be trusted."""

UNKNOWN: Stat = (0, 0, 0)


def stat_of(path: str) -> Stat | None:
    """Return the marks by which an unchanged file is known; ``None`` if there is no such file."""
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return None
    return found.st_size, found.st_mtime_ns, found.st_ctime_ns
