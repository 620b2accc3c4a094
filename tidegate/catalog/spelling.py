"""Words come in; how far apart they are, and which one was meant, go out."""

from collections.abc import Iterable


def nearest(word: str, names: Iterable[str]) -> str | None:
    """Return the name that was probably meant, or ``None`` when none is near enough."""
    limit = min(3, len(word) // 3)
    ranked = sorted((distance(word.lower(), name, limit), name) for name in names)
    return ranked[0][1] if ranked and ranked[0][0] <= limit else None


def distance(left: str, right: str, limit: int) -> int:
    """Count the edits between two words, a swap of neighbors as one; ``limit + 1`` when above."""
    if abs(len(left) - len(right)) > limit:
        return limit + 1
    before: list[int] = []
    row = list(range(len(right) + 1))
    for i, a in enumerate(left, 1):
        earlier, before, row = before, row, [i]
        for j, b in enumerate(right, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b))
            if i > 1 and j > 1 and a == right[j - 2] and left[i - 2] == b:
                cost = min(cost, earlier[j - 2] + 1)
            row.append(cost)
        if min(row) > limit:
            return limit + 1
    return row[-1]
