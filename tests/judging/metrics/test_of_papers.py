# SPDX-License-Identifier: Apache-2.0
"""The metrics of single papers: worked examples, and equal to plain loops in exact fractions on random tables."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.judging.checking import measure
from shoal.judging.evidence import Measurement
from shoal.plan.plan import Plan
from shoal.releases.folder import read_release
from shoal.releases.reports.html import html
from shoal.releases.reports.json_report import report_dict
from shoal.tables.reading import Reading
from shoal.tables.sources import read_table
from shoal.tables.table import Table
from tests.counts import repeats
from tests.reference.paper_metrics import coordinates, guess, halved, members, scatter, span

# Table 1 of He et al. (2012), published as its Table 2.
AGES, ZIPS = [20, 20, 30, 40, 50, 60, 60], [25, 30, 25, 30, 10, 5, 10]
TABLE_2 = [0, 0, 1, 1, 2, 2, 2]
NAMES = [["a", "x", "*"], ["b", "x", "*"], ["c", "y", "*"], ["d", "y", "*"], ["e", "*"]]


def measured(frame: pl.DataFrame, classes: list[int], metric: str, **others: Any) -> Measurement:
    """One metric of some classes; the column ``disease`` is private, ``work`` has a tree."""
    quasi = [name for name in frame.columns if name != "disease"]
    trees = {"work": NAMES} if "work" in quasi else {}
    plan = Plan.of(1, quasi_identifiers=quasi, sensitive=["disease"], hierarchies=trees, render="set")
    released = Table.of(frame.with_columns(pl.col(quasi).cast(pl.String)))  # the members are told, not read off
    return measure(Table.of(frame), released, plan, classes=classes, metrics=metric, **others)[0]


def random_table(seed: int) -> tuple[pl.DataFrame, list[int]]:
    """People with incomes and work, in classes; some cells are missing."""
    random = Random(seed)
    n = random.randint(2, 24)
    cells = {
        "income": [random.choice([None, *range(20_000, 90_000, 500)]) for _ in range(n)],
        "work": [random.choice([None, "a", "b", "c", "d", "e"]) for _ in range(n)],
        "age": [random.randint(18, 90) for _ in range(n)],
        "disease": [random.choice(["flu", "cold", "gout"]) for _ in range(n)],
    }
    schema = {"income": pl.Int64, "work": pl.String, "age": pl.Int64, "disease": pl.String}
    labels = [random.randrange(max(1, n // 3)) for _ in range(n)]
    return pl.DataFrame(cells, schema=schema), [sorted(set(labels)).index(label) for label in labels]


@pytest.mark.parametrize("seed", repeats(10, 100))
def test_distortion_equals_plain_loops(seed: int) -> None:
    """Equal and learnt weights, raw and as shares of ranges."""
    frame, classes = random_table(seed)
    learnt = {"income": 0.5, "work": 0.2, "age": 0.3}
    found = measured(frame, classes, "distortion", learnt=learnt)
    for of_range, equal, weighted in (
        (False, found.value, found.figures["weighted"]),
        (True, found.figures["of_range"], found.figures["weighted_of_range"]),
    ):
        parts = {name: float(scatter(frame[name].to_list(), classes, of_range)) for name in learnt}
        assert equal == pytest.approx(sum(parts.values()) / 3)
        assert weighted == pytest.approx(sum(learnt[name] * part for name, part in parts.items()))


@pytest.mark.parametrize("seed", repeats(10, 100))
def test_ncp_on_ordered_codes_equals_plain_loops(seed: int) -> None:
    """Definition 1: every row pays for the range of its class, names by their places in the order of the tree."""
    frame, classes = random_table(1_000 + seed)
    cells = [frame[name].to_list() for name in ("income", "work", "age")]
    order = [name for name, *_ in NAMES]
    total = sum(len(rows) * span(column, rows, order) for column in cells for rows in members(classes))
    found = measured(frame, classes, "ncp_ordered")
    assert found.value == pytest.approx(float(total))
    assert found.figures["gcp"] == pytest.approx(float(total) / (3 * len(frame)))


@pytest.mark.parametrize("seed", repeats(8, 60))
def test_nearest_neighbour_error_equals_plain_loops(seed: int) -> None:
    """Of the protected table, whose records stand at the centres; and of the original, records left out in turn."""
    frame, classes = random_table(2_000 + seed)
    values = frame["disease"].to_list()
    cells = [frame[name].to_list() for name in ("income", "work", "age")]
    points, counts = [coordinates(column) for column in cells], [halved(column) for column in cells]
    centres = {tuple(rows): [values[row] for row in rows] for rows in members(classes)}
    wrong = sum(guess(points, row, centres, counts) != values[row] for row in range(len(values)))
    found = measured(frame, classes, "nearest_neighbour_error")
    assert found.value == found.figures["error disease"] == pytest.approx(wrong / len(values))
    alone = 0
    for row in range(len(values)):
        others = {(other,): [values[other]] for other in range(len(values)) if other != row}
        alone += guess(points, row, others, counts) != values[row]
    assert found.figures["original disease"] == pytest.approx(alone / len(values))


# -- worked examples ---------------------------------------------------------------------------------------------


def test_a_column_of_one_value_is_not_distorted() -> None:
    """It has no range of which anything could be a share; the other column counts as if it were alone."""
    frame = pl.DataFrame({"age": [30] * 7, "zip": ZIPS, "disease": ["flu"] * 7})
    both, alone = (measured(one, TABLE_2, "distortion") for one in (frame, frame.drop("age")))
    assert both.figures["of_range"] == pytest.approx(alone.figures["of_range"] / 2)
    assert both.value == pytest.approx(alone.value / 2)


def test_seven_patients() -> None:
    """Table 2 of He et al.: distortion 79.1667 with equal weights, and the penalty 2.65 of its paper."""
    frame = pl.DataFrame({"age": AGES, "zip": ZIPS, "disease": ["flu"] * 7})
    assert measured(frame, TABLE_2, "distortion").value == pytest.approx(79.166667)
    assert measured(frame, TABLE_2, "ncp_ordered").value == pytest.approx(2.65)
    assert "weighted" not in measured(frame, TABLE_2, "distortion").figures


def test_learnt_weights_stand_in_the_record(tmp_path: Path) -> None:
    """WF-C-means on the seven patients: weights, distortion with them; in report and manifest, and measured again."""
    frame = pl.DataFrame({"age": AGES, "zip": ZIPS, "disease": ["flu", "cold"] * 3 + ["gout"]})
    how = {"scale": "none", "init": [0, 3, 5]}
    release = shoal.anonymize(
        frame, k=2, quasi_identifiers=["age", "zip"], sensitive=["disease"], method="wf_c_means", parameters=how
    )
    assert release.record.learnt == pytest.approx({"age": 0.421275, "zip": 0.578725}, abs=1e-6)
    found = next(one for one in release.measurements if one.metric == "distortion")
    assert (found.value, found.figures["weighted"]) == pytest.approx((191.666667, 168.049285))
    assert report_dict(release)["method"]["learnt_weights"] == pytest.approx(dict(release.record.learnt))
    assert "0.421" in html(release)
    release.save(tmp_path / "out")
    assert read_release(tmp_path / "out").learnt == pytest.approx(dict(release.record.learnt))


def test_methods_that_learn_nothing_record_nothing() -> None:
    """No weights, and no figure with them."""
    frame = pl.DataFrame({"age": AGES, "zip": ZIPS})
    release = shoal.anonymize(frame, k=2, quasi_identifiers=["age", "zip"], method="k_member")
    assert release.record.learnt == {}
    assert report_dict(release)["method"]["learnt_weights"] is None


@pytest.mark.data
@pytest.mark.parametrize(("place", "wrong", "of"), [("zoo/zoo.csv", 4, 101), ("lung-cancer/lung-cancer.data", 18, 32)])
def test_errors_of_the_original_tables(shared_data: Path, place: str, wrong: int, of: int) -> None:
    """The first column of Table 1 of Chiu and Tsai: 56.25 % is Lung-Cancer's, not Zoo's (where ties are many)."""
    lungs = "lung" in place
    table = read_table(shared_data / place, Reading(header=not lungs, na=("?",))).table
    private = table.names[0] if lungs else table.names[-1]
    features = [name for name in table.names if name not in (private, "animal_name")]
    plan = Plan.of(
        1, quasi_identifiers=features, sensitive=[private], kinds=dict.fromkeys(features, "numeric"), missing="wildcard"
    )
    everyone = np.zeros(len(table), dtype=np.int64)
    found = measure(table, table, plan, classes=everyone, metrics="nearest_neighbour_error")[0]
    assert found.figures[f"original {private}"] == pytest.approx(wrong / of)
