"""What a Python program declares comes in; nodes go out, and the text that spans are about."""

import ast
import re
from collections.abc import Callable, Iterable

import msgspec

from tidegate.grammar.hosted import Made
from tidegate.grammar.nodes import (
    CreateDataset,
    ExpectClause,
    Expression,
    Name,
    ObjectKind,
    OtherStatement,
    PythonRead,
    QualifiedName,
    Spelling,
    Statement,
)
from tidegate.grammar.python.calls import FLOWS, Declared, Loose
from tidegate.grammar.python.program import Program
from tidegate.grammar.python.reads import kind_of_body, reads_of
from tidegate.grammar.python.values import Rule, Text, Unknown, Wrong
from tidegate.grammar.tokens import trim
from tidegate.source.diagnostic import Fault, Severity
from tidegate.source.edit import Edit, Fix, Safety
from tidegate.source.holes import hole_text
from tidegate.source.span import Span
from tidegate.source.view import Encoding, Piece, PieceKind, plain

ReadPredicate = Callable[[str, int, int], tuple[Expression | None, tuple[Fault, ...]]]

_KINDS = {
    "materialized_view": ObjectKind.MATERIALIZED_VIEW,
    "view": ObjectKind.TEMPORARY_VIEW,
    "temporary_view": ObjectKind.TEMPORARY_VIEW,
    "create_streaming_table": ObjectKind.STREAMING_TABLE,
    "create_target_table": ObjectKind.STREAMING_TABLE,
    "create_streaming_live_table": ObjectKind.STREAMING_TABLE,
}
_LOST = "it is attached to no dataset"
_CANNOT_RUN = "its call cannot run"
_BARE = re.compile(r"\w+\Z", re.ASCII)


class _Laid(msgspec.Struct, frozen=True):
    """A rule, and where its parts stand in the block."""

    rule: Rule
    whole: Span
    name: Span | None
    action: Span
    body: Span
    wrong: tuple[tuple[Wrong, Span], ...]


