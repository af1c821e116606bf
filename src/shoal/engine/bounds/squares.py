# SPDX-License-Identifier: Apache-2.0
"""The bound for squared errors: prices of records, as for hulls, such that no k of them exceed their squared error.

Half of the squared distances to the k - 1 nearest records, divided by k, is such a price (*nearest*). Better ones are
found in rounds: list the worst set around each record, fit prices to all sets listed so far, and cut a copy of them.

Idea: D. Aloise, P. Hansen, C. Rocha, É. Santi, Column generation bounds for numerical microaggregation, Journal of
Global Optimization 2014. What is new here is that sets of k records suffice, and that a cut makes any guess a proof.
"""

from __future__ import annotations

import numpy as np

from shoal.engine.bounds.budget import StepBudget
from shoal.engine.encoding.encoded import Encoded
from shoal.engine.encoding.features import MOST_NAMES, features
from shoal.engine.kernels.bounds.pricing import fit_prices
from shoal.engine.kernels.bounds.squares import Space, cut_sets, list_sets, spaced
from shoal.ground.arrays import Floats, Ints

MOST_RECORDS = 5_000
"""All pairs of them are at hand: 200 MB."""
MOST_TOGETHER = 6
"""Sets of more records are too many to search. Larger classes are classes of so many, too."""
STEPS_PER_RECORD, STEPS_IN_ALL = 300_000, 1_000_000_000
"""Work allowed with effort 1: about 2 milliseconds per record, and 6 seconds in all."""
GUESS, RISE, PACE = 1.5, 1.3, 0.3
"""See :mod:`shoal.engine.bounds.prices`."""
FIT_ROUNDS, FITTED_IN_A_STEP = 200, 10
MOST_STEPS = 60_000
"""Records looked at around one of them; then its price gives way by the most that could still be found."""
FITS, PATIENCE, SLIGHT, LEAST = 2, 2, 1e-5, 1e-7
"""Fits before a cut; cuts without more than a slight gain that end it; what breaks a set, of the mean price."""


def is_measured(encoded: Encoded) -> bool:
    """Whether the squared distances of the records are those that the loss is measured by, and all can be at hand."""
    named = [column.tree.n_leaves for column in encoded.columns if column.tree is not None]
    plain = all(column.behind is None and column.holes is None for column in encoded.columns)
    return plain and len(encoded) <= MOST_RECORDS and max(named, default=0) <= MOST_NAMES


def measured_points(encoded: Encoded) -> Floats:
    """The records as points, about their mean."""
    points = features(encoded, "std")
    return np.ascontiguousarray(points - points.mean(axis=0))


def squares_of(encoded: Encoded, labels: Ints) -> float:
    """Squared distances of all records from the mean of their class."""
    points, order = measured_points(encoded), np.argsort(labels, kind="stable")
    sizes = np.bincount(labels)
    begin = np.cumsum(sizes) - sizes
    means = np.add.reduceat(points[order], begin) / sizes[:, None]
    return float(((points - means[labels]) ** 2).sum())


def square_prices(points: Floats, size: int, budget: StepBudget, method: str | None) -> tuple[Floats, str]:
    """Prices such that those of any ``size`` records add up to at most their squared error; and how they were found."""
    nearest = spaced(points, size).near[:, size - 1] / 2
    budget.spend(len(points) ** 2)
    if method == "nearest" or not nearest.any():
        return nearest, "nearest"
    together = min(size, MOST_TOGETHER)
    space = spaced(points, together)
    best = _best(space, space.near[:, together - 1] / 2, together, budget)
    return (best, "prices") if best.sum() > nearest.sum() else (nearest, "nearest")


def _best(space: Space, nearest: Floats, size: int, budget: StepBudget) -> Floats:
    """Valid prices, as high as the budget allows; they start from ``nearest``, which are valid."""
    best, price, idle = nearest, GUESS * nearest, 0
    sets, use = np.zeros((0, size), dtype=np.int64), np.zeros(0)
    while idle < PATIENCE:
        for _ in range(FITS):
            more = _listed(space, price, size, budget)
            work = FIT_ROUNDS * (sets.size + more.size) // FITTED_IN_A_STEP
            if not budget.affords(work):
                return best
            sets, use = np.concatenate([sets, more]), np.concatenate([use, np.zeros(len(more))])
            price = _fitted(space, price, nearest, sets, use)
            budget.spend(work)
        valid = _cut(space, price, size, budget)
        if valid is None:
            return best
        gain = valid.sum() / best.sum() - 1
        best, idle = (valid if gain > 0 else best), (0 if gain > SLIGHT else idle + 1)
    return best


def _listed(space: Space, price: Floats, size: int, budget: StepBudget) -> Ints:
    """The worst set around each record, each set once."""
    first, found, least = 0, [], LEAST * float(price.mean())
    while first < len(price) and budget.left > 0:
        sets = np.empty((len(price) - first, size), dtype=np.int64)
        many, first, steps = list_sets(space, price, size, first, budget.slice, MOST_STEPS, least, sets)
        budget.spend(steps)
        found.append(np.sort(sets[:many], axis=1))
    return np.unique(np.concatenate(found), axis=0) if found else np.zeros((0, size), dtype=np.int64)


def _fitted(space: Space, price: Floats, nearest: Floats, sets: Ints, use: Floats) -> Floats:
    """New prices for the sets listed so far."""
    price, (many, size) = price.copy(), sets.shape
    allowed = space.apart[sets[:, :, None], sets[:, None, :]].sum(axis=(1, 2)) / 2
    ones = np.ones(sets.size, dtype=np.int64)
    fit_prices(
        np.arange(many + 1) * size, sets.ravel(), ones, allowed, np.ones(len(price), dtype=np.int64),
        RISE * np.maximum(price, nearest), PACE * size * float(nearest.mean()), FIT_ROUNDS, price, use,
    )  # fmt: skip
    return price


def _cut(space: Space, price: Floats, size: int, budget: StepBudget) -> Floats | None:
    """The prices lowered until they are valid, the dearest first; None if there is no time for that."""
    price, order, position = price.copy(), np.argsort(-price, kind="stable"), 0
    while position < len(order) and budget.left > 0:
        position, steps = cut_sets(space, price, size, order, position, budget.slice, MOST_STEPS)
        budget.spend(steps)
    return price if position == len(order) else None
