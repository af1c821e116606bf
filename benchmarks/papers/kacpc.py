# SPDX-License-Identifier: Apache-2.0
"""Wang, He and Zhu 2022: KACPC against MDAV-generic, IKAC, OKA and GAA-CP on Adult."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise, product
from typing import Any

import numpy as np

from benchmarks.clustering import loss_and_classes
from benchmarks.papers.claims import (
    DIRECTION,
    NOT,
    Verdict,
    between,
    falls,
    gaps,
    of_number,
    of_settings,
    ratios,
    rises,
)
from benchmarks.papers.figures import Figures
from benchmarks.papers.paper import LARGEST, Chart, Paper
from benchmarks.papers.running import Cell, Effort, clustered, is_random
from benchmarks.tables import ADULT
from shoal.engine.encoding.encode import complete, encode
from shoal.engine.encoding.encoded import Encoded
from shoal.ground import catalog
from shoal.hierarchies.hierarchy import Hierarchy
from shoal.plan.plan import Plan
from shoal.tables.sources import read_table

METHODS = {
    "KACPC": "kacpc",
    "IKAC": "ikac",
    "OKA": "one_pass_k_means",
    "MDAV-generic": "mdav_generic",
    "GAA-CP": "gaa_cp",
    "k-members": "k_members",
}
RIVALS = ("IKAC", "OKA", "MDAV-generic", "GAA-CP")
ALL_ROWS = 30_162
KS = (10, 20, 30, 40, 50, 60, 70, 80, 90, 100)
TWO_KS = (10, 50)
WIDTHS = (2, 3, 4, 5, 6)
SIZES = (5_000, 10_000, 15_000, 20_000, 25_000, ALL_ROWS)

WORKCLASS = (
    ("Private", "Any"),
    ("Self-emp-not-inc", "Self-employed", "Any"),
    ("Self-emp-inc", "Self-employed", "Any"),
    ("Federal-gov", "Government", "Any"),
    ("Local-gov", "Government", "Any"),
    ("State-gov", "Government", "Any"),
    ("Without-pay", "Any"),
)
"""The paper's Figure 1, as the distances of its worked example tell."""


def cells(effort: Effort) -> Iterator[Cell]:
    """Figure 3: k; figures 4 and 5: the number of columns; figures 6 and 7: the number of rows."""
    for method in METHODS:
        whole, width = effort.part(ALL_ROWS), WIDTHS[-1]
        for k in effort.some(KS):
            yield Cell(ADULT.name, method, k, width, whole)
        for k, columns in product(TWO_KS, effort.some(WIDTHS)):
            yield Cell(ADULT.name, method, k, columns, whole)
        for k, rows in product(TWO_KS, effort.some(SIZES)):
            yield Cell(ADULT.name, method, k, width, effort.part(rows))


def run(cell: Cell, seed: int) -> dict[str, float]:
    """Precision of one run, Pre = 1 - Eloss per cell, and its CPU seconds."""
    method = METHODS[cell.method]
    encoded = _encoded(cell.columns, cell.rows)
    loss = catalog.load("algorithms", method).CAPABILITIES.paper_loss or encoded.loss
    found, seconds = clustered(replace(encoded, loss=loss), method, cell.k, seed)
    return {"precision": 1 - loss_and_classes(encoded, found)[0] / encoded.points.size, "cpu_seconds": seconds}


@lru_cache(maxsize=4)
def _encoded(columns: int, rows: int) -> Encoded:
    table = read_table(ADULT.path).table
    if rows < len(table):
        table = table.take(np.sort(np.random.default_rng(0).permutation(len(table))[:rows]))
    return encode(table, complete(plan_of(columns), table)).unitless


def plan_of(columns: int, k: int = 2, **others: Any) -> Plan:
    """The paper's quasi-identifiers, the first so many, with its tree and those of ARX."""
    names = ADULT.quasi_identifiers[:columns]
    trees = ADULT.hierarchies() | {"workclass": Hierarchy.from_rows(WORKCLASS)}
    return Plan.of(
        k,
        quasi_identifiers=names,
        rest="drop",
        loss="eloss",
        hierarchies={name: tree for name, tree in trees.items() if name in names},
        kinds={"age": "numeric"},
        **others,
    )


# -- what the paper says ---------------------------------------------------------------------------------------


