"""Which Java is taken, and what is said when there is none that fits."""

import os

import pytest

from tidegate.runner import java
from tidegate.runner.errors import RunError
from tidegate.runner.java import find_java_home, java_version


@pytest.fixture(autouse=True)
def nowhere_else(monkeypatch):
    monkeypatch.setattr(java, "_FOLDERS", ())


def fake_java(home, version: str):
    program = home / "bin" / "java"
    program.parent.mkdir(parents=True)
    program.write_text(f"#!/bin/sh\necho 'openjdk version \"{version}\" 2024-01-01' >&2\n")
    program.chmod(0o755)
    return home


@pytest.mark.parametrize(
    ("told", "version"), [("17.0.15", 17), ("21", 21), ("1.8.0_402", 8), ("11.0.2", 11)]
)
def test_the_version_is_read_from_what_java_says(tmp_path, told, version):
    assert java_version(fake_java(tmp_path / "jdk", told)) == version


def test_java_home_comes_before_the_path(tmp_path):
    home = fake_java(tmp_path / "home", "21.0.1")
    path = fake_java(tmp_path / "path", "17.0.1")
    assert find_java_home({"JAVA_HOME": str(home), "PATH": str(path / "bin")}) == home


def test_a_java_that_fits_is_taken_where_java_home_does_not(tmp_path):
    home = fake_java(tmp_path / "home", "11.0.1")
    path = fake_java(tmp_path / "path", "17.0.1")
    assert find_java_home({"JAVA_HOME": str(home), "PATH": str(path / "bin")}) == path


def test_a_missing_java_is_said_in_one_sentence(tmp_path):
    with pytest.raises(RunError, match="needs Java, and none is there") as caught:
        find_java_home({"JAVA_HOME": str(tmp_path), "PATH": os.devnull})
    assert "JDK 17 or 21" in caught.value.help


def test_a_java_of_the_wrong_version_is_named(tmp_path):
    home = fake_java(tmp_path / "jdk", "11.0.1")
    with pytest.raises(RunError, match=f"only Java 11 in `{home}` is there"):
        find_java_home({"JAVA_HOME": str(home), "PATH": os.devnull})


def test_a_program_that_is_no_java_is_passed_over(tmp_path):
    program = tmp_path / "bin" / "java"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\nexit 1\n")
    program.chmod(0o755)
    assert java_version(tmp_path) is None
