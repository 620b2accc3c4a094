"""A concrete tree comes in; its tokens in order, each with where it wants to stand, go out."""

from collections.abc import Callable, Sequence

import msgspec

from tidegate.grammar.formatting.concrete import Branch, Concrete
from tidegate.grammar.formatting.spacing import is_blank_between, type_tokens
from tidegate.grammar.tokens import Token, raw_tokens, word_set

INDENT = 2
LINE_LENGTH = 100
"""What does not fit into so many columns goes to lines of its own."""

_VERBATIM = word_set(
    "IDENT ALIAS STRING NUMBER PLACEHOLDER BODY_TEXT QUERY_TEXT DEFAULT_TEXT SETTING_TEXT "
    "FLOW_TEXT WATERMARK_TEXT FLOW_QUERY REST_TEXT SUBQUERY_TEXT JSON_PATH"
)
_QUERIES = word_set("QUERY_TEXT FLOW_QUERY")
# In these, words that the grammar takes for names are none: units, modes, languages.
_SPOKEN = word_set("schedule_every at_most explain_statement language spoken")
# In these, a bracket belongs to the name before it.
_CALLS = word_set("transform relation computed_name identifier_clause parameters")
_TYPES = word_set("data_type inner_type")
# In these, even TRUE is a text of the user's.
_VALUES = word_set("property_key property_value")
# How many parts of a statement stand on its first line; each that follows has its own.
_HEADS = {
    "create": 2,
    "create_flow": 3,
    "insert_body": 2,
    "change_feed": 3,
    "flow_cdc": 2,
    "cdc_from": 2,
    "signature": 1,
}
# Parts that stand behind what is before them all the same.
_INLINE = word_set("by_name insert_columns")


class Group:
    """A list that stands on one line if it fits, else has a line for each of its parts."""

    __slots__ = ("end", "is_broken")

    def __init__(self) -> None:
        self.end = 0
        """The step of its closing bracket."""
        self.is_broken = False
        """Decided when its opening bracket is written."""


class Line(msgspec.Struct, frozen=True):
    """A new line before a step."""

    indent: int
    comment_indent: int
    """Of the comments before the step."""
    group: Group | None = None
    """The list that must be broken for this to hold."""
    soft_end: int = 0
    """If positive: no new line where all up to this step fits behind what stands before."""


class Step(msgspec.Struct):
    """One token, as it is to be shown."""

    start: int
    end: int
    shown: str
    line: Line | None
    blank: bool
    """Whether a blank stands before it, where no new line does."""
    is_query: bool = False
    is_comma: bool = False
    opens: Group | None = None


def layout(tree: Branch, text: str) -> list[Step]:
    """Return the tokens of a statement in order."""
    walker = _Walker(text)
    walker.walk(tree, None)
    return walker.steps