def _line(figures: Figures, method: str, over: str = "k", k: int = 10, figure: str = "precision") -> dict[float, float]:
    """A method's figure over k, the columns or the rows; what does not vary is what is largest, and k."""
    part = figures.where(method=method)
    fixed = {"rows": max(part.values("rows")), "columns": max(part.values("columns")), "k": k}
    return part.where(**{name: value for name, value in fixed.items() if name != over}).line(figure, over)


def _lead(figures: Figures, over: str, ks: tuple[int, ...] = (10,)) -> Verdict:
    """KACPC before each rival, in points of precision."""
    found = {
        (rival, k, at): gap
        for rival, k in product(RIVALS, ks)
        for at, gap in gaps(_line(figures, "KACPC", over, k), _line(figures, rival, over, k)).items()
    }
    least = min(found, key=lambda key: found[key])
    told = f"smallest lead {100 * found[least]:+.2f} points, before {least[0]} at {over} = {least[2]:,}"
    return of_settings((gap > 0 for gap in found.values()), told)


def _ends(line: Mapping[float, float], method: str = "KACPC") -> str:
    """From where to where a line runs, in words."""
    return f"{method} from {line[min(line)]:.3f} to {line[max(line)]:.3f}"


def falls_with_k(figures: Figures) -> Verdict:
    lines = {method: _line(figures, method) for method in ("KACPC", *RIVALS) if method != "MDAV-generic"}
    return of_settings((flag for line in lines.values() for flag in falls(line)), _ends(lines["KACPC"]))


def mdav_does_not_fall(figures: Figures) -> Verdict:
    line = _line(figures, "MDAV-generic")
    return of_settings((not flag for flag in falls(line)), _ends(line, "MDAV-generic"))


def _over_ikac(figures: Figures) -> dict[float, float]:
    """How much more precise than IKAC, in per cent of IKAC's precision."""
    found = ratios(_line(figures, "KACPC"), _line(figures, "IKAC"))
    return {k: 100 * (ratio - 1) for k, ratio in found.items()}


def lead_over_ikac_widens(figures: Figures) -> Verdict:
    leads = _over_ikac(figures)
    return of_settings(rises(leads), f"from {leads[min(leads)]:.1f} % at the smallest k to {leads[max(leads)]:.1f} %")


def lead_over_ikac_of_20(figures: Figures) -> Verdict:
    largest = max(_over_ikac(figures).values())
    return of_number(largest, 18.7, 22.7, direction=largest > 0, told=f"up to {largest:.1f} %")


def lead_over_oka(figures: Figures) -> Verdict:
    found = ratios(_line(figures, "KACPC"), _line(figures, "OKA"))
    leads = [100 * (ratio - 1) for ratio in found.values()]
    inside = of_settings((30 <= lead <= 40 for lead in leads), f"leads of {between(leads, '{:.1f}')} %")
    return inside if inside.mark != NOT or min(leads) <= 0 else Verdict(DIRECTION, inside.figure)


def time_falls_with_k(figures: Figures) -> Verdict:
    lines = [_line(figures, method, figure="cpu_seconds") for method in ("KACPC", *RIVALS)]
    told = between([line[max(line)] / line[min(line)] for line in lines], "{:.2f}")
    return of_settings(
        (flag for line in lines for flag in falls(line)), f"time at the largest k over the smallest: {told}"
    )


def falls_with_columns(figures: Figures) -> Verdict:
    lines = [_line(figures, method, "columns", k) for method, k in product(("KACPC", "IKAC", "GAA-CP"), TWO_KS)]
    return of_settings((flag for line in lines for flag in falls(line)), f"at k = {TWO_KS[0]} {_ends(lines[0])}")


def _turns(line: Mapping[float, float]) -> int:
    """How often a line changes between rising and falling."""
    steps = [later > earlier for earlier, later in pairwise(line.values())]
    return sum(one != other for one, other in pairwise(steps))


def unstable_with_columns(figures: Figures) -> Verdict:
    lines = [_line(figures, method, "columns", k) for method, k in product(("MDAV-generic", "OKA"), TWO_KS)]
    turns = sum(map(_turns, lines))
    return of_settings((_turns(line) > 0 for line in lines), f"{turns} turns between rising and falling")


