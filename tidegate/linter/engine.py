"""A bound pipeline comes in; what its rules find, and what was judged, go out."""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING

from tidegate.grammar.nodes import (
    BrokenStatement,
    CheckConstraint,
    CreateDataset,
    ExpectClause,
    ExplainStatement,
    Node,
    ObjectKind,
    OtherStatement,
    Statement,
    expectations_of,
    kind_of,
)
from tidegate.grammar.parser import ParsedFile
from tidegate.linter.context import Context, Scope
from tidegate.linter.registry import RuleEntry, entries, load_fault_rule, load_rule
from tidegate.linter.result import FileFindings, LintResult, NotAnalysed
from tidegate.linter.selection import select
from tidegate.linter.settings import LintSettings
from tidegate.linter.walk import node_fields, reachable
from tidegate.linter.withholding import without_endless
from tidegate.model.pipeline import Pipeline
from tidegate.source.diagnostic import Diagnostic, Fault
from tidegate.source.text import SourceFile

if TYPE_CHECKING:
    from tidegate.linter.declared import CreatedFunction
    from tidegate.linter.rule import FaultRule, Rule

Visits = dict[str, list[tuple[object, Context]]]
"""What there is to visit, by the name of its class."""

_GATES = frozenset({ExpectClause, CheckConstraint})
_GATE_NAMES = frozenset(each.__name__ for each in _GATES)
_HYGIENE = "suppression-hygiene"
_SUPPRESSION_MARK = "tidegate:"


def lint(
    pipeline: Pipeline,
    settings: LintSettings,
    surroundings: "Iterable[CreatedFunction] | None" = None,
) -> LintResult:
    """Run the selected rules over a pipeline.

    Given ``surroundings``, the pipeline is one file of a larger one: it carries the faults that
    stand in this file, and they are the functions that all files create. That is enough for all
    selections but those that ``needs_whole_pipeline`` names.
    """
    run = _Run(Scope(pipeline, settings, surroundings))
    whole = list(run.whole_pipeline())
    files: list[FileFindings] = []
    for file in pipeline.files:
        path = file.source.path
        found = [
            *run.faults(file),
            *run.visits(file),
            *(each for each in whole if each.path == path),
        ]
        kept, suppressed = run.unsuppressed(file, found)
        told = _in_order(file, kept, settings)
        files.append(FileFindings(path=path, diagnostics=told, suppressed=suppressed))
    return counted(pipeline.files, files, run.dataset_name)


def needs_whole_pipeline(settings: LintSettings) -> bool:
    """Tell whether a selected rule looks at several files at once."""
    known = entries()
    chosen = (known[name] for name in select(known.values(), settings))
    return any(each.reads_pipeline or "Pipeline" in each.kinds for each in chosen)


def _as_written(_: SourceFile, statement: Statement) -> str | None:
    name = statement.name if isinstance(statement, CreateDataset | BrokenStatement) else None
    return name.text if name else None


def counted(
    parsed: Iterable[ParsedFile],
    files: Sequence[FileFindings],
    name_of: Callable[[SourceFile, Statement], str | None] = _as_written,
) -> LintResult:
    """Count what the parsed files hold, and how much of it the rules could judge."""
    parsed = tuple(parsed)
    statements = [(file.source, each) for file in parsed for each in file.statements]
    clauses = [(*place, clause) for place in statements for clause in expectations_of(place[1])]
    skipped = tuple(
        _not_analysed(*each, name_of(each[0], each[1]))
        for each in clauses
        if each[2].predicate is None
    )
    return LintResult(
        files=tuple(files),
        statements=len(statements),
        expectations=len(clauses),
        checked=len(clauses) - len(skipped),
        broken=sum(isinstance(each, BrokenStatement) for _, each in statements),
        other=sum(kind_of(each) is ObjectKind.OTHER for _, each in statements),
        suppressed=sum(each.suppressed for each in files),
        not_analysed=skipped,
        templates=sum(file.is_template for file in parsed),
    )


_Plan = tuple[str, tuple[str, ...]]


@cache
def _plan(kind: type[Node], wanted: frozenset[str]) -> _Plan:
    """Say under which name nodes of a kind are wanted, and which fields lead to more."""
    fields = tuple(
        field
        for field, kinds in node_fields(kind).items()
        if any(not reachable(each).isdisjoint(wanted | _GATE_NAMES) for each in kinds)
    )
    return kind.__name__ if kind.__name__ in wanted else "", fields


