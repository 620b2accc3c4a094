"""A list item that stopped a parse comes in; what was meant, if that is plain, goes out."""

from tidegate.grammar.building.pieces import backticked, unquote
from tidegate.grammar.driver import Failure
from tidegate.grammar.lexer import END
from tidegate.grammar.recovery.action_repairs import (
    VIOLATION_REPAIRS,
    action_before_expect,
    replaced,
)
from tidegate.grammar.recovery.actions import meant_action
from tidegate.grammar.recovery.mending import Repair
from tidegate.grammar.recovery.messages import unexpected_misspelt
from tidegate.grammar.recovery.stretch import (
    Stretch,
    insertion,
    is_near,
    safe,
    spaced,
    syntax_fault,
    unsafe,
)
from tidegate.grammar.tokens import STRING, word_set
from tidegate.source.diagnostic import Fault
from tidegate.source.edit import Edit
from tidegate.source.span import Span

_KEYS = word_set("EXPECT CHECK PRIMARY FOREIGN UNIQUE")
# What goes on with a predicate whose parentheses were taken for its own.
_GOES_ON = word_set(
    "AND OR IS IN NOT LIKE ILIKE RLIKE REGEXP BETWEEN DIV = == <> != < <= > >= <=> + - * / % || . "
    "[ :: & | ^"
)
_EXPECT_SYNONYMS = word_set("EXPECTATION EXPECTED EXPECTING ENSURE ASSERT REQUIRE REQUIRES")
_ACTION_WORDS = word_set("DROP FAIL")
# A name no one sees: what stands for a missing one is taken out of the tree again.
_NO_NAME = "unnamed"
_MOST_NAME_TOKENS = 8


def repair_item(text: str, failure: Failure) -> Repair | None:
    """Return what an item was meant to be."""
    item = Stretch(text, failure)
    if item.is_cut:
        return None
    for suggest in _SUGGESTIONS:
        if repair := suggest(item):
            return repair
    return None


# ---------------------------------------------------------------- CONSTRAINT and the name


def _missing_name(item: Stretch) -> Repair | None:
    """``CONSTRAINT EXPECT (`` and bare ``EXPECT (``."""
    if item.word(0) == "CONSTRAINT" and item.word(1) == "EXPECT" and item.at == 2:
        where, edit = item.span(1, 2), insertion(item.end_of(0), f" {_NO_NAME}")
        if item.word(2) in ("ON", ""):
            return None
    elif item.word(0) == "EXPECT" and item.is_word(0) and _opens_predicate(item):
        where, edit = item.span(0, 1), insertion(0, f"CONSTRAINT {_NO_NAME} ")
    else:
        return None
    fault = Fault(
        name="missing-constraint-name",
        span=where,
        message="this expectation has no name",
        help="write `CONSTRAINT name EXPECT (...)`: the name is the key of its metric",
    )
    return Repair(edits=(edit,), fault=fault)


def _opens_predicate(item: Stretch) -> bool:
    """Tell EXPECT and a predicate from a column of this name: its type would follow, and go on."""
    if item.word(1) == "(":
        return item.at == 1
    place = item.at + 1 if item.failure.reason else item.at
    return place >= 2 and item.word(place) in _GOES_ON


def _misspelt_constraint(item: Stretch) -> Repair | None:
    """``CONSTRANT a EXPECT`` reads as a column and its type."""
    key = 2 if item.word(2) in _KEYS or _is_expect(item, 2) else 0
    if not key or item.at > key + 1 or not item.is_word(0) or item.word(0) == "CONSTRAINT":
        return None
    if not is_near(item.word(0), "CONSTRAINT"):
        return None
    edit = Edit(item.span(0, 1), "CONSTRAINT")
    fault = syntax_fault(
        item.span(0, 1),
        f"found `{item.tokens[0].text}` before a name and `{item.word(2)}`: "
        "did you mean `CONSTRAINT`?",
        "write `CONSTRAINT`",
        unsafe("Write CONSTRAINT", edit),
    )
    return Repair(edits=(edit,), fault=fault)


def _missing_constraint_word(item: Stretch) -> Repair | None:
    """Take ``a EXPECT (`` for an expectation."""
    if not item.is_name(0) or item.word(1) != "EXPECT" or item.word(2) != "(":
        return None
    if item.word(0) == "CONSTRAINT":
        return None
    edit = insertion(0, "CONSTRAINT ")
    fault = syntax_fault(
        Span(0, item.end_of(0)),
        f"`CONSTRAINT` is missing before the name `{item.tokens[0].text}`",
        "write `CONSTRAINT` before the name",
        unsafe("Insert CONSTRAINT", edit),
    )
    return Repair(edits=(edit,), fault=fault)


