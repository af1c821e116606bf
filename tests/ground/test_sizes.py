# SPDX-License-Identifier: Apache-2.0
"""Sizes are read as they are written: powers of 1000 and of 1024 have units of their own."""

from __future__ import annotations

import pytest

from shoal.ground.errors import InputError
from shoal.ground.sizes import bytes_of


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("200MB", 200 * 10**6),
        ("200 mb", 200 * 10**6),
        ("200MiB", 200 * 2**20),
        ("200M", 200 * 2**20),
        ("1.5GB", 15 * 10**8),
        ("1.5GiB", 3 * 2**29),
        ("2k", 2048),
        ("2kB", 2000),
        ("1TB", 10**12),
        ("1t", 2**40),
        ("4096", 4096),
        ("4096 B", 4096),
    ],
)
def test_units(text: str, size: int) -> None:
    """MB is a million bytes, MiB and M are 1024 times 1024; case and blanks say nothing."""
    assert bytes_of(text, "--memory") == size


@pytest.mark.parametrize("text", ["", "GB", "4 GiBs", "-1GB", "4XB", "4ib", "1e9", "4,5GB"])
def test_what_cannot_be_read_is_refused_with_the_units(text: str) -> None:
    """The error names every unit, and what each is a power of."""
    with pytest.raises(InputError) as caught:
        bytes_of(text, "--memory")
    assert all(unit in caught.value.allowed for unit in ("MB", "GB", "1000", "MiB", "GiB", "M, G", "1024"))
    assert caught.value.received == repr(text)
