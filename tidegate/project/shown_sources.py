"""A file of a run comes in; its text goes out, so that lines of it can be shown."""

from tidegate.project.files import read_file
from tidegate.project.memory import Item
from tidegate.report.findings import Unhandled
from tidegate.source.text import SourceFile


def source_of(item: Item) -> SourceFile | None:
    """Return a file with the view in which spans count; ``None`` if it is gone by now."""
    read = read_file(item.file.path, item.file.shown)
    if isinstance(read, Unhandled):
        return None
    source = SourceFile(path=item.file.shown, text=read.text)
    if item.result is not None and not item.result.is_host:
        return source
    from tidegate.project.parse import parse_noted  # noqa: PLC0415  few files need to be parsed

    return parse_noted(source).source
