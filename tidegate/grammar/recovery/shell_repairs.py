"""A statement that stopped a parse outside its list comes in; what was meant goes out.

What is not understood costs its clause alone: the statement is read without it.
"""

from tidegate.grammar.building.pieces import backticked
from tidegate.grammar.depth import TOO_DEEP
from tidegate.grammar.driver import Failure
from tidegate.grammar.recovery.action_repairs import replaced
from tidegate.grammar.recovery.item_repairs import misspelt
from tidegate.grammar.recovery.mending import Repair
from tidegate.grammar.recovery.messages import explain, extra_comma, nearest, unexpected
from tidegate.grammar.recovery.stretch import Stretch, insertion, safe, spaced, syntax_fault, unsafe
from tidegate.grammar.tokens import OPERATOR, STRING, word_set
from tidegate.source.diagnostic import Fault
from tidegate.source.edit import Edit
from tidegate.source.span import Span

_QUERY_WORDS = word_set("SELECT WITH FROM VALUES")
_SYNONYMS = {
    "PARTITION": "PARTITIONED",
    "PARTITIONS": "PARTITIONED",
    "CLUSTERED": "CLUSTER",
    "PROPERTIES": "TBLPROPERTIES",
    "TABLE_PROPERTIES": "TBLPROPERTIES",
    "DESCRIPTION": "COMMENT",
    "COMMENTS": "COMMENT",
    "KEY": "KEYS",
    "EXCLUDE": "EXCEPT",
}
_CLAUSE_WORDS = word_set(
    "COMMENT TBLPROPERTIES PARTITIONED CLUSTER USING LOCATION OPTIONS SCHEDULE TRIGGER REFRESH "
    "WITH DEFAULT"
)
_STOP_WORDS = word_set("AS FLOW")
_HEAD_WORDS = word_set(
    "OR REFRESH REPLACE PRIVATE TEMPORARY TEMP STREAMING INCREMENTAL LIVE MATERIALIZED TABLE VIEW"
)
# Heads that nothing has, and what is read in their place.
_HEADS = {
    ("STREAMING", "VIEW"): ("TEMPORARY", "VIEW"),
    ("STREAM", "TABLE"): ("STREAMING", "TABLE"),
    ("STREAM", "VIEW"): ("TEMPORARY", "VIEW"),
    ("TEMPORARY", "STREAMING", "VIEW"): ("TEMPORARY", "VIEW"),
    ("TEMP", "STREAMING", "VIEW"): ("TEMPORARY", "VIEW"),
    ("STREAMING", "TEMPORARY", "VIEW"): ("TEMPORARY", "VIEW"),
    ("STREAMING", "MATERIALIZED", "VIEW"): ("MATERIALIZED", "VIEW"),
    ("MATERIALIZED", "STREAMING", "VIEW"): ("MATERIALIZED", "VIEW"),
    ("MATERIALIZED", "TABLE"): ("MATERIALIZED", "VIEW"),
    ("LIVE", "MATERIALIZED", "VIEW"): ("MATERIALIZED", "VIEW"),
    ("MATERIALIZED", "LIVE", "VIEW"): ("MATERIALIZED", "VIEW"),
    ("MATERIALIZED", "STREAMING", "TABLE"): ("STREAMING", "TABLE"),
    ("STREAMING", "MATERIALIZED", "TABLE"): ("STREAMING", "TABLE"),
    ("STREAMING", "DELTA", "TABLE"): ("STREAMING", "TABLE"),
    ("LIVE", "STREAMING", "TABLE"): ("STREAMING", "LIVE", "TABLE"),
    ("LIVE", "STREAMING", "VIEW"): ("STREAMING", "LIVE", "VIEW"),
    ("STREAMING", "PRIVATE", "TABLE"): ("PRIVATE", "STREAMING", "TABLE"),
    ("STREAMING", "TEMPORARY", "TABLE"): ("TEMPORARY", "STREAMING", "TABLE"),
    ("MATERIALIZED", "PRIVATE", "VIEW"): ("PRIVATE", "MATERIALIZED", "VIEW"),
}


