"""The shape of a rule: what it visits, its identity, its examples, and how it reports."""

from collections.abc import Iterator
from enum import Enum
from typing import ClassVar, Generic, TypeVar

import msgspec

from tidegate.catalog.faults import FAULTS
from tidegate.linter.context import Context
from tidegate.source.diagnostic import Diagnostic, Fault, Related, Severity
from tidegate.source.edit import Fix
from tidegate.source.span import Span

Visited = TypeVar("Visited")


class Category(Enum):
    """Groups rules for people."""

    CORRECTNESS = "correctness"
    SUSPICIOUS = "suspicious"
    PERFORMANCE = "performance"
    PORTABILITY = "portability"
    GOVERNANCE = "governance"
    STYLE = "style"
    PREVIEW = "preview"


class Bad(msgspec.Struct, frozen=True):
    """SQL or Python that a rule flags: a comment line of carets marks the span and names the code.

    Carets under a finding of several lines run to the end of its first line.
    """

    sql: str
    fixed: str | None = None


def public_name(class_name: str) -> str:
    """Turn ``NullComparison`` into ``null-comparison``."""
    return "".join(f"-{c.lower()}" if c.isupper() else c for c in class_name).removeprefix("-")


class Documented:
    """What a rule says about itself. The first line of the docstring is its summary."""

    name: ClassVar[str]
    """The class's words in lower case, joined by hyphens."""
    code: ClassVar[str]
    category: ClassVar[Category]
    severity: ClassVar[Severity]
    bad: ClassVar[tuple[Bad, ...]]
    good: ClassVar[tuple[str, ...]]
    language: ClassVar[str] = "sql"
    """What its examples are written in: ``sql`` or ``python``."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls.name = public_name(cls.__name__)


class Rule(Documented, Generic[Visited]):
    """A rule over nodes: ``Rule[Comparison]`` visits comparisons, ``Rule[Pipeline]`` the whole.

    Rules hold no state, read only the node and the context, and never look at each other.
    """

    severity_open_source: ClassVar[Severity | None] = None
    """Where only open-source targets are configured; ``None``: as elsewhere."""
    severity_strict: ClassVar[Severity | None] = None
    """In the profile ``strict``; ``None``: as elsewhere."""
    on_by_default: ClassVar[bool] = True
    triggers: ClassVar[tuple[str, ...]] = ()
    """Lower-case texts of which a file must hold one for the rule to fire there; none: any file."""
    reads_pipeline: ClassVar[bool] = False
    """Whether it asks ``ctx.pipeline`` for other files: then a change of one file may change what
    is found in any other, and results are kept for whole pipelines only."""

    def check(self, node: Visited, ctx: Context) -> Iterator[Diagnostic]:
        """Yield what is wrong with a node."""
        raise NotImplementedError

    def at(
        self,
        span: Span,
        message: str,
        *,
        help: str | None = None,  # noqa: A002  the name that diagnostics show
        related: tuple[Related, ...] = (),
        fix: Fix | None = None,
        severity: Severity | None = None,
        path: str = "",
    ) -> Diagnostic:
        """Make a finding; the engine adds the file (unless given), the dataset and the rule."""
        return Diagnostic(
            code=self.code,
            name=self.name,
            severity=severity or self.severity,
            message=message,
            path=path,
            span=span,
            help=help,
            related=related,
            fix=fix,
        )


class FaultRule(Documented):
    """Documents a fault that the grammar or the model finds; the catalog holds its code."""

    category = Category.CORRECTNESS

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        entry = FAULTS[cls.name]
        cls.code = entry.code
        cls.severity = entry.severity

    def amend(self, fault: Fault, ctx: Context) -> Fault | None:
        """Add what only the linter can say, a fix for instance; ``None`` withdraws the fault."""
        raise NotImplementedError
