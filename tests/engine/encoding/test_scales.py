# SPDX-License-Identifier: Apache-2.0
"""Losses counted on ranks or logarithms: by the engine, by the judge, and by their definition."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.engine.encoding.encode import complete, encode
from shoal.engine.encoding.scales import scale_of
from shoal.ground import catalog
from shoal.ground.errors import PlanError
from shoal.judging.labels.scales import placed
from shoal.plan.plan import Plan
from shoal.tables.table import Table
from tests.counts import repeats
from tests.reference import scales as twin

HOW = ("range", "rank", "log")


def numbers(random: np.random.Generator) -> np.ndarray:
    """A column of one of many shapes: skewed, tied, negative, with nothing in it, constant, huge and tiny."""
    n = int(random.integers(1, 40))
    shape = random.integers(7)
    made = [
        np.exp(random.normal(0, 3, n)),
        random.integers(-4, 5, n).astype(float),
        np.where(random.random(n) < 0.7, 0.0, random.pareto(1.0, n)),
        np.full(n, 3.5),
        random.normal(0, 1, n) * 10.0 ** random.integers(-300, 300),
        np.full(n, math.nan),
        np.round(random.normal(50, 20, n)),
    ][shape]
    return np.where(random.random(n) < 0.2, math.nan, made) if random.random() < 0.3 else made


@pytest.mark.parametrize("seed", repeats(30, 400))
def test_engine_and_judge_place_numbers_by_the_definition(seed: int) -> None:
    """Numbers of the column, numbers between them and beyond them stand where the definition says."""
    random = np.random.default_rng(seed)
    column = numbers(random)
    asked = np.concatenate([column, column + 0.25, column * 2, [0.0, math.nan]])
    for how in HOW:
        scale = scale_of(how, column)
        by_judge = placed(column, how, asked)
        expected = [twin.place(column, how, one) for one in asked]
        assert by_judge == pytest.approx(expected, rel=1e-9, nan_ok=True)
        if scale is not None:
            own = [twin.place(column, how, one) for one in column]
            assert scale(column) == pytest.approx(own, rel=1e-9, nan_ok=True)
        if scale is not None and how == "rank":
            assert scale(asked).tolist() == pytest.approx(expected, nan_ok=True)


def people(random: np.random.Generator, n: int = 60) -> pl.DataFrame:
    """A few skewed columns, some of them with missing cells."""
    income, balance = np.round(np.exp(random.normal(7, 1.5, n)), 2), np.round(random.standard_t(2, n) * 100)
    return pl.DataFrame(
        {
            "income": np.where(random.random(n) < 0.1, 0.0, income),
            "balance": pl.Series(np.where(random.random(n) < 0.15, np.nan, balance)).fill_nan(None),
            "seen": pl.Series(np.datetime64("2020-01-01") + random.integers(0, 900, n).astype("timedelta64[D]")),
            "size": pl.Series(random.choice(["S", "M", "L"], n), dtype=pl.Enum(["S", "M", "L"])),
            "ill": random.choice(["flu", "cold"], n),
        }
    )


ROLES: dict[str, Any] = {"quasi_identifiers": ["income", "balance", "seen", "size"], "sensitive": ["ill"]}
SCALES = {"income": "log", "balance": "log", "seen": "rank", "size": "rank"}


def expected_losses(table: Table, classes: np.ndarray) -> dict[str, float]:
    """The mean loss of a cell of each column, by the definition, from who is in which class; rows of none cost 1."""
    found = {}
    for name in ROLES["quasi_identifiers"]:
        values = _values(table, name)[classes >= 0]
        kept = classes[classes >= 0]
        total = float(len(classes) - len(kept))
        for label in set(kept.tolist()):
            members = values[kept == label]
            present = members[~np.isnan(members)]
            if 0 < len(present) < len(members):
                total += len(members)
            elif len(present):
                total += len(members) * twin.cost(values, SCALES[name], present.min(), present.max())
        found[name] = total / len(classes)
    return found


def _values(table: Table, name: str) -> np.ndarray:
    if name != "size":
        return table.numbers(name).values
    codes, labels = table.codes(name)
    return np.array(["SML".index(one) for one in labels], dtype=float)[codes]


@pytest.mark.thin(3)
@pytest.mark.parametrize("method", catalog.names("algorithms"))
def test_every_method_and_every_loss_counts_on_the_scale(method: str) -> None:
    """What the judge reads off the labels is the loss of the classes by the definition, whatever made them."""
    able = catalog.load("algorithms", method).CAPABILITIES
    frame = people(np.random.default_rng(5))
    given = {"k": 3, "scales": SCALES, "method": method, "steps": 200, "render": "generalise", **ROLES}
    if able.releases != "classes":
        with pytest.warns(UserWarning, match="does not publish"):
            release = shoal.anonymize(frame, accept_weaker=True, **given)
        found = {one.metric: one for one in release.measurements}["ncp"]
        assert all(0 <= loss <= 1 for loss in found.per_column.values())
        return
    release = shoal.anonymize(frame, **given)
    expected = expected_losses(Table.of(frame), release.classes)
    for one in release.measurements:
        if one.metric in ("ncp", "lm", "il", "eloss") and able.one_level:  # levels are wider than classes
            assert all(one.per_column[name] >= least - 1e-9 for name, least in expected.items()), one.metric
        elif one.metric in ("ncp", "lm", "il", "eloss"):
            assert dict(one.per_column) == pytest.approx(expected, rel=1e-9), one.metric


@pytest.mark.parametrize("seed", repeats(4, 30))
def test_the_certificate_speaks_of_the_loss_on_the_scale(seed: int) -> None:
    """Its loss is what the judge measures, and its bound is below the loss of every release."""
    frame = people(np.random.default_rng(seed), 40)
    losses, bounds = [], []
    for method in ("shoal", "mondrian", "hilbert"):
        release = shoal.anonymize(frame, k=4, scales=SCALES, method=method, steps=500, **ROLES)
        assert release.certificate is not None
        judged = {one.metric: one for one in release.measurements}["ncp"].figures["per_cell"]
        assert release.certificate.loss == pytest.approx(judged, rel=1e-9)
        losses.append(judged)
        bounds.append(release.certificate.bound)
    assert max(bounds) <= min(losses) + 1e-12


def test_squared_errors_count_on_the_scale() -> None:
    """SSE of a column on ranks is that of the ranks themselves."""
    random = np.random.default_rng(2)
    income = np.exp(random.normal(7, 2, 50))
    ranks = income.argsort().argsort().astype(float)
    releases = [
        shoal.anonymize(pl.DataFrame({"x": x}), k=5, quasi_identifiers=["x"], loss="sse", method="mdav", scales=scales)
        for x, scales in ((income, {"x": "rank"}), (ranks, {}))
    ]
    assert releases[0].classes.tolist() == releases[1].classes.tolist()
    on_ranks, of_ranks = ({one.metric: one for one in release.measurements}["sse"] for release in releases)
    assert on_ranks.value == pytest.approx(of_ranks.value)
    assert on_ranks.figures["sst"] == pytest.approx(of_ranks.figures["sst"])


@pytest.mark.parametrize("render", ["interval", "bounds", "mean", "median", "mode", "rounded", "set"])
def test_releases_show_real_values(render: str) -> None:
    """However the loss is counted, what is published are numbers of the column, not ranks or logarithms."""
    frame = people(np.random.default_rng(3))
    release = shoal.anonymize(frame, k=3, scales=SCALES, render={"income": render}, steps=200, **ROLES)
    assert release.verdict.holds
    shown = [name for name in release.table.columns if name.startswith("income")]
    ends = shoal.intervals(*(release.table[name] for name in shown))
    known = frame["income"]
    assert known.min() <= ends["lo"].min()
    assert ends["hi"].max() <= known.max()
    if render == "interval":
        assert set(ends["lo"]) | set(ends["hi"]) <= set(known)


def test_the_unit_of_a_column_changes_nothing() -> None:
    """Cents or euros: ranks, logarithms and so the classes are the same."""
    frame = people(np.random.default_rng(4))
    for how in ("rank", "log"):
        labels = []
        for factor in (1.0, 1024.0):
            table = frame.with_columns(pl.col("income") * factor)
            release = shoal.anonymize(table, k=3, scales={"income": how}, method="k_member", **ROLES)
            labels.append(release.classes.tolist())
        assert labels[0] == labels[1]


def test_rank_makes_intervals_narrow_where_most_people_are() -> None:
    """Of a skewed column the typical interval is far narrower on ranks than on the range."""
    random = np.random.default_rng(0)
    frame = pl.DataFrame(
        {"income": np.round(np.exp(random.normal(7.5, 1.2, 600))), "age": random.integers(18, 90, 600)}
    )
    widths = {}
    for how in HOW:
        release = shoal.anonymize(frame, k=5, quasi_identifiers=["income", "age"], scales={"income": how}, steps=1000)
        widths[how] = {one.metric: one for one in release.measurements}["typical_width"].figures["width income"]
    assert 2 * widths["rank"] < widths["range"]
    assert 2 * widths["log"] < widths["range"]


@pytest.mark.parametrize(
    ("given", "received"),
    [
        ({"scales": {"income": "square"}}, "square"),
        ({"scales": {"seen": "log"}}, "log"),
        ({"scales": {"size": "log"}}, "log"),
        ({"scales": {"size": "rank"}, "kinds": {"size": "categorical"}}, "rank"),
    ],
)
def test_a_scale_that_a_column_does_not_have_is_refused(given: dict[str, Any], received: str) -> None:
    """Dates have no logarithms, names have neither ranks nor logarithms."""
    with pytest.raises(PlanError) as caught:
        shoal.anonymize(people(np.random.default_rng(0)), k=3, **ROLES, **given)
    assert received in caught.value.received


def test_a_plan_says_it_and_reads_it_again() -> None:
    """The scale is part of the plan, and only where it is another than the usual."""
    plan = Plan.of(2, quasi_identifiers=["income", "age"], scales={"income": "log", "age": "range"})
    assert plan.to_dict()["columns"]["income"]["scale"] == "log"
    assert "scale" not in plan.to_dict()["columns"]["age"]
    assert Plan.from_dict(plan.to_dict()).columns["income"].scale == "log"


def test_missing_cells_stay_a_value_of_their_own() -> None:
    """On every scale, mixing missing and present cells costs the whole weight."""
    table = Table.of(pl.DataFrame({"x": [1.0, None, 5.0, 900.0]}))
    for how in HOW:
        plan = complete(Plan.of(1, quasi_identifiers=["x"], scales={"x": how}, weights={"x": 2.0}), table)
        hulls = encode(table, plan).hulls
        points = encode(table, plan).points[:, 0]
        assert (points[1] - points.min(initial=np.inf, where=points < points[1])) * hulls.scale[0] >= 2.0
