"""Names come in; their words, and what in them is no word, go out."""

from collections.abc import Iterator

KNOWN_WORDS = frozenset(
    {
        "b2b", "b2c", "ean13", "ec2", "gs1", "h3", "i18n", "ipv4", "ipv6", "l10n", "md5", "mp3",
        "o2", "p2p", "s2", "s3", "sha1", "sha2", "sha224", "sha256", "sha384", "sha512", "utf16",
        "utf32", "utf8", "w3c", "win32", "x509",
    }
)  # fmt: skip
"""Terms whose digits are part of the word."""


def tokens(name: str) -> tuple[str, ...]:
    """Split a name into lower-case words and runs of digits.

    Borders are ``_``, ``-``, blanks, dots, changes of case, and those between letters and digits,
    except inside terms such as ``sha256``.
    """
    found: list[str] = []
    for chunk in chunks(name):
        folded = chunk.lower()
        if folded in KNOWN_WORDS or (chunk.isalpha() and chunk in (folded, chunk.upper())):
            found.append(folded)
        else:
            found += (word.lower() for word in _words(chunk))
    return tuple(found)


def chunks(name: str) -> list[str]:
    """Split a name at everything that is neither a letter nor a digit."""
    if name.isascii() and name.isidentifier():
        return name.replace("_", " ").split()
    return "".join(mark if mark.isalnum() else " " for mark in name).split()


def _words(chunk: str) -> Iterator[str]:
    start = 0
    for at in range(1, len(chunk)):
        before, here = chunk[at - 1], chunk[at]
        ends_capitals = (
            before.isupper() and here.isupper() and chunk[at + 1 : at + 2].islower()
        )  # the border in ``IDNumber`` stands before the ``N``
        if (
            before.isdigit() != here.isdigit()
            or (before.islower() and here.isupper())
            or ends_capitals
        ):
            yield chunk[start:at]
            start = at
    yield chunk[start:]


def singular(word: str) -> str:
    """Drop a plain plural: ``amounts`` is ``amount``, ``countries`` is ``country``."""
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


_SYNONYMS = {
    "mail": "email",
    "ts": "timestamp",
    "qty": "quantity",
    "amt": "amount",
    "id": "identifier",
    "key": "identifier",
    "zip": "postcode",
    "tel": "phone",
    "telephone": "phone",
    "mobile": "phone",
}


def reduced(name: str) -> frozenset[str]:
    """Return a name's words, singular, with synonyms (``qty``, ``quantity``) made one."""
    return frozenset(_SYNONYMS.get(word, word) for word in map(singular, tokens(name)))
