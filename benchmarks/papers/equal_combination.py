# SPDX-License-Identifier: Apache-2.0
"""Bharath, Poornima and Ashoka 2017: equal combination of QI and SA against systematic and greedy clustering."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import numpy as np

from benchmarks.clustering import loss_and_classes
from benchmarks.papers.claims import Verdict, between, of_settings, ratios
from benchmarks.papers.figures import Figures
from benchmarks.papers.paper import Chart, Paper
from benchmarks.papers.running import Cell, Effort, clustered
from benchmarks.tables import ADULT_FNLWGT
from shoal.engine.encoding.encode import complete, encode
from shoal.engine.encoding.encoded import Encoded, EncodedColumn
from shoal.engine.kernels.hull import class_hulls
from shoal.engine.methods import Partition, Subtables
from shoal.ground.arrays import Ints
from shoal.tables.sources import read_table

METHODS: dict[str, tuple[str, dict[str, Any]]] = {
    "QI-SA": ("equal_combination", {"rebalance": "arrival"}),
    "QI-SA, ours": ("equal_combination", {}),
    "systematic": ("systematic", {"rebalance": "arrival"}),
    "systematic, ours": ("systematic", {}),
    "greedy k-member": ("k_member", {}),
}
"""As published, and with our levelling of classes by the cheapest moves."""
ALL_ROWS = 32_561
KS = (20, 40, 60, 80, 100)
PRIVATE = "occupation"


def cells(effort: Effort) -> Iterator[Cell]:
    """Figures 2 and 3: k."""
    for method in METHODS:
        for k in effort.some(KS):
            yield Cell(ADULT_FNLWGT.name, method, k, len(ADULT_FNLWGT.quasi_identifiers), effort.part(ALL_ROWS))


def run(cell: Cell, seed: int) -> dict[str, float]:
    """Information loss of one run, its CPU seconds, and what the joint audit finds."""
    encoded, private = adult(cell.rows)
    method, parameters = METHODS[cell.method]
    found, seconds = clustered(encoded, method, cell.k, seed, **parameters)
    return {
        "il": loss_and_classes(encoded, found)[0],
        "cpu_seconds": seconds,
        **_audit(joint_classes(encoded, found), private, cell.k),
    }


@lru_cache(maxsize=2)
def adult(rows: int) -> tuple[Encoded, Ints]:
    """Quasi-identifiers and private column of so many rows."""
    table = read_table(ADULT_FNLWGT.path).table
    table = table.take(np.sort(np.random.default_rng(0).permutation(len(table))[:rows]))
    encoded = encode(table, complete(ADULT_FNLWGT.plan(2, "height"), table))
    return encoded.unitless, table.codes(PRIVATE)[0]


def joint_classes(encoded: Encoded, found: Partition | Subtables) -> Ints:
    """Which rows still look alike if all sub-tables are joined row by row; of one table, its classes."""
    if isinstance(found, Partition):
        parts = [(tuple(range(len(encoded.columns))), found)]
    else:
        parts = [*zip(found.groups, found.partitions)]
    looks = [_published(encoded.columns[place], part) for group, part in parts for place in group]
    return np.unique(np.column_stack(looks), axis=0, return_inverse=True)[1].ravel()


def _published(column: EncodedColumn, part: Partition) -> Ints:
    """A number for what each row shows in a column: the range of its class, or the node of its tree."""
    low, high, _ = class_hulls(column.points[:, None], part.labels, len(part.sizes))
    if column.tree is not None:
        shown = np.array([column.tree.lca(int(lo), int(hi)) for lo, hi in zip(low[:, 0], high[:, 0])])
    else:
        shown = np.unique(np.column_stack([low[:, 0], high[:, 0]]), axis=0, return_inverse=True)[1].ravel()
    return shown[part.labels]


def _audit(joint: Ints, private: Ints, k: int) -> dict[str, float]:
    """Shares of rows that are alone, in a group below k, or in one that shows a single private value."""
    sizes = np.bincount(joint)[joint]
    pairs = np.unique(np.column_stack([joint, private]), axis=0)
    single = np.bincount(pairs[:, 0])[joint] == 1
    return {
        "k_joint": float(sizes.min()),
        "unique": float((sizes == 1).mean()),
        "below_k": float((sizes < k).mean()),
        "one_value": float(single.mean()),
    }


# -- what the paper says ---------------------------------------------------------------------------------------


def _below(figures: Figures, figure: str, lower: str, higher: str) -> Verdict:
    """One method below another at every k."""
    lines = (figures.where(method=method).line(figure, "k") for method in (lower, higher))
    found = ratios(*lines).values()
    return of_settings((ratio < 1 for ratio in found), f"{lower} over {higher}: {between(found, '{:.2f}')}")


def combination_loses_less(figures: Figures) -> Verdict:
    return _below(figures, "il", "QI-SA", "systematic")


def systematic_loses_less(figures: Figures) -> Verdict:
    return _below(figures, "il", "systematic", "greedy k-member")


def our_systematic_loses_less(figures: Figures) -> Verdict:
    return _below(figures, "il", "systematic, ours", "greedy k-member")


def combination_is_faster(figures: Figures) -> Verdict:
    return _below(figures, "cpu_seconds", "QI-SA", "systematic")


def systematic_is_faster(figures: Figures) -> Verdict:
    return _below(figures, "cpu_seconds", "systematic", "greedy k-member")


def people_stand_alone(figures: Figures) -> Verdict:
    found = figures.where(method="QI-SA")
    shares = {name: [100 * row[name] for row in found.rows] for name in ("unique", "below_k", "one_value")}
    unique, below, one = (between(each, "{:.1f}") for each in shares.values())
    told = f"{unique} % of the rows are unique, {below} % in a group below k, {one} % in one with a single occupation"
    return of_settings((row["k_joint"] < row["k"] for row in found.rows), told)


def _charts() -> Iterator[Chart]:
    yield Chart("il", "Information loss against k (Fig. 2)", "il", "k", axis="total IL")
    yield Chart("time", "Time against k (Fig. 3)", "cpu_seconds", "k", axis="CPU seconds")
    yield Chart("unique", "Rows that are unique once sub-tables are joined", "unique", "k", axis="share of the rows")
    yield Chart("below", "Rows in a joint group of fewer than k", "below_k", "k", axis="share of the rows")
    title = "Rows in a joint group that shows a single occupation"
    yield Chart("one-value", title, "one_value", "k", axis="share of the rows", pictured=False)


PAPER = Paper.told("equal_combination", globals(), drawn=lambda method: True, charts=_charts())
