"""Built-in functions of Spark and Databricks: a name comes in, what is known about it goes out.

The facts stand in ``functions.tsv``; ``scripts/generate_functions.py`` packs them into a text that
is searched in place, so that a lookup costs microseconds and start-up nothing.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import Literal

import msgspec

from tidegate.catalog.spelling import distance

# Words, not enumerations: this module is on the way of every check, and four enumerations would
# cost more than all the rest of it.
FunctionKind = Literal["scalar", "aggregate", "window", "table", "keyword-form", "operator"]
"""Where a function may stand.

Generators are table functions. A keyword form is syntax that looks like a call: ``EXTRACT``.
"""

Determinism = Literal["deterministic", "per-query", "non-deterministic", "external"]
"""On what the result depends besides the arguments.

Per query: on the clock or the session, fixed within one query. External: on a service, or on files.
"""

Availability = Literal["yes", "no", "doubtful"]
"""Whether a platform has a function.

Doubtful: seen, but on no page of the vendor's, so that a miss is not proved.
"""


class Function(msgspec.Struct, frozen=True, kw_only=True):
    """What is known about one built-in name."""

    name: str
    kind: FunctionKind
    spark_4_2: Availability
    spark_4_3: Availability
    databricks: Availability
    determinism: Determinism
    group: str
    min_args: int | None
    """``None`` where it is not known."""
    max_args: int | None
    """``None`` where there is no upper bound, or none is known."""

    def availability(self, target: str) -> Availability:
        """Say whether a lint target has the function.

        Releases before 4.2 are answered with the list of 4.2: names they lack are not reported.
        """
        match target:
            case "lakeflow" | "databricks-sql":
                return self.databricks
            case "spark-4.3":
                return self.spark_4_3
            case _:
                return self.spark_4_2

    def accepts(self, count: int) -> bool:
        """Say whether a number of arguments can be right; what is not known is accepted."""
        low = 0 if self.min_args is None else self.min_args
        return low <= count and (self.max_args is None or count <= self.max_args)


_ALIASES = {
    "approx_distinct": "approx_count_distinct",
    "array_length": "array_size",
    "charindex": "locate",
    "concatenate": "concat",
    "count_distinct": "count",
    "datalength": "octet_length",
    "datetrunc": "date_trunc",
    "div0": "try_divide",
    "edit_distance": "levenshtein",
    "ends_with": "endswith",
    "generate_uuid": "uuid",
    "getdate": "current_timestamp",
    "getutcdate": "current_timestamp",
    "iff": "if",
    "is_date": "try_to_date",
    "is_nan": "isnan",
    "is_not_null": "isnotnull",
    "is_null": "isnull",
    "is_numeric": "try_cast",
    "isblank": "trim",
    "isdate": "try_to_date",
    "isempty": "length",
    "isinteger": "try_cast",
    "isnumeric": "try_cast",
    "json_extract": "get_json_object",
    "json_value": "get_json_object",
    "len": "length",
    "lenb": "octet_length",
    "list_contains": "array_contains",
    "newid": "uuid",
    "parse_date": "to_date",
    "regexp_contains": "regexp_like",
    "regexp_matches": "regexp_like",
    "safe_cast": "try_cast",
    "safe_divide": "try_divide",
    "starts_with": "startswith",
    "str_length": "length",
    "strftime": "date_format",
    "string_length": "length",
    "strlen": "length",
    "strpos": "instr",
    "sysdate": "current_timestamp",
    "systimestamp": "current_timestamp",
    "today": "current_date",
    "try_to_decimal": "try_to_number",
    "uuid_string": "uuid",
}
"""Names that other databases use, and the built-in that does the same or stands closest."""

_KINDS: dict[str, FunctionKind] = {
    "s": "scalar",
    "a": "aggregate",
    "w": "window",
    "t": "table",
    "k": "keyword-form",
    "o": "operator",
}
_DETERMINISM: dict[str, Determinism] = {
    "d": "deterministic",
    "q": "per-query",
    "n": "non-deterministic",
    "e": "external",
}
_AVAILABILITY: dict[str, Availability] = {"y": "yes", "n": "no", "?": "doubtful"}
_MAX_SUGGESTIONS = 3


@lru_cache(maxsize=1024)
def lookup(name: str) -> Function | None:
    """Return what is known about a built-in, whatever the case of its name."""
    from tidegate.catalog._functions import ROWS  # noqa: PLC0415  loaded when first asked

    folded = name.lower()
    if not folded or " " in folded or "\n" in folded:
        return None
    at = ROWS.find(f"\n{folded} ")
    if at == -1:
        return None
    return _unpack(ROWS[at + 1 : ROWS.index("\n", at + 1)])


def is_known(name: str, target: str) -> bool:
    """Say whether a target has, or may have, a built-in of this name."""
    function = lookup(name)
    return function is not None and function.availability(target) != "no"


def suggest(name: str, targets: Iterable[str]) -> tuple[str, ...]:
    """Return up to three built-ins that all targets have and that were probably meant, best first.

    What another database calls it comes first, then names at most two edits away.
    """
    return _suggestions(name.lower(), tuple(targets))


@lru_cache(maxsize=256)
def _suggestions(folded: str, targets: tuple[str, ...]) -> tuple[str, ...]:
    found: list[str] = []
    alias = _ALIASES.get(folded)
    if alias is not None and all(is_known(alias, target) for target in targets):
        found.append(alias)
    for _, candidate in sorted(_near(folded)):
        if candidate not in found and all(is_known(candidate, target) for target in targets):
            found.append(candidate)
    return tuple(found[:_MAX_SUGGESTIONS])


def _near(folded: str) -> list[tuple[tuple[int, bool, int], str]]:
    from tidegate.catalog._functions import ROWS  # noqa: PLC0415  loaded when first asked

    # Two edits turn nearly any short word into any other.
    limit = 0 if len(folded) < 3 else 1 if len(folded) < 5 else 2
    near = []
    for line in ROWS.split("\n"):
        candidate, _, rest = line.partition(" ")
        if not rest or rest[0] == "o" or abs(len(candidate) - len(folded)) > limit:
            continue
        edits = distance(folded, candidate, limit)
        if 0 < edits <= limit:
            rank = (edits, candidate[0] != folded[0], abs(len(candidate) - len(folded)))
            near.append((rank, candidate))
    return near


def _unpack(line: str) -> Function:
    name, kind, available, determinism, low, high, group = line.split(" ")
    return Function(
        name=name,
        kind=_KINDS[kind],
        spark_4_2=_AVAILABILITY[available[0]],
        spark_4_3=_AVAILABILITY[available[1]],
        databricks=_AVAILABILITY[available[2]],
        determinism=_DETERMINISM[determinism],
        group=group,
        min_args=int(low) if low.isdigit() else None,
        max_args=int(high) if high.isdigit() else None,
    )
