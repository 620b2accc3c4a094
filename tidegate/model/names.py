"""Names of datasets: their identity, and how what was written resolves to it."""

from collections.abc import Sequence

import msgspec


class DatasetName(msgspec.Struct, frozen=True):
    """A dataset's full name. Only the catalog may be absent; letter case is kept as written."""

    catalog: str | None
    schema: str
    name: str

    @property
    def parts(self) -> tuple[str, ...]:
        """The two or three parts."""
        if self.catalog is None:
            return (self.schema, self.name)
        return (self.catalog, self.schema, self.name)

    @property
    def full(self) -> str:
        """The identity as outputs show it: ``default.t``, ``dev.silver.orders``."""
        return ".".join(self.parts)

    @property
    def key(self) -> str:
        """What two spellings of one dataset have in common."""
        return self.full.casefold()


class Namespace(msgspec.Struct, frozen=True):
    """What fills the missing parts of a name."""

    catalog: str | None = None
    schema: str = "default"

    def resolve(self, parts: Sequence[str]) -> DatasetName | None:
        """Return the full name, a leading ``LIVE`` removed, or ``None`` above three parts."""
        if len(parts) > 1 and parts[0].casefold() == "live":
            parts = parts[1:]
        match len(parts):
            case 1:
                return DatasetName(self.catalog, self.schema, parts[0])
            case 2:
                return DatasetName(self.catalog, parts[0], parts[1])
            case 3:
                return DatasetName(parts[0], parts[1], parts[2])
            case _:
                return None
