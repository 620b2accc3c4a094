"""Paths to files, and what cannot be read."""

import inspect
import os
import sys
from pathlib import Path

import pytest

from tidegate.project.files import gather


def make(folder: Path, *names: str) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("SELECT 1;", encoding="utf-8")


def names(folder: Path, *paths: str) -> list[str]:
    found = gather([str(folder / path) for path in paths], None)
    return [os.path.relpath(file.path, folder) for file in found.files]


def reason(path: Path) -> str:
    found = gather([str(path)], None)
    assert found.files == ()
    (left,) = found.unhandled
    assert left.path == str(path)
    assert left.help
    return left.reason


def test_a_folder_gives_its_sql_files_sorted_at_any_depth(tmp_path):
    make(tmp_path, "b.sql", "a.sql", "sub/c.SQL", "sub/note.txt", "a.py")
    assert names(tmp_path, ".") == ["a.sql", "b.sql", "sub/c.SQL"]


def test_hidden_folders_are_left_out(tmp_path):
    make(tmp_path, ".git/a.sql", "b.sql")
    assert names(tmp_path, ".") == ["b.sql"]


def test_a_link_to_a_folder_above_is_no_endless_walk(tmp_path):
    make(tmp_path, "sub/a.sql")
    (tmp_path / "sub" / "loop").symlink_to(tmp_path)
    assert names(tmp_path, ".") == ["sub/a.sql"]


def test_folders_may_be_nested_deeper_than_calls(tmp_path):
    make(tmp_path, "a/" * 200 + "x.sql")
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack(0)) + 100)
    try:
        found = gather([str(tmp_path)], None).files
    finally:
        sys.setrecursionlimit(limit)
    assert [Path(each.path).name for each in found] == ["x.sql"]


def test_a_pipe_in_a_folder_is_named_and_not_waited_for(tmp_path):
    make(tmp_path, "a.sql")
    for name in ("b.sql", "c.py"):
        os.mkfifo(tmp_path / name)
    found = gather([str(tmp_path)], None)
    assert [each.path for each in found.files] == [str(tmp_path / "a.sql")]
    assert [each.reason for each in found.unhandled] == ["it is a pipe or a device"] * 2


def test_a_file_named_outright_is_taken_whatever_its_ending(tmp_path):
    make(tmp_path, "job.txt")
    assert names(tmp_path, "job.txt") == ["job.txt"]


def test_a_file_named_twice_is_read_once(tmp_path):
    make(tmp_path, "a.sql")
    assert names(tmp_path, "a.sql", ".", "./a.sql") == ["a.sql"]


def test_a_pattern_gives_the_files_it_matches(tmp_path):
    make(tmp_path, "x/a.sql", "y/b.sql", "y/c.txt")
    assert names(tmp_path, "**/*.sql") == ["x/a.sql", "y/b.sql"]


def test_a_file_whose_name_looks_like_a_pattern_is_a_file(tmp_path):
    make(tmp_path, "a[1].sql")
    assert names(tmp_path, "a[1].sql") == ["a[1].sql"]


def test_a_folder_without_sql_is_told_as_empty(tmp_path):
    found = gather([str(tmp_path)], None)
    assert found.empty == (str(tmp_path),)


def test_a_pattern_without_match_is_told_as_empty(tmp_path):
    assert gather([str(tmp_path / "*.sql")], None).empty == (str(tmp_path / "*.sql"),)


def test_a_missing_file_is_unhandled_and_the_others_are_read(tmp_path):
    make(tmp_path, "a.sql")
    found = gather([str(tmp_path / "no.sql"), str(tmp_path / "a.sql")], None)
    assert [file.reason for file in found.unhandled] == ["no such file or folder"]
    assert len(found.files) == 1


def test_utf16_is_named(tmp_path):
    path = tmp_path / "a.sql"
    path.write_bytes("SELECT 1".encode("utf-16"))
    assert reason(path) == "the file is UTF-16, not UTF-8"


def test_a_binary_file_is_named(tmp_path):
    path = tmp_path / "a.sql"
    path.write_bytes(b"PAR1\x00\x01")
    assert reason(path) == "the file is binary, not SQL text"


def test_invalid_utf8_is_named_with_its_line(tmp_path):
    path = tmp_path / "a.sql"
    path.write_bytes(b"SELECT 1;\nSELECT '\xe9t\xe9';\n")
    assert reason(path) == "byte 0xe9 on line 2 is not UTF-8"


def test_an_unreadable_file_is_named(tmp_path):
    make(tmp_path, "a.sql")
    path = tmp_path / "a.sql"
    path.chmod(0)
    if os.access(path, os.R_OK):
        path = Path("/proc/self/mem")  # whoever may read everything may not read this
        assert reason(path)
    else:
        assert reason(path) == "you may not read it"


def test_a_name_with_a_null_byte_is_unhandled():
    (left,) = gather(["a\0b.sql"], None).unhandled
    assert left.reason == "embedded null byte"


def test_an_empty_file_is_a_file(tmp_path):
    (tmp_path / "a.sql").write_bytes(b"")
    assert names(tmp_path, "a.sql") == ["a.sql"]


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_text_comes_without_its_byte_order_mark(tmp_path, mark):
    (tmp_path / "a.sql").write_bytes(mark + b"SELECT 1")
    (file,) = gather([str(tmp_path / "a.sql")], None).files
    assert file.text == "SELECT 1"
