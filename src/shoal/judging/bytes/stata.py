# SPDX-License-Identifier: Apache-2.0
"""Stata by its cells: see the common reader of the statistical packages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import polars as pl

from shoal.judging.bytes._labelled import written_by
from shoal.tables.reading import Reading


def written_cells(path: Path, names: Sequence[str], reading: Reading) -> Mapping[str, pl.Series]:
    """Every column as it is stored."""
    return written_by("read_dta", path, names)
