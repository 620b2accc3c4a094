"""The three questions asked of a predicate, as SQL text: a predicate enters, an expression leaves.

A predicate gives TRUE, FALSE or NULL on a row. The policy says which side NULL is on.
"""

from enum import Enum


class NullPolicy(Enum):
    """What a NULL verdict counts as."""

    VIOLATION = "violation"
    PASS = "pass"


def violated(predicate: str, policy: NullPolicy) -> str:
    """Give the expression that is TRUE for rows that break the rule and FALSE for all others."""
    test = "IS NOT TRUE" if policy is NullPolicy.VIOLATION else "IS FALSE"
    return f"{enclosed(predicate)} {test}"


def satisfied(predicate: str, policy: NullPolicy) -> str:
    """Give the exact opposite of ``violated``; it is never NULL either."""
    test = "IS TRUE" if policy is NullPolicy.VIOLATION else "IS NOT FALSE"
    return f"{enclosed(predicate)} {test}"


def is_null(predicate: str) -> str:
    """Give the expression that is TRUE for rows on which the predicate is NULL."""
    return f"{enclosed(predicate)} IS NULL"


def enclosed(predicate: str) -> str:
    """Put a predicate between parentheses that a trailing line comment cannot swallow."""
    text = predicate.strip()
    # The blank keeps a backslash at the end of a comment from joining the next line to it.
    return f"({text} \n)" if "--" in text else f"({text})"
