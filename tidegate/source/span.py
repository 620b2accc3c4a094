"""A range of a file."""

import msgspec


class Span(msgspec.Struct, frozen=True, order=True, gc=False):
    """A half-open range of code points, ``start <= offset < end``, in one file."""

    start: int
    end: int
