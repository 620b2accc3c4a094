"""F202: calls of functions that do not exist."""

from collections.abc import Iterator, Sequence

from tidegate.catalog.functions import Function, is_known, lookup, suggest
from tidegate.grammar.nodes import FunctionCall
from tidegate.linter.context import Context
from tidegate.linter.rule import Bad, Category, Rule
from tidegate.source.diagnostic import Diagnostic, Severity
from tidegate.source.edit import Edit, Fix, Safety

_TARGET_NAMES = {
    "lakeflow": "Lakeflow",
    "databricks-sql": "Databricks SQL",
    "delta": "Delta on Spark",
}
_WITHOUT_LIST = "delta-rs"


class UnknownFunction(Rule[FunctionCall]):
    """A function that neither the target nor the project has fails the update at its analysis.

    Every unqualified name is looked up among the built-in functions of the configured targets
    (828 names of Spark and Databricks), among the functions that the files create, and among those
    that the configuration lists under `functions` and `python_udfs`. So are `builtin.f` and
    `system.builtin.f`. Other qualified names stand in a catalog that is not read here.

    A file that says USE may call functions of that schema. There, a name is reported only
    when it is nearly that of a built-in.

    The fix is offered where one built-in is a single edit away and takes as many arguments. It is
    unsafe, since nobody but you knows what was meant.
    """

    code = "F202"
    category = Category.CORRECTNESS
    severity = Severity.ERROR
    bad = (
        Bad(
            """
            CREATE OR REFRESH STREAMING TABLE parcels (
              CONSTRAINT code_length EXPECT (lenght(code) = 3)
              --                             ^^^^^^ F202
            ) AS SELECT * FROM STREAM raw.parcels;
            """,
            fixed="""
            CREATE OR REFRESH STREAMING TABLE parcels (
              CONSTRAINT code_length EXPECT (length(code) = 3)
            ) AS SELECT * FROM STREAM raw.parcels;
            """,
        ),
        Bad(
            """
            CREATE OR REFRESH STREAMING TABLE parcels (
              CONSTRAINT weight_numeric EXPECT (isnumeric(weight) = 1)
              --                                ^^^^^^^^^ F202
            ) AS SELECT * FROM STREAM raw.parcels;
            """,
        ),
    )
    good = (
        """
        CREATE FUNCTION is_ean(code STRING) RETURNS BOOLEAN RETURN length(code) = 13;
        CREATE OR REFRESH STREAMING TABLE parcels (
          CONSTRAINT code_length EXPECT (length(code) = 3),
          CONSTRAINT ean_valid EXPECT (is_ean(ean)),
          CONSTRAINT tags_given EXPECT (forall(tags, tag -> system.builtin.length(tag) > 0)),
          CONSTRAINT owner_known EXPECT (main.people.is_known(owner))
        ) AS SELECT * FROM STREAM raw.parcels;
        """,
    )

    def check(self, node: FunctionCall, ctx: Context) -> Iterator[Diagnostic]:
        """Flag names that no configured target and no declaration knows."""
        parts = tuple(part.text.lower() for part in node.name.parts)
        if parts[:-1] not in ((), ("builtin",), ("system", "builtin")):
            return
        targets = [each for each in ctx.settings.targets if each != _WITHOUT_LIST]
        missing = [each for each in targets if not is_known(parts[-1], each)]
        if not missing or (len(parts) == 1 and _is_declared(parts[0], ctx)):
            return
        suggestions = suggest(parts[-1], targets)
        if len(parts) == 1 and not suggestions and ctx.scope.uses_schema(ctx.file):
            return
        name = node.name.parts[-1]
        yield self.at(
            node.name.span,
            f"`{name.text}` is no function of {_named(missing)}, and nothing here creates it",
            help=_help(suggestions),
            fix=_fix(node, suggestions, lookup(parts[-1])),
        )


def _is_declared(name: str, ctx: Context) -> bool:
    declared = ctx.declared
    if name in declared.sql or name in declared.python:
        return True
    return name in ctx.lambda_parameters


def _named(targets: Sequence[str]) -> str:
    names = (_TARGET_NAMES.get(each, each.replace("spark-", "Spark ")) for each in targets)
    return " or ".join(names)


def _help(suggestions: Sequence[str]) -> str:
    if suggestions:
        return "did you mean " + " or ".join(f"`{each}`" for each in suggestions) + "?"
    return "check the spelling; if it exists elsewhere, list it under `functions`"


def _fix(node: FunctionCall, suggestions: Sequence[str], known: Function | None) -> Fix | None:
    """Replace the name by the only built-in one edit away, if it takes as many arguments."""
    from tidegate.catalog.spelling import distance  # noqa: PLC0415  needed only in this case

    name = node.name.parts[-1]
    near = [each for each in suggestions if distance(name.text.lower(), each, 1) == 1]
    if len(near) != 1 or known is not None:
        return None
    function = lookup(near[0])
    if function is None or not function.accepts(len(node.arguments)):
        return None
    return Fix(f"Use `{near[0]}`", (Edit(name.span, near[0]),), Safety.UNSAFE)
