"""The arguments of ``read_files`` and ``cloud_files``, as a reader of Spark takes them."""

from collections.abc import Mapping

import msgspec

from tidegate.grammar.nodes import Expression, FunctionCall, Literal, LiteralKind, Placeholder
from tidegate.grammar.outlines.outline import Argument, Relation, RelationKind
from tidegate.grammar.parser import parse_predicate
from tidegate.model.placeholders import substituted
from tidegate.source.diagnostic import Fault
from tidegate.source.text import SourceFile


class FileArguments(msgspec.Struct, frozen=True, kw_only=True):
    """What a call says: where, in which format, and how to read."""

    path: str
    format: str | None
    options: dict[str, str]
    schema: str | None


READERS = frozenset({"read_files", "cloud_files"})
"""Table functions that read files."""

PATH_FORMATS = frozenset({"csv", "json", "parquet", "orc", "text", "delta", "binaryfile", "avro"})
"""Formats that may stand before a path in backticks."""

# Options of Auto Loader that only say how it finds files; every other reader finds them itself.
_DISCOVERY = frozenset(
    {
        "allowoverwrites",
        "includeexistingfiles",
        "schemalocation",
        "usenotifications",
        "usemanagedfileevents",
        "uselistings",
        "useincrementallisting",
        "backfillinterval",
        "validateoptions",
        "partitioncolumns",
    }
)
# Options whose effect has no counterpart in a reader of Spark: their loss is named.
_LOST = frozenset({"rescueddatacolumn", "schemaevolutionmode", "schemahints"})


def read_arguments(
    source: SourceFile, relation: Relation, variables: Mapping[str, str]
) -> FileArguments | Fault:
    """Return what a file-reading relation says, or the fault that stands in the way.

    A placeholder without a value stays in the text, as it does in a query.
    """
    if relation.kind is RelationKind.PATH:
        path = substituted(relation.parts[-1], variables)
        return FileArguments(path=path, format=relation.parts[0].lower(), options={}, schema=None)
    positional: list[str] = []
    options: dict[str, str] = {}
    for argument in relation.arguments:
        value = parse_predicate(substituted(source.slice(argument.span), variables))
        mapping = _mapping(value)
        text = _text(value)
        if mapping is not None:
            options |= mapping
        elif text is None:
            return _not_literal(relation, argument)
        elif argument.name is not None:
            options[argument.name] = text
        else:
            positional.append(text)
    if not positional:
        return Fault(
            name="not-supported",
            span=relation.span,
            message=f"`{relation.parts[-1]}` is called without a path",
            help="give the path as its first argument",
        )
    # cloud_files(path, format, map(...)); read_files has named arguments only behind the path.
    if len(positional) > 1:
        options.setdefault("format", positional[1])
    return _sorted_out(relation, positional[0], options)


def lost_options(arguments: FileArguments) -> tuple[str, ...]:
    """Return the options whose effect cannot be kept."""
    return tuple(name for name in arguments.options if name.casefold() in _LOST)


def _sorted_out(relation: Relation, path: str, given: dict[str, str]) -> FileArguments:
    format_name: str | None = None
    schema: str | None = None
    options: dict[str, str] = {}
    infer = "true" if relation.parts[-1].casefold() == "read_files" else "false"
    for name, value in given.items():
        short = name.removeprefix("cloudFiles.")
        match short.casefold():
            case "format":
                format_name = value.lower()
            case "schema":
                schema = value
            case "infercolumntypes":
                infer = value
            case folded if folded in _DISCOVERY:
                pass
            case _:
                options[short] = value
    if format_name == "csv" and schema is None:
        options.setdefault("inferSchema", infer)
    return FileArguments(path=path, format=format_name, options=options, schema=schema)


def _mapping(value: Expression | Fault) -> dict[str, str] | None:
    if not isinstance(value, FunctionCall) or value.name.text.casefold() != "map":
        return None
    texts = [text for each in value.arguments if (text := _text(each)) is not None]
    if len(texts) != len(value.arguments) or len(texts) % 2:
        return None
    return dict(zip(texts[::2], texts[1::2], strict=True))


def _text(value: Expression | Fault) -> str | None:
    """Return the text of a literal or of a placeholder, or ``None`` for anything else."""
    match value:
        case Placeholder(spelling=spelling):
            return spelling
        case Literal(kind=LiteralKind.BOOLEAN, value=told):
            return "true" if told else "false"
        case Literal(kind=kind, value=told) if kind is not LiteralKind.NULL:
            return str(told)
        case _:
            return None


def _not_literal(relation: Relation, argument: Argument) -> Fault:
    what = f"`{argument.name}`" if argument.name is not None else "an argument"
    return Fault(
        name="not-supported",
        span=argument.span,
        message=f"{what} of `{relation.parts[-1]}` is not a literal",
        help="write the value as a literal",
    )