class _Run:
    """One run: the active rules, and those of them that were imported so far."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.entries = entries()
        self.selection = select(self.entries.values(), scope.settings)
        self.visitors = [each for name in self.selection if (each := self.entries[name]).kinds]
        self.wanted = frozenset(kind for each in self.visitors for kind in each.kinds)
        self.datasets = {id(each.statement): each for each in scope.pipeline.datasets}
        self.plans: dict[type[Node], _Plan] = {}
        self.rules: dict[str, Rule[object]] = {}
        self.amending: dict[str, FaultRule] = {}
        self.bound: dict[int, list[Fault]] = {}
        for located in scope.pipeline.faults:
            self.bound.setdefault(id(located.source), []).append(located.fault)

    def whole_pipeline(self) -> Iterator[Diagnostic]:
        """Run the rules that see all files at once; each finding names its file."""
        pipeline = self.scope.pipeline
        if "Pipeline" in self.wanted and pipeline.files:
            context = Context(self.scope, pipeline.files[0].source)
            texts = " ".join(file.source.text for file in pipeline.files).lower()
            yield from self.dispatch({"Pipeline": [(pipeline, context)]}, texts)

    def visits(self, file: ParsedFile) -> Iterator[Diagnostic]:
        """Run the rules that visit the nodes of one file."""
        visits: Visits = {}
        for statement in file.statements:
            is_other = kind_of(statement) is ObjectKind.OTHER
            if is_other and not isinstance(statement, ExplainStatement):
                continue
            context = self.context(file.source, statement)
            if context.dataset is not None and "Dataset" in self.wanted:
                visits.setdefault("Dataset", []).append((context.dataset, context))
            self.collect(statement, context, visits)
        yield from self.dispatch(visits, file.source.text.lower())

    def dataset_name(self, source: SourceFile, statement: Statement) -> str | None:
        """Return the full name of the dataset that a statement makes."""
        return self.context(source, statement).dataset_name

    def context(self, source: SourceFile, statement: Statement | None) -> Context:
        return Context(self.scope, source, statement, self.datasets.get(id(statement)))

    def collect(self, root: Statement, context: Context, visits: Visits) -> None:
        """Sort a statement's nodes by their class; those of a predicate know whose it is."""
        roots: list[tuple[Node, Context]] = [(root, context)]
        while roots:
            first, where = roots.pop()
            pending = [first]
            while pending:
                node = pending.pop()
                kind = node.__class__
                if kind in _GATES and node is not first:
                    roots.append((node, where.inside(node)))  # type: ignore[arg-type]
                    continue
                name, fields = self.plans.get(kind) or self.plan(kind)
                if name:
                    visits.setdefault(name, []).append((node, where))
                for field in fields:
                    value = getattr(node, field)
                    if value.__class__ is tuple:
                        pending += value
                    elif value is not None:
                        pending.append(value)

    def plan(self, kind: type[Node]) -> _Plan:
        plan = self.plans[kind] = _plan(kind, self.wanted)
        return plan

    def dispatch(self, visits: Visits, text: str) -> Iterator[Diagnostic]:
        """Run every rule that has something to visit and whose words stand in the text."""
        for entry in self.visitors:
            found = [each for kind in entry.kinds for each in visits.get(kind, ())]
            if not found or (entry.triggers and not any(map(text.__contains__, entry.triggers))):
                continue
            rule = self.rules.get(entry.name)
            if rule is None:
                rule = self.rules[entry.name] = load_rule(entry)
            for node, where in found:
                for finding in rule.check(node, where):
                    yield self.located(finding, where)

    def faults(self, file: ParsedFile) -> Iterator[Diagnostic]:
        """Show what the grammar and the model found, amended by the rules that document it."""
        pairs: list[tuple[Fault, Statement | None]] = [(each, None) for each in file.faults]
        for each in file.statements:
            pairs += ((fault, each) for fault in each.faults)
        for found in self.bound.get(id(file.source), ()):
            pairs.append((found, _statement_at(file, found)))
        before, where = None, self.context(file.source, None)
        clauses: Sequence[ExpectClause] = ()
        for fault, statement in pairs:
            if fault.name not in self.selection:
                continue
            if statement is not before:
                before, where = statement, self.context(file.source, statement)
                clauses = expectations_of(statement) if statement else ()
            shown = self.diagnosed(fault, where, clauses)
            if shown is not None:
                yield shown

    def diagnosed(
        self, fault: Fault, where: Context, clauses: Sequence[ExpectClause]
    ) -> Diagnostic | None:
        entry = self.entries[fault.name]
        if entry.amends:
            rule = self.amending.get(entry.name)
            if rule is None:
                rule = self.amending[entry.name] = load_fault_rule(entry)
            amended = rule.amend(fault, where)
            if amended is None:
                return None
            fault = amended
        own = None if self.is_configured(entry) else fault.severity
        return Diagnostic(
            code=entry.code,
            name=entry.name,
            severity=own or self.selection[entry.name],
            message=fault.message,
            path=where.file.path,
            span=fault.span,
            help=fault.help,
            dataset=where.dataset_name or fault.dataset,
            constraint=fault.constraint or _constraint_around(clauses, fault),
            related=fault.related,
            fix=fault.fix,
        )

    def located(self, finding: Diagnostic, where: Context) -> Diagnostic:
        """Complete what a rule reported."""
        entry = self.entries[finding.name]
        own = finding.severity is not entry.severity and not self.is_configured(entry)
        # Written out: to replace fields takes five times as long.
        return Diagnostic(
            code=finding.code,
            name=finding.name,
            severity=finding.severity if own else self.selection[entry.name],
            message=finding.message,
            path=finding.path or where.file.path,
            span=finding.span,
            help=finding.help,
            dataset=finding.dataset or where.dataset_name,
            constraint=finding.constraint or where.constraint_name,
            related=finding.related,
            fix=finding.fix,
        )

    def is_configured(self, entry: RuleEntry) -> bool:
        """Tell whether the configuration gives a rule its severity."""
        configured = self.scope.settings.severities
        return entry.name in configured or entry.code in configured

    def unsuppressed(
        self, file: ParsedFile, findings: list[Diagnostic]
    ) -> tuple[list[Diagnostic], int]:
        """Take away what comments suppress, and say what is wrong with those comments."""
        if _SUPPRESSION_MARK not in file.source.text:
            return findings, 0
        # Needs regular expressions of its own, and most files have no such comment.
        from tidegate.linter.suppressions import suppress  # noqa: PLC0415

        inactive = {
            name
            for name, entry in self.entries.items()
            if name not in self.selection or not entry.is_indexed
        }
        outcome = suppress(file, findings, inactive)
        kept = list(outcome.kept)
        if _HYGIENE in self.selection:
            rule, where = load_rule(self.entries[_HYGIENE]), self.context(file.source, None)
            for judged in outcome.judged:
                kept += (self.located(found, where) for found in rule.check(judged, where))
        return kept, outcome.suppressed


