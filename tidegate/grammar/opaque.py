"""A predicate that does not parse comes in; if a placeholder may be why, one node goes out."""

import re

from tidegate.grammar.driver import Failure
from tidegate.grammar.nodes import Placeholder
from tidegate.grammar.tokens import PLACE
from tidegate.source.span import Span

# Only so much is looked at before the place where a parse stopped.
_REACH = 200


def opaque_predicate(failure: Failure, text: str, begin: int, end: int) -> Placeholder | None:
    """Return the whole as one placeholder, where the parse stopped at one or right behind one.

    ``${a} ${operator} 1`` and ``a > 0 ${more}`` say nothing of what will be read in their place.
    """
    stop = failure.span
    if failure.reason is not None or stop.start <= begin:
        return None
    before = text[max(begin, stop.start - _REACH) : stop.start].rstrip()
    found = re.fullmatch(PLACE, text[stop.start : stop.end]) or re.search(rf"(?:{PLACE})\Z", before)
    if found is None:
        return None
    return Placeholder(span=Span(begin, end), name=None, spelling=text[begin:end])
