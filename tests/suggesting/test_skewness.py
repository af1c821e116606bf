# SPDX-License-Identifier: Apache-2.0
"""Skewed columns are told, with the scale that fits them."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from shoal.plan.roles import CATEGORICAL, NUMERIC
from shoal.suggesting.skewness import skewed
from shoal.suggesting.suggest import suggest
from shoal.tables.table import Table

RANDOM = np.random.default_rng(0)
COLUMNS = {
    "incomes": (np.exp(RANDOM.normal(8, 2, 500)), True),
    "mostly nothing": (np.where(RANDOM.random(500) < 0.9, 0, RANDOM.integers(1, 9_000, 500)), True),
    "one very rich": (np.append(RANDOM.integers(100, 200, 499), 1_000_000), True),
    "ages": (RANDOM.integers(0, 100, 500), False),
    "bell": (RANDOM.normal(0, 1, 500), False),
    "few values": (RANDOM.choice([1, 2, 3, 500], 500), False),
    "constant": (np.full(500, 7), False),
    "empty": (np.full(500, np.nan), False),
}


@pytest.mark.parametrize("name", COLUMNS)
def test_skewed_columns_are_told(name: str) -> None:
    """Amounts that crowd in a corner of their range are, ages and codes are not; names never."""
    values, told = COLUMNS[name]
    table = Table.of(pl.DataFrame({name: values}))
    assert bool(skewed(table, {name: NUMERIC})) is told
    assert not skewed(table, {name: CATEGORICAL})


def test_several_skewed_columns_are_told_once() -> None:
    """With a flag each, and the share of the range that holds for all of them."""
    table = Table.of(pl.DataFrame({name: COLUMNS[name][0] for name in ("incomes", "ages", "one very rich")}))
    (one,) = skewed(table, {"one very rich": NUMERIC})
    assert one.startswith("column 'one very rich' is skewed: the middle half of values fills at most 0.0% of the range")
    (both,) = skewed(table, dict.fromkeys(table.names, NUMERIC))
    (incomes,) = skewed(table, {"incomes": NUMERIC})
    assert both.startswith("columns 'incomes' and 'one very rich' are skewed")
    assert "--scale incomes=rank --scale 'one very rich'=rank, or =log" in both
    assert incomes.partition("at most ")[2].partition(" ")[0] in both


def test_the_note_is_among_those_of_a_suggestion() -> None:
    """It names the flag, and no cell of the table."""
    random = np.random.default_rng(1)
    frame = pl.DataFrame(
        {"age": random.integers(18, 90, 400), "distance_from_home": np.round(np.exp(random.normal(7, 2, 400)))}
    )
    notes = [note for note in suggest(frame).notes if "skewed" in note]
    assert len(notes) == 1
    assert "--scale distance_from_home=rank" in notes[0]
