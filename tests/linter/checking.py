"""From SQL text to findings, for the tests of this room."""

import textwrap
from collections.abc import Sequence

import msgspec

from tidegate.grammar.parser import ParsedFile, parse
from tidegate.linter.engine import lint
from tidegate.linter.fixing import FixResult, fix_until_stable
from tidegate.linter.result import LintResult
from tidegate.linter.settings import LintSettings
from tidegate.model.binding import bind
from tidegate.model.binding_settings import BindSettings
from tidegate.source.diagnostic import Diagnostic
from tidegate.source.edit import Safety
from tidegate.source.text import SourceFile

DEFAULTS = LintSettings()


def parsed(*texts: str) -> list[ParsedFile]:
    return [
        parse(SourceFile(path=f"file_{number}.sql", text=text))
        for number, text in enumerate(texts, 1)
    ]


def run(*texts: str, settings: LintSettings = DEFAULTS) -> LintResult:
    return lint(bind(parsed(*texts), BindSettings()), settings)


def check(*texts: str, settings: LintSettings = DEFAULTS) -> list[Diagnostic]:
    return list(run(*texts, settings=settings).diagnostics)


def codes(*texts: str, settings: LintSettings = DEFAULTS) -> list[str]:
    return [each.code for each in check(*texts, settings=settings)]


def check_example(text: str, language: str) -> list[Diagnostic]:
    """Return what is found in an example, with spans of the example itself."""
    suffix = {"sql": "sql", "python": "py"}[language]
    file = parse(SourceFile(path=f"file_1.{suffix}", text=text))
    found = lint(bind([file], BindSettings()), DEFAULTS).diagnostics
    return [msgspec.structs.replace(each, span=file.source.place(each.span)) for each in found]


def under(predicate: str, name: str = "told", action: str = "") -> str:
    """Return a streaming table with one expectation."""
    return (
        f"CREATE OR REFRESH STREAMING TABLE t (\n  CONSTRAINT {name} EXPECT ({predicate}){action}\n"
        ") AS SELECT * FROM STREAM s;\n"
    )


def flagged(text: str, finding: Diagnostic) -> str:
    return text[finding.span.start : finding.span.end]


def fixed(*texts: str, unsafe: bool = False, settings: LintSettings = DEFAULTS) -> FixResult:
    def again(files: Sequence[ParsedFile]) -> LintResult:
        return lint(bind(files, BindSettings()), settings)

    allowed = {Safety.SAFE, Safety.UNSAFE} if unsafe else {Safety.SAFE}
    return fix_until_stable(parsed(*texts), again, allowed)


def fixed_text(text: str, *, unsafe: bool = False, settings: LintSettings = DEFAULTS) -> str:
    return fixed(text, unsafe=unsafe, settings=settings).files[0].source.text


def plain(text: str) -> str:
    """Return an example without its margin."""
    return textwrap.dedent(text).strip("\n") + "\n"
