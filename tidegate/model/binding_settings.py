"""What the configuration says about names and values, for whoever binds a pipeline."""

import msgspec

from tidegate.model.names import Namespace


class BindSettings(msgspec.Struct, frozen=True, kw_only=True):
    """What the configuration says about names and values."""

    namespace: Namespace = Namespace()
    variables: dict[str, str] = {}
    """Values for ``${name}``, as text."""
    given: dict[str, str] = {}
    """Those of the call: they win over SET in a file."""
    parameters: frozenset[str] | None = None
    """The names that may stand in ``${name}`` without SET; ``None``: no list of them is known."""
