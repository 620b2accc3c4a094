"""Finds what a person should know about a flow, though it stops nothing."""

import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlparse

from tidegate.transpiler.runtime.layout import Layout, folder_name, get_json, put_json
from tidegate.transpiler.runtime.spec import Dataset


def changed_definition(dataset: Dataset, layout: Layout) -> str | None:
    """Say what of a streaming table has another definition than in the run before."""
    old = get_json(_shape_kept_at(dataset, layout))
    if old is None:
        return None
    new = _definition(dataset)
    changed = [name for name in new if old.get(name) != new[name]]
    return (
        f"its {' and '.join(changed)} changed, which holds for new rows only" if changed else None
    )


def keep_definition(dataset: Dataset, layout: Layout) -> None:
    """Keep the definition under which rows were judged and written."""
    put_json(_shape_kept_at(dataset, layout), _definition(dataset))


def forget_definition(dataset: Dataset, layout: Layout) -> None:
    """Drop the definition of a table that is built anew."""
    _shape_kept_at(dataset, layout).unlink(missing_ok=True)


def changed_files(checkpoint: Path) -> Iterator[Path]:
    """Give the files that were changed after a flow had read them; they are not read again."""
    read: dict[str, int] = {}
    for log in sorted((checkpoint / "sources").glob("*/*")):
        if log.name.startswith("."):
            continue
        for line in log.read_text(encoding="utf-8", errors="replace").splitlines()[1:]:
            entry = _entry(line)
            read.update(entry)
    for place, seen in sorted(read.items()):
        file = Path(unquote(urlparse(place).path))
        if file.exists() and file.stat().st_mtime_ns // 1_000_000 > seen:
            yield file


def _entry(line: str) -> dict[str, int]:
    try:
        entry = json.loads(line)
        return {str(entry["path"]): int(entry["timestamp"])}
    except (ValueError, KeyError, TypeError):
        # Sources other than files keep other things in their logs.
        return {}


def _definition(dataset: Dataset) -> dict[str, object]:
    rules = sorted([rule.name, rule.action, rule.predicate] for rule in dataset.rules)
    return {"query": dataset.query, "expectations": rules}


def _shape_kept_at(dataset: Dataset, layout: Layout) -> Path:
    return layout.state("definitions", f"{folder_name(dataset.name)}.json")
