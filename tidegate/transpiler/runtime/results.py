"""What became of each dataset, and how that is told to programs."""

from dataclasses import dataclass, replace
from typing import Any

from tidegate.transpiler.runtime.failures import BrokenRule, ExpectationsBroken
from tidegate.transpiler.runtime.figures import as_record
from tidegate.transpiler.runtime.gates import Figures, summed
from tidegate.transpiler.runtime.spec import Dataset

COMPLETED, FAILED, SKIPPED = "COMPLETED", "FAILED", "SKIPPED"


@dataclass(slots=True)
class Result:
    """The state of one dataset during a run and after it."""

    dataset: Dataset
    status: str = SKIPPED
    seen: Figures | None = None
    """What was judged in this update, the rows of a broken transaction included."""
    written: int | None = None
    """Rows that stand in the table since this update; for a view those that it passed on."""
    supplied: bool = False
    """Whether a consumer has given the figures of this view."""
    broken: ExpectationsBroken | None = None
    error: str | None = None
    advice: str | None = None
    faulty_rule: str | None = None
    """The rule that the engine cannot judge, where the error is about one."""
    duration_ms: int = 0

    def fail(self, message: str, advice: str | None) -> None:
        """Note an error of the engine or the world."""
        self.status, self.error, self.advice = FAILED, message, advice

    def break_rules(self, broken: ExpectationsBroken) -> None:
        """Note that fail rules were broken and nothing of the transaction was written."""
        self.broken = broken
        rules = ", ".join(_told(rule) for rule in broken.broken)
        self.fail(
            f"rows break {rules}; nothing of this transaction was written",
            "correct the rows or the rule, then run again",
        )
        judged = replace(broken.rows_seen, rows_dropped=0)
        parts = [judged] if self.seen is None else [self.seen, judged]
        self.seen = summed(parts, self.dataset.rules)
        self.written = self.written or 0

    def counts(self) -> dict[str, int | None]:
        """Give the figures of rows; ``None`` where nothing was counted."""
        return {
            "rows_read": self.seen.rows_read if self.seen else None,
            "rows_written": self.written,
            "rows_dropped": self.seen.rows_dropped if self.seen else None,
        }

    def record(self) -> dict[str, Any]:
        """Give the dataset as the outcome of a run shows it."""
        return {
            "name": self.dataset.name,
            "kind": self.dataset.kind,
            "status": self.status,
            **self.counts(),
            "rows_quarantined": 0,
            "duration_ms": self.duration_ms,
            "expectations": as_record(self.seen)["expectations"] if self.seen else self._unjudged(),
            "violations": [_violation(rule) for rule in self.broken.broken] if self.broken else [],
            "error": self.error,
        }

    def error_record(self) -> dict[str, Any]:
        """Give the error as the outcome of a run lists it."""
        return {
            "dataset": self.dataset.name,
            "constraint": self.faulty_rule,
            "message": self.error,
            "help": self.advice,
        }

    def _unjudged(self) -> list[dict[str, Any]]:
        none = {"passed": None, "failed": None, "null": None}
        return [{"name": each.name, "action": each.action, **none} for each in self.dataset.rules]


def exit_code(outcome: dict[str, Any]) -> int:
    """Give 0 for a completed run, 1 for a broken fail rule, 2 for any other failure."""
    if outcome["status"] == "CANCELED":
        return 130
    failed = [each for each in outcome["datasets"] if each["status"] == FAILED]
    if not failed:
        return 0
    return 1 if all(each["violations"] for each in failed) else 2


def _told(rule: BrokenRule) -> str:
    null = f", {rule.null} of them NULL" if rule.null else ""
    return f"`{rule.name}` ({rule.failed} failed{null})"


def _violation(rule: BrokenRule) -> dict[str, Any]:
    return {
        "name": rule.name,
        "predicate": rule.predicate,
        "failed": rule.failed,
        "null": rule.null,
        "rows": list(rule.rows),
    }
