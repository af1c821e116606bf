# SPDX-License-Identifier: Apache-2.0
"""What a run says about settings that came to nothing."""

from __future__ import annotations

import polars as pl
import pytest

import shoal

ROLES = {"quasi_identifiers": ["age", "sex"], "method": "mondrian"}


def people(rows: int) -> pl.DataFrame:
    """People in pairs of ages."""
    return pl.DataFrame({"age": [20 + i // 2 % 40 for i in range(rows)], "sex": ["f", "m"] * (rows // 2)})


@pytest.mark.parametrize(
    ("rows", "share", "words"), [(80, 0.05, "wholly lost"), (10, 0.05, "less than one row"), (80, 0.0, "")]
)
def test_suppression_that_leaves_nobody_out_says_why(rows: int, share: float, words: str) -> None:
    """Whoever allows rows to be left out learns why none was; who does not, hears nothing of it."""
    release = shoal.anonymize(people(rows), k=2, suppression=share, **ROLES)
    told = [note for note in release.notes if "left out" in note]
    assert len(told) == bool(words)
    assert all(words in note for note in told)
