"""Compares a flow's checkpoint with its table before the flow starts.

Spark notices some damage with a misleading message and some not at all: a batch that is planned
anew under an old number is skipped by the table, and its rows are gone without an error.
"""

import json
from pathlib import Path

from tidegate.transpiler.runtime.failures import Refusal
from tidegate.transpiler.runtime.layout import identity
from tidegate.transpiler.runtime.spec import Dataset


def app_prefix(dataset: Dataset) -> str:
    """Give what the transactions of all checkpoints of a flow begin with."""
    return f"tidegate:{identity(dataset.name)}:"


def app_of(dataset: Dataset, checkpoint: Path) -> str:
    """Name the transactions of a flow; a new checkpoint gives a new name."""
    try:
        text = (checkpoint / "metadata").read_text(encoding="utf-8")
        return app_prefix(dataset) + str(json.loads(text)["id"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise damaged(dataset, "its `metadata` cannot be read") from error


def check_checkpoint(
    dataset: Dataset, checkpoint: Path, transactions: dict[str, int] | None
) -> None:
    """Refuse to start a flow whose checkpoint and table do not belong together.

    ``transactions`` are those of the table, ``None`` if there is no table.
    """
    committed, planned = _last(checkpoint / "commits"), _last(checkpoint / "offsets")
    if not (checkpoint / "metadata").exists():
        if planned >= 0 or committed >= 0:
            raise damaged(dataset, "its `metadata` is missing")
        if any(app.startswith(app_prefix(dataset)) for app in transactions or ()):
            raise damaged(dataset, "it is gone, while the table holds rows of it")
        return
    app = app_of(dataset, checkpoint)
    if not committed <= planned <= committed + 1:
        raise damaged(dataset, f"it planned batch {planned} but committed batch {committed}")
    for folder, last in (("offsets", planned), ("commits", committed)):
        for number in range(max(0, last - 1), last + 1):
            _check_log(dataset, checkpoint / folder / str(number))
    _check_table(dataset, committed, planned, app, transactions)


def damaged(dataset: Dataset, what: str) -> Refusal:
    """Say what is wrong with a checkpoint, and the way out."""
    return Refusal(
        f"the checkpoint of `{dataset.name}` does not fit its table: {what}",
        f"run with --full-refresh {dataset.name}: the table is emptied and read from the start",
    )


def _check_table(
    dataset: Dataset,
    committed: int,
    planned: int,
    app: str,
    transactions: dict[str, int] | None,
) -> None:
    if transactions is None:
        if committed >= 0:
            raise damaged(dataset, "the table is gone, while its batches count as done")
        return
    written = transactions.get(app, -1)
    if written < committed:
        raise damaged(dataset, f"batch {committed} counts as done but is not in the table")
    if written > planned:
        raise damaged(dataset, f"the table holds batch {written}, which the checkpoint lost")


def _last(folder: Path) -> int:
    numbers = [int(each.name) for each in folder.glob("*") if each.name.isdecimal()]
    return max(numbers, default=-1)


def _check_log(dataset: Dataset, file: Path) -> None:
    """Look whether a file of Spark's log of batches is whole: a version, then JSON lines."""
    shown = f"{file.parent.name}/{file.name}"
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except FileNotFoundError as error:
        # Spark purges old entries; only a gap below the newest one is damage.
        if any(int(e.name) < int(file.name) for e in file.parent.glob("*") if e.name.isdecimal()):
            raise damaged(dataset, f"`{shown}` is missing") from error
        return
    except (OSError, UnicodeDecodeError) as error:
        raise damaged(dataset, f"`{shown}` cannot be read") from error
    if len(lines) < 2 or not lines[0].startswith("v"):
        raise damaged(dataset, f"`{shown}` is cut short")
    for line in lines[1:]:
        try:
            if line.strip() not in {"", "-"}:
                json.loads(line)
        except ValueError as error:
            raise damaged(dataset, f"`{shown}` cannot be read") from error
