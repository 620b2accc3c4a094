"""Statements come in; each goes out as SQL, written anew from its tree."""

from collections.abc import Iterator

from tidegate.grammar.nodes import BrokenStatement, OtherStatement
from tidegate.grammar.printing.printer import print_statements
from tidegate.report.counting import counted
from tidegate.report.statements import ParseResult
from tidegate.report.terminal import visible


def render_sql(result: ParseResult) -> Iterator[str]:
    """Yield the statements of each file; of several files, under their names."""
    for place, file in enumerate(result.files):
        source = file.parsed.source
        if len(result.files) > 1:
            yield f"{chr(10) if place else ''}-- {visible(source.path)}\n\n"
        text = print_statements(file.parsed.statements, source.text)
        yield text if source.view is None else source.view.spelled(text)


def as_written(result: ParseResult) -> Iterator[str]:
    """Say how many statements stand as they were written, because no tree tells all of them."""
    statements = [one for file in result.files for one in file.parsed.statements]
    broken = sum(isinstance(one, BrokenStatement) or bool(one.faults) for one in statements)
    other = sum(isinstance(one, OtherStatement) and not one.faults for one in statements)
    if broken:
        yield f"as written: {counted(broken, 'statement')} with faults"
    if other:
        yield f"as written: {counted(other, 'statement')} of other kinds"
