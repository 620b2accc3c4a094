"""The page about the JSON outputs names every field that the documents have."""

from pathlib import Path

import msgspec
import pytest

from tidegate.model.outcome import DatasetOutcome, ErrorOutcome, RuleOutcome, ViolationOutcome
from tidegate.report.json_check import CheckDocument, CheckSummary, NotAnalysedShape
from tidegate.report.json_compile import CompiledFileShape, CompileDocument, MappedLineShape
from tidegate.report.json_format import (
    FormatDocument,
    FormatSummary,
    FormattedFileShape,
    LeftShape,
)
from tidegate.report.json_output import DiagnosticShape, EditShape, FixShape, RelatedShape
from tidegate.report.json_parse import (
    ExpectationShape,
    ParsedFileShape,
    ParseDocument,
    ParseSummary,
    StatementShape,
)
from tidegate.report.json_run import RunDocument

PAGE = (Path(__file__).parents[2] / "docs" / "outputs.md").read_text(encoding="utf-8")
SHAPES = [
    ParseDocument, ParsedFileShape, StatementShape, ExpectationShape, ParseSummary,
    CheckDocument, CheckSummary, NotAnalysedShape, DiagnosticShape, RelatedShape, FixShape,
    EditShape, FormatDocument, FormattedFileShape, FormatSummary, LeftShape,
    CompileDocument, CompiledFileShape, MappedLineShape,
    RunDocument, DatasetOutcome, RuleOutcome, ViolationOutcome, ErrorOutcome,
]  # fmt: skip


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.__name__)
def test_the_page_names_every_field(shape: type[msgspec.Struct]):
    words = set(PAGE.translate(str.maketrans("`[](){},.:;|", " " * 12)).split())
    assert set(shape.__struct_fields__) <= words
