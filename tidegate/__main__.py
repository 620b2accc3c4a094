"""``python -m tidegate`` and the ``tidegate`` script: starts the program, and ends it.

A check of one file is over in the time that a large program takes to load; what is done here saves
a quarter of it.
"""

import gc
import os
import sys


def main() -> None:
    """Run the command line of this process and leave with its exit code."""
    # Nothing that loads is garbage: collecting meanwhile would only visit it again and again.
    gc.disable()
    _load_msgspec()
    from tidegate.cli.main import main as run  # noqa: PLC0415

    code = run()
    if "pyspark" in sys.modules:
        sys.exit(code)  # a session has things to put away
    # All output is written; taking the modules apart one by one has no use.
    os._exit(code)


def _load_msgspec() -> None:
    # msgspec takes two names from typing_extensions where that is installed, and its import costs
    # as much as a bare start. Python has both names; so msgspec is loaded without it, once.
    if "typing_extensions" in sys.modules:
        return
    sys.modules["typing_extensions"] = None  # type: ignore[assignment]
    try:
        import msgspec  # noqa: F401, PLC0415
    finally:
        del sys.modules["typing_extensions"]


if __name__ == "__main__":
    main()
