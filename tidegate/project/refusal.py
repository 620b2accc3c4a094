"""What stops a command before its work: the call or the world, never the text of a pipeline."""


class Refusal(Exception):
    """One sentence that says what stands in the way, and one that says what to do."""

    def __init__(self, message: str, way_out: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.way_out = way_out
