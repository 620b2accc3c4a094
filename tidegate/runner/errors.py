"""What stops a run before or outside its datasets."""


class RunError(Exception):
    """Something about the call or the world that a person must change first."""

    def __init__(self, message: str, advice: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.help = advice


class JarsMissing(RunError):
    """The Delta jars are not on this machine and cannot be fetched."""
