"""``python -m tidegate``: the same program as the ``tidegate`` script."""

import sys

from tidegate.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
