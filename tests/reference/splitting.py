# SPDX-License-Identifier: Apache-2.0
"""A pool of records cut in two again and again, written plainly: every cut is tried, hulls come from all members."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from shoal.engine.kernels.hull import Hulls
from tests.reference.pools import loss

Part = list[tuple[int, int]]
"""Atoms and their amounts, in order."""
NARROWER, ROUNDED_AWAY = 0.33, 1e-12


def records(part: Part) -> int:
    """How many records a part holds."""
    return sum(units for _, units in part)


def lost(hulls: Hulls, points: np.ndarray, part: Part) -> float:
    """What a part loses as a class."""
    return records(part) * loss(hulls, points, [atom for atom, _ in part])


def worth(hulls: Hulls, points: np.ndarray, part: Part, size: int) -> float:
    """What a part is likely to lose in the end: that of a hull, or of several narrower ones."""
    return lost(hulls, points, part) * max(records(part) // size, 1) ** -NARROWER


def cuts(part: Part, size: int) -> list[tuple[Part, Part]]:
    """All ways to cut an ordered part between two atoms, and those through an atom that leave one side just enough."""
    found, held, total = [], 0, records(part)
    for at, (atom, units) in enumerate(part):
        if size <= held <= total - size:
            found.append((part[:at], part[at:]))
        just = size if held < size else total - size
        if held < just < held + units and total - just >= size:
            some = just - held
            found.append(([*part[:at], (atom, some)], [(atom, units - some), *part[at + 1 :]]))
        held += units
    return found


def split(hulls: Hulls, points: np.ndarray, amounts: Sequence[int], size: int) -> list[Part]:
    """The classes of a pool in which atom ``i`` is there ``amounts[i]`` times."""
    todo, made = [list(enumerate(amounts))], []
    while todo:
        part = todo.pop()
        best, halves = lost(hulls, points, part), None
        for j in range(points.shape[1]):
            if records(part) < 2 * size or len({points[atom, j] for atom, _ in part}) == 1:
                continue
            for pair in cuts(sorted(part, key=lambda one: points[one[0], j]), size):
                found = sum(worth(hulls, points, half, size) for half in pair)
                if found < best - ROUNDED_AWAY:
                    best, halves = found, pair
        if halves is None:
            made.append(part)
        else:
            todo += halves
    return made
