"""A position and what the parser accepts there come in; the next token goes out.

Both drivers use this lexer.
"""

import re
from collections.abc import Container

from tidegate.grammar.lookahead import Lookahead
from tidegate.grammar.readings import FITS, READINGS
from tidegate.grammar.recovery.endings import (
    Ends,
    ends_default,
    ends_delay,
    ends_flow_text,
    ends_watermark,
    opens_flow_query,
)
from tidegate.grammar.shell_readings import KEY_WORDS
from tidegate.grammar.tokens import (
    BACKTICKED,
    NUMBER,
    OPERATOR,
    PLACE,
    QUOTED,
    STRING,
    TOKEN,
    WORD,
    Token,
    behind_comment,
    close_bracket,
    opens_place,
    skip_blanks,
    trim,
)
from tidegate.source.span import Span

END = "$END"
UNCLOSED = {
    "'": "UNCLOSED_STRING",
    '"': "UNCLOSED_STRING",
    "`": "UNCLOSED_NAME",
    "/*": "UNCLOSED_COMMENT",
}

# The terminals an operator may stand for, with the length taken: `>>` shifts, or closes two types.
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
# The first reading of an operator, where that is its whole length; and those with no other reading.
SINGLE_READINGS = {
    text: readings[0][0]
    for text, readings in _OPERATORS.items()
    if readings[0][1] == len(text) and text not in "(:"
}
ONE_READING = frozenset(text for text in SINGLE_READINGS if len(_OPERATORS[text]) == 1)

# What may stand behind a bracket that holds no query.
NO_QUERY = frozenset("abcdeghijklmnopqrtuvxyzABCDEGHIJKLMNOPQRTUVXYZ0123456789'\"`")


OPAQUE = (
    "BODY_TEXT",
    "QUERY_TEXT",
    "DEFAULT_TEXT",
    "SETTING_TEXT",
    "FLOW_TEXT",
    "WATERMARK_TEXT",
    "FLOW_QUERY",
    "REST_TEXT",
)
"""Terminals that are taken as they stand: a state that accepts one accepts nothing else.

FLOW_QUERY and REST_TEXT alone stand beside others: the first token says whether they are meant.
"""

_INDEX = r"\s*+\[\s*+(?:\d++|\*|'[^']*+'|\"[^\"]*+\")\s*+\]"
_STEP = rf"(?:\w++|{PLACE})++"
_JSON_PATH = (
    rf":\s*+(?:{_STEP}|{BACKTICKED}|{_INDEX})"
    rf"(?:\s*+\.\s*+(?:{_STEP}|{BACKTICKED})|{_INDEX}|:(?!:){_STEP})*+"
)
_PLACE_ONLY = rf"(?:{PLACE})\Z"
_NAMED_PARAMETER = r":\s*+(?!\d)\w++"


