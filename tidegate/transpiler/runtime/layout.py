"""Where things lie below the warehouse, and how small files of state are written and read."""

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from tidegate.transpiler.runtime.failures import Refusal

STATE_FOLDER = "_tidegate"


@dataclass(frozen=True, slots=True)
class Layout:
    """The folders of one warehouse."""

    warehouse: Path

    def table(self, parts: Sequence[str]) -> Path:
        """Give the folder of a table by the parts of its name."""
        return self.warehouse.joinpath(*parts)

    def state(self, *parts: str) -> Path:
        """Give a place below the folder of run state."""
        return self.warehouse.joinpath(STATE_FOLDER, *parts)

    def checkpoint(self, dataset: str) -> Path:
        """Give the checkpoint folder of a streaming table."""
        return self.state("checkpoints", folder_name(dataset))

    def figures(self, dataset: str) -> Path:
        """Give the folder with the stored figures of a dataset."""
        return self.state("figures", folder_name(dataset))


def identity(name: str) -> str:
    """Give the form in which names compare: lower case, the default schema filled in."""
    folded = name.replace("`", "").casefold()
    return folded if "." in folded else f"default.{folded}"


def folder_name(name: str) -> str:
    """Give a name as one safe folder name."""
    return quote(identity(name), safe="")


def put_json(path: Path, value: Mapping[str, Any]) -> None:
    """Replace a file of state in one step, so that a reader sees the old or the new content."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f".{path.name}.new")
    with fresh.open("w", encoding="utf-8") as file:
        json.dump(value, file, ensure_ascii=False, indent=1)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)


def get_json(path: Path) -> dict[str, Any] | None:
    """Read a file of state; ``None`` if there is none."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    try:
        value: dict[str, Any] = json.loads(text)
    except ValueError as error:
        raise Refusal(f"the run state in `{path}` cannot be read", "delete the file") from error
    return value
