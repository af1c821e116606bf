# SPDX-License-Identifier: Apache-2.0
"""A table of patients that is cut into tiny cells."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import shoal
from shoal.tables import streaming
from tests.large.asking import OTHERS, QI


@pytest.fixture(scope="module")
def people() -> pl.DataFrame:
    """Patients, some of them with missing cells, and one who stands there a hundred times."""
    people = shoal.synthetic_patients(900).select("name", *QI, *OTHERS)
    holes = pl.int_range(pl.len()) % 17 == 0
    people = people.with_columns(
        pl.when(holes).then(None).otherwise(pl.col(name)).alias(name) for name in ("age", "postcode")
    )
    return pl.concat([people, people[[7] * 100].with_columns(diagnosis=people["diagnosis"].head(100))])


@pytest.fixture
def parts(people: pl.DataFrame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The same in two files, read in stretches of 300 rows."""
    monkeypatch.setattr(streaming, "AT_ONCE", 300)
    folder = tmp_path / "people"
    folder.mkdir()
    people.head(430).write_parquet(folder / "a.parquet")
    people.tail(-430).write_parquet(folder / "b.parquet")
    return folder
