# SPDX-License-Identifier: Apache-2.0
"""Top-down local recoding equals its slow plain twin, and mends small groups without asking every other."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.engine.algorithms import top_down as method
from shoal.engine.encoding.encode import complete, encode
from shoal.engine.encoding.encoded import Encoded, EncodedColumn
from shoal.engine.kernels.methods import group_mending as mending
from shoal.ground.progress import Progress
from shoal.ground.requirements import Requirement
from shoal.plan.plan import Plan
from shoal.tables.table import Table
from tests.counts import repeats
from tests.engine.algorithms.test_worked_examples import M8, T7, TREES
from tests.reference import top_down as twin
from tests.strategies import random_case, random_encoded


def classes(encoded: Encoded, k: int, seed: int = 0, **given: Any) -> list[int]:
    """Labels by the method."""
    random = np.random.default_rng(seed)
    return method.cluster(encoded, Requirement(k), method.Parameters(**given), random, Progress()).labels.tolist()


def check(encoded: Encoded, k: int, seed: int) -> None:
    """Compare with the twin, and the sizes with the promise."""
    random = np.random.default_rng(seed)
    order, sweeps = random.permutation(len(encoded)).tolist(), int(random.integers(1, 5))
    found = classes(encoded, k, order=tuple(order), sweeps=sweeps)
    assert found == twin.top_down(encoded, k, order, sweeps)
    assert k <= np.bincount(found).min()
    assert np.bincount(found).max() <= 3 * k - 2 or k == 1


@pytest.mark.parametrize("seed", repeats(15, 200))
def test_equals_its_twin(seed: int) -> None:
    """Any table, any number of sweeps: the same classes as the plain loops, of k to 3k - 2 records."""
    encoded, k = random_case(70_000 + seed)
    check(encoded, k, seed)


@pytest.mark.parametrize("seed", range(12))
def test_equals_its_twin_on_larger_tables(seed: int) -> None:
    """Trees of several levels over hundreds of groups answer like a scan."""
    encoded, k = random_case(71_000 + seed, largest=700)
    check(encoded, k, seed)


def test_the_comparison_covers_every_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small groups borrow, small groups join, and groups are cut into blocks, each many times."""
    seen = {"borrow": 0, "join": 0, "blocks": 0}
    mend, halves = twin.mend, twin.halves

    def mend_and_count(loss: Any, groups: dict[int, list[int]], number: int, k: int) -> None:
        before = len(groups)
        mend(loss, groups, number, k)
        seen["borrow" if len(groups) == before else "join"] += 1

    def split_and_count(loss: Any, group: list[int], sweeps: int) -> list[list[int]]:
        found = halves(loss, group, sweeps)
        seen["blocks"] += not found
        return found

    monkeypatch.setattr(twin, "mend", mend_and_count)
    monkeypatch.setattr(twin, "halves", split_and_count)
    for seed in range(60):
        encoded, k = random_case(70_000 + seed)
        twin.top_down(encoded, k, list(range(len(encoded))))
    assert min(seen.values()) > 10, seen


@pytest.mark.parametrize(
    ("frame", "k", "expected", "ncp"),
    [
        (T7, 2, [0, 0, 1, 1, 2, 2, 2], 2.65),
        (T7, 3, [0, 0, 0, 0, 1, 1, 1], 4.15),
        (M8, 2, [0, 0, 1, 2, 2, 2, 1, 1], 11.8),
    ],
)
@pytest.mark.parametrize("sweeps", [1, 3, 6])
def test_worked_examples(frame: pl.DataFrame, k: int, expected: list[int], ncp: float, sweeps: int) -> None:
    """Seven patients and eight people, from the first of them on and in row order."""
    release = shoal.anonymize(
        frame,
        k=k,
        quasi_identifiers=frame.columns,
        hierarchies={name: rows for name, rows in TREES.items() if name in frame.columns},
        method="top_down",
        parameters={"order": [0], "sweeps": sweeps},
    )
    assert release.classes.tolist() == expected
    assert next(one.value for one in release.measurements if one.metric == "ncp") == pytest.approx(ncp)


def test_records_that_prefer_neither_seed_are_cut_into_blocks() -> None:
    """Equal records, and names that are all different, are not split off one by one."""
    for cells in (["Bonn"] * 50, [f"town {number}" for number in range(50)]):
        table = Table.from_columns({"town": cells})
        encoded = encode(table, complete(Plan.of(4, quasi_identifiers=["town"]), table))
        assert np.bincount(classes(encoded, 4)).tolist().count(4) == 11


def test_slices_do_not_change_the_result(monkeypatch: pytest.MonkeyPatch) -> None:
    """How often progress is reported never shows in the classes."""
    encoded = random_encoded(np.random.default_rng(5), 300, columns=4)
    whole = classes(encoded, 5)
    monkeypatch.setattr(method, "VISITS", 1)
    monkeypatch.setattr(method, "MENDED", 1)
    assert classes(encoded, 5) == whole


def test_small_groups_do_not_ask_every_other() -> None:
    """A group that lacks one record looks at a small part of four thousand groups spread over a square."""
    random = np.random.default_rng(2)
    points = np.repeat(random.random((4_000, 2)), 5, axis=0) + random.normal(0, 1e-4, (20_000, 2))
    labels = np.repeat(np.arange(4_000), 5)
    labels[labels == 0] = 1
    labels[0] = 0
    encoded = Encoded(tuple(EncodedColumn(name, points[:, j].copy()) for j, name in enumerate("xy")))
    groups = method.new_groups(encoded.hulls, encoded.points, labels, 4_000)
    work = mending.new_mending(encoded.hulls, encoded.points, 4)
    assert mending.find_smallest(groups, work, 4)
    tree = mending.lenders_and_partners(encoded.hulls, encoded.points, groups, work, 4)
    mending.mend_groups(encoded.hulls, encoded.points, np.arange(20_000), groups, tree, work, 4, 1)
    assert 0 < work.nodes[0] < 200
    assert 0 < work.asked[0] < 50