def repair_shell(text: str, failure: Failure) -> Repair | None:
    """Return what a statement was meant to be outside its list."""
    if failure.reason == TOO_DEEP:
        return None
    shell = Stretch(text, failure)
    for suggest in _SUGGESTIONS:
        if repair := suggest(shell):
            return repair
    return None


# ---------------------------------------------------------------- the head


def _missing_or(shell: Stretch) -> Repair | None:
    """``CREATE REFRESH STREAMING TABLE``."""
    at = shell.at
    if "OR" not in shell.expected or shell.word(at) not in ("REFRESH", "REPLACE"):
        return None
    edit = spaced(shell.text, shell.start_of(at), "OR")
    fault = syntax_fault(
        shell.span(at, at + 1),
        f"`OR` is missing before `{shell.tokens[at].text}`",
        "write `OR` before it",
        unsafe("Insert OR", edit),
    )
    return Repair(edits=(edit,), fault=fault)


def _wrong_head(shell: Stretch) -> Repair | None:
    """``CREATE STREAMING VIEW``, ``CREATE LIVE STREAMING TABLE``."""
    if shell.word(0) != "CREATE":
        return None
    first = 3 if shell.word(1) == "OR" else 1
    for size in (2, 3):
        words = tuple(shell.word(first + ahead) for ahead in range(size))
        meant = _HEADS.get(words)
        if meant and first <= shell.at < first + size:
            break
    else:
        return None
    where = shell.span(first, first + size)
    edit = Edit(where, " ".join(meant))
    said = " ".join(words)
    is_order = sorted(words) == sorted(meant)
    fault = Fault(
        name="wrong-dataset-keyword",
        span=where,
        message=f"there is no {said}"
        + (f": the words stand in the order {' '.join(meant)}" if is_order else ""),
        help=f"write {' '.join(meant)}"
        + (" or STREAMING TABLE" if said.endswith("STREAMING VIEW") else ""),
        fix=unsafe(f"Write {' '.join(meant)}", edit),
    )
    return Repair(edits=(edit,), fault=fault)


# ---------------------------------------------------------------- the query


def _missing_as(shell: Stretch) -> Repair | None:
    """``) COMMENT 'x' SELECT 1``."""
    at = shell.at
    if "AS" not in shell.expected or at == len(shell.tokens):
        return None
    opening = at
    while shell.word(opening) == "(":
        opening += 1
    if shell.word(opening) not in _QUERY_WORDS or not shell.is_word(opening):
        return None
    if shell.word(at - 1) == "AS" and shell.word(at - 2) in ("TABLE", "VIEW"):
        where = shell.span(at - 1, at)
        fault = syntax_fault(where, "found `AS`, expected a name", "name the dataset before AS")
        return Repair(edits=(insertion(where.start, ""),), fault=fault)
    edit = spaced(shell.text, shell.start_of(at), "AS")
    fault = Fault(
        name="missing-as-before-query",
        span=shell.span(at, at + 1),
        message=f"`AS` is missing before the query that starts with `{shell.tokens[opening].text}`",
        help="write `AS` before the query",
        fix=safe("Insert AS", edit),
    )
    return Repair(edits=(edit,), fault=fault)


# ---------------------------------------------------------------- clauses


def _synonym(shell: Stretch) -> Repair | None:
    meant = _SYNONYMS.get(shell.word(shell.at))
    if meant is None or meant not in shell.expected or not shell.is_word(shell.at):
        return None
    return replaced(shell, meant, where="statement")


def _misspelt(shell: Stretch) -> Repair | None:
    return misspelt(shell, "statement")


def _misspelt_before(shell: Stretch) -> Repair | None:
    """``FROM STREAM s KESY (id)``: the misspelt word was read as an alias."""
    at = shell.at - 1
    if at < 1 or not shell.is_word(at):
        return None
    guess = nearest(shell.tokens[at].text, shell.failure.expected)
    if guess is None:
        return None
    where = shell.span(at, at + 1)
    edit = Edit(where, guess)
    fault = syntax_fault(
        where,
        f"found `{shell.tokens[at].text}`; did you mean `{guess}`?",
        f"write `{guess}`",
        unsafe(f"Write {guess}", edit),
    )
    return Repair(edits=(edit,), fault=fault)


