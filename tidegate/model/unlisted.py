"""A parsed file and the project's parameters come in; placeholders that are none of them go out."""

from collections.abc import Iterator, Set

from tidegate.grammar.nodes import OtherStatement, SetStatement
from tidegate.grammar.parser import ParsedFile
from tidegate.grammar.tokens import raw_tokens
from tidegate.model.binding_settings import BindSettings
from tidegate.model.pipeline import LocatedFault
from tidegate.model.placeholders import UNLISTED, is_foreign, placeholders
from tidegate.source.diagnostic import Fault
from tidegate.source.span import Span


def unlisted_placeholders(file: ParsedFile, settings: BindSettings) -> Iterator[LocatedFault]:
    """Name each ``${x}`` that neither the project, nor the call, nor a SET above it knows."""
    if settings.parameters is None or "${" not in file.source.text:
        return
    known = {*settings.parameters, *settings.variables, *settings.given}
    for statement in file.statements:
        if not isinstance(statement, OtherStatement):
            for name, span in _placeholders(file, statement.span):
                if name not in known and not is_foreign(name):
                    yield LocatedFault(file.source, _fault(name, span, known))
        if isinstance(statement, SetStatement):
            known.add(statement.key)


def _placeholders(file: ParsedFile, span: Span) -> Iterator[tuple[str, Span]]:
    # By tokens, since a placeholder in a comment asks for nothing.
    for token in raw_tokens(file.source.text, span.start, span.end):
        if "${" in token.text:
            for name, start, end in placeholders(token.text):
                yield name, Span(token.start + start, token.start + end)


def _fault(name: str, span: Span, known: Set[str]) -> Fault:
    from difflib import get_close_matches  # noqa: PLC0415  needed only in this case

    close = get_close_matches(name, sorted(known), n=1)
    meant = f"did you mean `${{{close[0]}}}`? Else give" if close else "give"
    return Fault(
        name=UNLISTED,
        span=span,
        message=f"`${{{name}}}` is none of the parameters that this project lists",
        help=f"{meant} it a value under [variables], in the pipeline's settings, or with SET above",
    )
