"""The page about the command line is generated, and current."""

import subprocess
import sys

from transcripts import ROOT, environment


def test_the_page_is_what_the_parsers_say():
    script = ROOT / "scripts" / "generate_cli_page.py"
    done = subprocess.run(
        [sys.executable, str(script), "--check"],
        capture_output=True, text=True, check=False, env=environment(),
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, "")