def _name_behind_expect(item: Stretch) -> Repair | None:
    """``EXPECT name (...)``."""
    at = 1 if item.word(0) == "CONSTRAINT" and item.word(1) == "EXPECT" else 0
    if item.word(at) != "EXPECT" or item.word(at + 2) != "(" or not at + 1 <= item.at <= at + 3:
        return None
    is_string = item.tokens[at + 1].kind == STRING
    if not (is_string or item.is_name(at + 1)) or item.closing(at + 2) == len(item.tokens):
        return None
    name = item.tokens[at + 1].text
    if is_string:
        name = backticked(name[1:-1])
    word = "" if at else "CONSTRAINT "
    edits = (
        insertion(item.start_of(at), f"{word}{name} "),
        Edit(Span(item.end_of(at), item.end_of(at + 1)), ""),
    )
    fault = Fault(
        name="missing-constraint-name",
        span=item.span(at + 1, at + 2),
        message=f"the name `{name.strip('`')}` stands behind EXPECT, not before it",
        help="write `CONSTRAINT name EXPECT (...)`",
        fix=safe("Put the name before EXPECT", *edits),
    )
    return Repair(edits=edits, fault=fault)


def _odd_name(item: Stretch) -> Repair | None:
    """Put a name that is no identifier in backticks: hyphens, blanks, dots, quotes in it."""
    if item.word(0) != "CONSTRAINT" or not 1 <= item.at <= _MOST_NAME_TOKENS:
        return None
    stop = next(
        (
            place
            for place in range(2, min(len(item.tokens), _MOST_NAME_TOKENS + 2))
            if item.word(place) in _KEYS and item.is_word(place)
        ),
        0,
    )
    names = item.tokens[1:stop]
    is_string = len(names) == 1 and names[0].kind == STRING
    if not is_string and (len(names) < 2 or item.at >= stop):
        return None
    if any(token.text.upper() in ("(", ")", ",", "ON", "<", ">") for token in names):
        return None
    where = item.span(1, stop)
    written = item.text[where.start : where.end]
    inner = written[1:-1] if is_string else unquote(written) if len(names) == 1 else written
    edit = Edit(where, backticked(inner))
    fault = syntax_fault(
        where,
        f"`{written}` is no plain name: such a name stands in backticks",
        "put the name in backticks",
        safe("Put it in backticks", edit),
    )
    return Repair(edits=(edit,), fault=fault)


# ---------------------------------------------------------------- EXPECT and the predicate


def _is_expect(item: Stretch, place: int) -> bool:
    word = item.word(place)
    return item.is_word(place) and (word in _EXPECT_SYNONYMS or is_near(word, "EXPECT"))


def _misspelt_expect(item: Stretch) -> Repair | None:
    if not {"EXPECT", "CHECK"} <= item.expected or not _is_expect(item, item.at):
        return None
    return replaced(item, "EXPECT", where="item")


def _expect_with_action(item: Stretch) -> Repair | None:
    """``EXPECT OR DROP (...)`` and ``EXPECT_OR_FAIL (...)``, as the decorators are called."""
    at = item.at
    if item.word(at - 1) == "EXPECT" and item.word(at) == "OR":
        first, opening, word = at, at + 2, item.word(at + 1)
        edits = [Edit(Span(item.end_of(at - 1), item.end_of(at + 1)), "")]
    elif "EXPECT" in item.expected and item.word(at) in ("EXPECT_OR_DROP", "EXPECT_OR_FAIL"):
        first, opening, word = at, at + 1, item.word(at)[-4:]
        edits = [Edit(item.span(at, at + 1), "EXPECT")]
    else:
        return None
    closing = item.closing(opening)
    if word not in _ACTION_WORDS or item.word(opening) != "(" or closing == len(item.tokens):
        return None
    action = meant_action(word)
    if not item.has_violation():
        edits.append(insertion(item.end_of(closing), f" ON VIOLATION {action}"))
    fault = syntax_fault(
        item.span(first, opening),
        f"`{item.text[item.start_of(first) : item.end_of(opening - 1)]}` is Python: in SQL the "
        "action stands behind the predicate",
        f"write `EXPECT (...) ON VIOLATION {action}`",
        unsafe(f"Write ON VIOLATION {action}", *edits),
    )
    return Repair(edits=tuple(edits), fault=fault)


def _missing_expect(item: Stretch) -> Repair | None:
    """``CONSTRAINT name (``, and the same without parentheses."""
    at = item.at
    if not {"EXPECT", "CHECK"} <= item.expected or at < 2 or item.word(at - 2) != "CONSTRAINT":
        return None
    at_end = item.end_of(at - 1)
    if item.word(at) == "(":
        edits: tuple[Edit, ...] = (spaced(item.text, at_end, "EXPECT"),)
    elif item.at < len(item.tokens) and item.word(at + 1) in _GOES_ON:
        wrapped = _wrap(item, at)
        edits = (insertion(at_end, " EXPECT"), *wrapped)
    else:
        return None
    title = "Insert EXPECT"
    fault = Fault(
        name="missing-expect-keyword",
        span=item.span(at, at + 1),
        message=f"`EXPECT` is missing between the name `{item.tokens[at - 1].text}` and its "
        "predicate",
        help="write `CONSTRAINT name EXPECT (...)`",
        fix=safe(title, *edits) if item.has_violation() else unsafe(title, *edits),
    )
    return Repair(edits=edits, fault=fault)