class Lexer(Lookahead):
    """Reads the tokens of one stretch of text."""

    __slots__ = ("_holes",)

    def __init__(self, text: str, end: int, holes: tuple[Span, ...] = ()) -> None:
        super().__init__(text, end)
        self._holes = holes

    def next(self, pos: int, accepts: Container[str]) -> Token:
        """Return the token at ``pos`` or behind the blanks there, as a state would have it."""
        if self._holes:
            pos = self._behind_holes(pos)
        text, end = self.text, self.end
        match = TOKEN.match(text, pos, end) or behind_comment(text, pos, end)
        if match is None:
            return Token(END, self.end, self.end, "")
        kind = match.lastindex
        assert kind is not None
        start, stop = match.span(kind)
        written = match[kind]
        if kind == WORD:
            return self._word(written, start, stop, accepts)
        if kind == OPERATOR:
            terminal = SINGLE_READINGS.get(written)
            if terminal is not None and (terminal in accepts or written in ONE_READING):
                return Token(terminal, start, stop, written)
            return self._operator(written, start, stop, accepts)
        if kind == STRING:
            return Token("STRING", start, stop, written)
        if kind == NUMBER:
            return Token("NUMBER", start, stop, written)
        if kind == QUOTED:
            is_alias = "IDENT" not in accepts and "ALIAS" in accepts
            return Token("ALIAS" if is_alias else "IDENT", start, stop, written)
        return Token(UNCLOSED.get(written, "STRANGE"), start, stop, written)

    def opaque(self, pos: int, terminal: str, accepts: Container[str]) -> Token:
        """Return the text that stands for an opaque terminal."""
        if self._holes:
            pos = self._behind_holes(pos)
        if terminal == "BODY_TEXT":
            return self._body(pos)
        if terminal == "DEFAULT_TEXT":
            return self._up_to(pos, terminal, ends_default)
        if terminal == "FLOW_TEXT":
            return self._up_to(pos, terminal, ends_flow_text)
        if terminal == "WATERMARK_TEXT":
            is_delay = self.peek(pos) == "INTERVAL"
            return self._up_to(pos, terminal, ends_delay if is_delay else ends_watermark)
        if terminal == "REST_TEXT" and self.peek(pos) == ".":
            return self.next(pos, accepts)
        if terminal == "FLOW_QUERY" and not opens_flow_query(self, pos):
            return self.next(pos, accepts)
        start = skip_blanks(self.text, pos, self.end)
        if start >= self.end:
            return Token(END, self.end, self.end, "")
        return Token(terminal, start, self.end, self.text[start : self.end])

    def _behind_holes(self, pos: int) -> int:
        for hole in self._holes:
            pos = skip_blanks(self.text, pos, self.end)
            pos = hole.end if pos == hole.start else pos
        return pos

    # ------------------------------------------------------------ words

    def _word(self, written: str, start: int, stop: int, accepts: Container[str]) -> Token:
        if "ACTION_WORD" in accepts and not self._is_anchor(written, stop):
            return Token("ACTION_WORD", start, stop, written)
        readings = READINGS.get(written.upper())
        if readings is not None:
            for terminal in readings:
                if terminal in accepts:
                    fits = FITS.get(terminal)
                    if fits is None or fits(self, start, stop, accepts):
                        return self._keyword(terminal, start, stop)
        elif (
            "PLACEHOLDER" in accepts
            and opens_place(written)
            and re.compile(_PLACE_ONLY).match(written)
        ):
            return self._placeholder(written, start, stop, accepts)
        if not written.isascii() and not re.search(PLACE, written):
            return Token("BARE_LETTERS", start, stop, written)
        is_alias = "IDENT" not in accepts and "ALIAS" in accepts
        return Token("ALIAS" if is_alias else "IDENT", start, stop, written)

    def _placeholder(self, written: str, start: int, stop: int, accepts: Container[str]) -> Token:
        if "IDENT" in accepts:
            following = self.peek(stop)
            # Behind a column's name a type stands; before an equals sign a property's key.
            is_type = "ARRAY" in accepts and "CASE" not in accepts
            is_key = following == "=" and "CASE" not in accepts
            if following in (".", "(") or is_type or is_key:
                return Token("IDENT", start, stop, written)
        return Token("PLACEHOLDER", start, stop, written)

    def _keyword(self, terminal: str, start: int, stop: int) -> Token:
        if terminal == "SUBQUERY_TEXT":
            start, stop = trim(self.text, start, close_bracket(self.text, start, self.end))
        elif terminal in ("NOT_ENFORCED", "TIMESTAMP_TYPE"):
            match = self.match(stop)
            stop = match.end() if match else stop
            if terminal == "TIMESTAMP_TYPE" and self.peek(stop) == "LOCAL":
                match = self.match(stop)
                stop = match.end() if match else stop
        return Token(terminal, start, stop, self.text[start:stop])

    def _is_anchor(self, written: str, stop: int) -> bool:
        """Tell whether CONSTRAINT opens a constraint here: a name and a key word follow."""
        if written.upper() != "CONSTRAINT":
            return False
        match = self.match(stop)
        if match is None or match.lastindex not in (WORD, QUOTED):
            return False
        following = self.peek(match.end())
        return following in KEY_WORDS or (match[match.lastindex].upper() == "EXPECT")

    # ------------------------------------------------------------ operators and texts

    def _operator(self, written: str, start: int, stop: int, accepts: Container[str]) -> Token:
        if written == ":":
            if "JSON_PATH" in accepts and (
                match := re.compile(_JSON_PATH).match(self.text, start, self.end)
            ):
                return Token("JSON_PATH", start, match.end(), match.group())
            if "PLACEHOLDER" in accepts and (
                match := re.compile(_NAMED_PARAMETER).match(self.text, start, self.end)
            ):
                return Token("PLACEHOLDER", start, match.end(), match.group())
        elif (
            written == "("
            and "SUBQUERY_TEXT" in accepts
            # Behind EXISTS ( nothing but a query can follow, brackets around it or not.
            and ("LPAR" not in accepts or self._opens_set_operation(start))
        ):
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
        inner = self.behind_brackets(start)
        if self.peek(inner) not in ("SELECT", "WITH", "FROM"):
            return False
        closing = close_bracket(self.text, start + 1, self.end)
        return self.peek(closing + 1) in ("UNION", "EXCEPT", "INTERSECT", "MINUS")

    def _body(self, pos: int) -> Token:
        start, stop = trim(self.text, pos, close_bracket(self.text, pos, self.end))
        return Token("BODY_TEXT", start, stop, self.text[start:stop])

    def _up_to(self, pos: int, terminal: str, ends: Ends) -> Token:
        """Take all up to a token outside the brackets that ends the text."""
        start = at = self.text_start = skip_blanks(self.text, pos, self.end)
        depth, before = 0, None
        while match := self.match(at):
            kind = match.lastindex
            assert kind is not None
            written = match[kind]
            is_closing = written in (")", "]")
            if depth == 0 and (is_closing or ends(self, match, before)):
                break
            depth += (written in ("(", "[")) - is_closing
            before, at = match, match.end()
        return Token(terminal, start, at, self.text[start:at])
