"""The Python of a file comes in; the datasets that its decorators make go out as statements.

They are nodes like those of SQL, so that all rules see them; the query is not known.
"""

import re

from tidegate.grammar.hosted import Made
from tidegate.grammar.python.layout import Layout, ReadPredicate
from tidegate.grammar.python.program import DEEP, parse_program
from tidegate.grammar.python.running import Runner
from tidegate.source.hosts import PythonText, Unread

_CONCERNS = re.compile(r"\bdlt\b|\bpipelines\b|\bexpect|\bdp\b")


def python_statements(
    python: PythonText, read: ReadPredicate
) -> tuple[list[Made], tuple[Unread, ...]]:
    """Return what a program declares, and what of it could not be read."""
    if not _CONCERNS.search(python.text):
        return [], ()
    program, unread = parse_program(python)
    if program is None:
        return [], tuple(unread)
    try:
        runner = Runner(program)
        runner.run()
    except RecursionError:
        return [], (*unread, Unread(offset=0, reason=DEEP, help="take it apart"))
    found = [Layout(program, read).declared(each) for each in runner.declared]
    found += [Layout(program, read).loose(each) for each in runner.loose.values()]
    found += [Layout(program, read).untold(each) for each in runner.untold()]
    return [each for each in found if each is not None], tuple(unread)
