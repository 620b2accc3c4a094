"""N101: expectations that are numbered instead of named."""

from collections.abc import Iterator

from tidegate.grammar.nodes import ExpectClause
from tidegate.linter.context import Context
from tidegate.linter.name_tokens import singular, tokens
from tidegate.linter.rule import Bad, Category, Rule
from tidegate.source.diagnostic import Diagnostic, Severity
from tidegate.source.edit import Edit, Fix, Safety

_GENERIC = frozenset(
    {
        "assertion", "c", "check", "chk", "ck", "cond", "condition", "constraint", "dq", "expect",
        "expectation", "expr", "expression", "quality", "r", "rule", "test", "valid",
        "validation",
    }
)  # fmt: skip
_NO_NEWS = _GENERIC | {"data"}
"""Those, and what says nothing beside them."""
_TELLING_DIGITS = 2


class CounterName(Rule[ExpectClause]):
    """A counted name says nothing about the rule, and inserting another rule renames its metric.

    The name of an expectation is the key under which its figures are kept. `rule_3` becomes
    `rule_4` as soon as somebody puts a rule above it, and two histories are mixed up without
    a word. Who reads a failed update or a dashboard learns nothing from it either.

    Names are counted when nothing is left of them but generic words (rule, check, constraint, dq
    and the like) and numbers or single letters. A number that comes from the predicate is no
    counter: one that stands in a column's name, and one of two or more digits that is a literal.

    The fix derives a name from the column and the operator. It is unsafe: under its new name
    the metric starts anew. Ignore the rule where the names come from a register that counts.
    """

    code = "N101"
    category = Category.SUSPICIOUS
    severity = Severity.WARNING
    bad = (
        Bad(
            """
            CREATE OR REFRESH STREAMING TABLE berths (
              CONSTRAINT dq_check_3 EXPECT (berth IS NOT NULL)
              --         ^^^^^^^^^^ N101
            ) AS SELECT * FROM STREAM raw.berths;
            """,
            fixed="""
            CREATE OR REFRESH STREAMING TABLE berths (
              CONSTRAINT berth_not_null EXPECT (berth IS NOT NULL)
            ) AS SELECT * FROM STREAM raw.berths;
            """,
        ),
    )
    good = (
        """
        CREATE OR REFRESH STREAMING TABLE berths (
          CONSTRAINT berth_not_null EXPECT (berth IS NOT NULL),
          CONSTRAINT phone_2 EXPECT (phone_2 RLIKE '^[0-9]+$'),
          CONSTRAINT over_65 EXPECT (age > 65),
          CONSTRAINT iso_3166 EXPECT (length(country) = 2)
        ) AS SELECT * FROM STREAM raw.berths;
        """,
    )

    def check(self, node: ExpectClause, ctx: Context) -> Iterator[Diagnostic]:
        """Flag names of which only a counter is left."""
        if node.name is None or not _is_counter(node.name.text):
            return
        # Most names are no counters; what only counters need is imported here.
        from tidegate.linter.evidence import column_names, literal_texts  # noqa: PLC0415
        from tidegate.linter.volatile_text import volatile_run  # noqa: PLC0415

        name = node.name.text
        numbers = {word for word in tokens(name) if word.isdigit()}
        explained = {
            *(word for column in column_names(node, ctx) for word in tokens(column)),
            *(text for text in literal_texts(node) if len(text) >= _TELLING_DIGITS),
        }
        if (numbers and numbers <= explained) or volatile_run(name):
            return
        fix = None
        derived = ctx.names.derived(node)
        if derived:
            fix = Fix(f"Rename to `{derived}`", (Edit(node.name.span, derived),), Safety.UNSAFE)
        yield self.at(
            node.name.span,
            f"`{name}` counts rules instead of saying what this one demands",
            help="name the column and the condition"
            + (f", such as `{derived}`" if derived else ", such as `amount_positive`"),
            fix=fix,
        )


def _is_counter(name: str) -> bool:
    last = name.rpartition("_")[2]
    if len(last) > 1 and last.isalpha() and last.islower() and singular(last) not in _NO_NEWS:
        return False  # it is a word of its own, and most names end with such a one
    words = tokens(name)
    numbers = [each for each in words if each.isdigit()]
    if words and len(numbers) == len(words):
        return True
    generic = [each for each in words if singular(each) in _GENERIC]
    if not generic or not all(
        each.isdigit() or len(each) == 1 or singular(each) in _NO_NEWS for each in words
    ):
        return False
    # `c` and `r` are generic words and letters alike: `c_1` counts, `c_r` does not.
    ends_in_letter = len(words[-1]) == 1 and any(len(each) > 1 for each in generic)
    return bool(numbers) or ends_in_letter
