# SPDX-License-Identifier: Apache-2.0
"""The checker against plain definitions on small random tables, and against pyCANON where pyCANON is right."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest
from pycanon import anonymity

from shoal.judging.checking import check
from shoal.judging.verdicts import Finding
from shoal.tables.table import Table
from tests.counts import count, repeats
from tests.reference.looking_alike import Row, as_value, as_wildcard, k_left_out, k_of, k_unlike_any

TABLES = count(240, 1000)
COLUMNS = ("age", "sex", "zip")
LABELS = (["[20, 29]", "[30, 39]", "*"], ["f", "m"], ["55***", "5541*"])


def small_table(seed: int, missing: float) -> list[Row]:
    """One to sixteen rows of few different labels."""
    random = np.random.default_rng(seed)
    rows = int(random.integers(1, 17))
    cells = [random.choice(labels, rows) for labels in LABELS]
    holes = random.random((rows, len(COLUMNS))) < missing
    return [
        tuple(None if holes[row, place] else str(cells[place][row]) for place in range(len(COLUMNS)))
        for row in range(rows)
    ]


def columns_of(rows: list[Row]) -> dict[str, list[Any]]:
    """The rows by column."""
    return {name: [row[place] for row in rows] for place, name in enumerate(COLUMNS)}


def found(rows: list[Row], **claims: Any) -> Finding:
    """What the checker says about k."""
    return check(Table.from_columns(columns_of(rows)), quasi_identifiers=COLUMNS, **claims).findings[0]


@pytest.mark.parametrize("missing", [0.0, 0.1, 0.4])
def test_k_under_each_reading_of_missing_is_that_of_the_definition(missing: float) -> None:
    """On many tables, k as a value, as a wildcard, unlike any, and with such rows dropped."""
    for seed in range(TABLES // 3 + 1):
        rows = small_table(seed, missing)
        figures = found(rows).figures
        assert figures["k_found"] == k_of(rows), seed
        if any(None in row for row in rows):
            assert figures["k_missing_as_value"] == k_of(rows, as_value), seed
            assert figures["k_missing_as_wildcard"] == k_of(rows, as_wildcard), seed
            assert figures["k_missing_unlike_any"] == k_unlike_any(rows), seed
            assert figures["k_missing_left_out"] == k_left_out(rows), seed
        else:
            assert k_of(rows) == k_of(rows, as_wildcard) == k_unlike_any(rows) == k_left_out(rows)


@pytest.mark.parametrize("reading", ["own", "wildcard"])
def test_the_verdict_follows_the_reading_that_was_asked_for(reading: str) -> None:
    """A claim is true if and only if the definition says so."""
    alike = {"own": as_value, "wildcard": as_wildcard}[reading]
    for seed in repeats(15, 80):
        rows = small_table(seed, 0.2)
        for k in (2, 3):
            assert found(rows, k=k, missing=reading).holds is (k_of(rows, alike) >= k), (seed, k)


# -- pyCANON -----------------------------------------------------------------------------------------------------


def frame_of(rows: list[Row]) -> pd.DataFrame:
    """The rows with a private column, as pandas has them."""
    random = np.random.default_rng(len(rows))
    return pd.DataFrame({**columns_of(rows), "disease": random.choice(["flu", "cold", "gout"], len(rows))})


def theirs(model: str, frame: pd.DataFrame, *arguments: Any) -> float:
    """What pyCANON says."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        answer: float = getattr(anonymity, model)(frame, list(COLUMNS), *arguments)
    return answer


def ours(frame: pd.DataFrame, kind: str) -> float:
    """The l that the checker finds."""
    models = {"l_diversity": {"kind": kind}}
    verdict = check(frame, quasi_identifiers=COLUMNS, sensitive=["disease"], models=models)
    figure: float = next(one for one in verdict.findings if one.model == "l_diversity").figures["l_found"]
    return figure


def test_agrees_with_pycanon_where_nothing_is_missing() -> None:
    """k, distinct l and entropy l (rounded down to a whole number, as pyCANON does) are the same."""
    for seed in repeats(10, 60):
        frame = frame_of(small_table(seed, 0.0))
        assert check(frame, quasi_identifiers=COLUMNS).findings[0].figures["k_found"] == theirs("k_anonymity", frame)
        assert ours(frame, "distinct") == theirs("l_diversity", frame, ["disease"])
        assert math.floor(ours(frame, "entropy") + 1e-6) == theirs("entropy_l_diversity", frame, ["disease"])


def test_differs_from_pycanon_where_a_missing_cell_makes_a_row_unique() -> None:
    """PyCANON drops rows with missing cells and says k = 3; the row is published and alone, so k is 1."""
    rows: list[Row] = [("[20, 29]", "f", "55***")] * 3 + [(None, "f", "55***")] + [("[30, 39]", "m", "55***")] * 3
    assert theirs("k_anonymity", frame_of(rows)) == 3
    finding = found(rows, k=3)
    assert finding.holds is False
    assert finding.figures["k_found"] == k_of(rows) == 1
    assert finding.figures["k_missing_left_out"] == 3
    assert "tools that drop rows with missing cells say k = 3" in finding.statement


def test_pycanon_reports_the_reading_in_which_rows_are_dropped() -> None:
    """Wherever whole rows are left, its k is our k with such rows left out: the difference is the reading alone."""
    compared = 0
    for seed in repeats(40, 200):
        rows = small_table(seed, 0.15)
        if any(None in row for row in rows) and any(None not in row for row in rows):
            compared += 1
            assert found(rows).figures["k_missing_left_out"] == theirs("k_anonymity", frame_of(rows)), seed
    assert compared > count(20, 50)
