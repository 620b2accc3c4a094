"""Why a parse stopped comes in; one sentence for people, and the way out, go out."""

from collections.abc import Sequence
from functools import lru_cache

from tidegate.catalog.spelling import distance
from tidegate.grammar.depth import TOO_DEEP
from tidegate.grammar.driver import Failure
from tidegate.grammar.lexer import END
from tidegate.grammar.tokens import closing_advice, word_set
from tidegate.source.diagnostic import Fault
from tidegate.source.edit import Edit, Fix, Safety
from tidegate.source.span import Span

_WORDS = {
    END: "the end",
    "IDENT": "a name",
    "NUMBER": "a number",
    "STRING": "a string",
    "PLACEHOLDER": "a placeholder",
    "LPAR": "`(`",
    "RPAR": "`)`",
    "LSQB": "`[`",
    "RSQB": "`]`",
    "COMMA": "`,`",
    "DOT": "`.`",
    "COLON": "`:`",
    "EQUAL": "`=`",
    "LESS": "`<`",
    "MORE": "`>`",
    "ARROW": "`->`",
    "FAT_ARROW": "`=>`",
    "STAR": "`*`",
    "SIGN": "a sign",
    "COMPARE": "a comparison",
    "BODY_TEXT": "an expression",
    "QUERY_TEXT": "a query",
    "SUBQUERY_TEXT": "a query",
    "DEFAULT_TEXT": "an expression",
    "SETTING_TEXT": "a setting",
    "FLOW_TEXT": "an expression",
    "FLOW_QUERY": "a query",
    "REST_TEXT": "more",
    "WATERMARK_TEXT": "an expression",
    "ACTION_WORD": "`DROP ROW` or `FAIL UPDATE`",
    "NOT_ENFORCED": "`NOT ENFORCED`",
    "INTERVAL_TYPE": "`INTERVAL`",
    "TIMESTAMP_TYPE": "`TIMESTAMP`",
    "STRUCT_CALL": "`STRUCT`",
    "POSITION_IN": "`IN`",
    "TYPED": "a literal",
    "IDENTIFIER_CALL": "`IDENTIFIER`",
    "NAME_CALL": "a name",
    "ALIAS": "a name",
    "STRANGE": "a character that is no SQL",
}
_OPERAND = frozenset(("IDENT", "NUMBER", "LPAR", "CASE"))
_AFTER_OPERAND = frozenset(("COMPARE", "CONCAT", "STAR"))
_OPERATORS = word_set(
    "COMPARE CONCAT STAR SLASH DIV SIGN SHIFT PIPE AMPERSAND CARET COLONS JSON_PATH LSQB DOT "
    "COLLATE BETWEEN IN IS LIKE ILIKE RLIKE REGEXP NOT AND OR LPAR STRING ARROW FAT_ARROW"
)
_CLAUSES = word_set(
    "CLUSTER COMMENT DEFAULT LOCATION OPTIONS PARTITIONED REFRESH SCHEDULE TBLPROPERTIES TRIGGER "
    "USING WITH"
)
_PROPERTIES = word_set(
    "CHECK COLLATE COMMENT CONSTRAINT DEFAULT FOREIGN GENERATED MASK NOT PRIMARY REFERENCES UNIQUE"
)
_LONGEST_LIST = 8


def describe(terminal: str) -> str:
    """Say a terminal in words."""
    return _WORDS.get(terminal) or f"`{terminal.replace('_', ' ')}`"


@lru_cache(maxsize=256)
def expectation_words(expected: tuple[str, ...]) -> tuple[str, ...]:
    """Say a set of terminals in words, what belongs together as one."""
    # A placeholder may stand for almost anything: saying so helps nobody.
    left = set(expected) - {"PLACEHOLDER"} or set(expected)
    words: list[str] = []
    if left >= _OPERAND:
        words.append("an expression")
        left &= {"RPAR", "STAR", "DISTINCT", "FROM", "WHEN"}
    elif left >= _AFTER_OPERAND:
        words.append("an operator")
        left -= _OPERATORS
    for group, said in ((_CLAUSES, "a clause"), (_PROPERTIES, "a property of the column")):
        if left >= group - {"WITH", "CONSTRAINT"}:
            words.append(said)
            left -= group
    words += sorted({describe(terminal) for terminal in left}, key=lambda word: word.strip("`"))
    return tuple(words)


def join_words(words: Sequence[str]) -> str:
    """Join alternatives: ``a, b or c``."""
    if len(words) > _LONGEST_LIST:
        words = (*words[:_LONGEST_LIST], "...")
        return ", ".join(words)
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


def explain(failure: Failure, text: str, *, where: str) -> Fault:
    """Turn a failure into the one fault that a reader sees."""
    span = failure.span
    found = text[span.start : span.end]
    advice: str | None = None
    fix: Fix | None = None
    if failure.reason == TOO_DEEP:
        message = f"the {where} is nested too deeply to be read"
        advice = "split it into simpler parts"
    elif failure.reason and where == "item" and _opens_constraint(text):
        message = f"the constraint `{_short(found)}` ends too early: expected `EXPECT`"
        advice = "write `CONSTRAINT name EXPECT (...)`"
    elif failure.reason:
        message = f"`{_short(found)}` does not fit here: {failure.reason}"
    elif failure.found == END and where == "predicate" and _is_empty(text, span.start):
        span = Span(span.start, span.start)
        message = "the expectation has no predicate"
        advice = "write what must hold of a row, such as `id IS NOT NULL`"
    elif failure.found == "STRANGE" and (name := _accented(text, span)):
        return name
    elif failure.found == "BARE_LETTERS":
        message = f"the name `{_short(found)}` has letters that need backticks"
        advice = "put the name in backticks"
        fix = Fix("Put it in backticks", (Edit(span, f"`{found}`"),), Safety.SAFE)
    elif failure.found.startswith("UNCLOSED"):
        what = failure.found.removeprefix("UNCLOSED_").lower()
        message = f"the {what} opened here is never closed"
        advice = closing_advice(found)
    else:
        if failure.found == END:
            span = Span(span.start, span.start)
        message = unexpected(failure, found, where)
        if misspelt := unexpected_misspelt(failure, text, where):
            return misspelt[1]
        advice, fix = _advice(failure, text, where)
    return Fault(name="syntax-error", span=span, message=message, help=advice, fix=fix)