def _flow_with_list(shell: Stretch) -> Repair | None:
    """``CREATE FLOW f (CONSTRAINT ...)``: explained, and left broken."""
    at = shell.at
    if shell.word(1) != "FLOW" or shell.word(at) != "(" or "AS" not in shell.expected:
        return None
    fault = Fault(
        name="wrong-dataset-keyword",
        span=shell.span(at, at + 1),
        message="a flow takes no list: columns and expectations belong to its target",
        help="write them in the CREATE of the target",
    )
    return Repair(edits=(insertion(shell.start_of(at), ""),), fault=fault)


def _bare_columns(shell: Stretch) -> Repair | None:
    """``CLUSTER BY a, b``: put the columns in parentheses."""
    at = shell.at
    if "LPAR" not in shell.expected or not shell.is_name(at):
        return None
    if shell.word(at - 1) not in ("BY", "KEYS", "USING", "ON"):
        return None
    stop = at + 1
    while shell.word(stop) in (",", ".") and shell.is_name(stop + 1):
        stop += 2
    edits = (insertion(shell.start_of(at), "("), insertion(shell.end_of(stop - 1), ")"))
    where = shell.span(at, stop)
    words = unexpected(shell.failure, shell.tokens[at].text, "statement")
    fault = syntax_fault(
        where,
        f"{words}: the columns stand in parentheses",
        "put the columns in parentheses",
        unsafe("Put them in parentheses", *edits),
    )
    return Repair(edits=edits, fault=fault)


def _extra_token(shell: Stretch) -> Repair | None:
    """Leave out a comma between clauses, ``=`` before a value, ``)`` that closes nothing."""
    at, word = shell.at, shell.word(shell.at)
    if at == len(shell.tokens) or shell.tokens[at].kind != OPERATOR:
        return None
    where = shell.span(at, at + 1)
    edit = Edit(where, "")
    if word == "," and "AS" in shell.expected:
        return Repair(edits=(edit,), fault=extra_comma(where))
    if word == ")" and _depth(shell) == 0:
        fault = syntax_fault(where, "this `)` closes nothing", "remove it")
        return Repair(edits=(edit,), fault=fault)
    following = shell.tokens[at + 1] if at + 1 < len(shell.tokens) else None
    fits = following and (
        (following.kind == STRING and "STRING" in shell.expected)
        or (following.text == "(" and "LPAR" in shell.expected)
    )
    if word == ":" and {"EQUAL", "STRING"} <= shell.expected:
        message = unexpected(shell.failure, word, "statement")
        fault = syntax_fault(where, message, "write `=`", unsafe("Write =", Edit(where, "=")))
        return Repair(edits=(Edit(where, "="),), fault=fault)
    if word in ("=", ":") and fits:
        message = unexpected(shell.failure, word, "statement")
        return Repair(edits=(edit,), fault=syntax_fault(where, message, "remove it"))
    return None


def _depth(shell: Stretch) -> int:
    """Return how many parentheses are open where the parse stopped."""
    depth = 0
    for token in shell.tokens[: shell.at]:
        depth += (token.text == "(") - (token.text == ")" and depth > 0)
    return depth


def _unclosed(shell: Stretch) -> Repair | None:
    """Close a parenthesis before the next clause."""
    at = shell.at
    is_next = at == len(shell.tokens) or _opens_clause(shell, at)
    if "RPAR" not in shell.expected or not is_next:
        return None
    opened: list[int] = []
    for place in range(at):
        if shell.word(place) == "(":
            opened.append(place)
        elif shell.word(place) == ")" and opened:
            opened.pop()
    if not opened:
        return None
    where = shell.span(opened[-1], opened[-1] + 1)
    fault = syntax_fault(where, "the parenthesis opened here is never closed", "close it with `)`")
    edit = insertion(shell.end_of(at - 1), ")" * len(opened))
    return Repair(edits=(edit,), fault=fault)


