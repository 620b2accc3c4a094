"""Text of unknown origin comes in; text that a terminal shows in known columns goes out."""

import msgspec

from tidegate.source.diagnostic import Severity

TAB_STOP = 4


class Palette(msgspec.Struct, frozen=True):
    """The escape sequences of each role; all empty where no color is wanted."""

    error: str = ""
    warning: str = ""
    info: str = ""
    strong: str = ""
    dim: str = ""
    good: str = ""
    reset: str = ""

    def of(self, severity: Severity) -> str:
        """Return the color of a severity."""
        if severity is Severity.ERROR:
            return self.error
        return self.warning if severity is Severity.WARNING else self.info


PLAIN = Palette()
COLORED = Palette(
    error="\x1b[1;31m",
    warning="\x1b[1;33m",
    info="\x1b[1;36m",
    strong="\x1b[1m",
    dim="\x1b[2m",
    good="\x1b[32m",
    reset="\x1b[0m",
)

# Controls that move text about, so that a reader sees another program than the machine.
_REORDERING = frozenset("\u200e\u200f\u061c\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def visible(text: str) -> str:
    """Replace every control character by something that can be seen and does nothing."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(map(_visible, text))


def _visible(char: str) -> str:
    code = ord(char)
    if code < 32:
        return chr(0x2400 + code)
    if code == 127:
        return "\u2421"
    if (
        128 <= code < 160
        or char in _REORDERING
        or 0xD800 <= code < 0xE000
        or code in (0x2028, 0x2029)
    ):
        return "\ufffd"
    return char


def width(text: str) -> int:
    """Return how many columns a terminal gives to visible text."""
    if text.isascii():
        return len(text)
    return sum(map(_width, text))


def _width(char: str) -> int:
    if char < "\u0300":
        return 1
    # Only text beyond Latin needs the tables, and they are not free to load.
    from unicodedata import category, east_asian_width  # noqa: PLC0415

    if category(char) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if east_asian_width(char) in ("W", "F") else 1


def lay_out(text: str, column: int = 0) -> str:
    """Turn a piece of a source line into what is shown, tabs as blanks up to the next stop."""
    if "\t" not in text:
        return visible(text)
    parts: list[str] = []
    for number, piece in enumerate(text.split("\t")):
        if number:
            blanks = TAB_STOP - column % TAB_STOP
            parts.append(" " * blanks)
            column += blanks
        shown = visible(piece)
        parts.append(shown)
        column += width(shown)
    return "".join(parts)


def readable_path(path: str) -> str:
    """Return a path as text that can be encoded; bytes that are no UTF-8 become marks."""
    if path.isascii():
        return path
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
