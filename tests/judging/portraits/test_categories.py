# SPDX-License-Identifier: Apache-2.0
"""Names before and after: under the narrowest released label, never a handful of original rows."""

from __future__ import annotations

from datetime import date

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.hierarchies.hierarchy import Hierarchy
from shoal.judging.evidence import Evidence
from shoal.judging.portraits.categories import MOST_BARS, LabelCounts, draw_labels, plain_labels, published_labels
from shoal.plan.plan import Plan
from shoal.tables.table import Table

TREE = Hierarchy.from_rows([["a", "ab", "*"], ["b", "ab", "*"], ["c", "cd", "*"], ["d", "cd", "*"]])


def counted(before: list[str | None], after: list[str | None]) -> dict[str, tuple[int, int]]:
    plan = Plan.of(2, quasi_identifiers=["x"], hierarchies={"x": TREE})
    tables = [Table(pl.DataFrame({"x": pl.Series(side, dtype=pl.String)})) for side in (before, after)]
    counts = published_labels(Evidence(*tables, plan), "x")
    assert isinstance(counts, LabelCounts)
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
@pytest.mark.parametrize("elsewhere", [0, 1, 3])
def test_no_bar_stands_for_a_few_original_rows(k: int, labels: int, elsewhere: int) -> None:
    """Rare labels are put together, and never 1 to k - 1 original rows of them; shares add up."""
    random = np.random.default_rng(labels)
    before, after = random.integers(0, 2 * k + 3, labels), random.integers(0, 9, labels)
    rows = (int(before.sum()) + elsewhere, max(int(after.sum()), 1))
    counts = LabelCounts([f"label {one}" for one in range(labels)], before, after, elsewhere=elsewhere, missing=(0, 0))
    bars = draw_labels(counts, k).bars
    assert len(bars) <= MOST_BARS + 1
    assert sum(one.before or 0 for one in bars) == pytest.approx(1)
    assert sum(one.after for one in bars) == pytest.approx(float(after.sum() > 0))
    if rows[0] >= k:
        assert all(one.before == 0 or round(one.before * rows[0]) >= k for one in bars)


def test_rare_values_of_a_published_column_are_not_named() -> None:
    """A column published as it is names only what at least k rows share."""
    table = Table(pl.DataFrame({"x": ["flu"] * 6 + ["rare", "rarer"]}))
    drawn = draw_labels(plain_labels(Evidence(None, table, Plan.of(2)), "x"), k=5)
    assert [one.label for one in drawn.bars] == ["flu", "2 other labels"]
    assert drawn.kept == 1


def test_no_rows() -> None:
    """Nothing to draw."""
    assert draw_labels(LabelCounts([], np.zeros(0, int), np.zeros(0, int)), 3).bars == ()


@pytest.mark.parametrize("role", ["quasi_identifiers", "sensitive"])
@pytest.mark.parametrize(
    "values", [(0, 1), (1.5, 2.5), ("no", "yes"), (False, True), (date(2024, 1, 1), date(2024, 7, 1))]
)
def test_two_values_are_two_bars_with_both_names(role: str, values: tuple[object, object]) -> None:
    """Numbers, names and days alike, whether blurred or published as they are; shares are plain counts."""
    frame = pl.DataFrame({"two": [values[0]] * 30 + [values[1]] * 50, "age": [20, 40] * 40})
    other = {"quasi_identifiers": "sensitive", "sensitive": "quasi_identifiers"}[role]
    release = shoal.anonymize(frame, k=5, method="hilbert", **{role: ["two"], other: ["age"]})
    two = next(one for one in release.portrait.columns if one.name == "two")
    assert two.bins == ()
    before = {bar.label: bar.before for bar in two.bars if bar.before}
    assert before == pytest.approx({_text(values[0]): 0.375, _text(values[1]): 0.625})


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def test_a_blurred_nought_and_one_shows_what_each_label_holds() -> None:
    """Rows of a class with both show the range; before, every row belongs to its own number."""
    frame = pl.DataFrame({"flag": [0, 1] * 6 + [1] * 6, "age": [10] * 12 + [90] * 6})
    release = shoal.anonymize(frame, k=12, quasi_identifiers=["flag", "age"], method="mondrian")
    flag = release.portrait.columns[0]
    assert {bar.label: (bar.before, bar.after) for bar in flag.bars} == {"[0, 1]": (1.0, 1.0)}


def test_labels_put_together_are_named_if_they_are_two() -> None:
    """What hides a few rows among others says which others; private values of few rows stay unnamed."""
    counts = LabelCounts(["f", "m", "*"], np.array([50, 40, 3]), np.array([50, 38, 5]))
    assert [bar.label for bar in draw_labels(counts, 5).bars] == ["f", "m and *"]
    plain = LabelCounts(["flu", "hiv"], np.array([50, 3]), np.array([50, 3]), original=False)
    assert [bar.label for bar in draw_labels(plain, 5).bars] == ["flu", "1 other label"]
