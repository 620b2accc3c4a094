"""Fixes applied to text, and texts written back."""

import stat

import pytest

from tidegate.project.fixes import apply_fixes, unified_diff
from tidegate.project.refusal import Refusal
from tidegate.project.writing import make_folder, rewrite, write_whole
from tidegate.source.diagnostic import Diagnostic, Severity
from tidegate.source.edit import Edit, Fix, Safety
from tidegate.source.span import Span
from tidegate.source.text import SourceFile

SAFE = frozenset({Safety.SAFE})


def source(text: str, path: str = "a.sql") -> SourceFile:
    return SourceFile(path=path, text=text)


def finding(*edits: tuple[int, int, str], safety: Safety = Safety.SAFE) -> Diagnostic:
    made = tuple(Edit(Span(start, end), text) for start, end, text in edits)
    return Diagnostic(
        code="P301",
        name="null-comparison",
        severity=Severity.ERROR,
        message="m",
        path="a.sql",
        span=Span(0, 0),
        fix=Fix("t", made, safety),
    )


def test_the_edits_of_a_fix_apply_together():
    fixed = apply_fixes(source("abcd"), [finding((0, 1, "X"), (3, 4, "Y"))], SAFE)
    assert (fixed.source.text, fixed.applied) == ("XbcY", 1)


def test_of_two_fixes_that_touch_the_first_is_applied():
    fixed = apply_fixes(source("abcd"), [finding((0, 2, "X")), finding((1, 3, "Y"))], SAFE)
    assert (fixed.source.text, fixed.applied) == ("Xcd", 1)


def test_two_findings_with_the_same_fix_count_both_and_change_once():
    fixed = apply_fixes(source("abcd"), [finding((0, 1, "X")), finding((0, 1, "X"))], SAFE)
    assert (fixed.source.text, fixed.applied) == ("Xbcd", 2)


def test_an_unsafe_fix_waits_to_be_asked_for():
    unsafe = finding((0, 1, "X"), safety=Safety.UNSAFE)
    assert apply_fixes(source("abcd"), [unsafe], SAFE).applied == 0
    assert apply_fixes(source("abcd"), [unsafe], frozenset(Safety)).source.text == "Xbcd"


def test_new_lines_in_a_fix_end_as_those_of_the_file():
    fixed = apply_fixes(source("a\r\nb"), [finding((0, 1, "x\ny"))], SAFE)
    assert fixed.source.text == "x\r\ny\r\nb"


def test_a_diff_is_a_patch():
    patch = unified_diff(source("a\nb\n"), source("a\nc\n"))
    assert patch == "--- a/a.sql\n+++ b/a.sql\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n"


def test_a_diff_of_a_last_line_without_end_says_so():
    patch = unified_diff(source("a"), source("b"))
    assert patch.endswith("-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n")


def test_a_rewritten_file_keeps_mark_line_ends_and_mode(tmp_path):
    path = tmp_path / "a.sql"
    path.write_bytes(b"\xef\xbb\xbfa\r\nb\r\n")
    path.chmod(0o640)
    rewrite(source("a\r\nb\r\n", str(path)), "c\r\nb\r\n")
    assert path.read_bytes() == b"\xef\xbb\xbfc\r\nb\r\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_rewritten_link_stays_a_link(tmp_path):
    (tmp_path / "real.sql").write_text("a")
    link = tmp_path / "link.sql"
    link.symlink_to("real.sql")
    rewrite(source("a", str(link)), "b")
    assert link.is_symlink()
    assert (tmp_path / "real.sql").read_text() == "b"


def test_a_file_that_changed_meanwhile_is_left_alone(tmp_path):
    path = tmp_path / "a.sql"
    path.write_text("newer")
    with pytest.raises(Refusal, match="changed while it was read"):
        rewrite(source("older", str(path)), "fixed")
    assert path.read_text() == "newer"


def test_a_failed_write_leaves_the_old_file_and_nothing_beside_it(tmp_path):
    (tmp_path / "a.sql").mkdir()
    with pytest.raises(Refusal, match="cannot write"):
        write_whole(str(tmp_path / "a.sql"), b"x")
    assert [path.name for path in tmp_path.iterdir()] == ["a.sql"]


def test_a_folder_that_is_a_file_is_refused(tmp_path):
    (tmp_path / "out").write_text("")
    with pytest.raises(Refusal, match="is a file, not a folder"):
        make_folder(str(tmp_path / "out"))