def _time_rises(figures: Figures, over: str) -> Verdict:
    lines = [_line(figures, method, over, k, "cpu_seconds") for method, k in product(("KACPC", *RIVALS), TWO_KS)]
    told = between([line[max(line)] / line[min(line)] for line in lines], "{:.1f}")
    return of_settings((flag for line in lines for flag in rises(line)), f"the last over the first: {told}")


def time_rises_with_columns(figures: Figures) -> Verdict:
    return _time_rises(figures, "columns")


def time_rises_with_rows(figures: Figures) -> Verdict:
    return _time_rises(figures, "rows")


def leads_at_every_k(figures: Figures) -> Verdict:
    return _lead(figures, "k")


def leads_for_all_columns(figures: Figures) -> Verdict:
    return _lead(figures, "columns", TWO_KS)


def leads_for_all_rows(figures: Figures) -> Verdict:
    return _lead(figures, "rows", TWO_KS)


def speeds(figures: Figures) -> Verdict:
    """All three, for every number of columns and rows."""
    slowest, fastest, faster = [], [], []
    for over, k in product(("columns", "rows"), TWO_KS):
        lines = {method: _line(figures, method, over, k, "cpu_seconds") for method in ("KACPC", *RIVALS)}
        for at in lines["KACPC"]:
            times = {method: line[at] for method, line in lines.items()}
            slowest.append(max(times, key=lambda one: times[one]) == "OKA")
            fastest.append(min(times, key=lambda one: times[one]) == "MDAV-generic")
            faster.append(times["KACPC"] < times["IKAC"])
    told = f"OKA slowest in {sum(slowest)}, MDAV-generic fastest in {sum(fastest)}, KACPC before IKAC in {sum(faster)}"
    return of_settings([*slowest, *fastest, *faster], f"{told} of {len(faster)} each")


def rises_with_rows(figures: Figures) -> Verdict:
    lines = [_line(figures, method, "rows", k) for method, k in product(("KACPC", *RIVALS), TWO_KS)]
    return of_settings((flag for line in lines for flag in rises(line)), f"at k = {TWO_KS[0]} {_ends(lines[0])}")


def gap_of_mdav_shrinks(figures: Figures) -> Verdict:
    found = [gaps(_line(figures, "IKAC", "rows", k), _line(figures, "MDAV-generic", "rows", k)) for k in TWO_KS]
    told = "; ".join(
        f"k = {k}: from {100 * gap[min(gap)]:.1f} to {100 * gap[max(gap)]:.1f} points" for k, gap in zip(TWO_KS, found)
    )
    return of_settings((flag for gap in found for flag in falls(gap)), told)


def k_members_better(figures: Figures) -> Verdict:
    found = [
        gap
        for over, k in (("k", 10), *product(("columns", "rows"), TWO_KS))
        for gap in gaps(_line(figures, "k-members", over, k), _line(figures, "KACPC", over, k)).values()
    ]
    return of_settings((gap > 0 for gap in found), f"{between([100 * gap for gap in found], '{:+.2f}')} points")


def _charts() -> Iterator[Chart]:
    whole = {"rows": LARGEST, "columns": 6}
    yield Chart("k", "Precision against k (Fig. 3a)", "precision", "k", whole, "precision")
    yield Chart("k-time", "Time against k (Fig. 3b)", "cpu_seconds", "k", whole, "CPU seconds")
    for k, number in zip(TWO_KS, (4, 5)):
        where, title = {"rows": LARGEST, "k": k}, f"against the number of quasi-identifiers, k = {k}"
        yield Chart(f"columns-{k}", f"Precision {title} (Fig. {number}a)", "precision", "columns", where, "precision")
        yield Chart(
            f"columns-{k}-time", f"Time {title} (Fig. {number}b)", "cpu_seconds", "columns", where, "CPU seconds"
        )
    for k, number in zip(TWO_KS, (6, 7)):
        where, title = {"columns": 6, "k": k}, f"against rows, k = {k}"
        yield Chart(f"rows-{k}", f"Precision {title} (Fig. {number}a)", "precision", "rows", where, "precision")
        yield Chart(f"rows-{k}-time", f"Time {title} (Fig. {number}b)", "cpu_seconds", "rows", where, "CPU seconds")


PAPER = Paper.told("kacpc", globals(), drawn=lambda method: is_random(METHODS[method]), charts=_charts())
