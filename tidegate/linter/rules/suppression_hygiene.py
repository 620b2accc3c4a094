"""D906: suppressions that say too little, or suppress nothing."""

from collections.abc import Iterator

from tidegate.catalog.spelling import nearest
from tidegate.linter.context import Context
from tidegate.linter.registry import entries
from tidegate.linter.rule import Bad, Category, Rule
from tidegate.linter.suppressions import JudgedSuppression, NamedRule, Suppression
from tidegate.source.diagnostic import Diagnostic, Severity
from tidegate.source.edit import Edit, Fix, Safety
from tidegate.source.span import Span

_FORM = "write `-- tidegate: ignore[rule-name] why`"


class SuppressionHygiene(Rule[JudgedSuppression]):
    """A suppression names its rules and says why, and goes when it is no longer needed.

    `-- tidegate: ignore[null-comparison] why` on a line of its own covers the next statement or
    list item; behind code it covers the item it trails; `ignore-file` covers the file and stands
    above its first statement. A comment without names or without a reason is not obeyed: stale
    and blanket waivers hide new defects.

    Reported are comments that cannot be read, names that no rule has, and names that suppress
    nothing although their rule ran. The fix removes what suppresses nothing and writes names for
    codes; it is safe.
    """

    code = "D906"
    category = Category.GOVERNANCE
    severity = Severity.WARNING
    bad = (
        Bad(
            """
            CREATE OR REFRESH STREAMING TABLE orders (
              CONSTRAINT rule_1 EXPECT (amount > 0) -- tidegate: ignore[counter-name]
              --         ^^^^^^ N101                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ D906
            ) AS SELECT * FROM STREAM raw.orders;
            """,
        ),
        Bad(
            """
            CREATE OR REFRESH STREAMING TABLE orders (
              CONSTRAINT paid EXPECT (amount > 0) -- tidegate: ignore[null-comparison] pending
              --                                                      ^^^^^^^^^^^^^^^ D906
            ) AS SELECT * FROM STREAM raw.orders;
            """,
            fixed="""
            CREATE OR REFRESH STREAMING TABLE orders (
              CONSTRAINT paid EXPECT (amount > 0)
            ) AS SELECT * FROM STREAM raw.orders;
            """,
        ),
    )
    good = (
        """
        CREATE OR REFRESH STREAMING TABLE orders (
          -- tidegate: ignore[counter-name] the register of the finance team counts
          CONSTRAINT rule_1 EXPECT (amount > 0)
        ) AS SELECT * FROM STREAM raw.orders;
        """,
    )

    def check(self, node: JudgedSuppression, ctx: Context) -> Iterator[Diagnostic]:
        """Flag the comment as a whole if it is not obeyed, else its idle names."""
        suppression = node.suppression
        if problem := _problem(suppression):
            message, advice = problem
            yield self.at(suppression.span, message, help=advice)
            return
        known = entries()
        codes = {entry.code: name for name, entry in known.items()}
        for name in node.idle:
            if name.text in known:
                yield self._idle(node, name)
            elif meant := codes.get(name.text.upper()):
                edit = Edit(name.span, meant)
                yield self.at(
                    name.span,
                    f"`{name.text}` is a code; suppressions take names",
                    help=f"write `{meant}`",
                    fix=Fix(f"Write `{meant}`", (edit,), Safety.SAFE),
                )
            else:
                near = nearest(name.text, known)
                yield self.at(
                    name.span,
                    f"there is no rule named `{name.text}`",
                    help=f"did you mean `{near}`?" if near else "see `tidegate rule`",
                )

    def _idle(self, node: JudgedSuppression, name: NamedRule) -> Diagnostic:
        return self.at(
            name.span,
            f"nothing here breaks `{name.text}`",
            help="remove the suppression" if len(node.idle) == 1 else "remove the name",
            fix=Fix("Remove it", (Edit(_removed(node, name), ""),), Safety.SAFE),
        )


def _problem(suppression: Suppression) -> tuple[str, str] | None:
    """Return why a suppression is not obeyed, and the way out."""
    match suppression.word:
        case "ignore" | "ignore-file" if not suppression.names:
            return "this suppression names no rule, so it is not obeyed", _FORM
        case "ignore" | "ignore-file" if not suppression.reason:
            return "this suppression gives no reason, so it is not obeyed", "say why behind the ]"
        case "ignore" if suppression.covers is None:
            return "this suppression stands where it covers nothing", (
                "put it above the statement or list item, or behind it on its line"
            )
        case "ignore-file" if suppression.covers is None:
            return "`ignore-file` is obeyed only above the first statement", (
                "move it to the head of the file, or write `ignore`"
            )
        case "ignore" | "ignore-file":
            return None
        case word:
            said = f"`{word}` is no instruction to tidegate" if word else "nothing is said here"
            return f"{said}, so it is not obeyed", _FORM


def _removed(node: JudgedSuppression, name: NamedRule) -> Span:
    """Return what to delete: the whole comment, or one name with its comma."""
    names = node.suppression.names
    if len(names) == 1:
        return node.suppression.line
    at = names.index(name)
    if at + 1 < len(names):
        return Span(name.span.start, names[at + 1].span.start)
    return Span(names[at - 1].span.end, name.span.end)
