"""One file comes in; its facts, and then what is found in it, go out.

A file of a larger pipeline is judged alone, by what the facts of all files say about it. So it is
all the same whether the others were read, or remembered from an earlier run.
"""

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from tidegate.linter.declared import CreatedFunction, created_functions
from tidegate.linter.engine import counted, lint
from tidegate.linter.result import LintResult
from tidegate.linter.settings import LintSettings
from tidegate.model.binding import bind_file
from tidegate.model.binding_settings import BindSettings
from tidegate.model.facts import FileFacts, facts_of, faults_between
from tidegate.model.pipeline import LocatedFault, Pipeline
from tidegate.project.outcome import UnitResult
from tidegate.project.parse import parse_noted, unread_parts
from tidegate.source.diagnostic import Fault
from tidegate.source.text import SourceFile


class UnitFacts(msgspec.Struct, frozen=True, kw_only=True):
    """What a file brings into its pipeline."""

    file: FileFacts
    functions: tuple[CreatedFunction, ...]


class Unit:
    """A parsed file."""

    __slots__ = ("_bound", "parsed")

    def __init__(self, source: SourceFile, binding: BindSettings) -> None:
        self.parsed = parse_noted(source)
        self._bound = bind_file(self.parsed, binding)

    def facts(self) -> UnitFacts:
        """Return what it brings into its pipeline."""
        return UnitFacts(
            file=facts_of(self.parsed.source.path, self._bound.datasets),
            functions=tuple(created_functions(self.parsed)),
        )

    def alone(self, settings: LintSettings) -> UnitResult:
        """Judge a file that is a pipeline of its own."""
        facts = facts_of(self.parsed.source.path, self._bound.datasets)
        between = [fault for _, fault in faults_between([facts])]
        return self._result(lint(self._pipeline(between), settings))

    def among(
        self,
        between: Iterable[Fault],
        functions: Sequence[CreatedFunction],
        settings: LintSettings,
    ) -> UnitResult:
        """Judge a file by what all files of its pipeline say about it."""
        return self._result(lint(self._pipeline(between), settings, functions))

    def _pipeline(self, between: Iterable[Fault]) -> Pipeline:
        bound, source = self._bound, self.parsed.source
        located = (LocatedFault(source, fault) for fault in between)
        return msgspec.structs.replace(bound, faults=(*bound.faults, *located))

    def _result(self, found: LintResult) -> UnitResult:
        return UnitResult(
            lint=found,
            unread=tuple(unread_parts(self.parsed)),
            is_host=self.parsed.source.view is not None,
        )

    @staticmethod
    def together(units: Sequence["Unit"], settings: LintSettings) -> Iterator[UnitResult]:
        """Judge all files of a pipeline at once, for rules that look at several of them."""
        facts = [unit.facts().file for unit in units]
        faults = [fault for unit in units for fault in unit._bound.faults]
        for number, fault in faults_between(facts):
            faults.append(LocatedFault(units[number].parsed.source, fault))
        whole = Pipeline(
            files=tuple(unit.parsed for unit in units),
            datasets=tuple(each for unit in units for each in unit._bound.datasets),
            settings={k: v for unit in units for k, v in unit._bound.settings.items()},
            faults=tuple(faults),
        )
        result = lint(whole, settings)
        for unit, found in zip(units, result.files, strict=True):
            counts = counted([unit.parsed], [found])
            left = tuple(each for each in result.not_analysed if each.path == found.path)
            yield unit._result(msgspec.structs.replace(counts, not_analysed=left))
