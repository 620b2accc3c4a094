"""A query's text comes in; its outline goes out, read from the tokens in one pass.

Brackets are kept on a stack of our own, so that no nesting is too deep.
"""

from tidegate.grammar.outlines.outline import Outline, Output, Relation, StarItem
from tidegate.grammar.outlines.parts import (
    BARE_FUNCTIONS,
    CLAUSES,
    DEEPEST,
    FROM,
    HEAD,
    LAMBDA_REACH,
    LATERAL_VIEW,
    NO_COLUMN,
    OTHER,
    QUERY_OPENERS,
    SELECT,
    SET_OPERATIONS,
    Frame,
    unquoted,
)
from tidegate.grammar.outlines.relations import RelationReader
from tidegate.grammar.outlines.select_items import name_of
from tidegate.grammar.outlines.skim import skimmed
from tidegate.grammar.tokens import OPERATOR, QUOTED, STRANGE, WORD, RawToken, raw_tokens
from tidegate.source.span import Span

# Up to here it is not worth passing over anything.
_SHORT = 400


def outline(text: str, span: Span) -> Outline:
    """Return the outline of the query under a span."""
    return _Scan(list(raw_tokens(text, span.start, span.end))).run()


def relations(text: str, span: Span) -> tuple[Relation, ...]:
    """Return the relations of the query's outline, in a tenth of the time of the whole."""
    tokens = skimmed(text, span) if span.end - span.start > _SHORT else None
    if tokens is None:
        tokens = list(raw_tokens(text, span.start, span.end))
    scan = _Scan(tokens)
    scan.wants_names = False
    return scan.run().relations


