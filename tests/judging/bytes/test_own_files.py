# SPDX-License-Identifier: Apache-2.0
"""What shoal writes has one spelling of every value, in every format, and is read alike by engine and judge."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.judging.bytes.reading import judged_file
from shoal.tables import sources
from shoal.tables.reading import Reading
from shoal.tables.sameness import same_tables
from shoal.tables.table import Table
from tests.counts import repeats

FORMATS = ["delimited", "json_lines", "parquet", "arrow_ipc", "sqlite", "duckdb", "excel", "spss", "stata"]
TEXTS = [
    "a b",
    "",
    " x",
    'q"u',
    "l\nm",
    "c,d",
    "=1",
    "\ttab",
    "Ünï",
    "05",
    "5",
    "5.0",
    "l\r\nm",
    "-",
    "\u200bz",
    "{",
    "\\",
    "1;2",
]


def everything(seed: int, rows: int = 60) -> Table:
    """A table of all plain types, with both zeros, NaN, missing cells and texts that need care."""
    dice = np.random.default_rng(seed)

    def some(values: list[object], kind: pl.DataType | None = None) -> pl.Series:
        picked = [values[place] for place in dice.integers(0, len(values), rows - 1)]
        return pl.Series([*picked, values[0]], dtype=kind, strict=False)

    return Table.of(
        pl.DataFrame(
            {
                "whole": some([1, 2, 3, None]),
                "real": some([0.0, -0.0, float("nan"), None, 1.5, 1e300, -2.0]),
                "short": some([0.5, -0.0, 0.0, None], pl.Float32()),
                "text": some(TEXTS),
                "word": some(["x", "", "y", None]),
                "day": some([date(2020, 1, 1), date(1850, 2, 3), None]),
                "moment": some([datetime(2020, 1, 1), datetime(2020, 1, 1, 5, 6, 7), None]),
                "flag": some([True, False, None]),
                "grade": some(["lo", "hi", None], pl.Enum(["lo", "hi"])),
                "kind": some(["p", "q", None], pl.Categorical()),
                "key": some([2**53, 2**53 + 1, 2**60 + 3, None]),
                "huge": some([2**63, 2**63 + 1], pl.UInt64()),
                "money": some(
                    [Decimal("1.10"), Decimal("12345678901234567.01"), Decimal("12345678901234567.02"), None]
                ),
            }
        )
    )


@pytest.mark.thin(2)
@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("seed", repeats(3, 30))
def test_written_files_have_one_spelling_of_each_value(format: str, seed: int, tmp_path: Path) -> None:
    """The judge finds nothing in the bytes that is not in the cells, and reads the cells that everybody reads."""
    table = everything(seed)
    path = tmp_path / f"table{sources.extension(format)}"
    sources.write_table(table, path, format)
    reading = Reading().as_written()
    seen = judged_file([path], reading, table.names, format)
    assert seen.variants == {}
    assert same_tables(seen, sources.read_table([path], reading, format).table)
    assert [seen.frame.get_column(name).n_unique() for name in ("key", "huge", "money")] == [
        table.frame.get_column(name).n_unique() for name in ("key", "huge", "money")
    ]


@pytest.mark.thin(2)
@pytest.mark.parametrize("format", FORMATS)
def test_released_folders_pass_the_judge(format: str, tmp_path: Path) -> None:
    """A release of such a table, whatever its format, holds as it is read back, and once more afterwards."""
    roles = {"quasi_identifiers": ["whole", "real", "day"], "sensitive": ["word"], "rest": "insensitive"}
    table = Table(everything(0).frame.with_columns(pl.col("real").clip(-5, 5)))
    release = shoal.anonymize(table, k=3, method="mondrian", accept=table.names, **roles)
    folder = release.save(tmp_path / "released", format=format)
    table_file = next(folder.glob("table.*"))
    verdict = shoal.check(table_file, plan=release.plan)
    assert verdict.holds
    assert "byte_variants" not in [leak.kind for leak in verdict.leaks]


def test_means_that_round_to_zero_have_one_zero() -> None:
    """A mean of -0.0 shows as 0.0: two zeros would split look-alikes in the file."""
    cells = np.array([-0.2, 0.2, -0.0, 0.0] * 3)
    release = shoal.anonymize(
        pl.DataFrame({"a": cells}), k=2, quasi_identifiers=["a"], render="rounded", method="mondrian"
    )
    assert not {"-0", "-0.0"} & set(release.released.texts("a").cast(pl.String).to_list())
