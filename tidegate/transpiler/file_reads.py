"""The arguments of ``read_files`` and ``cloud_files``, as a reader of Spark takes them."""

import msgspec

from tidegate.grammar.nodes import Expression, FunctionCall, Literal, LiteralKind
from tidegate.grammar.outline import Argument, Relation, RelationKind
from tidegate.grammar.parser import parse_predicate
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


def read_arguments(source: SourceFile, relation: Relation) -> FileArguments | Fault:
    """Return what a file-reading relation says, or the fault that stands in the way."""
    if relation.kind is RelationKind.PATH:
        return FileArguments(
            path=relation.parts[-1], format=relation.parts[0].lower(), options={}, schema=None
        )
    positional: list[Literal] = []
    options: dict[str, str] = {}
    for argument in relation.arguments:
        value = parse_predicate(source.slice(argument.span))
        mapping = _mapping(value)
        if mapping is not None:
            options |= mapping
        elif not isinstance(value, Literal) or value.kind is LiteralKind.NULL:
            return _not_literal(relation, argument)
        elif argument.name is not None:
            options[argument.name] = _text(value)
        else:
            positional.append(value)
    if not positional:
        return Fault(
            name="not-supported",
            span=relation.span,
            message=f"`{relation.parts[-1]}` is called without a path",
            help="give the path as its first argument",
        )
    # cloud_files(path, format, map(...)); read_files has named arguments only behind the path.
    if len(positional) > 1:
        options.setdefault("format", _text(positional[1]))
    return _sorted_out(relation, _text(positional[0]), options)


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
    texts = [_text(each) for each in value.arguments if isinstance(each, Literal)]
    if len(texts) != len(value.arguments) or len(texts) % 2:
        return None
    return dict(zip(texts[::2], texts[1::2], strict=True))


def _text(literal: Literal) -> str:
    if literal.kind is LiteralKind.BOOLEAN:
        return "true" if literal.value else "false"
    return str(literal.value)


def _not_literal(relation: Relation, argument: Argument) -> Fault:
    what = f"`{argument.name}`" if argument.name is not None else "an argument"
    return Fault(
        name="not-supported",
        span=argument.span,
        message=f"{what} of `{relation.parts[-1]}` is not a literal",
        help="write the value as a literal",
    )