class _Scan(RelationReader):
    def __init__(self, tokens: list[RawToken]) -> None:
        super().__init__(tokens)
        self.wants_names = True
        self._outputs: list[Output] = []
        self._is_first_branch = True
        self._stars: list[StarItem] = []
        self._names: list[tuple[tuple[str, ...], Span]] = []
        self._ctes: list[str] = []
        self.frames[0].is_root = True

    def run(self) -> Outline:
        place = 0
        while place < len(self.tokens):
            frame = self.frames[-1]
            if self.tokens[place].kind == STRANGE and frame.pending is None:
                frame.seen = True  # as ``_step`` would: most tokens of a skimmed query are filler
                place += 1
            else:
                place = self._step(place)
        while self.frames:
            frame = self.frames.pop()
            self._end_item(frame, len(self.tokens))
            self._end_branch(frame)
        if not self._outputs and self.relations:
            # FROM without SELECT puts out whatever it reads.
            at = self.relations[0].whole
            self._outputs.append(Output(name=None, span=at, is_star=True))
        return Outline(
            relations=tuple(self.relations),
            outputs=tuple(self._outputs),
            stars=tuple(sorted(self._stars, key=lambda star: star.span)),
            names=tuple(self._names),
            ctes=tuple(self._ctes),
        )

    # ------------------------------------------------------------ one token

    def _step(self, place: int) -> int:
        """Read what starts at a token; return where the next thing starts."""
        frame = self.frames[-1]
        token = self.tokens[place]
        if frame.pending is not None:
            after = self.read_alias(frame, place)
            if after is not None:
                return after
        if token.text == "(" and token.kind == OPERATOR:
            return self._open(frame, place)
        if token.text == ")" and token.kind == OPERATOR:
            return self._close(frame, place)
        if token.kind in (WORD, QUOTED):
            seen, frame.seen = frame.seen, True
            return self._name_or_word(frame, place, first=not seen)
        frame.seen = True
        if token.text == "," and frame.in_list:
            return self._cte(frame, place + 1)
        if token.kind == OPERATOR:
            self._operator(frame, place)
        return place + 1

    def _operator(self, frame: Frame, place: int) -> None:
        token = self.tokens[place]
        if token.text == ",":
            if frame.clause == SELECT and frame.is_query:
                self._end_item(frame, place)
                frame.item = place + 1
            elif frame.clause == FROM:
                frame.awaits = True
        elif token.text == "*" and frame.is_query and frame.clause == SELECT:
            before = self.upper(place - 1)
            if before in ("SELECT", "DISTINCT", "ALL", ","):
                frame.add_star(Span(token.start, token.end), ())
        elif token.text == "|" and self.upper(place + 1) == ">" and frame.is_query:
            self._end_item(frame, place)
            frame.clause, frame.awaits, frame.pending = OTHER, False, None

    # ------------------------------------------------------------ brackets

    def _open(self, frame: Frame, place: int) -> int:
        if len(self.frames) > DEEPEST:
            # Nobody writes this: what has been read so far is the outline.
            return len(self.tokens)
        opens_query = self.upper(place + 1) in QUERY_OPENERS and self.is_query_at(place + 1)
        nested = not opens_query and self.opens_nested_query(place)
        child = Frame(place, is_query=opens_query or nested)
        child.parameters |= self._lambda_parameters(place)
        child.is_root = frame.is_root and frame.is_query and not frame.seen and child.is_query
        if frame.awaits:
            frame.awaits = False
            if not child.is_query:
                child.is_query, child.clause, child.awaits = True, FROM, True
                child.owner = frame.owner
        if frame.in_with is not None:
            child.is_query = True
            child.clause = HEAD
        frame.seen = True
        self.frames.append(child)
        return place + 1

    def _lambda_parameters(self, place: int) -> frozenset[str]:
        """Return the names in a bracket that an arrow follows."""
        if not self.is_name(place + 1) or self.upper(place + 2) != ",":
            return frozenset()
        at = place + 1
        found: set[str] = set()
        while self.is_name(at) and self.upper(at + 1) == ",":
            found.add(self.tokens[at].text.lower())
            at += 2
        if self.upper(at + 1) != ")" or self.upper(at + 2) != "->":
            return frozenset()
        found.add(self.upper(at).lower())
        self.frames[-1].parameters |= found
        return frozenset(found)

    def _close(self, frame: Frame, place: int) -> int:
        if len(self.frames) == 1:
            return place + 1
        self._end_item(frame, place)
        self._end_branch(frame)
        self.frames.pop()
        outer = self.frames[-1]
        end = self.tokens[place].end
        if frame.relation is not None:
            self.finish_call(outer, frame.relation, frame.opened, place)
        elif frame.stream is not None:
            self.widen(outer, frame.stream, end)
        elif outer.in_with is not None:
            self._ctes.append(outer.in_with)
            outer.add_cte(outer.in_with)
            outer.in_with = None
        return place + 1

    # ------------------------------------------------------------ words

    def _name_or_word(self, frame: Frame, place: int, *, first: bool) -> int:
        token = self.tokens[place]
        word = token.text.upper() if token.kind == WORD else ""
        after_dot = self.upper(place - 1) == "."
        if frame.is_query and not after_dot:
            after = self._clause(frame, place, word, first=first)
            if after is not None:
                return after
        if frame.awaits:
            return self.read_relation(frame, place)
        if word == "TABLE" and frame.relation is not None and self.upper(place + 1) == "(":
            frame.awaits = True
            return place + 1
        if word == "TABLE" and not frame.is_query and self.is_name(place + 1):
            frame.awaits = True
            return place + 1
        return self._name(frame, place)

    def _clause(self, frame: Frame, place: int, word: str, *, first: bool) -> int | None:
        """Read a word that opens a clause; ``None`` if it does not."""
        if word == "WITH" and first:
            return self._with(frame, place + 1)
        if word == "SELECT":
            return self._select(frame, place)
        if self._opens_from(frame, place, word, first=first):
            self._end_item(frame, place)
            frame.clause, frame.awaits = FROM, True
            return place + 1
        if word == "LATERAL" and self.upper(place + 1) == "VIEW":
            frame.clause, frame.awaits = LATERAL_VIEW, False
            return place + (3 if self.upper(place + 2) == "OUTER" else 2)
        if word == "LATERAL" and frame.awaits:
            return place + 1
        if word in SET_OPERATIONS and not first:
            return self._set_operation(frame, place)
        if word in CLAUSES and self._ends_clause(frame, place):
            self._end_item(frame, place)
            frame.clause, frame.awaits = OTHER, False
            return place + 1
        return None

    def _opens_from(self, frame: Frame, place: int, word: str, *, first: bool) -> bool:
        """Tell whether relations follow a word."""
        before = self.upper(place - 1)
        if word == "FROM":
            # IS DISTINCT FROM compares.
            return before != "DISTINCT"
        if word == "TABLE":
            return (first or before in SET_OPERATIONS or before == "ALL") and self.is_name(
                place + 1
            )
        return word == "JOIN" and frame.clause != SELECT

    def _ends_clause(self, frame: Frame, place: int) -> bool:
        """Tell a clause's word from a column or alias of that name."""
        if frame.clause in (FROM, LATERAL_VIEW):
            return True
        if frame.clause != SELECT or self.upper(place - 1) in ("SELECT", ",", "AS", "DISTINCT"):
            return False
        return self.upper(place + 1) not in (",", "FROM", ")", "")

    def _set_operation(self, frame: Frame, place: int) -> int | None:
        """End a branch at UNION and its kin; ``SELECT * EXCEPT (a)`` is none."""
        following = self.upper(place + 1)
        is_star = self.upper(place) == "EXCEPT" and following == "(" and frame.clause == SELECT
        if is_star:
            return None
        self._end_item(frame, place)
        self._end_branch(frame)
        self._is_first_branch = self._is_first_branch and not frame.is_root
        frame.clause, frame.awaits = OTHER, False
        return place + (2 if following in ("ALL", "DISTINCT") else 1)

    def _with(self, frame: Frame, place: int) -> int:
        """Step into the list of common table expressions."""
        if self.upper(place) == "RECURSIVE":
            place += 1
        return self._cte(frame, place)

    def _cte(self, frame: Frame, place: int) -> int:
        if not self.is_name(place):
            return place
        frame.in_list = True
        frame.in_with = unquoted(self.tokens[place])
        recursive = self.upper(place - 1) == "RECURSIVE"
        place += 1
        if self.upper(place) == "(":
            place = self.behind_bracket(place)
        while self.upper(place) in ("AS", "NOT", "MATERIALIZED", "MAX", "RECURSION", "LEVEL"):
            place += 1
        if recursive:
            frame.add_cte(frame.in_with)
        frame.seen = True
        return place

    def _select(self, frame: Frame, place: int) -> int:
        self._end_item(frame, place)
        frame.clause, frame.awaits, frame.in_list = SELECT, False, False
        if frame.is_root and self.is_pipe(place - 2):
            self._outputs.clear()
        place += 1
        if self.upper(place) in ("DISTINCT", "ALL") and self.upper(place + 1) not in (",", "."):
            place += 1
        frame.item = place
        if self.upper(place) == "*":
            token = self.tokens[place]
            frame.add_star(Span(token.start, token.end), ())
            place += 1
        return place

    # ------------------------------------------------------------ names and relations

    def _name(self, frame: Frame, place: int) -> int:
        """Read a name in an expression: a column, a star's qualifier, or a called function."""
        if self.upper(place - 1) == ".":
            return place + 1
        token = self.tokens[place]
        parts, after = self.dotted(place)
        following = self.upper(after)
        is_word = token.kind == WORD and token.text.upper() in NO_COLUMN
        if following == "->" and len(parts) == 1:
            frame.parameters |= {parts[0].lower()}
        elif following == "." and self.upper(after + 1) == "*":
            if frame.is_query and frame.clause == SELECT:
                frame.add_star(Span(token.start, self.tokens[after + 1].end), parts)
            after += 2
        elif following == "(" and frame.is_query and not is_word and not self.starts_operand(place):
            # An alias with names for its columns.
            after = self.behind_bracket(after)
        elif is_word and len(parts) == 1:
            after = self.behind_as(place) if token.text.upper() == "AS" else after
        elif self.upper(place - 1) in (":", "::", "?::"):
            after = self.behind_type(after)
        elif self.wants_names and self._is_column(frame, place, parts, after):
            self._names.append((parts, Span(token.start, self.tokens[after - 1].end)))
        return after

    def _is_column(self, frame: Frame, place: int, parts: tuple[str, ...], after: int) -> bool:
        """Tell columns from functions, types of literals, aliases and units."""
        if self.upper(after) in ("(", "=>") or self.is_literal_prefix(place, after):
            return False
        if len(parts) == 1:
            is_bare = self.tokens[place].kind == WORD and parts[0].upper() in BARE_FUNCTIONS
            if is_bare or not self.starts_operand(place):
                return False
        return not self._is_no_column(frame, place, parts[0])

    def _is_no_column(self, frame: Frame, place: int, name: str) -> bool:
        """Tell lambda parameters, fields to extract and aliases of LATERAL VIEW from columns."""
        if frame.is_query and frame.clause == LATERAL_VIEW:
            return True
        if self.upper(place - 1) == "(" and self.upper(place - 2) == "EXTRACT":
            return True
        return any(name.lower() in one.parameters for one in self.frames[-LAMBDA_REACH:])

    # ------------------------------------------------------------ outputs

    def _end_item(self, frame: Frame, stop: int) -> None:
        """Close the select item that is open in a frame."""
        first, frame.item = frame.item, -1
        if 0 <= first < stop and frame.is_root and self._is_first_branch:
            self._outputs.append(self._output(first, stop))

    def _end_branch(self, frame: Frame) -> None:
        """Close one SELECT: its stars cover what its FROM clause reads."""
        if frame.owner is not frame:
            return
        leaves = tuple(frame.leaves or ())
        self._stars += [
            StarItem(span=span, qualifier=qualifier, relations=leaves)
            for span, qualifier in frame.stars or ()
        ]
        frame.leaves = frame.stars = None

    def _output(self, first: int, stop: int) -> Output:
        tokens = self.tokens[first:stop]
        span = Span(tokens[0].start, tokens[-1].end)
        if tokens[0].text == "*":
            return Output(name=None, span=span, is_star=True)
        parts, after = self.dotted(first) if self.is_name(first) else ((), first)
        if parts and self.upper(after) == "." and self.upper(after + 1) == "*":
            return Output(name=None, span=span, is_star=True, qualifier=parts)
        return Output(name=name_of(tokens), span=span, is_star=False)
