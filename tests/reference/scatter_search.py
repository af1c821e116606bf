# SPDX-License-Identifier: Apache-2.0
"""Squared errors of classes, the changes that moves make, and the best partition of a few records: all from scratch."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tests.reference.partitions import partitions

Floats = NDArray[np.float64]


def scatter(points: Floats, labels: list[int]) -> float:
    """Sum of the squared distances of all records from the mean of their class."""
    total = 0.0
    for label in set(labels):
        members = points[[row for row, one in enumerate(labels) if one == label]]
        total += float(((members - members.mean(axis=0)) ** 2).sum())
    return total


def after_moving(points: Floats, labels: list[int], row: int, to: int) -> float:
    """Change of the loss if a record goes to another class."""
    moved = [to if one == row else label for one, label in enumerate(labels)]
    return scatter(points, moved) - scatter(points, labels)


def best_exchange(points: Floats, labels: list[int], row: int, to: int, size: int) -> float:
    """Least change of the loss if a record goes to another class, alone (if it can be spared) or for one in return."""
    own = labels[row]
    changes = [after_moving(points, labels, row, to)] if labels.count(own) > size else []
    for mate in [one for one, label in enumerate(labels) if label == to]:
        swapped = list(labels)
        swapped[row], swapped[mate] = to, own
        changes.append(scatter(points, swapped) - scatter(points, labels))
    return min(changes)


def least_scatter(points: Floats, size: int) -> float:
    """The loss of the best partition."""
    return min(
        sum(float(((points[one] - points[one].mean(axis=0)) ** 2).sum()) for one in classes)
        for classes in partitions(list(range(len(points))), size)
    )
