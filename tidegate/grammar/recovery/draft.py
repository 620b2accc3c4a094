"""A stretch of a text and edits come in; the edited text, and the way back from it, go out."""

from bisect import bisect_left, bisect_right
from enum import Enum
from functools import cache
from typing import TypeVar

import msgspec

from tidegate.grammar.nodes import ExpectClause, Name, Node
from tidegate.grammar.tokens import raw_tokens
from tidegate.source.diagnostic import Fault
from tidegate.source.edit import Edit, Fix
from tidegate.source.span import Span

_PLAIN = frozenset((str, bool, int, float, str | None, bool | None, int | None))
_Node = TypeVar("_Node", bound=Node)


class Draft:
    """A stretch as it would read with some edits, read in place of what was written.

    What is found in it is moved back: what an edit put in stands where the edit does.
    """

    __slots__ = ("_edits", "_kept", "_origins", "_span", "_starts", "_stops", "_written", "text")

    def __init__(self, written: str, span: Span, edits: tuple[Edit, ...] = ()) -> None:
        self._written = written
        self._span = span
        self._edits = edits
        self._starts: list[int] = []
        self._origins: list[int] = []
        self._stops: list[int] = []
        self._kept: list[bool] = []
        parts: list[str] = []
        at, size = span.start, 0
        for edit in (*edits, Edit(Span(span.end, span.end), "")):
            kept = written[at : edit.span.start]
            self._piece(size, at, edit.span.start, is_kept=True)
            size += len(kept)
            same = len(edit.text) == edit.span.end - edit.span.start
            self._piece(size, edit.span.start, edit.span.end, is_kept=same)
            size += len(edit.text)
            parts += (kept, edit.text)
            at = edit.span.end
        self.text = "".join(parts)

    def _piece(self, start: int, origin: int, stop: int, *, is_kept: bool) -> None:
        self._starts.append(start)
        self._origins.append(origin)
        self._stops.append(stop)
        self._kept.append(is_kept)

    def edited(self, edits: tuple[Edit, ...]) -> "Draft | None":
        """Return the draft with more edits, or ``None`` where they touch what was edited."""
        more = [Edit(self.origin(edit.span), edit.text) for edit in edits]
        # The sort is stable: of two insertions at one place the earlier stays the first.
        together = sorted((*self._edits, *more), key=lambda edit: edit.span)
        at = -1
        for edit in together:
            if edit.span.start < at:
                return None
            at = edit.span.end
        return Draft(self._written, self._span, tuple(together))

    # ------------------------------------------------------------ the way back

    def origin(self, span: Span) -> Span:
        """Return where a span of the draft stands in what was written."""
        start = self._place(span.start, bisect_right(self._starts, span.start) - 1)
        if span.start == span.end:
            return Span(start, start)
        end = self._place(span.end, bisect_left(self._starts, span.end) - 1)
        return Span(start, max(start, end))

    def _place(self, offset: int, piece: int) -> int:
        ahead = offset - self._starts[piece]
        if self._kept[piece] or ahead == 0:
            return self._origins[piece] + ahead
        return self._stops[piece]

    def moved(self, node: _Node) -> _Node:
        """Return a node of the draft with the spans of what was written."""
        changes: dict[str, object] = {}
        for field in _moving(node.__class__):
            value = getattr(node, field)
            if value.__class__ is Span:
                changes[field] = self.origin(value)
            elif isinstance(value, Node):
                changes[field] = self.moved(value)
            elif value.__class__ is tuple and value:
                # A loop, not a comprehension: its frame would halve the depth that fits.
                parts = list(value)
                for place, part in enumerate(parts):
                    if isinstance(part, Node):
                        parts[place] = self.moved(part)
                changes[field] = tuple(parts)
        if isinstance(node, ExpectClause):
            name = changes.get("name")
            if isinstance(name, Name) and name.span.start == name.span.end:
                changes["name"] = self._written_name(name, self.origin(node.span))
        return msgspec.structs.replace(node, **changes)

    def _written_name(self, name: Name, clause: Span) -> Name | None:
        """Return a name that an edit put in where it was written, if it was."""
        for token in raw_tokens(self._written, clause.start, clause.end):
            if token.text.strip("`'\"") == name.text:
                return msgspec.structs.replace(name, span=Span(token.start, token.end))
        return None

    def moved_fault(self, fault: Fault) -> Fault:
        """Return a fault of the draft with the spans of what was written."""
        fix = fault.fix
        if fix is not None:
            edits = tuple(Edit(self.origin(edit.span), edit.text) for edit in fix.edits)
            fix = Fix(fix.title, edits, fix.safety)
        related = tuple(
            msgspec.structs.replace(one, span=self.origin(one.span)) for one in fault.related
        )
        return msgspec.structs.replace(
            fault, span=self.origin(fault.span), related=related, fix=fix
        )


@cache
def _moving(kind: type[Node]) -> tuple[str, ...]:
    """Return the fields of a kind of node in which places can stand."""
    return tuple(
        field.name
        for field in msgspec.structs.fields(kind)
        if field.type not in _PLAIN
        and not (isinstance(field.type, type) and issubclass(field.type, Enum))
    )
