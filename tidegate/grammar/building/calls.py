"""The children of calls come in; their nodes go out."""

from tidegate.grammar import nodes
from tidegate.grammar.building.pieces import (
    Child,
    Piece,
    name_of,
    one_word,
    operands,
    over,
    reject,
)
from tidegate.grammar.tokens import Token, word_set
from tidegate.source.span import Span

_UNITS = word_set(
    "YEAR YEARS QUARTER QUARTERS MONTH MONTHS WEEK WEEKS DAY DAYS DAYOFYEAR HOUR HOURS MINUTE "
    "MINUTES SECOND SECONDS MILLISECOND MILLISECONDS MICROSECOND MICROSECONDS "
    "NANOSECOND NANOSECONDS"
)
_UNIT_FIRST = word_set("DATEADD DATE_ADD DATEDIFF DATE_DIFF TIMESTAMPADD TIMESTAMPDIFF TIMEDIFF")
# The functions that take IGNORE NULLS among their arguments.
_NULLS_INSIDE = word_set("FIRST FIRST_VALUE LAST LAST_VALUE ANY_VALUE")


class CallBuilder:
    """Makes calls in all their forms."""

    # ------------------------------------------------------------ calls

    def call(self, children: list[Child]) -> nodes.FunctionCall:
        """Name, arguments and what follows them."""
        name, invocation = children
        return self._call(name, invocation, over(children), nodes.CallForm.PLAIN)

    def form_call(self, children: list[Child]) -> nodes.FunctionCall:
        """Call a function that has a form of its own the ordinary way."""
        return self._call(one_word(children[0]), children[1], over(children), nodes.CallForm.PLAIN)

    def _call(
        self, name: nodes.QualifiedName, invocation: Piece, span: Span, form: nodes.CallForm
    ) -> nodes.FunctionCall:
        fields: dict[str, Child] = invocation.value
        arguments = fields["arguments"]
        called = name.parts[-1].text.upper()
        inside = fields.pop("nulls_inside", None)
        if inside is not None and called not in _NULLS_INSIDE:
            reject(inside, f"`{called}` takes it behind its parenthesis")
        if inside is not None and inside.value[0] == "RESPECT":
            reject(inside, "RESPECT NULLS stands behind the parenthesis")
        if len(arguments) == 3 and len(name.parts) == 1 and called in _UNIT_FIRST:
            if _is_string(arguments[0]):
                reject(arguments[0], "the unit is a word without quotes")
            if unit := _unit_of(arguments[0]):
                form = nodes.CallForm.SPECIAL
                fields["arguments"] = (unit, *arguments[1:])
        return nodes.FunctionCall(span=span, name=name, form=form, **fields)

    def invocation(self, children: list[Child]) -> Piece:
        """Collect arguments and suffixes, each suffix at most once and in order."""
        fields: dict[str, Child] = {"arguments": ()}
        rank = 0
        for child in operands(children):
            if isinstance(child.value, dict):
                fields.update(child.value)
                continue
            place, field, value = child.value
            if place <= rank:
                reject(child, "out of order")
            rank = place
            fields[field] = value
        return Piece(over(children), fields)

    def arguments(self, children: list[Child]) -> Piece:
        """[DISTINCT] arguments [IGNORE NULLS]."""
        fields: dict[str, Child] = {}
        first = children[0]
        if first.__class__ is Token:
            fields["distinct"] = first.type == "DISTINCT"
        arguments = list(operands(children))
        if isinstance(arguments[-1], Piece):
            inner = arguments.pop()
            fields["nulls"] = inner.value[0]
            fields["nulls_inside"] = inner
        fields["arguments"] = tuple(arguments)
        return Piece(over(children), fields)

    def star(self, children: list[Child]) -> nodes.Star:
        """* or name . *."""
        qualifier = children[0].parts if len(children) > 1 else ()
        return nodes.Star(span=over(children), qualifier=qualifier)

    def named_argument(self, children: list[Child]) -> nodes.NamedArgument:
        """Name => value."""
        return nodes.NamedArgument(
            span=over(children), name=name_of(children[0]), value=children[2]
        )

    def lambda_(self, children: list[Child]) -> nodes.Lambda:
        """Parameters -> body."""
        head = children[0]
        if head.__class__ is Token:
            parameters: tuple[nodes.Name, ...] = (name_of(children[0]),)
        else:
            parameters = tuple(_parameter(part) for part in head.parts)
        return nodes.Lambda(span=over(children), parameters=parameters, body=children[2])

    def within_group(self, children: list[Child]) -> Piece:
        """WITHIN GROUP (ORDER BY ...)."""
        span = over(children)
        return Piece(span, (1, "within_group", span))

    def filter(self, children: list[Child]) -> Piece:
        """FILTER (WHERE condition)."""
        return Piece(over(children), (2, "filter", children[3]))

    def null_treatment(self, children: list[Child]) -> Piece:
        """IGNORE or RESPECT NULLS behind a call."""
        return Piece(over(children), (3, "nulls", children[0].value[0]))

    def over(self, children: list[Child]) -> Piece:
        """OVER (window)."""
        span = over(children)
        return Piece(span, (4, "window", span))

    def identifier_clause(self, children: list[Child]) -> nodes.FunctionCall:
        """IDENTIFIER(expression): a name made at run time."""
        return self._special(children, (children[2],))

    def identifier_call(self, children: list[Child]) -> nodes.FunctionCall:
        """Call a function whose name is made at run time."""
        span = over(children[:4])
        text = children[0].text
        name = nodes.Name(span=span, text=text, quoted=False)
        called = nodes.QualifiedName(span=span, parts=(name,))
        return self._call(called, children[4], over(children), nodes.CallForm.SPECIAL)

    def struct_call(self, children: list[Child]) -> nodes.FunctionCall:
        """STRUCT(values, with names or without)."""
        return nodes.FunctionCall(
            span=over(children), name=one_word(children[0]), arguments=operands(children)
        )

    def _special(self, children: list[Child], arguments: tuple[Child, ...]) -> nodes.FunctionCall:
        return nodes.FunctionCall(
            span=over(children),
            name=one_word(children[0]),
            arguments=arguments,
            form=nodes.CallForm.SPECIAL,
        )

    def extract(self, children: list[Child]) -> nodes.FunctionCall:
        """EXTRACT(field FROM source)."""
        field = children[2]
        if not isinstance(field, nodes.ColumnReference) or len(field.parts) != 1:
            reject(field, "not a field name")
        word = nodes.BareWord(span=field.span, text=field.parts[0].text)
        return self._special(children, (word, children[4]))

    def trim(self, children: list[Child]) -> nodes.FunctionCall:
        """TRIM([side] [characters] FROM source)."""
        parts = tuple(
            nodes.BareWord(span=part.span, text=part.value[0]) if isinstance(part, Piece) else part
            for part in operands(children)
        )
        return self._special(children, parts)

    def substring(self, children: list[Child]) -> nodes.FunctionCall:
        """SUBSTRING(text FROM start FOR length), and its kin."""
        return self._special(children, operands(children))

    position = overlay = substring


def _parameter(part: nodes.Expression) -> nodes.Name:
    if isinstance(part, nodes.Placeholder):
        return nodes.Name(span=part.span, text=part.spelling, quoted=False)
    if isinstance(part, nodes.ColumnReference) and len(part.parts) == 1:
        return part.parts[0]
    return reject(part, "not a parameter name")


def _is_string(argument: nodes.Expression) -> bool:
    return isinstance(argument, nodes.Literal) and argument.kind is nodes.LiteralKind.STRING


def _unit_of(argument: nodes.Expression) -> nodes.BareWord | None:
    if not isinstance(argument, nodes.ColumnReference) or len(argument.parts) != 1:
        return None
    text = argument.parts[0].text
    if text.upper() not in _UNITS:
        return None
    return nodes.BareWord(span=argument.span, text=text)
