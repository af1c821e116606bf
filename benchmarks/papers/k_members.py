# SPDX-License-Identifier: Apache-2.0
"""Wang, Liu and Gao: k-members clustering. The paper has no experiment; what it claims can be tried all the same."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import product

import numpy as np

from benchmarks.clustering import loss_and_classes
from benchmarks.papers.claims import Verdict, between, of_number, of_settings, ratios
from benchmarks.papers.figures import Figures
from benchmarks.papers.paper import LARGEST, Chart, Paper
from benchmarks.papers.running import Cell, Effort, clustered, is_random
from benchmarks.tables import ADULT, DATA
from shoal.engine.encoding.encode import complete, encode
from shoal.engine.encoding.encoded import Encoded
from shoal.ground.arrays import Floats, Ints
from shoal.hierarchies.hierarchy import Hierarchy
from shoal.tables.sources import read_table
from shoal.tables.table import Table

METHODS = {"k-members": "k_members", "greedy k-member": "k_member", "Mondrian": "mondrian", "R-tree": "r_tree"}
LEVELS = "full-domain levels"
"""Whole columns generalised by a level of their tree: the best of all combinations of levels. Not a method of ours."""
ALL_ROWS = 30_162
KS = (2, 5, 10, 20, 50, 100)
SIZES = (2_500, 5_000, 10_000, 20_000, ALL_ROWS)
GROWTH_K = 10
AGES = DATA / "adult" / "hierarchies" / "arx" / "adult_hierarchy_age.csv"


def cells(effort: Effort) -> Iterator[Cell]:
    """All methods over k; k-members over the number of rows."""
    for method, k in product((*METHODS, LEVELS), effort.some(KS)):
        yield Cell(ADULT.name, method, k, len(ADULT.quasi_identifiers), effort.part(ALL_ROWS))
    for rows in effort.some(SIZES):
        yield Cell(ADULT.name, "k-members", GROWTH_K, len(ADULT.quasi_identifiers), effort.part(rows))


def run(cell: Cell, seed: int) -> dict[str, float]:
    """Loss per cell of one run, its CPU seconds, the sizes of its classes, and what the plain algorithm compares."""
    encoded = _encoded(cell.rows)
    if cell.method == LEVELS:
        levels, started = _levels(cell.rows), time.process_time()
        loss, smallest, largest = best_levels(levels, cell.k)
        seconds = time.process_time() - started
    else:
        found, seconds = clustered(encoded, METHODS[cell.method], cell.k, seed)
        loss = loss_and_classes(encoded, found)[0] / encoded.points.size
        smallest, largest = int(found.sizes.min()), int(found.sizes.max())
    return {
        "loss": loss,
        "cpu_seconds": seconds,
        "smallest": float(smallest),
        "largest": float(largest),
        "comparisons": float(comparisons(cell.rows, cell.k)),
    }


def comparisons(rows: int, k: int) -> int:
    """What the published algorithm looks at: for each addition all records that are left, for leftovers all classes."""
    left, looked = rows, 0
    while left >= k:
        left -= 1
        looked += sum(left - added for added in range(k - 1))
        left -= k - 1
    return looked + left * (rows // k)


@lru_cache(maxsize=4)
def _table(rows: int) -> Table:
    table = read_table(ADULT.path).table
    return table.take(np.sort(np.random.default_rng(0).permutation(len(table))[:rows]))


@lru_cache(maxsize=4)
def _encoded(rows: int) -> Encoded:
    table = _table(rows)
    return encode(table, complete(ADULT.plan(2, "height"), table)).unitless


# -- the rival that depends on predefined levels ---------------------------------------------------------------

Level = tuple[Ints, Floats]
"""What each row shows at a level of a column, as a number, and what that costs."""


@lru_cache(maxsize=2)
def _levels(rows: int) -> list[list[Level]]:
    """The levels of every column, leaves first."""
    found = []
    for column in _encoded(rows).columns:
        if column.tree is None:
            found.append(_of_ages(_table(rows).numbers(column.name).values))
        else:
            costs = column.tree.heights / max(int(column.tree.heights[0]), 1)
            nodes = column.tree.ancestors.astype(np.int64)[:, column.points.astype(np.int64)]
            found.append([(shown, costs[shown]) for shown in nodes])
    return found


def _of_ages(ages: Floats) -> list[Level]:
    """The ranges of ARX for ages; a range costs the share of the ages in it."""
    tree = Hierarchy.from_rows([line.split(";") for line in AGES.read_text(encoding="utf-8").splitlines()])
    leaves = np.array([tree.leaf_numbers[str(age)] for age in ages.astype(np.int64).tolist()])
    levels = []
    for shown in tree.ancestors.astype(np.int64)[:, leaves]:
        group = np.unique(shown, return_inverse=True)[1].ravel()
        widths = np.array([np.ptp(ages[group == one]) for one in range(int(group.max()) + 1)])
        levels.append((group, widths[group] / np.ptp(ages)))
    return levels


def best_levels(levels: list[list[Level]], k: int) -> tuple[float, int, int]:
    """Least loss per cell of all combinations of levels without a class below k; its smallest and largest class."""
    best = (math.inf, 0, 0)
    for chosen in product(*levels):
        loss = float(sum(costs.mean() for _, costs in chosen)) / len(chosen)
        if loss >= best[0]:
            continue
        key = np.zeros(len(chosen[0][0]), dtype=np.int64)
        for shown, _ in chosen:
            key = key * (int(shown.max()) + 1) + shown
        sizes = np.unique(key, return_counts=True)[1]
        if sizes.min() >= k:
            best = (loss, int(sizes.min()), int(sizes.max()))
    return best


# -- what the paper says ---------------------------------------------------------------------------------------


def _over_k(figures: Figures, method: str, figure: str = "loss") -> dict[float, float]:
    part = figures.where(method=method)
    return part.where(rows=max(part.values("rows"))).line(figure, "k")


def sizes_below_2k(figures: Figures) -> Verdict:
    found = figures.where(method="k-members").rows
    told = f"largest class over k: {between([row['largest'] / row['k'] for row in found], '{:.2f}')}"
    return of_settings((row["k"] <= row["smallest"] and row["largest"] <= 2 * row["k"] - 1 for row in found), told)


def _exponent(line: Mapping[float, float]) -> float:
    """Slope of the logarithms, by least squares."""
    return float(np.polyfit(np.log(list(line)), np.log(list(line.values())), 1)[0])


def linear_time(figures: Figures) -> Verdict:
    part = figures.where(method="k-members", k=GROWTH_K)
    compared, spent = (_exponent(part.line(figure, "rows")) for figure in ("comparisons", "cpu_seconds"))
    told = f"records looked at grow with n to the power of {compared:.2f}; our CPU seconds to that of {spent:.2f}"
    return of_number(compared, 0.9, 1.1, direction=compared < 1.5, told=told)


def _below(figures: Figures, *rivals: str) -> Verdict:
    """k-members below each of the rivals at every k."""
    found = {rival: ratios(_over_k(figures, "k-members"), _over_k(figures, rival)) for rival in rivals}
    told = "; ".join(f"over {rival}: {between(each.values(), '{:.2f}')}" for rival, each in found.items())
    return of_settings((ratio < 1 for each in found.values() for ratio in each.values()), f"loss {told}")


def loses_less_than_levels(figures: Figures) -> Verdict:
    return _below(figures, LEVELS)


def loses_less_than_orders(figures: Figures) -> Verdict:
    return _below(figures, "Mondrian", "R-tree")


def loses_less_than_greedy(figures: Figures) -> Verdict:
    return _below(figures, "greedy k-member")


def _charts() -> Iterator[Chart]:
    yield Chart("loss", "Loss per cell against k", "loss", "k", {"rows": LARGEST}, "IL per cell")
    where = {"method": "k-members", "k": GROWTH_K}
    yield Chart("time", "Time against rows, k = 10", "cpu_seconds", "rows", where, "CPU seconds")
    yield Chart(
        "work", "Records the published algorithm looks at", "comparisons", "rows", where, "records", pictured=False
    )


PAPER = Paper.told(
    "k_members",
    globals(),
    drawn=lambda method: method != LEVELS and is_random(METHODS[method]),
    charts=_charts(),
)
