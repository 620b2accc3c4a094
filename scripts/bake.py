"""Write ``tidegate/grammar/_tables.py`` from ``lakeflow.lark``; ``--check`` only compares.

Run it whenever the grammar has changed: ``python scripts/bake.py``.
"""

import sys
from pathlib import Path

from tidegate.grammar.baking import bake

TARGET = Path(__file__).parent.parent / "tidegate" / "grammar" / "_tables.py"


def main() -> int:
    """Write or compare the tables."""
    text = bake()
    if "--check" in sys.argv[1:]:
        current = TARGET.read_text(encoding="utf-8") if TARGET.exists() else ""
        if current != text:
            print(f"{TARGET.name} is stale: run python scripts/bake.py")
            return 1
        return 0
    TARGET.write_text(text, encoding="utf-8")
    print(f"{TARGET.name}: {len(text)} characters")
    return 0


if __name__ == "__main__":
    sys.exit(main())