class _Walker:
    def __init__(self, text: str) -> None:
        self._text = text
        self._line: Line | None = None
        self._indent = 0
        self.steps: list[Step] = []

    def walk(self, node: Concrete, parent: Branch | None) -> None:
        """Take the steps of a node."""
        if isinstance(node, Token):
            self._token(node, parent)
        elif node.production in _TYPES:
            self._type(node)
        elif node.production in _SPECIAL:
            _SPECIAL[node.production](self, node)
        elif node.production in _HEADS:
            self._lined(node, _HEADS[node.production])
        elif _is_bracketed(node):
            self._group(node)
        else:
            self._inline(node)

    # ------------------------------------------------------------ parts

    def _inline(self, node: Branch) -> None:
        for child in node.children:
            self.walk(child, node)

    def _lined(self, node: Branch, head: int) -> None:
        """Put the first children on one line, each of the others on its own."""
        is_first = True
        for at, child in enumerate(node.children):
            production = _production(child)
            if at < head or production in _INLINE:
                self.walk(child, node)
                continue
            # A list is opened on the line of the name.
            if is_first and production == "column_list":
                self.walk(child, node)
            elif isinstance(child, Token) and child.type == "AS" and node.production != "create":
                self._break()
                self.walk(child, node)
                self.walk(node.children[at + 1], node)
                return
            else:
                self._break()
                self.walk(child, node)
            is_first = False

    def _break(self) -> None:
        self._line = Line(self._indent, self._indent)

    def _query(self, node: Branch) -> None:
        """Put the words before a query on one line, the query on the next."""
        for child in node.children[:-1]:
            self.walk(child, node)
        self._break()
        self.walk(node.children[-1], node)

    def _list(self, node: Branch) -> None:
        """Give each item of a column list a line, and one to its end."""
        children = node.children
        outer, inner = self._indent, self._indent + INDENT
        # Without items it stays on its line, if it holds no comments.
        group = Group() if len(children) == 2 else None
        self.walk(children[0], node)
        self.steps[-1].opens = group
        self._indent = inner
        for child in children[1:-1]:
            if not isinstance(child, Token):
                self._line = Line(inner, inner)
            self.walk(child, node)
        self._indent = outer
        self._line = Line(outer, inner, group)
        self.walk(children[-1], node)
        if group is not None:
            group.end = len(self.steps) - 1

    def _expectation(self, node: Branch) -> None:
        *before, last = node.children
        for child in before:
            self.walk(child, node)
        if isinstance(last, Token):
            self.walk(last, node)
            return
        place = len(self.steps)
        self.walk(last, node)
        indent = self._indent + INDENT
        self.steps[place].line = Line(indent, indent, soft_end=len(self.steps) - 1)

    def _group(self, node: Branch) -> None:
        group = Group()
        outer, inner = self._indent, self._indent + INDENT
        children = node.children
        first = next(at for at, child in enumerate(children) if _is(child, "LPAR"))
        for child in children[:first]:
            self.walk(child, node)
        self.walk(children[first], node)
        self.steps[-1].opens = group
        self._indent = inner
        for child in children[first + 1 : -1]:
            if not _is(child, "COMMA"):
                self._line = Line(inner, inner, group)
            self.walk(child, node)
        self._indent = outer
        self._line = Line(outer, inner, group)
        self.walk(children[-1], node)
        group.end = len(self.steps) - 1

    def _type(self, node: Branch) -> None:
        """Give each field of a struct a line, where the struct does not fit on one."""
        start, end = _ends(node)
        outer = self._indent
        # One for each bracket; those of structs alone may be broken.
        open_groups: list[Group | None] = []
        for at, (token, shown) in enumerate(type_tokens(self._text, start, end)):
            group = open_groups[-1] if open_groups else None
            if shown == ">" and open_groups:
                open_groups.pop()
                if group is not None:
                    self._indent -= INDENT
                    self._line = Line(self._indent, self._indent + INDENT, group)
                    group.end = len(self.steps)
            self._step(token.start, token.end, shown, is_call=at > 0 and shown == "(")
            if shown == "<":
                is_struct = self.steps[-2].shown == "STRUCT"
                open_groups.append(Group() if is_struct else None)
                self.steps[-1].opens = open_groups[-1]
                self._indent += INDENT * is_struct
            self.steps[-1].is_comma = shown == ","
            group = open_groups[-1] if open_groups else None
            if shown in ("<", ",") and group is not None and not self._is_in_brackets():
                self._line = Line(self._indent, self._indent, group)
        self._indent = outer

    def _is_in_brackets(self) -> bool:
        """Tell whether the last step is a comma between the sizes of a type."""
        before = self.steps[-3:-1]
        return len(before) == 2 and before[0].shown == "(" and self.steps[-1].is_comma

    # ------------------------------------------------------------ tokens

    def _token(self, token: Token, parent: Branch | None) -> None:
        production = parent.production if parent else ""
        is_call = token.type == "LPAR" and production in _CALLS
        if token.type in _VERBATIM or production in _VALUES:
            shown = token.text
            if production in _SPOKEN and token.type == "IDENT" and shown.isidentifier():
                shown = shown.upper()
            self._step(token.start, token.end, shown, is_call=is_call)
            self.steps[-1].is_query = token.type in _QUERIES
            return
        # A keyword of two words may have a comment between them.
        for raw in raw_tokens(self._text, token.start, token.end):
            is_word = raw.text.isidentifier()
            self._step(
                raw.start, raw.end, raw.text.upper() if is_word else raw.text, is_call=is_call
            )
        self.steps[-1].is_comma = token.type == "COMMA"

    def _step(self, start: int, end: int, shown: str, *, is_call: bool) -> None:
        before = self.steps[-1] if self.steps else None
        blank = before is not None and is_blank_between(before.shown, shown, is_call=is_call)
        if before is not None and self._text[before.start : before.end] in ("+", "-"):
            blank = False
        self.steps.append(Step(start, end, shown, self._line, blank))
        self._line = None


_SPECIAL: dict[str, Callable[[_Walker, Branch], None]] = {
    "column_list": _Walker._list,
    "expectation": _Walker._expectation,
    **dict.fromkeys(("as_query", "flow_query", "flow_once", "flow_replace"), _Walker._query),
}


def _production(node: Concrete) -> str:
    return node.production if isinstance(node, Branch) else ""


def _is(node: Concrete, kind: str) -> bool:
    return isinstance(node, Token) and node.type == kind


def _is_bracketed(node: Branch) -> bool:
    """Tell whether a node ends in a list in brackets with a comma in it."""
    kinds: Sequence[str] = [child.type for child in node.children if isinstance(child, Token)]
    is_closed = _is(node.children[-1], "RPAR") if node.children else False
    return is_closed and kinds.count("LPAR") == 1 and "COMMA" in kinds


def _ends(node: Branch) -> tuple[int, int]:
    first, last = node.children[0], node.children[-1]
    start = first.start if isinstance(first, Token) else _ends(first)[0]
    end = last.end if isinstance(last, Token) else _ends(last)[1]
    return start, end
