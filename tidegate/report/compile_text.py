"""A compiled pipeline comes in; what was made of it goes out, for people."""

from collections.abc import Iterable, Iterator, Sequence

from tidegate.report.compiled import CompileResult, LeftAlone
from tidegate.report.counting import counted
from tidegate.report.position import Positions
from tidegate.report.terminal import Palette, visible


def render_compiled(
    result: CompileResult, differing: Sequence[str] | None, palette: Palette
) -> Iterator[str]:
    """Yield a line per file: written, or (with ``differing`` given) current or not."""
    gates = sum(len(each.gates) for each in result.datasets)
    holds = f"{counted(len(result.datasets), 'dataset')}, {counted(gates, 'expectation')}"
    for file in result.files:
        path = f"{palette.strong}{visible(file.path)}{palette.reset}"
        if differing is None:
            yield f"wrote {path}: {holds}\n"
        else:
            yield f"{'would change' if file.path in differing else 'is current'}: {path}\n"


def render_left_alone(left: Iterable[LeftAlone], positions: Positions) -> Iterator[str]:
    """Yield a line for each statement that is no part of the plan."""
    for each in left:
        at = positions.at(each.path, each.span.start)
        place = f"{visible(each.path)}:{at.line}:{at.column}"
        yield f"left alone: `{visible(each.what)}` ({place}): {each.reason}"
