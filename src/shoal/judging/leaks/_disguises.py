# SPDX-License-Identifier: Apache-2.0
"""What an identifier is turned into so that nobody knows it: respelt, turned round, encoded, hashed, cut."""

from __future__ import annotations

import base64
import hashlib
import re
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator

TOKEN = re.compile(r"[A-Za-z0-9+/_-]{6,}")
SHORTEST_HEX, SHORTEST_BASE64, SHORTEST_PLAIN = 8, 6, 5
"""Characters from which on the beginning of a digest, or an identifier inside other text, is no accident."""
_NO_PLAIN = re.compile(r"[\W_]+")

Bytes = Callable[[bytes], bytes]


def _hash(algorithm: str) -> Bytes:
    return lambda data: hashlib.new(algorithm, data, usedforsecurity=False).digest()


def _works(digest: Bytes) -> bool:
    """Whether the libraries here know a digest; the older ones may be switched off."""
    try:
        return bool(digest(b"a"))
    except ValueError:
        return False


DIGESTS: dict[str, Bytes] = {
    "": lambda data: data,
    "MD5": _hash("md5"),
    "SHA-1": _hash("sha1"),
    "SHA-224": _hash("sha224"),
    "SHA-256": _hash("sha256"),
    "SHA-384": _hash("sha384"),
    "SHA-512": _hash("sha512"),
    "SHA-512/256": lambda data: hashlib.new("sha512_256", data, usedforsecurity=False).digest(),
    "SHA3-224": _hash("sha3_224"),
    "SHA3-256": _hash("sha3_256"),
    "SHA3-384": _hash("sha3_384"),
    "SHA3-512": _hash("sha3_512"),
    "BLAKE2b": lambda data: hashlib.blake2b(data).digest(),
    "BLAKE2b-256": lambda data: hashlib.blake2b(data, digest_size=32).digest(),
    "BLAKE2b-128": lambda data: hashlib.blake2b(data, digest_size=16).digest(),
    "BLAKE2s": lambda data: hashlib.blake2s(data).digest(),
    "RIPEMD-160": _hash("ripemd160"),
    "SM3": _hash("sm3"),
    "CRC-32": lambda data: zlib.crc32(data).to_bytes(4, "big"),
    "Adler-32": lambda data: zlib.adler32(data).to_bytes(4, "big"),
}
DIGESTS = {name: digest for name, digest in DIGESTS.items() if _works(digest)}


def plain(text: str) -> str:
    """A cell without case, blanks and punctuation.

    >>> plain("O'Neill, Anna-Maria")
    'oneillannamaria'
    """
    return _NO_PLAIN.sub("", text.casefold())


def words(text: str) -> frozenset[str]:
    """The words of a cell, in whatever order."""
    return frozenset(_NO_PLAIN.sub(" ", text.casefold()).split())


def tokens(text: str) -> list[str]:
    """The pieces of a cell that could be encoded, or all of it, unless it is a number."""
    short = text.strip().rstrip("=")
    return TOKEN.findall(text) or ([short] if any(one.isalpha() for one in short) else [])


def spellings(text: str) -> set[str]:
    """What people hash when they hash an identifier."""
    bare = text.strip()
    forms = {text, bare, f"{bare}\n", plain(bare), re.sub(r"\s+", "", bare), re.sub(r"\W+", "", bare)}
    return {form for one in forms for form in (one, one.lower(), one.upper())} - {""}


def encodings(data: bytes) -> Iterator[tuple[str, int]]:
    """Every way in which bytes are written as text, and how short it may be cut."""
    digits = data.hex()
    yield digits, SHORTEST_HEX
    for encoded in (base64.b64encode(data), base64.urlsafe_b64encode(data)):
        yield encoded.decode().rstrip("="), 2
    yield base64.b32encode(data).decode().rstrip("=").lower(), SHORTEST_HEX
    for size in {min(len(data), 4), min(len(data), 8), len(data)}:
        yield str(int.from_bytes(data[:size], "big")), SHORTEST_BASE64


def disguised(text: str) -> list[tuple[str, str]]:
    """Every digest of an identifier and its name, in every encoding, long enough to be no accident."""
    return [
        (name, encoded)
        for spelling in spellings(text)
        for name, digest in DIGESTS.items()
        for encoded, shortest in encodings(digest(spelling.encode()))
        if len(encoded) >= shortest
    ]


def hash_met(tried: list[list[tuple[str, str]]], shown: set[str], lengths: Iterable[int]) -> tuple[int, str]:
    """How many identifiers are met among the pieces of a column in the commonest of their disguises, and its name.

    Digests are looked for whole, and cut at either end to the lengths given.
    """
    cuts = sorted(set(lengths))
    met = Counter(name for forms in tried for name in {name for name, encoded in forms if _met(encoded, shown, cuts)})
    return max(((number, name) for name, number in met.items()), default=(0, ""))


def _met(encoded: str, shown: set[str], cuts: list[int]) -> bool:
    if encoded in shown:
        return True
    least = SHORTEST_HEX if encoded.lower() == encoded else SHORTEST_BASE64 + 2
    return any(encoded[:cut] in shown or encoded[-cut:] in shown for cut in cuts if least <= cut < len(encoded))
