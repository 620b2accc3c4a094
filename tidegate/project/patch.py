"""A file before and after its fixes comes in; a patch goes out."""

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from tidegate.source.text import SourceFile

_FEW = 1000
"""Files of so many lines are compared as a whole."""
_WINDOW = 200
"""How many lines of longer ones are compared at a time."""
_AROUND = 3

_Opcode = tuple[str, int, int, int, int]


def unified_diff(before: SourceFile, after: SourceFile) -> str:
    """Return the difference as a patch that ``git apply`` and ``patch`` take."""
    old, new = _lines(before.original), _lines(after.original)
    if old == new:
        return ""
    name = before.path.lstrip("/")
    lines = [f"--- a/{name}\n", f"+++ b/{name}\n"]
    for group in _Comparison(old, new).get_grouped_opcodes(_AROUND):
        (_, i, _, j, _), (_, _, i_end, _, j_end) = group[0], group[-1]
        lines.append(f"@@ -{_range(i, i_end)} +{_range(j, j_end)} @@\n")
        lines += _hunk(group, old, new)
    return "".join(lines)


def _hunk(group: Sequence[_Opcode], old: list[str], new: list[str]) -> Iterator[str]:
    for tag, i, i_end, j, j_end in group:
        if tag == "equal":
            yield from (_ended(f" {line}") for line in old[i:i_end])
            continue
        yield from (_ended(f"-{line}") for line in old[i:i_end])
        yield from (_ended(f"+{line}") for line in new[j:j_end])


def _ended(line: str) -> str:
    return line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def _range(start: int, end: int) -> str:
    count = end - start
    if count == 1:
        return f"{start + 1}"
    return f"{start + 1 if count else start},{count}"


class _Comparison(SequenceMatcher[str]):
    """Compares lines in a time that grows with their number, however often one is repeated."""

    def __init__(self, old: list[str], new: list[str]) -> None:
        super().__init__(None, (), (), autojunk=False)
        self._old, self._new = old, new

    def get_opcodes(self) -> list[_Opcode]:  # type: ignore[override]
        """Return what leads from one to the other."""
        found: list[_Opcode] = []
        i = j = 0
        for a, b, size in (*_equal(self._old, self._new), (len(self._old), len(self._new), 0)):
            if i < a or j < b:
                tag = "replace" if i < a and j < b else "delete" if i < a else "insert"
                found.append((tag, i, a, j, b))
            i, j = a + size, b + size
            if found and found[-1][0] == "equal" and size:
                _, first, _, second, _ = found.pop()
                found.append(("equal", first, i, second, j))
            elif size:
                found.append(("equal", a, i, b, j))
        return found


def _equal(old: list[str], new: list[str]) -> Iterator[tuple[int, int, int]]:
    """Yield the runs of lines that both have: where they start in each, and how long they are.

    Equal lines are passed over first. Behind them a window is compared, and then on from the last
    run in it, which may go on behind the window.
    """
    window = max(len(old), len(new)) if max(len(old), len(new)) <= _FEW else _WINDOW
    i = j = 0
    while i < len(old) and j < len(new):
        if same := _common(old, new, i, j):
            yield i, j, same
            i, j = i + same, j + same
            continue
        compared = SequenceMatcher(None, old[i : i + window], new[j : j + window], autojunk=False)
        *runs, _ = compared.get_matching_blocks()
        for run in runs[:-1]:
            yield i + run.a, j + run.b, run.size
        i, j = (i + runs[-1].a, j + runs[-1].b) if runs else (i + window, j + window)


def _common(old: list[str], new: list[str], i: int, j: int) -> int:
    count = 0
    most = min(len(old) - i, len(new) - j)
    while count < most and old[i + count] == new[j + count]:
        count += 1
    return count


def _lines(text: str) -> list[str]:
    # Only line feeds end a line here; str.splitlines knows ten more characters.
    *whole, last = text.split("\n")
    return [f"{line}\n" for line in whole] + ([last] if last else [])
