"""The written grammar comes in; LALR tables as plain data go out, by Lark's own analysis.

Only scripts/bake.py, the Lark driver and tests come here: nothing that a check needs imports lark.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
from lark import Lark
from lark.lexer import Lexer as LarkLexer
from lark.lexer import Token
from lark.parsers.lalr_analysis import Shift

GRAMMAR = Path(__file__).with_name("lakeflow.lark")
STARTS = ("statement", "item", "clause", "predicate", "alteration", "signature")


class Reduction(msgspec.Struct, frozen=True):
    """One production as the driver needs it."""

    origin: str
    size: int
    builder: str | None
    """Which function makes its value; ``None``: the list of children is passed on for splicing."""
    splices: tuple[int, ...]
    """Which children are lists to be spliced in."""
    unwraps: bool
    """Whether a single child stands for the whole."""


class Tables(msgspec.Struct, frozen=True):
    """Rows by state; a shift or goto is the next state, a reduction ``~index``."""

    rows: list[dict[str, int]]
    starts: dict[str, int]
    ends: dict[str, int]
    reductions: list[Reduction]
    words: list[str]


class _NoLexer(LarkLexer):
    __future_interface__ = 2

    def __init__(self, conf: object) -> None:
        del conf

    def lex(self, lexer_state: object, parser_state: object) -> Iterator[Token]:
        del lexer_state, parser_state
        return iter(())


def open_grammar(lexer: type[LarkLexer] = _NoLexer, transformer: object | None = None) -> Lark:
    """Return Lark's own parser over the written grammar."""
    return Lark(
        GRAMMAR.read_text(encoding="utf-8"),
        parser="lalr",
        lexer=lexer,
        start=list(STARTS),
        keep_all_tokens=True,
        maybe_placeholders=False,
        transformer=transformer,
    )


def analyze() -> Tables:
    """Compute the tables, with states numbered in the order in which they are reached."""
    parser = open_grammar()
    table = parser.parser.parser._parse_table
    order: dict[int, int] = {}
    queue = [table.start_states[start] for start in STARTS]
    for state in queue:
        if state in order:
            continue
        order[state] = len(order)
        row = table.states[state]
        queue += [row[symbol][1] for symbol in sorted(row) if row[symbol][0] is Shift]
    reductions: dict[object, int] = {}
    found: list[Reduction] = []

    def number_of(rule: object) -> int:
        if rule not in reductions:
            reductions[rule] = len(found)
            found.append(_reduction(rule))
        return reductions[rule]

    return Tables(
        [_row(table.states[state], order, number_of) for state in order],
        {start: order[table.start_states[start]] for start in STARTS},
        {start: order[table.end_states[start]] for start in STARTS},
        found,
        _words(parser),
    )


def _words(parser: Lark) -> list[str]:
    """Return the terminals that are declared without a pattern: they are spelt like their names."""
    spelt = {terminal.name for terminal in parser.terminals}
    used = {
        str(symbol.name)
        for rule in parser.rules
        for symbol in rule.expansion
        if symbol.is_term and symbol.name not in spelt
    }
    return sorted(used)


def _row(
    row: dict[str, tuple[object, object]],
    order: dict[int, int],
    number_of: Callable[[object], int],
) -> dict[str, int]:
    out: dict[str, int] = {}
    for symbol in sorted(row):
        action, argument = row[symbol]
        out[str(symbol)] = order[argument] if action is Shift else ~number_of(argument)  # type: ignore[index]
    return out


def _reduction(rule: object) -> Reduction:
    # The rule classes of lark carry no types.
    origin = str(rule.origin.name)  # type: ignore[attr-defined]
    expansion = rule.expansion  # type: ignore[attr-defined]
    alias = str(rule.alias) if rule.alias else None  # type: ignore[attr-defined]
    splices = tuple(
        place
        for place, symbol in enumerate(expansion)
        if not symbol.is_term and symbol.name.startswith("_")
    )
    builder = None if origin.startswith("_") else alias or origin
    unwraps = bool(rule.options.expand1 and not alias)  # type: ignore[attr-defined]
    return Reduction(origin, len(expansion), builder, splices, unwraps)


_HEADER = '''"""The LALR tables of lakeflow.lark, written by scripts/bake.py: change the grammar."""

STARTS = {starts!r}

ENDS = {ends!r}

WORDS = {words!r}

# Origin, size, builder, children to splice in, whether one child stands for the whole.
REDUCTIONS = (
{reductions}
)

# A row of JSON for each state: a shift or goto is the next state, a reduction its complement.
ROWS = (
{rows}
)
'''


def bake() -> str:
    """Return the text of ``_tables.py``."""
    tables = analyze()
    reductions = "\n".join(
        f"    ({one.origin!r}, {one.size}, {one.builder!r}, {one.splices!r}, {one.unwraps!r}),"
        for one in tables.reductions
    )
    rows = "\n".join(f"    {msgspec.json.encode(row).decode()!r}," for row in tables.rows)
    return _HEADER.format(
        starts=tables.starts,
        ends=tables.ends,
        words=tuple(tables.words),
        reductions=reductions,
        rows=rows,
    )
