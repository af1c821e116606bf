# SPDX-License-Identifier: Apache-2.0
"""Nearest-neighbour error: how often a private value is guessed wrongly from the nearest class centre.

    error = share of original records whose nearest centre has another commonest private value than their own

Every original record is classified by the protected table, in which each record stands at the centre of its class with
its own private value: the commonest value of the nearest centre (of several equally near, the one with the lowest row;
of several equally common, the first in the order of their labels). Distances are sums of absolute differences, numbers
in their own units, dates in days, ordered categories by rank; a name is as far from a centre as the share of the class
that has another name. A missing number stands at the mean, and adds the share of the class that is present.

The value is the error of the sensitive column with the largest; the figures give ``error`` of each, and ``original``:
the same where every record is classified by the nearest of all *other* original records. A protected table that is as
useful for this as the original has the same error. It says nothing about privacy.

It is worked out only where it is asked for by name, since every record is compared with every centre, and with every
other record.

Paper: C.-C. Chiu, C.-Y. Tsai, A k-anonymity clustering method for effective data privacy preservation, ADMA 2007,
section 3.2. That its distances are absolute differences of raw values is inferred: they alone give its figures for the
original tables. It says nothing about ties; by the lowest row, as everywhere here, Zoo has 4 errors among 101 (5 if all
that are equally near voted), and Lung-Cancer the 18 among 32 that the paper prints.

Limits: needs to know which original rows make a class; see ``sse``. Undefined above two billion comparisons of cells.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from shoal.ground.arrays import Floats, Ints
from shoal.judging.evidence import Evidence, Measurement
from shoal.judging.labels.trees import LabelTree
from shoal.judging.metrics._members import Members, members_of
from shoal.plan.roles import SENSITIVE

ON_REQUEST = True
LIMITS = (0.0, 1.0)
FIGURES = ("error NAME", "original NAME")
COLUMNS = "sensitive"

LARGEST = 2_000_000_000
"""Most cells that are compared."""
BLOCK = 4_000_000
"""Distances that are held at once."""
NEAR = 1e-12
"""Distances that differ by a smaller share are equal."""


@dataclass(frozen=True)
class DistancePart:
    """One part of the distance: numbers (``names`` is None), or names as codes."""

    values: Floats
    names: Ints | None = None

    def centres(self, classes: Ints, many: int) -> Floats:
        """[class] the mean; for names [class, name] the share that has it."""
        sizes = np.bincount(classes, minlength=many)
        if self.names is None:
            return np.bincount(classes, weights=self.values, minlength=many) / sizes
        kinds = int(self.names.max()) + 1
        together = np.bincount(classes * kinds + self.names, minlength=many * kinds).reshape(many, kinds)
        shares: Floats = together / sizes[:, None]
        return shares

    def away(self, rows: slice, centres: Floats) -> Floats:
        """[row, class] distance of some records from all centres."""
        if self.names is None:
            return np.abs(self.values[rows, None] - centres[None, :])
        return 1 - centres[:, self.names[rows]].T


def measure(evidence: Evidence) -> Measurement:
    """The error of each sensitive column, of the protected table and of the original."""
    members = members_of(evidence)
    if isinstance(members, str):
        return Measurement.undefined("nearest_neighbour_error", members)
    private = [name for name in evidence.plan.having(SENSITIVE) if name in members.original.names]
    rows = len(members.classes)
    if not private or not rows:
        why = "no sensitive column is named in the plan and in the original" if rows else "there are no rows"
        return Measurement.undefined("nearest_neighbour_error", why)
    axes, classes = _axes(members), _by_lowest_row(members.classes)
    many = int(classes.max()) + 1
    if rows * max(many, rows) * len(axes) > LARGEST:
        return Measurement.undefined("nearest_neighbour_error", "the table is too large to compare all records")
    figures: dict[str, float] = {}
    for name in private:
        labels = _labels(members, name)
        figures[f"error {name}"] = _error(axes, classes, labels, alone=False)
        figures[f"original {name}"] = _error(axes, np.arange(rows), labels, alone=True) if rows > 1 else math.nan
    worst = max(figures[f"error {name}"] for name in private)
    return Measurement("nearest_neighbour_error", worst, "lower", LIMITS, figures)


def _by_lowest_row(classes: Ints) -> Ints:
    """The same classes, numbered by their lowest row: so ties are the same whoever numbered them."""
    _, first, numbered = np.unique(classes, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[numbered]


def _axes(members: Members) -> list[DistancePart]:
    """Every quasi-identifier, and one more for each column of numbers with missing cells."""
    found = []
    for column in members.columns.values():
        missing = np.isnan(column.positions)
        if isinstance(column, LabelTree):
            codes = np.unique(np.where(missing, -1.0, column.positions), return_inverse=True)[1]
            found.append(DistancePart(column.positions, codes))
            continue
        mean = column.positions[~missing].mean() if not missing.all() else 0.0
        found.append(DistancePart(np.where(missing, mean, column.positions)))
        if missing.any() and not members.wildcard:
            found.append(DistancePart(column.positions, missing.astype(np.int64)))
    return found


def _labels(members: Members, name: str) -> Ints:
    """[row] its private value, numbered in the order of labels; missing is the last."""
    codes, values = members.original.codes(name)
    rank = np.append(np.argsort(np.argsort(np.array(values, dtype=object), kind="stable")), len(values))
    ranked: Ints = rank[codes]
    return ranked


def _error(axes: Sequence[DistancePart], classes: Ints, labels: Ints, *, alone: bool) -> float:
    """Share of records that are guessed wrongly; with ``alone`` a record does not vote for itself."""
    many, kinds = int(classes.max()) + 1, int(labels.max()) + 1
    centres = [axis.centres(classes, many) for axis in axes]
    votes = np.bincount(classes * kinds + labels, minlength=many * kinds).reshape(many, kinds).astype(np.float64)
    step, wrong = max(1, BLOCK // many), 0
    for begin in range(0, len(classes), step):
        rows = slice(begin, min(begin + step, len(classes)))
        away = sum((axis.away(rows, centre) for axis, centre in zip(axes, centres)), np.zeros(1))
        if alone:
            away[np.arange(rows.stop - begin), np.arange(begin, rows.stop)] = math.inf
        wrong += int((_guessed(away, votes) != labels[rows]).sum())
    return wrong / len(classes)


def _guessed(away: Floats, votes: Floats) -> Ints:
    """[row] the commonest value of the nearest centre, of several equally near the first."""
    least = away.min(axis=1, keepdims=True)
    nearest = (away <= least + NEAR * np.maximum(least, 1)).argmax(axis=1)
    guessed: Ints = votes.argmax(axis=1)[nearest]
    return guessed
