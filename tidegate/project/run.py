"""One pipeline and the flags of a call come in; tables, and the outcome of the run, go out."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Protocol

import msgspec

from tidegate import __version__
from tidegate.model.names import Namespace
from tidegate.model.outcome import ErrorOutcome, RunOutcome
from tidegate.project.config import Config
from tidegate.project.planning import Planned
from tidegate.project.refusal import Refusal
from tidegate.runner.errors import RunError
from tidegate.source.text import LineIndex
from tidegate.transpiler.plan import Plan, TableRead

OnEvent = Callable[[str, str | None, Mapping[str, object]], None]
"""Told a point that the run has reached, its dataset, and details."""


class Reached(Protocol):
    """A point that a run has reached, as the run time tells it."""

    @property
    def point(self) -> str: ...  # noqa: D102

    @property
    def dataset(self) -> str | None: ...  # noqa: D102

    @property
    def detail(self) -> Mapping[str, object]: ...  # noqa: D102


class RunFlags(msgspec.Struct, frozen=True, kw_only=True):
    """What the flags of a call say about the run itself."""

    warehouse: str
    inputs: tuple[tuple[str, str], ...] = ()
    storage: str | None = None
    full_refresh: tuple[str, ...] = ()
    wait: bool = True


def run_planned(planned: Planned, config: Config, flags: RunFlags, on_event: OnEvent) -> RunOutcome:
    """Run a plan that has no faults.

    Raises:
        Refusal: if the world does not allow a run at all.

    """
    from tidegate.runner.from_plan import to_spec  # noqa: PLC0415
    from tidegate.runner.run import RunOptions, run  # noqa: PLC0415

    def tell(event: Reached) -> None:
        on_event(event.point, event.dataset, event.detail)

    options = RunOptions(
        warehouse=Path(flags.warehouse),
        inputs=tuple(inputs_of(config, flags).items()),
        storage=storage_of(config, flags),
        full_refresh=flags.full_refresh,
        wait=flags.wait,
    )
    try:
        outcome = run(to_spec(planned.plan, version=__version__), options, tell)
    except RunError as error:
        raise Refusal(error.message, error.help) from error
    errors = [located(each, planned.plan) for each in outcome.errors]
    return msgspec.structs.replace(outcome, errors=errors)


def located(error: ErrorOutcome, plan: Plan) -> ErrorOutcome:
    """Return an error with the place of the expectation that it is about."""
    for dataset in plan.datasets:
        for gate in dataset.gates:
            if (dataset.name, gate.name) == (error.dataset, error.constraint):
                source = dataset.source
                start = source.place(gate.span).start
                line, column = LineIndex(source.original).locate(start)
                return msgspec.structs.replace(error, path=source.path, line=line, column=column)
    return error


def storage_of(config: Config, flags: RunFlags) -> str | None:
    """Return the storage that the call or the configuration names, if one does."""
    return flags.storage or config.storage


def inputs_of(config: Config, flags: RunFlags) -> dict[str, str]:
    """Return the places bound to names, those of the call before those of the configuration."""
    given = dict(flags.inputs)
    keys = {_key(name) for name in given}
    configured = {
        name: os.path.join(config.folder, path)
        for name, path in config.inputs.items()
        if _key(name) not in keys
    }
    return {**configured, **given}


def unread(plan: Plan, names: Sequence[str], namespace: Namespace) -> Iterator[tuple[str, str]]:
    """Yield each name that was bound although nothing reads it, and what may have been meant."""
    read = {
        (each.of if isinstance(each, TableRead) else each.path)
        for dataset in plan.datasets
        for each in dataset.reads
    }
    made = {dataset.name.casefold() for dataset in plan.datasets}
    known = {_key(name) for name in read}
    for name in names:
        if _key(name) not in known and _resolved(name, namespace) not in known:
            yield name, _nearest(name, sorted(each for each in read if each.casefold() not in made))


def _resolved(name: str, namespace: Namespace) -> str:
    found = namespace.resolve(name.replace("`", "").split("."))
    return found.key if found else _key(name)


def _key(name: str) -> str:
    folded = name.replace("`", "").casefold()
    return folded if "." in folded else f"default.{folded}"


def _nearest(name: str, known: list[str]) -> str:
    from difflib import get_close_matches  # noqa: PLC0415

    if close := get_close_matches(name, known, n=1):
        return f"did you mean `{close[0]}`?"
    if not known:
        return "the pipeline reads nothing from outside"
    return "it reads " + ", ".join(f"`{each}`" for each in known)
