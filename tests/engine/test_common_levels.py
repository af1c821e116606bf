# SPDX-License-Identifier: Apache-2.0
"""Levels that all classes share: through the whole flow, by every method."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.engine.encoding.encode import complete, encode
from shoal.engine.encoding.encoded import EncodedColumn
from shoal.engine.encoding.levels import in_bands
from shoal.engine.generalizing.bands import settled_bands
from shoal.engine.generalizing.generalize import settle_renderings
from shoal.engine.levels_told import told_of_levels
from shoal.engine.methods import Partition
from shoal.ground import catalog
from shoal.ground.errors import CannotHoldError, PlanError
from shoal.hierarchies.hierarchy import Hierarchy
from shoal.plan.plan import Plan
from shoal.tables.table import Table
from tests.counts import repeats
from tests.reference.bands import overlapping
from tests.strategies import random_column

TOWNS = Hierarchy.from_rows([[f"town {i}", f"county {i // 3}", f"land {i // 6}", "*"] for i in range(12)])
METHODS = [
    name for name in catalog.names("algorithms") if catalog.load("algorithms", name).CAPABILITIES.releases == "classes"
]
ROLES: dict[str, Any] = {
    "quasi_identifiers": ["age", "income", "town", "code", "seen"],
    "sensitive": ["ill"],
    "hierarchies": {"town": TOWNS},
    "kinds": {"code": "text-prefix"},
}


def people(seed: int = 0, n: int = 160, missing: float = 0.0) -> pl.DataFrame:
    """Numbers, amounts, towns, codes and days; some of them missing."""
    random = np.random.default_rng(seed)

    def gappy(values: Any) -> pl.Series:
        gaps = random.random(n) < missing
        return pl.Series([None if gap else value for gap, value in zip(gaps, values, strict=True)])

    return pl.DataFrame(
        {
            "age": gappy(random.integers(18, 90, n).tolist()),
            "income": np.round(np.exp(random.normal(7, 1.5, n))),
            "town": gappy([f"town {i}" for i in random.integers(0, 12, n)]),
            "code": [f"{a}{b}{c}" for a, b, c in random.integers(0, 3, (n, 3))],
            "seen": pl.Series(np.datetime64("2020-01-01") + random.integers(0, 300, n).astype("timedelta64[D]")),
            "ill": random.choice(["flu", "cold", "gout"], n),
        }
    )


def allowed(label: Any, frame: pl.DataFrame, name: str) -> frozenset[Any]:
    """The values of a column that a label allows, worked out one by one."""
    values = set(frame[name].to_list())
    if label is None:
        return frozenset([None])
    if label == "*":
        return frozenset(values)
    known = values - {None}
    if name == "town":
        return frozenset(row[0] for row in TOWNS.rows() if label in row)
    if name == "code":
        return frozenset(code for code in known if code.startswith(label.rstrip("*")))
    text = str(label)
    low, high = text.strip("[]").split(", ") if text.startswith("[") else (text, text)
    if name == "seen":
        return frozenset(day for day in known if low <= day.isoformat() <= high)
    return frozenset(number for number in known if float(low) <= number <= float(high))


def assert_common(release: shoal.Release, frame: pl.DataFrame, *names: str) -> None:
    """The labels of these columns overlap nowhere, and the judge says so, too."""
    for name in names:
        shown = [allowed(label, frame, name) for label in release.table[name].unique().to_list()]
        assert not overlapping(shown), name
    findings = {one.model: one for one in release.verdict.findings}
    assert findings["common_levels"].holds
    assert findings["k_anonymity"].holds


@pytest.mark.thin(3)
@pytest.mark.parametrize("method", METHODS)
def test_every_method_keeps_to_common_levels(method: str) -> None:
    """Whatever made the classes: labels of such a column are the same or have nothing in common."""
    frame = people()
    common = {"age": "common", "town": "common"}
    release = shoal.anonymize(
        frame, k=4, method=method, levels=common, steps=200, suppression=0.1, render="generalise", **ROLES
    )
    assert_common(release, frame, *common)
    assert release.facts["levels"]["columns"]["age"] > 1


@pytest.mark.parametrize("seed", repeats(6, 80))
def test_columns_of_every_kind(seed: int) -> None:
    """Numbers, amounts on ranks, dates, trees and codes, with and without missing cells, rules and rows left out."""
    random = np.random.default_rng(seed)
    frame = people(seed, missing=float(random.choice([0.0, 0.1])))
    names = random.choice(ROLES["quasi_identifiers"], int(random.integers(1, 4)), replace=False).tolist()
    others: dict[str, Any] = [
        {},
        {"models": {"l_diversity": {"l": 2}}},
        {"missing": "wildcard"},
        {"scales": {"income": "rank"}},
        {"loss": "lm", "weights": {"age": 3.0}},
        {"loss": "sse", "method": "mdav", "render": "generalise"},
    ][seed % 6]
    given = {"method": "hilbert", "suppression": 0.25, **others, **ROLES}
    release = shoal.anonymize(frame, k=3, levels=dict.fromkeys(names, "common"), **given)
    assert_common(release, frame, *names)


@pytest.mark.parametrize("seed", repeats(4, 30))
def test_the_certificate_counts_the_levels_in(seed: int) -> None:
    """Its loss is what the judge measures, and no release in the same levels loses less than its bound."""
    frame, losses, bounds = people(seed), [], []
    for method in ("shoal", "mondrian", "k_member"):
        release = shoal.anonymize(frame, k=4, method=method, levels={"age": "common"}, steps=2500, **ROLES)
        judged = {one.metric: one for one in release.measurements}["ncp"].figures["per_cell"]
        assert release.certificate is not None
        assert release.certificate.loss == pytest.approx(judged, rel=1e-9)
        assert "age in these levels" in release.certificate.sentence()
        losses.append(judged)
        bounds.append(release.certificate.bound)
    assert max(bounds) <= min(losses) + 1e-12


@pytest.mark.parametrize("render", ["bounds", "mean", "median", "rounded", "mode", "set"])
def test_every_rendering_shows_levels(render: str) -> None:
    """Bounds and sets do not overlap; centres are one per level."""
    release = shoal.anonymize(
        people(), k=4, method="hilbert", levels={"age": "common"}, render={"age": render}, **ROLES
    )
    shown = [name for name in release.table.columns if name.startswith("age")]
    assert release.verdict.holds
    assert release.table.select(shown).n_unique() <= release.facts["levels"]["columns"]["age"]
    if render == "bounds":
        ends = release.table.select(shown).unique().sort("age_min").rows()
        assert all(one[1] < other[0] for one, other in itertools.pairwise(ends))


def test_what_the_levels_cost_is_told() -> None:
    """In facts, terminal and report: the loss with them and without."""
    release = shoal.anonymize(people(), k=4, levels={"age": "common"}, steps=500, **ROLES)
    told = release.facts["levels"]
    assert set(told["columns"]) == {"age"}
    assert told["loss"] > told["loss_without"] > 0
    from shoal.releases.reports.text import summary

    assert "Levels        age in" in summary(release)
    assert "that all groups share" in release.report()


def test_few_missing_cells_are_refused_with_what_to_do() -> None:
    """Nobody can be alone with them, and a class around them would join all levels."""
    frame = people().with_columns(pl.when(pl.col("age") < 20).then(None).otherwise(pl.col("age")).alias("age"))
    few = frame["age"].null_count()
    assert 0 < few < 8
    with pytest.raises(CannotHoldError) as caught:
        shoal.anonymize(frame, k=8, method="hilbert", levels={"age": "common"}, **ROLES)
    share = float(caught.value.todo.partition("--suppression ")[2].partition(",")[0])
    release = shoal.anonymize(frame, k=8, method="hilbert", levels={"age": "common"}, suppression=share, **ROLES)
    assert_common(release, frame, "age")
    assert release.facts["suppressed"] == few


def test_methods_without_classes_refuse_levels() -> None:
    """Boxes of single records overlap by design."""
    with pytest.raises(PlanError, match="need classes"):
        shoal.anonymize(people(), k=4, method="non_homogeneous", accept_weaker=True, levels={"age": "common"}, **ROLES)


@pytest.mark.parametrize("seed", repeats(30, 400))
def test_bands_are_joined_where_a_class_lies_across(seed: int) -> None:
    """Whatever the classes are: in the end every class lies in one band, and no two bands overlap."""
    random = np.random.default_rng(seed)
    n = int(random.integers(2, 40))
    column = random_column(random, n, "x", 0.4)
    absent = np.zeros(n, dtype=bool) if column.missing is None else column.points == column.missing
    given = np.unique(random.integers(0, 6, n), return_inverse=True)[1]
    labels = np.unique(random.integers(0, 12, n), return_inverse=True)[1]
    walled = EncodedColumn("x", given.astype(float), behind=column)
    bands = settled_bands(walled, labels)
    assert set(bands) == set(range(bands.max() + 1))
    for label in set(labels.tolist()):
        assert len(set(bands[labels == label])) == 1
    shown = []
    for band in range(bands.max() + 1):
        here, gone = column.points[(bands == band) & ~absent], absent[bands == band]
        values = set(np.unique(column.points[~absent]))
        if gone.any() and len(here):
            shown.append(frozenset([*values, None]))
        elif not len(here):
            shown.append(frozenset([None]))
        elif column.tree is None:
            shown.append(frozenset(one for one in values if here.min() <= one <= here.max()))
        else:
            node = column.tree.lca(int(here.min()), int(here.max()))
            shown.append(frozenset(range(column.tree.first[node], column.tree.last[node] + 1)))
    assert all(not one & other for place, one in enumerate(shown) for other in shown[place + 1 :])


def test_what_is_told_rests_on_released_rows_alone() -> None:
    """Whatever the row was that is left out: the cost of the levels is the same figure."""
    told = []
    for last in (40, 10_000_000):
        frame = people(n=60).with_columns(pl.Series("income", [*range(59), last]))
        table = Table.of(frame)
        plan = settle_renderings(complete(Plan.of(3, method="hilbert", **ROLES), table))
        encoded = in_bands(encode(table, plan), {1: np.arange(60) // 20})
        labels = Partition.of(np.append(np.arange(59) // 20, -1))
        told.append(told_of_levels(table, encoded, labels, plan, 3))
    assert told[0] == told[1]
