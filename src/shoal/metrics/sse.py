# SPDX-License-Identifier: Apache-2.0
"""Squared error: how far the records of a class lie from its mean, against how far all lie from the mean of all.

    SSE = Σ_classes Σ_rows Σ_j w_j (x_j - mean_j of the class)²     SST: the same with the mean of all rows

Numbers and dates are standardised to mean 0 and variance 1 first, so that SSE and SST have no unit; ``percent`` is
100 SSE / SST, the usual figure of microaggregation. Ordered categories stand at rank / (m - 1). Two different names are
at the squared distance 1, as if each name were 0 or 1 / √2; so are a missing and a present number, and a missing number
stands at the mean. With ``missing = "wildcard"`` missing cells stand at the mean, or at the commonest name, and nothing
is added. A suppressed row is measured from the mean of all rows.

Paper: J. Domingo-Ferrer, J. Mateo-Sanz, Practical data-oriented microaggregation for statistical disclosure control,
TKDE 2002.

Limits: needs to know which original rows make a class. Where that was not told, the labels must tell: every original
row must fit the labels of one class only; else the value is undefined.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from shoal.metrics._cells import CENTRES, column_of
from shoal.metrics._lines import Line
from shoal.metrics._protocol import Evidence, Measurement
from shoal.metrics._reach import Reach, reach_of
from shoal.metrics._trees import Tree
from shoal.roles.roles import ORDERED

LARGEST_SEARCH = 300_000_000
"""Most cells (rows times classes times columns) that are compared to find out which rows make a class."""

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def measure(evidence: Evidence) -> Measurement:
    """SSE with SST, their quotient as ``per_cell`` and as ``percent``, and for each column."""
    names = evidence.plan.quasi_identifiers
    if evidence.original is None:
        return _undefined("the original table was not given")
    classes = evidence.classes
    if classes is None:
        found = _classes_of(evidence)
        if isinstance(found, str):
            return _undefined(found)
        classes = found
    wildcard = evidence.plan.missing == "wildcard"
    parts = {name: _scatter(column_of(evidence, name), classes, wildcard) for name in names}
    weights = {name: evidence.plan.columns[name].weight for name in names}
    sse = math.fsum(weights[name] * within for name, (within, _) in parts.items())
    sst = math.fsum(weights[name] * whole for name, (_, whole) in parts.items())
    share = sse / sst if sst > 0 else math.nan
    return Measurement(
        "sse",
        sse,
        "lower",
        (0.0, sst),
        {"sst": sst, "per_cell": share, "percent": 100 * share},
        {name: within / whole if whole > 0 else 0.0 for name, (within, whole) in parts.items()},
        "" if sst > 0 else "all rows are alike, so a share of SST is undefined",
    )


def _undefined(why: str) -> Measurement:
    return Measurement("sse", math.nan, "lower", (math.nan, math.nan), note=why)


# -- which rows make a class -------------------------------------------------------------------------------------


def _classes_of(evidence: Evidence) -> Ints | str:
    """Class of each original row (-1: it fits none, so it was left out), or why the labels do not tell."""
    names = evidence.plan.quasi_identifiers
    if any(evidence.plan.rendering(name) in CENTRES for name in names):
        return "the release shows centres, and the classes of the original rows were not given"
    reaches = [reach_of(evidence, name) for name in names]
    if problems := [one.problem for one in reaches if one.problem]:
        return "; ".join(problems)
    ends = [np.where(np.isnan(one.low), empty, end) for one in reaches for end, empty in ((one.low, 1), (one.high, 0))]
    _, first, sizes = np.unique(np.column_stack(ends), axis=0, return_index=True, return_counts=True)
    n = len(reaches[0].positions)
    if n * len(first) * len(names) > LARGEST_SEARCH:
        return "the classes of the original rows were not given, and the table is too large to find them by the labels"
    found, fits = np.full(n, -1, dtype=np.int64), np.zeros(n, dtype=np.int64)
    wildcard = evidence.plan.missing == "wildcard"
    for label, row in enumerate(first):
        inside = np.ones(n, dtype=bool)
        for one in reaches:
            inside &= _allowed(one, int(row), wildcard)
        found[inside] = label
        fits += inside
    whole = np.array_equal(np.bincount(found[found >= 0], minlength=len(first)), sizes)
    if (fits > 1).any() or not whole:
        return "the classes of the original rows were not given, and the labels do not tell them apart"
    return found


def _allowed(reach: Reach, row: int, wildcard: bool) -> NDArray[np.bool_]:
    """Which original cells of a column a released row allows."""
    low, high = float(reach.low[row]), float(reach.high[row])
    inside: NDArray[np.bool_] = (low <= reach.positions) & (reach.positions <= high)
    missing = np.isnan(reach.positions)
    if wildcard:
        return np.ones(len(inside), dtype=bool) if math.isnan(low) else inside | missing
    return inside | missing if not math.isfinite(low) else inside


# -- squared errors ----------------------------------------------------------------------------------------------


def _scatter(column: Line | Tree, classes: Ints, wildcard: bool) -> tuple[float, float]:
    """SSE and SST of one column."""
    missing = np.isnan(column.positions)
    if isinstance(column, Tree):
        present = column.positions[~missing].astype(np.int64)
        stand_in = np.bincount(present).argmax() if wildcard and len(present) else -1
        return _of_names(np.where(missing, stand_in, np.nan_to_num(column.positions)).astype(np.int64), classes)
    within, whole = _of_numbers(_placed(column, missing), classes)
    if wildcard or not missing.any():
        return within, whole
    more = _of_names(missing.astype(np.int64), classes)
    return within + more[0], whole + more[1]


def _placed(line: Line, missing: NDArray[np.bool_]) -> Floats:
    """Standardised numbers, or ranks as shares of the last one; missing cells at the mean of the others."""
    span = line.high - line.low
    placed = np.zeros(len(missing))
    if not span > 0:
        return placed
    share = (line.positions[~missing] - line.low) / span
    placed[~missing] = share - share.mean()
    return placed if line.style == ORDERED else placed / share.std()


def _of_numbers(places: Floats, classes: Ints) -> tuple[float, float]:
    if not len(places):
        return 0.0, 0.0
    kept = classes >= 0
    group = classes[kept]
    away = places - places.mean()
    means = np.bincount(group, weights=places[kept]) / np.maximum(np.bincount(group), 1)
    near = away.copy()
    near[kept] = places[kept] - means[group]
    return float(np.dot(near, near)), float(np.dot(away, away))


def _of_names(names: Ints, classes: Ints) -> tuple[float, float]:
    """The same where each name has an axis of its own and stands at 1 / √2 on it.

    n records, n_v of each name, add up to (n - Σ n_v² / n) / 2.
    """
    n = len(names)
    if not n:
        return 0.0, 0.0
    _, codes, counts = np.unique(names, return_inverse=True, return_counts=True)
    shares = counts / n
    kept = classes >= 0
    group = classes[kept]
    pairs, together = np.unique(group * len(counts) + codes[kept], return_counts=True)
    sizes = np.bincount(group)
    within = len(group) - float((together**2 / sizes[pairs // len(counts)]).sum())
    alone = codes[~kept]
    within += float((1 - 2 * shares[alone] + np.dot(shares, shares)).sum())
    return within / 2, n * (1 - float(np.dot(shares, shares))) / 2
