"""The outcome of a run comes in; its JSON document goes out."""

from tidegate.model.outcome import DatasetOutcome, ErrorOutcome, RunOutcome
from tidegate.report.json_output import Document


class RunDocument(Document, frozen=True, kw_only=True):
    """What ``run`` puts out; the shapes inside are those of the outcome."""

    update_id: str
    status: str
    started_at: str
    ended_at: str
    datasets: list[DatasetOutcome]
    errors: list[ErrorOutcome]


def run_document(outcome: RunOutcome) -> RunDocument:
    """Return the document of ``run``."""
    return RunDocument(
        update_id=outcome.update_id,
        status=outcome.status,
        started_at=outcome.started_at,
        ended_at=outcome.ended_at,
        datasets=outcome.datasets,
        errors=outcome.errors,
    )
