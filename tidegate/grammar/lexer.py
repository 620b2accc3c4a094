"""A position and what the parser accepts there come in; the next token goes out.

Both drivers use this lexer. A word is a keyword only where the parser's state accepts its terminal
and what follows does not show that it is a name.
"""

import re
from collections.abc import Callable, Container, Iterator
from typing import NamedTuple

from tidegate.source.span import Span


def word_set(text: str) -> frozenset[str]:
    """Return the words of a text as a set."""
    return frozenset(text.split())


BLANK = r"(?:\s++|--(?:[^\r\n\\]++|\\\n?)*+)"
SINGLE = r"'(?:[^'\\]++|\\.|'')*+'"
DOUBLE = r'"(?:[^"\\]++|\\.|"")*+"'
RAW = r"[rR](?:'[^']*+'|\"[^\"]*+\")"
BACKTICKED = r"`(?:[^`]++|``)*+`"
PLACE = r"\$\{[^}{$\n]*+\}|\{\{[^{}]*+\}\}"

_TOKEN = re.compile(
    rf"{BLANK}*+(?:"
    rf"({RAW}|{SINGLE}|{DOUBLE})"
    r"|((?:\d++(?:\.\d*+)?|(?<![\w`\])])\.\d++)(?:[eE][+-]?\d++)?(?:[bB][dD]|[LlSsYyDdFf])?(?![\w$]))"
    rf"|((?:\w++|{PLACE})++)"
    rf"|({BACKTICKED})"
    r"|(<=>|<=|<>|<<|>=|>>>|>>|=>|==|->|!=|!<|!>|\|\||\?::|::|/(?!\*)|[-+*%=<>!|&^~?:.,()\[\]])"
    r"|((?!/\*).))",
    re.DOTALL,
)
STRING, NUMBER, WORD, QUOTED, OPERATOR, STRANGE = 1, 2, 3, 4, 5, 6
_BLANKS = re.compile(rf"{BLANK}*+", re.DOTALL)
_COMMENT_MARK = re.compile(r"/\*|\*/")
_CHUNK = re.compile(
    rf"(?:[^\w()'\"`/-]++|{RAW}|\w++|{SINGLE}|{DOUBLE}|{BACKTICKED}|{BLANK}|-|/(?!\*))*+", re.DOTALL
)
_JSON_PATH = re.compile(
    rf":\s*+(?:\w++|{BACKTICKED}|\[[^\]\[]*+\])(?:\s*+\.\s*+(?:\w++|{BACKTICKED})|\[[^\]\[]*+\]|:(?!:)\w++)*+"
)
_OPENED = re.compile(r"()()()()()(/\*)")
_PLACE_ONLY = re.compile(rf"(?:{PLACE})\Z")
_NAMED_PARAMETER = re.compile(r":\w++")


class Token:
    """A terminal with its place; ``text`` is what was written."""

    __slots__ = ("end", "start", "text", "type")

    # Lark asks this of the last token when a text ends.
    line = column = end_line = end_column = start_pos = end_pos = 0

    def __init__(self, type_: str, start: int, end: int, text: str) -> None:
        self.type = type_
        self.start = start
        self.end = end
        self.text = text


END = "$END"
UNCLOSED = {
    "'": "UNCLOSED_STRING",
    '"': "UNCLOSED_STRING",
    "`": "UNCLOSED_NAME",
    "/*": "UNCLOSED_COMMENT",
}

