"""Reads what lies outside the pipeline: inputs by name and files by path enter, frames leave.

A schema that had to be inferred is kept with the run state, so that later runs read the same types.
"""

import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import DataType, StructField, StructType

from tidegate.transpiler.runtime.failures import Refusal
from tidegate.transpiler.runtime.layout import Layout, folder_name, get_json, identity, put_json
from tidegate.transpiler.runtime.spec import FileRead

_SUFFIXES = {
    ".csv": "csv",
    ".tsv": "csv",
    ".json": "json",
    ".jsonl": "json",
    ".ndjson": "json",
    ".parquet": "parquet",
    ".orc": "orc",
    ".avro": "avro",
    ".txt": "text",
}
_COMPRESSIONS = {".gz", ".bz2", ".zst", ".lz4", ".snappy", ".deflate"}
_INPUT_FORMATS = {"csv", "json", "parquet", "delta"}
_INFERRED = {"csv", "json", "parquet", "orc", "avro"}
# Options of read_files that have another name, or no meaning, for Spark's own readers.
_RENAMED = {"filenamepattern": "pathGlobFilter", "rescueddatacolumn": None}
_IGNORED = {
    "format", "schema", "schemahints", "schemalocation", "schemaevolutionmode", "infercolumntypes",
    "includeexistingfiles", "allowoverwrites", "usenotifications", "useincrementallisting",
    "partitioncolumns", "usemanagedfileevents", "backfillinterval", "validateoptions",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class FileSource:
    """Files of one format at one place, and how they are read."""

    key: str
    """What the inferred schema is kept under."""
    shown: str
    path: Path
    format: str
    options: tuple[tuple[str, str], ...] = ()
    schema: str | None = None
    hints: str | None = None
    infers_types: bool = True


@dataclass(frozen=True, slots=True)
class Inputs:
    """The places bound to names by the caller."""

    places: tuple[tuple[str, str], ...]

    def place(self, name: str) -> Path | None:
        """Give the place bound to a name or to the literal path of a ``read_files``."""
        for bound, path in self.places:
            if bound == name or identity(bound) == identity(name):
                return Path(path).expanduser()
        return None


def parse_binding(text: str) -> tuple[str, str]:
    """Split ``NAME=PATH``."""
    name, equals, path = text.partition("=")
    if not (name.strip() and equals and path.strip()):
        raise Refusal(f"`{text}` does not bind an input", "write --input NAME=PATH")
    return name.strip(), path.strip()


def input_source(name: str, place: Path, layout: Layout) -> FileSource:
    """Describe the files that an input's name is bound to."""
    key, shown = identity(name), f"input `{name}`"
    _require(place, shown, None)
    known = get_json(_kept_at(key, layout))
    if known is not None and next(_data_files(place), None) is None:
        # Files that an earlier run has read may be gone by now.
        options = tuple((str(each), str(value)) for each, value in known["options"])
        return FileSource(key, shown, place.absolute(), known["format"], options)
    kind, options = _format_at(place, shown)
    return FileSource(key, shown, place.absolute(), kind, options)


def file_source(read: FileRead, inputs: Inputs) -> FileSource:
    """Describe the files that a ``read_files`` asks for."""
    bound = inputs.place(read.path)
    place = bound if bound is not None else _local(read.path)
    shown = f"read_files(`{read.path}`)"
    options = _spark_options(read)
    given = {name.casefold(): value for name, value in read.options}
    _require(place, shown, read.path if bound is None else None)
    if read.format is None:
        kind, found = _format_at(place, shown)
        options = found + options
    else:
        kind = read.format.casefold()
    return FileSource(
        key=f"files {read.path} {kind} {sorted(options)}",
        shown=shown,
        path=place.absolute(),
        format=kind,
        options=options,
        schema=read.schema or given.get("schema"),
        hints=given.get("schemahints"),
        infers_types=given.get("infercolumntypes", "true").casefold() != "false",
    )


def open_source(
    spark: SparkSession, source: FileSource, layout: Layout, *, streaming: bool
) -> DataFrame:
    """Read the files as a batch or as a stream."""
    schema = _schema(spark, source, layout)
    if streaming:
        stream = spark.readStream.format(source.format).options(**dict(source.options))
        folder = source.path
        if folder.is_file():
            # A stream reads a folder (Spark 4.2); the filter leaves the one file of it.
            stream = stream.option(
                "pathGlobFilter", re.sub(r"([\\*?\[\]{}])", r"\\\1", folder.name)
            )
            folder = folder.parent
        return (stream if schema is None else stream.schema(schema)).load(str(folder))
    batch = spark.read.format(source.format).options(**dict(source.options))
    return (batch if schema is None else batch.schema(schema)).load(str(source.path))


def _schema(spark: SparkSession, source: FileSource, layout: Layout) -> StructType | None:
    if source.schema is not None:
        return _parsed(source.schema, source.shown)
    if source.format not in _INFERRED:
        return None
    stored = get_json(_kept_at(source.key, layout))
    if stored is not None:
        schema = StructType.fromJson(stored["schema"])
    else:
        schema = _inferred(spark, source)
        kept = {"key": source.key, "format": source.format, "options": source.options}
        put_json(_kept_at(source.key, layout), {**kept, "schema": json.loads(schema.json())})
    return schema if source.hints is None else _hinted(schema, source)


def _kept_at(key: str, layout: Layout) -> Path:
    digest = hashlib.sha256(key.encode()).hexdigest()[:12]
    return layout.state("inputs", f"{folder_name(key)[:80]}-{digest}.json")


def _inferred(spark: SparkSession, source: FileSource) -> StructType:
    infers = str(source.infers_types).lower()
    options = {"inferSchema": infers, "primitivesAsString": str(not source.infers_types).lower()}
    reader = spark.read.format(source.format).options(**{**options, **dict(source.options)})
    if next(_data_files(source.path), None) is None:
        advice = "put a first file there, or give a schema"
        raise Refusal(
            f"{source.shown}: `{source.path}` holds no file to learn columns from", advice
        )
    schema = reader.load(str(source.path)).schema
    if not schema.fields:
        raise Refusal(f"{source.shown}: `{source.path}` has no columns", "is the file empty?")
    return schema


def _hinted(schema: StructType, source: FileSource) -> StructType:
    hints = _parsed(source.hints or "", source.shown)
    by_name = {field.name.casefold(): field for field in hints.fields}
    fields = [by_name.pop(field.name.casefold(), field) for field in schema.fields]
    return StructType([*fields, *by_name.values()])


def _parsed(text: str, shown: str) -> StructType:
    try:
        parsed = DataType.fromDDL(text)
    except PySparkException as error:
        raise Refusal(f"{shown}: `{text}` is no list of columns with types") from error
    if not isinstance(parsed, StructType):
        raise Refusal(f"{shown}: `{text}` is no list of columns with types")
    # Files may lack what a schema calls NOT NULL.
    return StructType([StructField(field.name, field.dataType) for field in parsed.fields])


def _spark_options(read: FileRead) -> tuple[tuple[str, str], ...]:
    options = []
    for name, value in read.options:
        plain = name.removeprefix("cloudFiles.")
        if plain.casefold() in _IGNORED:
            continue
        renamed = _RENAMED.get(plain.casefold(), plain)
        if renamed is not None:
            options.append((renamed, value))
    return tuple(options)


def _local(path: str) -> Path:
    return Path(path.removeprefix("file://") if path.startswith("file:/") else path).expanduser()


def _require(place: Path, shown: str, literal_path: str | None) -> None:
    if place.exists() or _matches(place):
        return
    advice = "correct the path; a relative one starts where the command is called"
    if literal_path is not None:
        advice = f"bind it with --input '{literal_path}=PATH'"
    raise Refusal(f"{shown}: there is no file or folder `{place}`", advice)


def _format_at(place: Path, shown: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Find the format of a file or of the files in a folder, and the options that go with it."""
    if (place / "_delta_log").is_dir():
        return "delta", ()
    first: tuple[str, Path] | None = None
    for file in _data_files(place):
        kind = _format_of(file, shown)
        if first is not None and kind != first[0]:
            message = f"{shown}: `{place}` mixes {first[0]} (`{first[1].name}`) and {kind}"
            raise Refusal(f"{message} (`{file.name}`)", "keep one format per folder")
        first = first or (kind, file)
    if first is None:
        raise Refusal(f"{shown}: `{place}` holds no file", "put a first file there")
    if first[0] != "csv":
        return first[0], _depth(place)
    separator = (("sep", "\t"),) if ".tsv" in first[1].suffixes else ()
    # Without the check of the header a file with other columns would be read by place.
    return "csv", (("header", "true"), ("enforceSchema", "false"), *separator, *_depth(place))


def _depth(place: Path) -> tuple[tuple[str, str], ...]:
    """Have Spark read the folders inside a folder too: it passes over all but partitions."""
    inner = {part for f in _data_files(place) for part in f.parent.parts[len(place.parts) :]}
    is_nested = bool(inner) and not any("=" in part for part in inner)
    return (("recursiveFileLookup", "true"),) if is_nested else ()


def _data_files(place: Path) -> Iterator[Path]:
    if place.is_file():
        yield place
        return
    if not place.exists():
        for match in _matches(place):
            yield from _data_files(match)
        return
    for child in sorted(place.iterdir()):
        if not child.name.startswith(("_", ".")):
            yield from _data_files(child)


def _matches(pattern: Path) -> list[Path]:
    """Give what a path with wildcards stands for."""
    whole = pattern.absolute()
    top = Path(whole.anchor)
    return sorted(top.glob(str(whole.relative_to(top))))


def _format_of(file: Path, shown: str) -> str:
    suffixes = [suffix.casefold() for suffix in file.suffixes]
    while suffixes and suffixes[-1] in _COMPRESSIONS:
        suffixes.pop()
    kind = _SUFFIXES.get(suffixes[-1]) if suffixes else None
    if kind is None:
        kind = _format_by_content(file)
    if kind not in _INPUT_FORMATS:
        advice = "an input is CSV, JSON lines, Parquet or a Delta table"
        raise Refusal(f"{shown}: the format of `{file}` is not known", advice)
    if kind in {"csv", "json"} and _starts(file).startswith((b"\xff\xfe", b"\xfe\xff")):
        raise Refusal(f"{shown}: `{file}` is UTF-16 text", "convert it to UTF-8")
    return kind


def _format_by_content(file: Path) -> str | None:
    start = _starts(file)
    if start.startswith(b"PAR1"):
        return "parquet"
    if b"\0" in start:
        return None
    text = start.lstrip(b"\xef\xbb\xbf \t\r\n")
    if text.startswith((b"{", b"[")):
        return "json"
    return "csv" if b"," in text.split(b"\n", 1)[0] else None


def _starts(file: Path) -> bytes:
    try:
        with file.open("rb") as opened:
            return opened.read(4096)
    except OSError as error:
        raise Refusal(f"`{file}` cannot be read: {error.strerror}") from error
