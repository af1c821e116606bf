# SPDX-License-Identifier: Apache-2.0
"""Names of new columns."""

from __future__ import annotations

import polars as pl
import pytest

import shoal
from shoal.ground.errors import TableError


@pytest.mark.parametrize("role", ["insensitive", "identifiers", "drop"])
def test_bounds_take_no_name_that_is_there(role: str) -> None:
    """A column in the place of another, or of an identifier that must go, would be taken for it."""
    frame = pl.DataFrame({"age": [1, 2, 3, 4], "age_min": ["a", "b", "c", "d"]})
    with pytest.raises(TableError, match="name of one that is there"):
        shoal.anonymize(frame, k=2, quasi_identifiers=["age"], render="bounds", **{role: ["age_min"]})