# The terminals an operator may stand for, with the length taken: `>>` closes two type lists, or shifts.
_OPERATORS: dict[str, tuple[tuple[str, int], ...]] = {
    "(": (("LPAR", 1),),
    ")": (("RPAR", 1),),
    "[": (("LSQB", 1),),
    "]": (("RSQB", 1),),
    ",": (("COMMA", 1),),
    ".": (("DOT", 1),),
    "=": (("COMPARE", 1), ("EQUAL", 1)),
    "<": (("COMPARE", 1), ("LESS", 1)),
    ">": (("COMPARE", 1), ("MORE", 1)),
    "<>": (("COMPARE", 2), ("LESS", 1)),
    ">=": (("COMPARE", 2), ("MORE", 1)),
    "<<": (("SHIFT", 2),),
    ">>": (("SHIFT", 2), ("MORE", 1)),
    ">>>": (("SHIFT", 3), ("MORE", 1)),
    "->": (("ARROW", 2),),
    "=>": (("FAT_ARROW", 2),),
    "||": (("CONCAT", 2),),
    "|": (("PIPE", 1),),
    "&": (("AMPERSAND", 1),),
    "^": (("CARET", 1),),
    "~": (("TILDE", 1),),
    "!": (("BANG", 1),),
    "+": (("SIGN", 1),),
    "-": (("SIGN", 1),),
    "*": (("STAR", 1),),
    "/": (("SLASH", 1),),
    "%": (("SLASH", 1),),
    "::": (("COLONS", 2),),
    "?::": (("COLONS", 3),),
    "?": (("PLACEHOLDER", 1),),
    ":": (("COLON", 1),),
}
for _text in ("<=>", "<=", "==", "!=", "!<", "!>"):
    _OPERATORS[_text] = (("COMPARE", len(_text)),)

# Words whose terminal has another name, the first that is accepted and fits is taken.
_READINGS = {
    "SUBSTR": ("SUBSTRING",),
    "NOT": ("NOT_ENFORCED", "NOT"),
    "INTERVAL": ("INTERVAL_TYPE", "INTERVAL"),
    "STRUCT": ("STRUCT", "STRUCT_CALL"),
    "IN": ("POSITION_IN", "IN"),
    "DATE": ("TYPED",),
    "TIME": ("TYPED", "TIME"),
    "TIMESTAMP": ("TYPED", "TIMESTAMP_TYPE"),
    "TIMESTAMP_NTZ": ("TYPED",),
    "TIMESTAMP_LTZ": ("TYPED",),
    "X": ("TYPED",),
    "SELECT": ("SUBQUERY_TEXT",),
    "WITH": ("SUBQUERY_TEXT",),
    "VALUES": ("SUBQUERY_TEXT",),
    "TABLE": ("SUBQUERY_TEXT", "TABLE"),
    "FROM": ("SUBQUERY_TEXT", "FROM"),
}
_INFIX_WORDS = word_set("AND OR IS IN BETWEEN LIKE ILIKE RLIKE REGEXP DIV COLLATE THEN")
_OPERAND_OPERATORS = word_set("( - + ~ ! ? :")
_QUERY_WORDS = word_set("SELECT WITH FROM VALUES TABLE")
_KEY_WORDS = word_set("EXPECT CHECK PRIMARY FOREIGN UNIQUE")
_DEFAULT_STOPS = word_set(
    "COMMENT CONSTRAINT PRIMARY FOREIGN UNIQUE CHECK REFERENCES GENERATED MASK DEFAULT"
)
_SCAN_LIMIT = 200
_LONGEST_KEYWORD = 13


def skip_blanks(text: str, pos: int, end: int) -> int:
    """Return where the next token starts; an unclosed comment is the next token."""
    while True:
        match = _BLANKS.match(text, pos, end)
        pos = match.end() if match else pos
        if not text.startswith("/*", pos, end):
            return pos
        closed = close_comment(text, pos, end)
        if closed < 0:
            return pos
        pos = closed


def close_comment(text: str, pos: int, end: int) -> int:
    """Return the offset behind the bracketed comment that opens here, or -1; comments nest."""
    depth = 0
    for mark in _COMMENT_MARK.finditer(text, pos, end):
        depth += 1 if mark.group() == "/*" else -1
        if depth == 0:
            return mark.end()
    return -1


def close_bracket(text: str, pos: int, end: int) -> int:
    """Return the offset of the ``)`` that closes a bracket opened before ``pos``, or ``end``."""
    depth = 0
    while True:
        match = _CHUNK.match(text, pos, end)
        pos = match.end() if match else pos
        if pos >= end:
            return end
        mark = text[pos]
        if mark == "(":
            depth += 1
        elif mark == ")":
            if depth == 0:
                return pos
            depth -= 1
        elif mark == "/":
            closed = close_comment(text, pos, end)
            if closed < 0:
                return end
            pos = closed
            continue
        else:
            return end
        pos += 1