def _odd_name(shell: Stretch) -> Repair | None:
    """Put a name with a hyphen in backticks, and one that stands as a string."""
    at, first = shell.at, shell.at - 1
    if shell.word(at) == "-" and shell.is_word(first) and "AS" in shell.expected:
        stop = at
        while shell.word(stop) == "-" and _is_glued(shell, stop) and _is_glued(shell, stop + 1):
            stop += 2
        if stop == at:
            return None
    elif "IDENT" in shell.expected and "STRING" not in shell.expected:
        first, stop = at, at + 1
        if at == len(shell.tokens) or shell.tokens[at].kind != STRING:
            return None
    else:
        return None
    where = shell.span(first, stop)
    written = shell.text[where.start : where.end]
    edit = Edit(where, backticked(written.strip("'\"")))
    said = "is a string" if written[0] in "'\"" else "has a hyphen"
    fault = syntax_fault(
        where,
        f"the name `{written}` {said}: such a name stands in backticks",
        "put the name in backticks",
        safe("Put it in backticks", edit),
    )
    return Repair(edits=(edit,), fault=fault)


def _is_glued(shell: Stretch, place: int) -> bool:
    return 0 < place < len(shell.tokens) and shell.end_of(place - 1) == shell.start_of(place)


def _odd_clause(shell: Stretch) -> Repair | None:
    """Leave out the clause that nothing explains, from its first word to the next clause."""
    name_end = _behind_name(shell)
    if name_end is None or shell.at < name_end:
        return None
    first, stop = _clause_around(shell, name_end)
    if first >= len(shell.tokens):
        first, stop = len(shell.tokens) - 1, len(shell.tokens)
    if first < name_end:
        return None
    fault = explain(shell.failure, shell.text, where="statement")
    edit = Edit(Span(shell.start_of(first), shell.end_of(stop - 1)), "")
    return Repair(edits=(edit,), fault=fault)


def _behind_name(shell: Stretch) -> int | None:
    """Return the place behind the name of a CREATE, or nothing where it has none."""
    if shell.word(0) != "CREATE":
        return None
    place = 1
    while shell.word(place) in _HEAD_WORDS and shell.word(place) not in ("TABLE", "VIEW"):
        place += 1
    if shell.word(place) not in ("TABLE", "VIEW"):
        return None
    place += 1
    if shell.word(place) == "IF" and shell.word(place + 2) == "EXISTS":
        place += 3
    if not shell.is_name(place):
        return None
    place += 1
    while shell.word(place) == "." and shell.is_name(place + 1):
        place += 2
    return place


def _clause_around(shell: Stretch, first: int) -> tuple[int, int]:
    """Return the places from the start of the clause that broke to the start of the next."""
    start, depth, at = first, 0, shell.at
    for place in range(first, len(shell.tokens)):
        word = shell.word(place)
        if word in ("(", "["):
            depth += 1
        elif word in (")", "]"):
            depth = max(0, depth - 1)
        opens = depth == 0 or place > at
        if opens and shell.is_word(place) and _opens_clause(shell, place):
            if place > at or (place == at and "AS" not in shell.expected):
                return (start, place) if place > start else (at, place)
            if place <= at:
                start = place
        elif place == at and "AS" in shell.expected:
            start = at
    return start, len(shell.tokens)


def _opens_clause(shell: Stretch, place: int) -> bool:
    word, following = shell.word(place), shell.word(place + 1)
    if word == "AS":
        return following in _QUERY_WORDS or following in ("(", "TABLE", "")
    if word == "FLOW":
        return following in ("INSERT", "AUTO", "REPLACE")
    if word in ("COMMENT", "LOCATION"):
        is_last = place + 1 >= len(shell.tokens)
        return is_last or shell.tokens[place + 1].kind == STRING or place == shell.at
    return word in _CLAUSE_WORDS


_SUGGESTIONS = (
    _wrong_head,
    _missing_or,
    _missing_as,
    _unclosed,
    _synonym,
    _misspelt,
    _misspelt_before,
    _flow_with_list,
    _odd_name,
    _bare_columns,
    _extra_token,
    _odd_clause,
)
