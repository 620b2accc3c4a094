"""The outcome of a run: made by the runner, shown by the report."""

import msgspec


class RuleOutcome(msgspec.Struct, frozen=True, kw_only=True):
    """The figures of one expectation; ``null`` is inside ``failed`` or ``passed``.

    They are ``None`` where it was not judged.
    """

    name: str
    action: str
    passed: int | None
    failed: int | None
    null: int | None


class ViolationOutcome(msgspec.Struct, frozen=True, kw_only=True):
    """A fail rule that rows broke, with exact counts and the first of these rows as JSON text."""

    name: str
    predicate: str
    failed: int
    null: int
    rows: list[str]


class DatasetOutcome(msgspec.Struct, frozen=True, kw_only=True):
    """What became of one dataset; figures are ``None`` where nothing was counted."""

    name: str
    kind: str
    status: str
    rows_read: int | None
    rows_written: int | None
    rows_dropped: int | None
    rows_quarantined: int
    duration_ms: int
    expectations: list[RuleOutcome]
    violations: list[ViolationOutcome]
    error: str | None


class ErrorOutcome(msgspec.Struct, frozen=True, kw_only=True):
    """Why a dataset failed, and the way out."""

    dataset: str | None
    constraint: str | None = None
    """The expectation that cannot be judged, where the error is about one."""
    message: str
    help: str | None
    path: str | None = None
    """The file in which that expectation stands, its line and its column."""
    line: int | None = None
    column: int | None = None


class RunOutcome(msgspec.Struct, frozen=True, kw_only=True):
    """One update: its status, its datasets in order and its errors."""

    update_id: str
    status: str
    started_at: str
    ended_at: str
    datasets: list[DatasetOutcome]
    errors: list[ErrorOutcome]

    @property
    def exit_code(self) -> int:
        """Give 0 if completed, 130 if canceled, 1 for a broken fail rule, 2 for other failures."""
        if self.status == "CANCELED":
            return 130
        failed = [dataset for dataset in self.datasets if dataset.status == "FAILED"]
        if not failed:
            return 0
        return 1 if all(dataset.violations for dataset in failed) else 2
