"""Findings come in; the same findings, each with a mark that survives moves, go out."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from hashlib import blake2b

import msgspec

from tidegate.grammar.nodes import CheckConstraint, ExpectClause
from tidegate.grammar.parser import ParsedFile
from tidegate.linter.sql_words import squeezed
from tidegate.linter.walk import children
from tidegate.source.diagnostic import Diagnostic

_LONGEST_SQUEEZED = 50_000


def with_fingerprints(findings: Iterable[Diagnostic], file: ParsedFile) -> Iterator[Diagnostic]:
    """Mark each finding by rule, dataset, constraint, predicate, and ordinal among equals.

    Lines do not count, and the file only where no dataset is known.
    """
    predicates = _Predicates(file)
    seen: dict[str, int] = {}
    for finding in findings:
        place = finding.path if finding.dataset is None else finding.dataset.casefold()
        constraint = (finding.constraint or "").casefold()
        predicate = predicates.mark_at(finding.span.start)
        key = "\0".join((finding.name, place, constraint, predicate))
        ordinal = seen[key] = seen.get(key, 0) + 1
        yield msgspec.structs.replace(finding, fingerprint=_hashed(f"{key}\0{ordinal}"))


class _Predicates:
    """The predicates of a file by their place, each reduced to a mark when first asked for."""

    def __init__(self, file: ParsedFile) -> None:
        self.file = file
        self.gates = sorted(
            (node.span, node.predicate_span)
            for statement in file.statements
            for child in children(statement)
            for node in (child, *children(child))
            if isinstance(node, ExpectClause | CheckConstraint)
        )
        self.marks: dict[int, str] = {}

    def mark_at(self, offset: int) -> str:
        at = bisect_right(self.gates, offset, key=lambda pair: pair[0].start) - 1
        if at < 0 or self.gates[at][0].end < offset:
            return ""
        if at not in self.marks:
            written = self.file.source.slice(self.gates[at][1])
            # Beyond a certain length only blanks are evened out: no one reformats such a text.
            even = squeezed if len(written) <= _LONGEST_SQUEEZED else _without_blanks
            self.marks[at] = _hashed(even(written))
        return self.marks[at]


def _without_blanks(text: str) -> str:
    return " ".join(text.split())


def _hashed(text: str) -> str:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
