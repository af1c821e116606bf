# SPDX-License-Identifier: Apache-2.0
"""Subset-k: the verdict equals an exhaustive count, and every method that makes classes keeps it."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.ground import catalog
from shoal.ground.errors import CannotHoldError
from shoal.judging.privacy_models.subset_k import Parameters, check
from shoal.plan.plan import Plan
from shoal.tables.table import Table
from shoal.testing.privacy_models import check_privacy_model
from tests.counts import repeats
from tests.reference.looking_alike import as_value, as_wildcard, look_alikes

NAMES = ["a", "b", "c", "d"]
MAKERS = [
    name
    for name in catalog.names("algorithms")
    if getattr(catalog.load("algorithms", name).CAPABILITIES, "releases", "classes") == "classes"
]


def random_rows(seed: int) -> list[tuple[str | None, ...]]:
    """A few rows of a few values, some of them missing."""
    random = np.random.default_rng(seed)
    cells = random.integers(0, 3, (int(random.integers(1, 14)), 4))
    return [tuple(None if one == 2 and random.random() < 0.3 else str(one) for one in row) for row in cells.tolist()]


def table(rows: list[tuple[str | None, ...]]) -> Table:
    """The same as a table."""
    columns = dict(zip(NAMES, map(list, zip(*rows, strict=True)), strict=True))
    return Table.of(pl.DataFrame(columns, schema=dict.fromkeys(NAMES, pl.String)))


@pytest.mark.parametrize("missing", ["own", "wildcard"])
@pytest.mark.parametrize("seed", repeats(20, 200))
def test_the_verdict_equals_an_exhaustive_count(seed: int, missing: str) -> None:
    """Every row beside every row, for all m columns, under both readings of missing cells."""
    rows, m = random_rows(seed), 1 + seed % 5
    alike = as_value if missing == "own" else as_wildcard
    counts = [
        look_alikes([[row[place] for place in chosen] for row in rows], alike)
        for chosen in combinations(range(4), min(m, 4))
    ]
    fewest = [min(each) for each in zip(*counts, strict=True)]
    plan = Plan.of(1, quasi_identifiers=NAMES, missing=missing)
    for k in (1, 2, 3):
        found = check(table(rows), plan, Parameters(k, m))
        assert found.figures["k_found"] == min(fewest)
        assert found.figures["rows_below_k"] == sum(one < k for one in fewest)
        assert found.holds == (min(fewest) >= k)


def test_it_sits_the_exam_with_claims() -> None:
    """Told what holds, and claimed for one, two and all columns."""
    for given in ({}, {"k": 2}, {"k": 2, "m": 1}, {"k": 3, "m": 9}):
        check_privacy_model("subset_k", **given)


def test_bounds_are_one_column() -> None:
    """Whoever knows an age knows both of its bounds."""
    shown = pl.DataFrame({"age_min": [1, 1, 2, 2], "age_max": [5, 6, 5, 6], "sex": ["f", "f", "f", "f"]})
    plan = Plan.of(1, quasi_identifiers=["age", "sex"], render={"age": "bounds"}, kinds={"age": "numeric"})
    assert check(Table.of(shown), plan, Parameters(m=1)).figures["k_found"] == 1


def test_statements() -> None:
    """What holds, what does not, and nothing to judge."""
    rows = [("0", "0", "0", "0"), ("0", "1", "0", "0"), ("1", "1", "0", "0"), ("1", "0", "0", "0")]
    plan = Plan.of(1, quasi_identifiers=NAMES)
    told = [check(table(rows), plan, Parameters(k, m)).statement for k, m in ((None, 1), (2, 2))]
    assert told[0] == "k = 2: whoever knows any one of the quasi-identifiers of a person finds 2 rows or more"
    assert told[1] == ("k = 1 for any 2 of the quasi-identifiers, but 2 was claimed: 4 of 4 rows share them with fewer")
    assert "no rows" in check(table(rows).take(np.zeros(0, dtype=np.int64)), plan, Parameters(2)).statement


@pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
@pytest.mark.parametrize("seed", repeats(3, 200))
def test_methods_keep_it(seed: int) -> None:
    """Random tables, methods by turns: no combination of m labels occurs in fewer than k rows."""
    random = np.random.default_rng(seed)
    n, k, m = int(random.integers(20, 60)), int(random.integers(2, 8)), int(random.integers(1, 4))
    frame = pl.DataFrame(
        {
            "a": random.integers(0, 50, n),
            "b": [str(one) for one in random.integers(0, 4, n)],
            "c": random.integers(0, 5, n),
            "d": [str(one) for one in random.integers(0, 2, n)],
        }
    )
    method = MAKERS[(7 * seed) % len(MAKERS)]
    given = {"quasi_identifiers": NAMES, "models": {"subset_k": {"k": k, "m": m}}}
    released = shoal.anonymize(frame, k=1, method=method, **given).table
    shown = released.select(pl.all().cast(pl.String))
    for chosen in combinations(shown.columns, m):
        assert shown.group_by(chosen).len()["len"].min() >= k, (method, chosen)


@pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
@pytest.mark.parametrize("method", ["full_domain", "datafly"])
@pytest.mark.parametrize("seed", repeats(4, 200))
def test_one_level_keeps_it_with_smaller_classes(method: str, seed: int) -> None:
    """No m labels in fewer than k rows, although classes of all labels are smaller; it loses no more than classes of k.

    Rows may be left out, which others then do without.
    """
    random = np.random.default_rng(seed)
    n, k, m = int(random.integers(30, 80)), int(random.integers(3, 8)), int(random.integers(1, 3))
    frame = pl.DataFrame(
        {
            name: [str(one) for one in random.integers(0, size, n)]
            for name, size in zip("abcd", (2, 3, 3, 4), strict=True)
        }
    )
    given = {"quasi_identifiers": NAMES, "method": method, "suppression": float(random.choice([0, 0.2]))}
    made = shoal.anonymize(frame, k=1, **given, models={"subset_k": {"k": k, "m": m}})
    for chosen in combinations(NAMES, m):
        assert made.table.group_by(chosen).len()["len"].min() >= k, chosen
    whole = shoal.anonymize(frame, k=k, **given)
    losses = [{one.metric: one for one in release.measurements}["ncp"] for release in (made, whole)]
    assert method != "full_domain" or given["suppression"] or losses[0].value <= losses[1].value


def test_classes_may_be_smaller_than_what_subsets_share() -> None:
    """All combinations of three columns of two values, twice: any two columns share four rows, all three two."""
    rows = [(a, b, c) for a in "xy" for b in "uv" for c in "st"] * 2
    frame = pl.DataFrame(rows, schema=["a", "b", "c"], orient="row")
    given = {"quasi_identifiers": ["a", "b", "c"], "method": "full_domain", "models": {"subset_k": {"k": 4, "m": 2}}}
    made = shoal.anonymize(frame, k=2, **given)
    assert made.table.sort("a", "b", "c").equals(frame.sort("a", "b", "c"))
    assert made.verdict.holds


def test_more_than_there_are_rows_is_refused() -> None:
    """Before anything is made."""
    frame = pl.DataFrame({"a": [1, 2, 3]})
    with pytest.raises(CannotHoldError, match="fewer rows"):
        shoal.anonymize(frame, k=1, quasi_identifiers=["a"], models={"subset_k": {"k": 4}})