def _in_order(
    file: ParsedFile, findings: Iterable[Diagnostic], settings: LintSettings
) -> tuple[Diagnostic, ...]:
    """Sort findings by place, drop repeated ones, and mark the rest."""
    unique = {(each.span, each.code, each.message): each for each in findings}
    if not unique:
        return ()
    from tidegate.linter.fingerprints import with_fingerprints  # noqa: PLC0415

    ordered: Sequence[Diagnostic] = [unique[key] for key in sorted(unique)]
    if not settings.tells_all:
        ordered = without_endless(ordered)
    source = file.source
    if source.view is None:
        return tuple(with_fingerprints(ordered, file))
    from tidegate.source.shown import as_shown  # noqa: PLC0415 - most files are their own view

    told = [as_shown(each, source) for each in with_fingerprints(ordered, file)]
    return tuple(sorted(told, key=lambda each: (source.place(each.span), each.code)))


def _statement_at(file: ParsedFile, fault: Fault) -> Statement | None:
    at = bisect_right(file.statements, fault.span.start, key=lambda each: each.span.start) - 1
    return file.statements[at] if at >= 0 else None


def _constraint_around(clauses: Sequence[ExpectClause], fault: Fault) -> str | None:
    """Return the name of the expectation in which a fault stands."""
    start = fault.span.start
    at = bisect_right(clauses, start, key=lambda each: each.span.start) - 1
    if at < 0 or start >= clauses[at].span.end:
        return None
    name = clauses[at].name
    return name.text if name else None


def _not_analysed(
    source: SourceFile, statement: Statement, clause: ExpectClause, dataset: str | None
) -> NotAnalysed:
    return NotAnalysed(
        path=source.path,
        dataset=source.spelled(dataset) if dataset else None,
        constraint=source.spelled(clause.name.text) if clause.name else None,
        span=clause.span,
        reason=source.spelled(clause.unknown or _why_not(source, statement)),
    )


def _why_not(source: SourceFile, statement: Statement) -> str:
    if not isinstance(statement, OtherStatement):
        return "its predicate does not parse"
    words = source.text[statement.span.start : statement.span.start + 80].upper().split()
    if words[0] == "CONSTRAINT":
        return "it stands in no statement"
    return f"its statement (`{' '.join(words[:2])}`) is of a form that is not read"
