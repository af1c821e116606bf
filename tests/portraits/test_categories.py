# SPDX-License-Identifier: Apache-2.0
"""Names before and after: under the narrowest released label, never a handful of original rows."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from shoal.hierarchies.hierarchy import Hierarchy
from shoal.metrics._protocol import Evidence
from shoal.plan import Plan
from shoal.portraits.categories import MOST_BARS, Counts, draw_labels, plain_labels, published_labels
from shoal.tables.table import Table

TREE = Hierarchy.from_rows([["a", "ab", "*"], ["b", "ab", "*"], ["c", "cd", "*"], ["d", "cd", "*"]])


def counted(before: list[str | None], after: list[str | None]) -> dict[str, tuple[int, int]]:
    plan = Plan.of(2, quasi_identifiers=["x"], hierarchies={"x": TREE})
    tables = [Table(pl.DataFrame({"x": pl.Series(side, dtype=pl.String)})) for side in (before, after)]
    counts = published_labels(Evidence(*tables, plan), "x")
    assert isinstance(counts, Counts)
    shown = {label: (int(b), int(a)) for label, b, a in zip(counts.labels, counts.before, counts.after, strict=True)}
    return shown | {"missing": counts.missing, "elsewhere": (counts.elsewhere, 0)}


def test_rows_belong_to_the_narrowest_label() -> None:
    """A is shown itself, b only as ab, c and d only as *."""
    found = counted(["a", "a", "b", "c", "d", None], ["a", "a", "ab", "*", "*", None])
    assert found == {"a": (2, 2), "ab": (1, 1), "*": (2, 2), "missing": (1, 1), "elsewhere": (0, 0)}


def test_sets_hold_their_members_only() -> None:
    """{a, c} is not all that lies between."""
    found = counted(["a", "c", "b", "d"], ["{a, c}", "{a, c}", "*", "*"])
    assert (found["{a, c}"], found["*"]) == ((2, 2), (2, 2))


def test_values_that_no_label_covers_are_counted_together() -> None:
    """A mode names one value of several; the others are elsewhere."""
    found = counted(["a", "a", "b"], ["a", "a", "a"])
    assert (found["a"], found["elsewhere"]) == ((2, 3), (1, 0))


@pytest.mark.parametrize("k", [1, 2, 5, 20])
@pytest.mark.parametrize("labels", [1, 5, 300])
def test_no_bar_stands_for_a_few_original_rows(k: int, labels: int) -> None:
    """Rare labels are put together, and never 1 to k - 1 original rows of them; shares add up."""
    random = np.random.default_rng(labels)
    before, after = random.integers(0, 2 * k + 3, labels), random.integers(0, 9, labels)
    rows = (int(before.sum()) + 3, max(int(after.sum()), 1))
    counts = Counts([f"label {one}" for one in range(labels)], before, after, elsewhere=3, missing=(0, 0), rows=rows)
    bars = draw_labels(counts, k).bars
    assert len(bars) <= MOST_BARS + 1
    assert sum(one.before or 0 for one in bars) == pytest.approx(1)
    assert sum(one.after for one in bars) == pytest.approx(after.sum() / rows[1])
    if rows[0] >= k:
        assert all(one.before == 0 or round(one.before * rows[0]) >= k for one in bars)


def test_rare_values_of_a_published_column_are_not_named() -> None:
    """A column published as it is names only what at least k rows share."""
    table = Table(pl.DataFrame({"x": ["flu"] * 6 + ["rare", "rarer"]}))
    drawn = draw_labels(plain_labels(table, "x"), k=5)
    assert [one.label for one in drawn.bars] == ["flu", "2 other labels"]
    assert drawn.kept == 1


def test_no_rows() -> None:
    """Nothing to draw."""
    assert draw_labels(Counts([], np.zeros(0, int), np.zeros(0, int)), 3).bars == ()
