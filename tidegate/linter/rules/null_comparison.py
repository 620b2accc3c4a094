"""P301: comparisons with NULL."""

from collections.abc import Iterator

from tidegate.grammar.nodes import (
    Between,
    Cast,
    ColumnReference,
    Comparison,
    DistinctFrom,
    Expression,
    Like,
    Literal,
    LiteralKind,
    Parenthesized,
)
from tidegate.linter.context import Context
from tidegate.linter.rule import Bad, Category, Rule
from tidegate.source.diagnostic import Diagnostic, Severity
from tidegate.source.edit import Edit, Fix, Safety

_TRANSPARENT = (Parenthesized, Cast)
_MEANT = {"=": "IS NULL", "==": "IS NULL", "<>": "IS NOT NULL", "!=": "IS NOT NULL"}


class NullComparison(Rule[Comparison | Between | Like]):
    """A comparison with NULL gives NULL for every row, so it cannot tell rows apart.

    `x = NULL` is NULL whatever `x` holds, and so is `x <> NULL`. Where a NULL verdict counts
    as a violation, every row breaks the rule; where it passes, the rule never fires. A NULL bound
    of BETWEEN leaves FALSE possible and TRUE not.

    `x IS NULL` and `x IS NOT NULL` ask what was meant; `x <=> NULL` is right too.

    The fix is unsafe: it changes which rows pass.
    """

    code = "P301"
    category = Category.CORRECTNESS
    severity = Severity.ERROR
    triggers = ("null",)
    bad = (
        Bad(
            """
            CREATE OR REFRESH STREAMING TABLE orders (
              CONSTRAINT still_open EXPECT (closed_at = NULL)
              --                            ^^^^^^^^^^^^^^^^ P301
            ) AS SELECT * FROM STREAM raw.orders;
            """,
            fixed="""
            CREATE OR REFRESH STREAMING TABLE orders (
              CONSTRAINT still_open EXPECT (closed_at IS NULL)
            ) AS SELECT * FROM STREAM raw.orders;
            """,
        ),
        Bad(
            """
            CREATE OR REFRESH STREAMING TABLE orders (
              CONSTRAINT email_given EXPECT (email <> NULL AND email LIKE '%@%')
              --                             ^^^^^^^^^^^^^ P301
            ) AS SELECT * FROM STREAM raw.orders;
            """,
            fixed="""
            CREATE OR REFRESH STREAMING TABLE orders (
              CONSTRAINT email_given EXPECT (email IS NOT NULL AND email LIKE '%@%')
            ) AS SELECT * FROM STREAM raw.orders;
            """,
        ),
        Bad(
            """
            CREATE OR REFRESH STREAMING TABLE orders (
              CONSTRAINT amount_in_range EXPECT (amount BETWEEN NULL AND 500)
              --                                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^ P301
            ) AS SELECT * FROM STREAM raw.orders;
            """,
        ),
    )
    good = (
        """
        CREATE OR REFRESH STREAMING TABLE orders (
          CONSTRAINT still_open EXPECT (closed_at <=> NULL),
          CONSTRAINT amount_given EXPECT (amount IS NOT NULL),
          CONSTRAINT note_kept EXPECT (coalesce(note, NULL) IS NULL)
        ) AS SELECT * FROM STREAM raw.orders;
        """,
    )

    def check(self, node: Comparison | Between | Like, ctx: Context) -> Iterator[Diagnostic]:
        """Flag every operator with a NULL operand but the null-safe one."""
        match node:
            case Comparison(left=left, right=right):
                if _is_null(left) or _is_null(right):
                    yield from self._comparison(node, ctx)
            case Between():
                yield from self._between(node)
            case Like():
                yield from self._like(node)

    def _comparison(self, node: Comparison, ctx: Context) -> Iterator[Diagnostic]:
        nulls = _is_null(node.left), _is_null(node.right)
        if node.operator.text == "<=>":
            return
        ending, other = _MEANT.get(node.operator.text), node.left if nulls[1] else node.right
        fix = None
        if ending and not all(nulls):
            text = ctx.text(other)
            if isinstance(other, Comparison | Between | Like | DistinctFrom):
                text = f"({text})"
            edit = Edit(node.span, f"{text} {ending}")
            fix = Fix(f"Use {ending}", (edit,), Safety.UNSAFE)
        yield self.at(
            node.span,
            f"comparing with NULL by `{node.operator.text}` gives NULL for every row",
            help=f"write `{ending}`" if ending else "compare with a value, or ask IS [NOT] NULL",
            fix=fix,
        )

    def _between(self, node: Between) -> Iterator[Diagnostic]:
        bounds = _is_null(node.low), _is_null(node.high)
        if _is_null(node.operand) or all(bounds):
            message = "BETWEEN with NULL gives NULL for every row"
        elif any(bounds):
            never = "FALSE" if node.negated else "TRUE"
            message = f"BETWEEN with a NULL bound is never {never}"
        else:
            return
        yield self.at(node.span, message, help="give both bounds, or compare with the one there is")

    def _like(self, node: Like) -> Iterator[Diagnostic]:
        pattern = node.quantifier is None and _is_null(node.patterns[0])
        if pattern or _is_null(node.operand):
            word = node.operator.text
            yield self.at(
                node.span,
                f"{word} with NULL gives NULL for every row",
                help="give a pattern, or ask IS [NOT] NULL",
            )


def _is_null(expression: Expression) -> bool:
    if expression.__class__ is ColumnReference:
        return False  # as most operands are
    while isinstance(expression, _TRANSPARENT):
        expression = (
            expression.inner if isinstance(expression, Parenthesized) else (expression.operand)
        )
    return isinstance(expression, Literal) and expression.kind is LiteralKind.NULL
