"""A file's findings come in; of each rule the first ones go out, and one that counts the rest."""

from collections import Counter
from collections.abc import Sequence

import msgspec

from tidegate.source.diagnostic import Diagnostic

MOST_OF_A_RULE = 1000
"""Nobody reads more of one rule in one file, and to tell them takes longer than all else."""


def without_endless(findings: Sequence[Diagnostic]) -> Sequence[Diagnostic]:
    """Put one finding in the place of all those of a rule and a severity beyond the first ones.

    It stands where the first of them does, and counts as as many as it stands for.
    """
    if len(findings) <= MOST_OF_A_RULE:
        return findings
    numbers = Counter((each.name, each.severity) for each in findings)
    if max(numbers.values()) <= MOST_OF_A_RULE:
        return findings
    kept: list[Diagnostic] = []
    left = dict.fromkeys(numbers, MOST_OF_A_RULE)
    for finding in findings:
        kind = (finding.name, finding.severity)
        left[kind] -= 1
        if left[kind] >= 0 or (left[kind] == -1 and numbers[kind] == MOST_OF_A_RULE + 1):
            kept.append(finding)
        elif left[kind] == -1:
            kept.append(_for_all(finding, numbers[kind] - MOST_OF_A_RULE))
    return kept


def _for_all(first: Diagnostic, number: int) -> Diagnostic:
    return msgspec.structs.replace(
        first,
        message=f"{number:,} more findings of `{first.name}` from here on in this file are not "
        "shown one by one",
        help="mend those before first; they are of the same kind",
        dataset=None,
        constraint=None,
        related=(),
        fix=None,
        stands_for=number,
    )
