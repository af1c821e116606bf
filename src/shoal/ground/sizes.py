# SPDX-License-Identifier: Apache-2.0
"""Sizes in bytes as people write them."""

from __future__ import annotations

import re

from shoal.ground.errors import InputError

SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([kmgt]?)(?:i?b)?", re.IGNORECASE)
UNITS = {"": 0, "k": 10, "m": 20, "g": 30, "t": 40}


def bytes_of(text: str, where: str) -> int:
    """The bytes of a size.

    >>> bytes_of("4GiB", "--memory"), bytes_of("1.5 mb", "--memory")
    (4294967296, 1572864)
    """
    found = SIZE.fullmatch(text.strip())
    if found is None:
        what, allowed = "The size cannot be read.", "a size such as 500MB or 4GiB"
        raise InputError(what, where, allowed, repr(text), "write a number and a unit")
    return int(float(found[1]) * 2 ** UNITS[found[2].lower()])


def in_words(size: float) -> str:
    """A size for people.

    >>> in_words(3 * 2**30), in_words(5_000_000)
    ('3.0 GiB', '4.8 MiB')
    """
    return f"{size / 2**30:.1f} GiB" if size >= 2**30 else f"{size / 2**20:.1f} MiB"
