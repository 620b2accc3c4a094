"""Finds a Java that Spark can run on, or says in one sentence what is missing."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

from tidegate.runner.errors import RunError

SUPPORTED = (17, 21)
_ADVICE = "install a JDK 17 or 21, or set JAVA_HOME to one"
_FOLDERS = ("/usr/lib/jvm", "/Library/Java/JavaVirtualMachines", "/opt/java", "/opt/homebrew/opt")


def find_java_home(environment: Mapping[str, str] = os.environ) -> Path:
    """Give the home of the first Java 17 or 21: that of JAVA_HOME, of the PATH, or installed."""
    wrong: list[str] = []
    for home in _candidates(environment):
        version = java_version(home)
        if version in SUPPORTED:
            return home
        if version is not None:
            wrong.append(f"Java {version} in `{home}`")
    if wrong:
        raise RunError(f"Spark needs Java 17 or 21, and only {wrong[0]} is there", _ADVICE)
    raise RunError("Spark needs Java, and none is there", _ADVICE)


def java_version(home: Path) -> int | None:
    """Ask a Java for its major version; ``None`` if there is none or it does not answer."""
    program = home / "bin" / "java"
    if not program.exists():
        return None
    try:
        told = subprocess.run(
            [str(program), "-version"], capture_output=True, text=True, timeout=30, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    found = re.search(r'version "(\d+)(?:\.(\d+))?', told.stderr + told.stdout)
    if found is None:
        return None
    major, minor = int(found.group(1)), int(found.group(2) or 0)
    return minor if major == 1 else major


def _candidates(environment: Mapping[str, str]) -> Iterator[Path]:
    if home := environment.get("JAVA_HOME"):
        yield Path(home)
    if program := shutil.which("java", path=environment.get("PATH")):
        yield Path(program).resolve().parent.parent
    for root in _FOLDERS:
        for folder in sorted(Path(root).glob("*")):
            yield folder
            yield folder / "Contents" / "Home"
            yield folder / "libexec" / "openjdk.jdk" / "Contents" / "Home"
