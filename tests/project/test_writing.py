"""Patches, and texts written back."""

import stat
from random import Random

import pytest

from tidegate.project.patch import unified_diff
from tidegate.project.refusal import Refusal
from tidegate.project.writing import make_folder, rewrite, write_whole
from tidegate.source.text import SourceFile


def source(text: str, path: str = "a.sql") -> SourceFile:
    return SourceFile(path=path, text=text)


def test_a_diff_is_a_patch():
    patch = unified_diff(source("a\nb\n"), source("a\nc\n"))
    assert patch == "--- a/a.sql\n+++ b/a.sql\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n"


def test_a_diff_of_a_last_line_without_end_says_so():
    patch = unified_diff(source("a"), source("b"))
    assert patch.endswith("-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n")


def drawn(seed: int, count: int, words: int) -> tuple[str, str]:
    """Return a text and one that differs from it in some lines."""
    random = Random(seed)
    old = [str(random.randrange(words)) for _ in range(count)]
    new = list(old)
    for _ in range(count // 20 + 1):
        at = random.randrange(len(new))
        new[at : at + random.randrange(3)] = ["new"] * random.randrange(3)
    return "\n".join(old), "\n".join(new)


def applied(text: str, patch: str) -> str:
    """Apply a patch, and insist on every line it shows."""
    lines, out, at = text.splitlines(), list[str](), 0
    for line in patch.splitlines()[2:]:
        if line.startswith("@@"):
            start, _, count = line.split()[1][1:].partition(",")
            begin = int(start) - (count != "0")
            out += lines[at:begin]
            at = begin
        elif line[0] in " -":
            assert lines[at] == line[1:]
            at += 1
        if line[0] in " +":
            out.append(line[1:])
    return "\n".join(out + lines[at:])


@pytest.mark.parametrize("words", [1, 3, 10_000])
@pytest.mark.parametrize("count", [5, 60, 3000])
def test_a_diff_leads_from_one_text_to_the_other(count, words):
    for seed in range(10):
        old, new = drawn(seed, count, words)
        if old != new:
            patch = unified_diff(source(old), source(new))
            assert applied(old, patch) == new


def test_a_change_far_behind_many_lines_is_a_patch_of_few_lines():
    old = [f"line {number % 7}" for number in range(20_000)]
    new = [*old[:9], "new", *old[9:19_000], *old[19_002:]]
    patch = unified_diff(source("\n".join(old)), source("\n".join(new)))
    assert patch.count("\n") < 30


def test_texts_that_are_equal_have_no_diff():
    assert unified_diff(source("a\n"), source("a\n")) == ""


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
