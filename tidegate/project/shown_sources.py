"""A file of a run comes in; its text goes out, so that lines of it can be shown."""

from tidegate.project.files import read_file
from tidegate.project.items import Item
from tidegate.project.parse import parse_noted
from tidegate.report.findings import Unhandled
from tidegate.source.text import SourceFile


def source_of(item: Item) -> SourceFile | None:
    """Return a file with the view in which spans count; ``None`` if it is gone by now."""
    read = read_file(item.file.path, item.file.shown)
    if isinstance(read, Unhandled):
        return None
    source = SourceFile(path=item.file.shown, text=read.text)
    is_host = item.result is None or item.result.is_host
    return parse_noted(source).source if is_host else source
