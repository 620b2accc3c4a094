"""A file before and after its fixes comes in; a patch goes out."""

from tidegate.source.text import SourceFile


def unified_diff(before: SourceFile, after: SourceFile) -> str:
    """Return the difference as a patch that ``git apply`` and ``patch`` take."""
    from difflib import unified_diff as compare  # noqa: PLC0415

    name = before.path.lstrip("/")
    lines = []
    for line in compare(_lines(before.original), _lines(after.original), f"a/{name}", f"b/{name}"):
        lines.append(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n")
    return "".join(lines)


def _lines(text: str) -> list[str]:
    # Only line feeds end a line here; str.splitlines knows ten more characters.
    *whole, last = text.split("\n")
    return [f"{line}\n" for line in whole] + ([last] if last else [])