def _missing_parentheses(item: Stretch) -> Repair | None:
    """``EXPECT x > 0``."""
    at = item.at
    if item.expected != {"LPAR"} or item.word(at - 1) != "EXPECT":
        return None
    if at == len(item.tokens) or item.violation(at) == at:
        return None
    return _unparenthesised(item, at)


def _outgrown_parentheses(item: Stretch) -> Repair | None:
    """``EXPECT (a) > 0``: the first parentheses belong to an operand."""
    at = item.at
    if END not in item.expected or item.word(at - 1) != ")" or item.word(at) not in _GOES_ON:
        return None
    expect = next((p for p in range(1, at) if item.word(p) == "EXPECT"), None)
    if expect is None or item.word(expect + 1) != "(":
        return None
    return _unparenthesised(item, expect + 1)


def _unparenthesised(item: Stretch, first: int) -> Repair:
    edits = _wrap(item, first)
    stop = item.violation(first)
    fault = Fault(
        name="unparenthesised-expectation",
        span=item.span(first, stop),
        message="the predicate stands without parentheses around the whole of it",
        help="write `EXPECT (...)`",
        fix=safe("Put the predicate in parentheses", *edits),
    )
    return Repair(edits=edits, fault=fault)


def _wrap(item: Stretch, first: int) -> tuple[Edit, ...]:
    """Put parentheses around a predicate, those that are not there."""
    stop = item.violation(first)
    depth = lowest = 0
    for token in item.tokens[first:stop]:
        depth += (token.text == "(") - (token.text == ")")
        lowest = min(lowest, depth)
    start = item.tokens[first].start
    before = "" if item.text[start - 1 : start].isspace() else " "
    opening = insertion(start, f"{before}(")
    if lowest == -1 and item.word(stop - 1) == ")":
        return (opening,)
    return (opening, insertion(item.end_of(stop - 1), ")"))


def _unclosed(item: Stretch) -> Repair | None:
    """Close a parenthesis before ON VIOLATION, or at the end."""
    if item.at < len(item.tokens) or "RPAR" not in item.expected:
        return None
    opened: list[int] = []
    for place, token in enumerate(item.tokens):
        if token.text == "(":
            opened.append(place)
        elif token.text == ")" and opened:
            opened.pop()
    if not opened:
        return None
    stop = item.violation(opened[0])
    edit = insertion(item.end_of(stop - 1), ")" * len(opened))
    fault = syntax_fault(
        item.span(opened[-1], opened[-1] + 1),
        "the parenthesis opened here is never closed",
        "close it with `)`",
    )
    return Repair(edits=(edit,), fault=fault)


def _extra_closing(item: Stretch) -> Repair | None:
    if item.word(item.at) != ")" or (item.at and END not in item.expected):
        return None
    where = item.span(item.at, item.at + 1)
    fault = syntax_fault(where, "this `)` closes nothing", "remove it")
    return Repair(edits=(Edit(where, ""),), fault=fault)


def _closing_in_head(item: Stretch) -> Repair | None:
    """``CONSTRAINT a ) EXPECT (``: nothing is open there."""
    place = next((place for place in (1, 2, 3) if item.word(place) in ("(", ")")), 0)
    if item.word(0) != "CONSTRAINT" or item.word(place) != ")":
        return None
    where = item.span(place, place + 1)
    fault = syntax_fault(where, "this `)` closes nothing", "remove it")
    return Repair(edits=(Edit(where, ""),), fault=fault)


def _empty_parentheses(item: Stretch) -> Repair | None:
    """Leave out ``()``, unless it is the predicate or the columns that are missing in it."""
    opening = item.at - (item.word(item.at) == ")")
    if item.word(opening) != "(" or item.word(opening + 1) != ")":
        return None
    if item.word(opening - 1) in ("EXPECT", "CHECK", "KEY", "UNIQUE"):
        return None
    where = item.span(opening, opening + 2)
    fault = syntax_fault(where, "there is nothing in these parentheses", "remove them")
    return Repair(edits=(Edit(where, ""),), fault=fault)


# ---------------------------------------------------------------- anything


def _misspelt(item: Stretch) -> Repair | None:
    return misspelt(item, "item")


def misspelt(stretch: Stretch, where: str) -> Repair | None:
    """Read the keyword that a word is closest to."""
    found = unexpected_misspelt(stretch.failure, stretch.text, where)
    if found is None:
        return None
    keyword, fault = found
    return Repair(edits=(Edit(stretch.failure.span, keyword),), fault=fault)


_SUGGESTIONS = (
    _closing_in_head,
    _expect_with_action,
    _misspelt_constraint,
    action_before_expect,
    _name_behind_expect,
    _missing_name,
    _misspelt_expect,
    _missing_constraint_word,
    _odd_name,
    _missing_expect,
    _missing_parentheses,
    _outgrown_parentheses,
    *VIOLATION_REPAIRS,
    _empty_parentheses,
    _extra_closing,
    _unclosed,
    _misspelt,
)
