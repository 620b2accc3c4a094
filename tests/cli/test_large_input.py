"""Large and hostile files: they take their time, and end as small ones do."""

import subprocess
import sys
from pathlib import Path

import pytest
from transcripts import environment

ONE = """\
CREATE OR REFRESH STREAMING TABLE t{n} (
  CONSTRAINT valid_id EXPECT (id IS NOT NULL) ON VIOLATION DROP ROW,
  CONSTRAINT valid_amount EXPECT (amount > 0 AND amount < {n})
) AS SELECT id, amount, concat(first_name, ' ', last_name) AS full_name FROM STREAM(raw.t{n});
"""
STATEMENT = len(ONE)


def check(path: Path) -> tuple[int, bytes, bytes]:
    done = subprocess.run(
        [sys.executable, "-m", "tidegate", "check", "--output-format", "concise", str(path)],
        capture_output=True, timeout=900, check=False, env=environment(),
    )  # fmt: skip
    return done.returncode, done.stdout, done.stderr


def fill(path: Path, size: int) -> int:
    statements = size // STATEMENT
    with path.open("w") as file:
        for number in range(statements):
            file.write(ONE.replace("{n}", str(number)))
    return statements


@pytest.mark.parametrize(
    "size", [5_000_000, pytest.param(50_000_000, marks=pytest.mark.long)], ids=["5MB", "50MB"]
)
def test_a_large_file_is_checked_whole(tmp_path, size):
    path = tmp_path / "a.sql"
    statements = fill(path, size)
    with path.open("a") as file:
        file.write(ONE.replace("{n}", "last").replace("id IS NOT NULL", "id = NULL"))
    code, out, told = check(path)
    assert code == 1
    assert out.decode().startswith(f"{path}:{statements * 4 + 2}:31: error P301 null-comparison ")
    assert out.count(b"\n") == 1
    assert told.decode().startswith(
        f"{2 * statements + 2:,} expectations checked in 1 file: 1 error"
    )


@pytest.mark.parametrize(
    ("opening", "said"),
    [("'", "the string opened here is never closed"), ("/*", "the comment opened here is never")],
)
def test_what_is_never_closed_at_the_head_of_a_large_file_is_named(tmp_path, opening, said):
    path = tmp_path / "a.sql"
    path.write_text(f"SELECT {opening} " + "it goes on and on " * 300_000)
    code, out, _ = check(path)
    assert code == 1
    assert said in out.decode()


def test_a_large_file_of_one_line_is_shown_in_part(tmp_path):
    path = tmp_path / "a.sql"
    path.write_text(ONE.replace("\n", " ").replace("{n}", "x") * 5000 + "CREATE STREAMING TABLE (;")
    done = subprocess.run(
        [sys.executable, "-m", "tidegate", "check", "-q", "--select", "syntax-error", str(path)],
        capture_output=True, timeout=300, check=False, env=environment(),
    )  # fmt: skip
    assert done.returncode == 1
    assert max(map(len, done.stdout.decode().splitlines())) < 250


def test_ten_thousand_open_parentheses_are_an_error_and_no_crash(tmp_path):
    path = tmp_path / "a.sql"
    predicate = "(" * 10_000 + "a" + ")" * 10_000
    path.write_text(f"CREATE STREAMING TABLE t (CONSTRAINT deep EXPECT ({predicate}));")
    code, _, told = check(path)
    assert code in (0, 1)
    assert b"internal error" not in told
