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
from tidegate.source.span import Span


def with_fingerprints(findings: Iterable[Diagnostic], file: ParsedFile) -> Iterator[Diagnostic]:
    """Mark each finding by rule, dataset, constraint, predicate, and ordinal among equals.

    Lines do not count, and the file only where no dataset is known.
    """
    predicates = _predicates(file)
    seen: dict[str, int] = {}
    for finding in findings:
        place = finding.path if finding.dataset is None else finding.dataset.casefold()
        constraint = (finding.constraint or "").casefold()
        predicate = _predicate_at(predicates, finding.span, file)
        key = "\0".join((finding.name, place, constraint, predicate))
        ordinal = seen[key] = seen.get(key, 0) + 1
        mark = blake2b(f"{key}\0{ordinal}".encode(), digest_size=8).hexdigest()
        yield msgspec.structs.replace(finding, fingerprint=mark)


def _predicates(file: ParsedFile) -> list[tuple[Span, Span]]:
    """Return the spans of all gates and of their predicates, in the order of the text."""
    return sorted(
        (node.span, node.predicate_span)
        for statement in file.statements
        for child in children(statement)
        for node in (child, *children(child))
        if isinstance(node, ExpectClause | CheckConstraint)
    )


def _predicate_at(predicates: list[tuple[Span, Span]], span: Span, file: ParsedFile) -> str:
    at = bisect_right(predicates, span.start, key=lambda pair: pair[0].start) - 1
    if at < 0 or predicates[at][0].end < span.start:
        return ""
    return squeezed(file.source.slice(predicates[at][1]))