class Layout:
    """Lays the text of one statement out, and makes its nodes once its place is known."""

    def __init__(self, program: Program, read: ReadPredicate) -> None:
        self._program = program
        self._read = read
        self._block: list[Piece] = []
        self._length = 0
        self._faults: list[Fault] = []

    def declared(self, found: Declared) -> Made | None:
        """Lay a dataset out; a flow without expectations is none."""
        if found.target.function in FLOWS:
            if not found.rules:
                return None
            reason = "a flow holds no expectations"
            return self.loose(Loose(rules=found.rules, span=found.target.span, reason=reason))
        whole = self._whole(found)
        self._mark(" ", Span(whole.start, whole.start))
        name = self._name(found)
        rules = [self._rule(rule) for rule in found.rules]
        body = found.node if not isinstance(found.node, ast.Call) else None
        kind = _KINDS.get(found.target.function) or kind_of_body(body)
        reads = [(self._put(text), streams) for text, streams in reads_of(body, self._program)]
        wrong = self._wrong(found.target.wrong)
        self._mark(" ", Span(whole.end, whole.end))

        def build(text: str, start: int) -> Statement:
            self._faults = [_fault(each, start) for each in wrong]
            items = tuple(self._clause(rule, text, start) for rule in rules)
            dataset = text[name.start + start : name.end + start]
            return CreateDataset(
                span=Span(start, start + self._length),
                kind=kind,
                spelling=Spelling.CURRENT,
                name=_qualified(text, _at(name, start)),
                head=Span(start, start),
                private=found.target.is_private,
                items=items,
                faults=tuple(
                    msgspec.structs.replace(each, dataset=dataset) for each in self._faults
                ),
                in_python=True,
                reads=tuple(
                    PythonRead(
                        span=_at(span, start),
                        name=_qualified(text, _at(span, start)),
                        streaming=streams,
                    )
                    for span, streams in reads
                ),
            )

        return Made(block=self._block, build=build)

    def loose(self, found: Loose) -> Made:
        """Lay out expectations that no dataset has."""
        self._mark(" ", Span(found.span.start, found.span.start))
        rules = [self._rule(rule) for rule in found.rules]
        self._mark(" ", Span(found.span.end, found.span.end))

        def build(text: str, start: int) -> Statement:
            self._faults = []
            whole = Span(start, start + self._length)
            clauses = [self._clause(rule, text, start, lost=_LOST) for rule in rules]
            fault = Fault(
                name="expectation-not-attached",
                span=whole,
                message=f"this expectation leaves no rule on any dataset: {found.reason}",
                help=found.help
                or "write it as a decorator of the function that returns the dataset",
                constraint=clauses[0].name.text if clauses and clauses[0].name else None,
            )
            return OtherStatement(
                span=whole,
                faults=(fault, *self._faults),
                expectations=tuple(clauses),
                in_python=True,
            )

        return Made(block=self._block, build=build)

    def untold(self, found: Wrong) -> Made:
        """Lay out a call that cannot run, and that declares nothing."""
        ((wrong, place),) = self._wrong((found,))

        def build(_text: str, start: int) -> Statement:
            return OtherStatement(
                span=_at(place, start), faults=(_fault((wrong, place), start),), in_python=True
            )

        return Made(block=self._block, build=build)

    # ------------------------------------------------------------ text

    def _whole(self, found: Declared) -> Span:
        span = self._program.span(found.node)
        if isinstance(found.node, ast.FunctionDef | ast.AsyncFunctionDef):
            marks = [self._program.span(each).start for each in found.node.decorator_list]
            # The at sign belongs to the decorator.
            start = min([self._program.text.rfind("@", 0, at) for at in marks], default=span.start)
            span = Span(min(start, span.start), span.end)
        return span

    def _mark(self, text: str, host: Span) -> None:
        self._block.append(Piece(PieceKind.MADE, text, host))
        self._length += len(text)

    def _put(self, pieces: Iterable[Piece]) -> Span:
        start = self._length
        for piece in pieces:
            self._block.append(piece)
            self._length += len(piece.text)
        span = Span(start, self._length)
        self._mark(" ", Span(self._block[-1].host.end, self._block[-1].host.end))
        return span

    def _name(self, found: Declared) -> Span:
        match found.target.name:
            case Text(pieces=pieces) if pieces:
                return self._put(pieces)
            case Unknown():
                return self._put((self._source(found.target.span),))
            case _:
                node = found.node
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                    at = self._program.span(node).start
                    start = self._program.text.index(node.name, at + len("def"))
                    place = Span(start, start + len(node.name))
                    return self._put((Piece(PieceKind.PLAIN, node.name, place),))
                return self._put((self._source(found.target.span),))

    def _source(self, span: Span) -> Piece:
        """Return what the program writes, where its value is not known."""
        written = " ".join(self._program.text[span.start : span.end].split())
        return Piece(PieceKind.MADE, hole_text(written), span)

    def _rule(self, rule: Rule) -> _Laid:
        start = self._length
        self._mark(" ", Span(rule.span.start, rule.span.start))
        known = rule.name if isinstance(rule.name, Text) else None
        name = self._put(known.pieces) if known and known.said else None
        action_span = rule.action_span
        written = self._program.text[action_span.start : action_span.end]
        action = self._put((Piece(PieceKind.PLAIN, written, action_span),))
        if isinstance(rule.predicate, Text):
            body = self._put(rule.predicate.pieces or (Piece(PieceKind.MADE, " ", rule.span),))
        else:
            body = self._put((self._source(rule.source),))
        wrong = self._wrong(rule.wrong)
        self._mark(" ", Span(rule.span.end, rule.span.end))
        return _Laid(rule, Span(start, self._length), name, action, body, wrong)

    def _wrong(self, found: Iterable[Wrong]) -> tuple[tuple[Wrong, Span], ...]:
        """Lay out what stands where a call is wrong; a name that can be mended as it is."""
        return tuple((each, self._put((self._place_of(each),))) for each in found)

    def _place_of(self, wrong: Wrong) -> Piece:
        if wrong.meant is None:
            return self._source(wrong.span)
        return plain(self._program.text, wrong.span.start, wrong.span.end, Encoding())

    # ------------------------------------------------------------ nodes

    def _clause(self, laid: _Laid, text: str, start: int, lost: str | None = None) -> ExpectClause:
        rule, body = laid.rule, _at(laid.body, start)
        start_of_body, end_of_body = trim(text, body.start, body.end)
        body = Span(min(start_of_body, end_of_body), end_of_body)
        name = None
        if laid.name is not None:
            span = _at(laid.name, start)
            said = text[span.start : span.end]
            name = Name(span=span, text=said, quoted=_BARE.match(said) is None)
        action_span = _at(laid.action, start)
        unknown = lost
        if isinstance(rule.predicate, Unknown) and lost is None:
            unknown = f"it is not statically known: {rule.predicate.reason}"
            unknown = _CANNOT_RUN if rule.wrong else unknown
        predicate = None
        if unknown is None:
            predicate, faults = self._read(text, body.start, body.end)
            self._faults += (_about(fault, name) for fault in faults)
        action = Name(span=action_span, text=rule.action, quoted=False) if rule.action else None
        self._faults += (_about(_fault(each, start), name) for each in laid.wrong)
        return ExpectClause(
            span=_at(laid.whole, start),
            name=name,
            predicate_span=body,
            predicate=predicate,
            action=action,
            violation_span=action_span if action else None,
            unknown=unknown,
        )


def _at(span: Span, start: int) -> Span:
    return Span(span.start + start, span.end + start)


def _qualified(text: str, span: Span) -> QualifiedName:
    """Make a name of a string: its parts stand between dots."""
    parts: list[Name] = []
    at = span.start
    for part in text[span.start : span.end].split("."):
        said = part.strip("`")
        parts.append(Name(span=Span(at, at + len(part)), text=said, quoted=said != part))
        at += len(part) + 1
    return QualifiedName(span=span, parts=tuple(parts))


def _about(fault: Fault, name: Name | None) -> Fault:
    if name is None or fault.constraint is not None:
        return fault
    return msgspec.structs.replace(fault, constraint=name.text)


def _fault(found: tuple[Wrong, Span], start: int) -> Fault:
    wrong, place = found[0], _at(found[1], start)
    fix = None
    if wrong.meant is not None:
        safety = Safety.SAFE if wrong.is_certain else Safety.UNSAFE
        fix = Fix(f"Write {wrong.meant}", (Edit(place, wrong.meant),), safety)
    return Fault(
        name=wrong.name,
        span=place,
        message=wrong.message,
        help=wrong.help,
        fix=fix,
        severity=Severity.WARNING if wrong.is_doubtful else None,
    )