def trim(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the range without its outer blanks (comments stay)."""
    piece = text[start:end]
    return start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip())


class RawToken(NamedTuple):
    """A token without a parser's opinion on it."""

    kind: int
    text: str
    start: int
    end: int


def raw_tokens(text: str, pos: int, end: int) -> Iterator[RawToken]:
    """Yield every token of a stretch; an unclosed quote or comment is a strange one."""
    while match := _TOKEN.match(text, pos, end) or _behind_comment(text, pos, end):
        kind = match.lastindex
        assert kind is not None
        start, pos = match.span(kind)
        yield RawToken(kind, match[kind], start, pos)


def _behind_comment(text: str, pos: int, end: int) -> re.Match[str] | None:
    behind = skip_blanks(text, pos, end)
    if behind < end and text.startswith("/*", behind):
        return _OPENED.match(text, behind)
    return _TOKEN.match(text, behind, end)


class Lexer:
    """Reads the tokens of one stretch of text."""

    __slots__ = ("_holes", "_position_words", "end", "text")

    def __init__(self, text: str, end: int, holes: tuple[Span, ...] = ()) -> None:
        self.text = text
        self.end = end
        self._holes = holes
        # Where the IN of a POSITION(a IN b) stands, found when the POSITION was read.
        self._position_words: set[int] = set()

    def next(self, pos: int, accepts: Container[str]) -> Token:
        """Return the token at ``pos`` or behind the blanks there, as a state would have it."""
        text = self.text
        for hole in self._holes:
            pos = skip_blanks(text, pos, self.end)
            pos = hole.end if pos == hole.start else pos
        if "BODY_TEXT" in accepts:
            return self._body(pos)
        if "DEFAULT_TEXT" in accepts:
            return self._default(pos)
        match = _TOKEN.match(text, pos, self.end) or _behind_comment(text, pos, self.end)
        if match is None:
            return Token(END, self.end, self.end, "")
        kind = match.lastindex
        assert kind is not None
        start, stop = match.span(kind)
        written = match[kind]
        if "QUERY_TEXT" in accepts:
            return Token("QUERY_TEXT", start, self.end, text[start : self.end])
        if "SETTING_TEXT" in accepts:
            return Token("SETTING_TEXT", start, self.end, text[start : self.end])
        if kind == WORD:
            return self._word(written, start, stop, accepts)
        if kind == OPERATOR:
            return self._operator(written, start, stop, accepts)
        if kind == STRING:
            return Token("STRING", start, stop, written)
        if kind == NUMBER:
            return Token("NUMBER", start, stop, written)
        if kind == QUOTED:
            return Token("IDENT", start, stop, written)
        return Token(UNCLOSED.get(written, "STRANGE"), start, stop, written)

    # ------------------------------------------------------------ looking ahead

    def _match(self, pos: int) -> re.Match[str] | None:
        return _TOKEN.match(self.text, pos, self.end) or _behind_comment(self.text, pos, self.end)

    def peek(self, pos: int) -> str:
        """Return the next token's text, a word in capitals; empty at the end."""
        match = self._match(pos)
        if match is None or match.lastindex is None:
            return ""
        return match[match.lastindex].upper()

    def _is_before_operand(self, pos: int) -> bool:
        """Tell whether an operand follows, so that the word before it is no name."""
        match = self._match(pos)
        if match is None or match.lastindex is None:
            return False
        written = match[match.lastindex]
        if match.lastindex == OPERATOR:
            return written in _OPERAND_OPERATORS
        if match.lastindex == WORD:
            return written.upper() not in _INFIX_WORDS
        return match.lastindex != STRANGE

    def _find_word(self, pos: int, wanted: str) -> int:
        """Return where a word stands in this bracket, or -1, looking a bounded way ahead."""
        depth = 0
        for _ in range(_SCAN_LIMIT):
            match = self._match(pos)
            if match is None or match.lastindex is None:
                return -1
            written = match[match.lastindex]
            if written == "(":
                depth += 1
            elif written == ")":
                depth -= 1
                if depth < 0:
                    return -1
            elif depth == 0 and written == ",":
                return -1
            elif depth == 0 and match.lastindex == WORD and written.upper() == wanted:
                return match.start(match.lastindex)
            pos = match.end()
        return -1

    # ------------------------------------------------------------ words

    def _word(self, written: str, start: int, stop: int, accepts: Container[str]) -> Token:
        if "ACTION_WORD" in accepts and not self._is_anchor(written, stop):
            return Token("ACTION_WORD", start, stop, written)
        if len(written) <= _LONGEST_KEYWORD:
            upper = written.upper()
            readings = _READINGS.get(upper) or (upper,)
            for terminal in readings:
                if terminal in accepts:
                    fits = _FITS.get(terminal)
                    if fits is None or fits(self, start, stop, accepts):
                        return self._keyword(terminal, start, stop)
        elif _PLACE_ONLY.match(written) and "PLACEHOLDER" in accepts:
            return self._placeholder(written, start, stop, accepts)
        if written[0] in "${" and "PLACEHOLDER" in accepts and _PLACE_ONLY.match(written):
            return self._placeholder(written, start, stop, accepts)
        return Token("IDENT", start, stop, written)

    def _placeholder(self, written: str, start: int, stop: int, accepts: Container[str]) -> Token:
        if "IDENT" in accepts and self.peek(stop) in (".", "("):
            return Token("IDENT", start, stop, written)
        return Token("PLACEHOLDER", start, stop, written)

    def _keyword(self, terminal: str, start: int, stop: int) -> Token:
        if terminal == "SUBQUERY_TEXT":
            start, stop = trim(self.text, start, close_bracket(self.text, start, self.end))
        elif terminal in ("NOT_ENFORCED", "TIMESTAMP_TYPE"):
            match = self._match(stop)
            stop = match.end() if match else stop
            if terminal == "TIMESTAMP_TYPE" and self.peek(stop) == "LOCAL":
                match = self._match(stop)
                stop = match.end() if match else stop
        return Token(terminal, start, stop, self.text[start:stop])

    def _is_anchor(self, written: str, stop: int) -> bool:
        """Tell whether CONSTRAINT opens a constraint here: a name and a key word follow."""
        if written.upper() != "CONSTRAINT":
            return False
        match = self._match(stop)
        if match is None or match.lastindex not in (WORD, QUOTED):
            return False
        following = self.peek(match.end())
        return following in _KEY_WORDS or (match[match.lastindex].upper() == "EXPECT")

    # ------------------------------------------------------------ operators and texts

    def _operator(self, written: str, start: int, stop: int, accepts: Container[str]) -> Token:
        if written == ":":
            if "JSON_PATH" in accepts and (match := _JSON_PATH.match(self.text, start, self.end)):
                return Token("JSON_PATH", start, match.end(), match.group())
            if "PLACEHOLDER" in accepts and (
                match := _NAMED_PARAMETER.match(self.text, start, self.end)
            ):
                return Token("PLACEHOLDER", start, match.end(), match.group())
        elif written == "(" and "SUBQUERY_TEXT" in accepts and self._opens_set_operation(start):
            return self._keyword("SUBQUERY_TEXT", start, stop)
        readings = _OPERATORS[written]
        for terminal, length in readings:
            if terminal in accepts:
                return Token(terminal, start, start + length, written[:length])
        return Token(readings[0][0], start, stop, written)

    def _opens_set_operation(self, start: int) -> bool:
        """Tell whether a bracketed query opens here that a set operation follows."""
        if self.peek(start + 1) not in ("SELECT", "WITH", "FROM", "("):
            return False
        inner = start
        while self.peek(inner) == "(":
            inner = skip_blanks(self.text, inner, self.end) + 1
        if self.peek(inner) not in ("SELECT", "WITH", "FROM"):
            return False
        closing = close_bracket(self.text, start + 1, self.end)
        return self.peek(closing + 1) in ("UNION", "EXCEPT", "INTERSECT", "MINUS")

    def _body(self, pos: int) -> Token:
        start, stop = trim(self.text, pos, close_bracket(self.text, pos, self.end))
        return Token("BODY_TEXT", start, stop, self.text[start:stop])

    def _default(self, pos: int) -> Token:
        start = at = skip_blanks(self.text, pos, self.end)
        depth = 0
        while match := self._match(at):
            kind = match.lastindex
            assert kind is not None
            written = match[kind]
            if written == "(":
                depth += 1
            elif written == ")":
                depth -= 1
            upper = written.upper() if kind == WORD else ""
            ends = written == "," or upper in _DEFAULT_STOPS
            ends = ends or (upper == "NOT" and self.peek(match.end()) == "NULL")
            if depth < 0 or (depth == 0 and ends):
                break
            at = match.end()
        return Token("DEFAULT_TEXT", start, at, self.text[start:at])


# ---------------------------------------------------------------- what may follow a keyword

_Fits = Callable[[Lexer, int, int, Container[str]], bool]


def _is_called(lexer: Lexer, _start: int, stop: int, accepts: Container[str]) -> bool:
    return lexer.peek(stop) == "(" or "IDENT" not in accepts


def _is_prefix(lexer: Lexer, _start: int, stop: int, accepts: Container[str]) -> bool:
    return "IDENT" not in accepts or lexer._is_before_operand(stop)


def _is_value(lexer: Lexer, _start: int, stop: int, accepts: Container[str]) -> bool:
    return "IDENT" not in accepts or lexer.peek(stop) not in ("(", ".")


def _is_case(lexer: Lexer, _start: int, stop: int, _accepts: Container[str]) -> bool:
    following = lexer.peek(stop)
    if following in ("(", "-", "+", "[", "."):
        return lexer._find_word(stop, "WHEN") >= 0
    return lexer._is_before_operand(stop)


def _is_interval(lexer: Lexer, _start: int, stop: int, _accepts: Container[str]) -> bool:
    match = lexer._match(stop)
    if match is not None and match.lastindex == OPERATOR and match[OPERATOR] in ("+", "-"):
        stop = match.end()
        match = lexer._match(stop)
        if match is None or match.lastindex not in (STRING, NUMBER):
            return False
        unit = lexer._match(match.end())
        return (
            unit is not None and unit.lastindex == WORD and unit[WORD].upper() not in _INFIX_WORDS
        )
    if match is None:
        return False
    if match.lastindex in (STRING, NUMBER):
        return True
    kind = match.lastindex
    assert kind is not None
    return match[kind] in (":", "?") or match[kind][:2] in ("${", "{{")


def _is_exists(lexer: Lexer, _start: int, stop: int, accepts: Container[str]) -> bool:
    if "IDENT" not in accepts:
        return True
    match = lexer._match(stop)
    if match is None or match[0].rstrip()[-1:] != "(":
        return False
    pos = match.end()
    while lexer.peek(pos) == "(":
        pos = skip_blanks(lexer.text, pos, lexer.end) + 1
    return lexer.peek(pos) in _QUERY_WORDS and _opens_query(lexer, pos)


def _opens_query(lexer: Lexer, pos: int) -> bool:
    match = lexer._match(pos)
    return match is not None and _is_query(lexer, match.start(WORD), match.end(), ())


def _is_query(lexer: Lexer, start: int, stop: int, _accepts: Container[str]) -> bool:
    word = lexer.text[start:stop].upper()
    following = lexer._match(stop)
    if following is None:
        return False
    kind = following.lastindex
    if word == "SELECT":
        return following[0].endswith("*") or lexer._is_before_operand(stop)
    if word == "VALUES":
        return following[0].endswith("(")
    if word == "FROM":
        return kind in (WORD, QUOTED) or following[0].endswith("(")
    if kind not in (WORD, QUOTED):
        return False
    return (
        word == "TABLE"
        or lexer.peek(following.end()) in ("AS", "(")
        or (lexer.peek(stop) == "RECURSIVE")
    )


def _is_typed(lexer: Lexer, _start: int, stop: int, _accepts: Container[str]) -> bool:
    match = lexer._match(stop)
    return match is not None and match.lastindex == STRING and match[STRING][0] in "'\""


def _is_position(lexer: Lexer, _start: int, stop: int, accepts: Container[str]) -> bool:
    match = lexer._match(stop)
    if match is None or not match[0].endswith("("):
        return "IDENT" not in accepts
    found = lexer._find_word(match.end(), "IN")
    if found >= 0:
        lexer._position_words.add(found)
    return True


def _is_position_in(lexer: Lexer, start: int, _stop: int, _accepts: Container[str]) -> bool:
    return start in lexer._position_words


def _is_bracketed_type(lexer: Lexer, _start: int, stop: int, _accepts: Container[str]) -> bool:
    return lexer.peek(stop)[:1] == "<"


def _is_constraint(lexer: Lexer, _start: int, stop: int, accepts: Container[str]) -> bool:
    if "IDENT" not in accepts or "COMMENT" in accepts:
        return True
    match = lexer._match(stop)
    if match is None or match.lastindex not in (WORD, QUOTED):
        return False
    name = match[match.lastindex].upper()
    following = lexer.peek(match.end())
    if following in _KEY_WORDS or name == "EXPECT":
        return True
    return following == "(" and name not in ("DECIMAL", "NUMERIC", "DEC", "VARCHAR", "CHAR")


def _is_key(lexer: Lexer, _start: int, stop: int, _accepts: Container[str]) -> bool:
    return lexer.peek(stop) == "KEY"


def _is_if(lexer: Lexer, _start: int, stop: int, _accepts: Container[str]) -> bool:
    return lexer.peek(stop) in ("NOT", "EXISTS")


def _is_before_name(lexer: Lexer, _start: int, stop: int, _accepts: Container[str]) -> bool:
    match = lexer._match(stop)
    return match is not None and match.lastindex in (WORD, QUOTED)


def _is_column_word(lexer: Lexer, _start: int, stop: int, _accepts: Container[str]) -> bool:
    match = lexer._match(stop)
    if match is None:
        return False
    return lexer.peek(stop) not in ("SET", "DROP", ".") or lexer.peek(match.end()) != "NOT"


def _is_enforced(lexer: Lexer, _start: int, stop: int, _accepts: Container[str]) -> bool:
    return lexer.peek(stop) == "ENFORCED"


def _is_zoned(lexer: Lexer, _start: int, stop: int, _accepts: Container[str]) -> bool:
    return lexer.peek(stop) in ("WITH", "WITHOUT")


def _is_interval_type(lexer: Lexer, _start: int, stop: int, _accepts: Container[str]) -> bool:
    return lexer.peek(stop) in ("YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND")


def _is_quantifier(lexer: Lexer, start: int, stop: int, accepts: Container[str]) -> bool:
    if "ANY" in accepts:
        return lexer.peek(stop) == "("
    return _is_prefix(lexer, start, stop, accepts)


_FITS: dict[str, _Fits] = {
    **dict.fromkeys(
        ("CAST", "TRY_CAST", "TRIM", "EXTRACT", "SUBSTRING", "OVERLAY", "STRUCT_CALL"), _is_called
    ),
    **dict.fromkeys(("NOT", "DISTINCT", "BOTH", "LEADING", "TRAILING", "FROM"), _is_prefix),
    **dict.fromkeys(("ANY", "SOME", "ALL"), _is_quantifier),
    **dict.fromkeys(("NULL", "TRUE", "FALSE"), _is_value),
    **dict.fromkeys(("ARRAY", "MAP", "STRUCT"), _is_bracketed_type),
    **dict.fromkeys(("PRIMARY", "FOREIGN"), _is_key),
    **dict.fromkeys(("UNIQUE", "CHECK"), _is_called),
    "CASE": _is_case,
    "INTERVAL": _is_interval,
    "INTERVAL_TYPE": _is_interval_type,
    "TIMESTAMP_TYPE": _is_zoned,
    "EXISTS": _is_exists,
    "SUBQUERY_TEXT": _is_query,
    "TYPED": _is_typed,
    "POSITION": _is_position,
    "POSITION_IN": _is_position_in,
    "CONSTRAINT": _is_constraint,
    "IF": _is_if,
    "COLUMN": _is_column_word,
    **dict.fromkeys(("CATALOG", "SCHEMA", "DATABASE"), _is_before_name),
    "NOT_ENFORCED": _is_enforced,
}
