# SPDX-License-Identifier: Apache-2.0
"""Sizes in bytes as people write them."""

from __future__ import annotations

import re

from shoal.ground.errors import InputError

SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*(?:([kmgt])(i?b)?|b)?", re.IGNORECASE)
POWERS = {"k": 1, "m": 2, "g": 3, "t": 4}
ALLOWED = "a number and its unit: kB, MB, GB, TB (powers of 1000), or KiB, MiB, GiB, TiB or K, M, G, T (of 1024)"


def bytes_of(text: str, where: str) -> int:
    """The bytes of a size.

    >>> bytes_of("4GiB", "--memory"), bytes_of("4G", "--memory"), bytes_of("1.5 mb", "--memory")
    (4294967296, 4294967296, 1500000)
    """
    found = SIZE.fullmatch(text.strip())
    if found is None:
        raise InputError("The size cannot be read.", where, ALLOWED, repr(text), "write, for example, 500MB or 4GiB")
    number, letter, unit = found.groups()
    base = 1000 if (unit or "").lower() == "b" else 1024
    return int(float(number) * base ** POWERS.get((letter or "").lower(), 0))


def in_words(size: float) -> str:
    """A size for people.

    >>> in_words(3 * 2**30), in_words(5_000_000)
    ('3.0 GiB', '4.8 MiB')
    """
    return f"{size / 2**30:.1f} GiB" if size >= 2**30 else f"{size / 2**20:.1f} MiB"
