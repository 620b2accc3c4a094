"""A configuration and files come in; it goes out with the functions that the files register."""

from typing import Protocol

import msgspec

from tidegate.project.config import Config


class Registers(Protocol):
    """Files that a call or a configuration names, as far as they register functions for SQL."""

    @property
    def python_udfs(self) -> tuple[str, ...]: ...  # noqa: D102

    @property
    def java_udfs(self) -> tuple[str, ...]: ...  # noqa: D102


def with_registered(config: Config, files: Registers) -> Config:
    """Return the configuration as if it listed those functions too."""
    if not files.python_udfs and not files.java_udfs:
        return config
    return msgspec.structs.replace(
        config,
        python_udfs=(*config.python_udfs, *files.python_udfs),
        functions=(*config.functions, *files.java_udfs),
    )