def _is_empty(text: str, at: int) -> bool:
    """Tell whether nothing stands between the parenthesis of EXPECT and a place."""
    before = text[max(0, at - 80) : at].rstrip()
    return before.endswith("(") and before[:-1].rstrip().upper().endswith("EXPECT")


def _accented(text: str, span: Span) -> Fault | None:
    """Return the fault of a name whose accents are characters of their own."""
    from unicodedata import combining  # noqa: PLC0415 - rarely needed

    if not combining(text[span.start]):
        return None
    start, end = span.start, span.end
    while start > 0 and (text[start - 1].isalnum() or text[start - 1] == "_"):
        start -= 1
    while end < len(text) and (text[end].isalnum() or text[end] == "_" or combining(text[end])):
        end += 1
    whole = Span(start, end)
    return Fault(
        name="syntax-error",
        span=whole,
        message=f"the name `{text[start:end]}` has letters that need backticks",
        help="put the name in backticks",
        fix=Fix("Put it in backticks", (Edit(whole, f"`{text[start:end]}`"),), Safety.SAFE),
    )


def _opens_constraint(text: str) -> bool:
    """Tell a constraint that is not written to its end from a column of a strange type."""
    return text[:10].upper() == "CONSTRAINT" and len(text.split()) == 2


def unexpected(failure: Failure, found: str, where: str) -> str:
    """Say what was found, and in words what would have fitted."""
    expected = failure.expected
    if where == "item":
        # Behind an item stands a comma, or the list's end.
        expected = tuple(one for one in expected if one != END)
        expected += ("COMMA", "RPAR") if END in failure.expected else ()
    wanted = expectation_words(expected)
    words = f"expected {join_words(wanted)}" if wanted else "nothing fits here"
    if failure.found == END:
        return f"the {where} ends too early: {words}"
    return f"found `{_short(found)}`, {words}"


def unexpected_misspelt(failure: Failure, text: str, where: str) -> tuple[str, Fault] | None:
    """Return the keyword that a word is closest to, and the fault that asks whether it is meant."""
    span = failure.span
    found = text[span.start : span.end]
    guess = nearest(found, failure.expected)
    if guess is None:
        return None
    edit = Edit(span, guess)
    return guess, Fault(
        name="syntax-error",
        span=span,
        message=f"{unexpected(failure, found, where)}; did you mean `{guess}`?",
        help=f"write `{guess}`",
        fix=Fix(f"Write {guess}", (edit,), Safety.UNSAFE),
    )


def missing_comma(offset: int) -> Fault:
    """Return the fault of two list items without a comma between them."""
    at = Span(offset, offset)
    return Fault(
        name="missing-or-extra-comma",
        span=at,
        message="`,` is missing between two items of the list",
        help="separate them with `,`",
        fix=Fix("Insert `,`", (Edit(at, ","),), Safety.SAFE),
    )


def extra_comma(span: Span) -> Fault:
    """Return the fault of a comma that no item belongs to."""
    return Fault(
        name="missing-or-extra-comma",
        span=span,
        message="found `,` without an item of the list",
        help="remove it",
        fix=Fix("Remove `,`", (Edit(span, ""),), Safety.SAFE),
    )


def _short(found: str) -> str:
    line = found.split("\n", 1)[0].replace("`", "'")
    return line if len(line) <= 40 else line[:37] + "..."


def _advice(failure: Failure, text: str, where: str) -> tuple[str | None, Fix | None]:
    """Say what to do about an unexpected token, where that is plain."""
    span = failure.span
    found = text[span.start : span.end]
    if found == ";":
        return "keep `;` for the end of the statement", None
    if found == "-" and text[span.start - 1 : span.start].isalnum():
        return "put a name with a hyphen in backticks", None
    if found[:1] == '"' and "IDENT" in failure.expected and "STRING" not in failure.expected:
        return "put names in backticks: double quotes make a string", None
    if "AUTO" in failure.expected and failure.found == "IDENT":
        return "put the columns in parentheses", None
    if len(failure.expected) == 1 and failure.found == END:
        return f"add {describe(failure.expected[0])}", None
    if failure.found == END and where == "predicate":
        return "write what is missing, or take the last operator out", None
    return None, None


@lru_cache(maxsize=1024)
def nearest(found: str, expected: tuple[str, ...]) -> str | None:
    """Return the expected word that a misspelt one is closest to, if any is close."""
    word = found.upper()
    if not word.isalpha() or len(word) < 3:
        return None
    best, best_distance = None, 3 if len(word) > 5 else 2
    for candidate in expected:
        if candidate in _WORDS or abs(len(candidate) - len(word)) >= best_distance:
            continue
        edits = distance(word, candidate, best_distance - 1)
        if 0 < edits < best_distance:
            best, best_distance = candidate, edits
    return best
