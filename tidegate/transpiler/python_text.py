"""Python source text for values: literals and calls, laid out for people."""

from collections.abc import Mapping

_WIDTH = 100


def literal(value: object) -> str:
    """Return a value as Python reads it back, with double quotes where they need no escape."""
    if isinstance(value, tuple):
        inner = ", ".join(literal(each) for each in value)
        return f"({inner},)" if len(value) == 1 else f"({inner})"
    text = repr(value)
    if isinstance(value, str) and text[0] == "'" and '"' not in text:
        return '"' + text[1:-1].replace("\\'", "'") + '"'
    return text


def text_block(text: str) -> str:
    """Return a string literal; a text of several lines becomes a block that shows its lines."""
    if "\n" not in text or "\r" in text:
        return literal(text)
    escaped = text.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    if escaped.endswith('"'):
        escaped = escaped[:-1] + '\\"'
    return f'"""\\\n{escaped}"""'


def call(name: str, arguments: Mapping[str, object], *, indent: int) -> str:
    """Return a call with keyword arguments, on one line where it fits, else one argument a line."""
    shown = [f"{key}={_shown(value)}" for key, value in arguments.items()]
    flat = f"{name}({', '.join(shown)})"
    if "\n" not in flat and indent + len(flat) < _WIDTH:
        return flat
    pad = " " * (indent + 4)
    return f"{name}(\n" + "".join(f"{pad}{each},\n" for each in shown) + f"{' ' * indent})"


def pairs(given: Mapping[str, str], indent: int) -> str:
    """Return a tuple of pairs, one a line."""
    pad = " " * (indent + 4)
    inner = "".join(f"{pad}{literal((key, value))},\n" for key, value in given.items())
    return f"(\n{inner}{' ' * indent})"


def _shown(value: object) -> str:
    return text_block(value) if isinstance(value, str) else literal(value)
