# SPDX-License-Identifier: Apache-2.0
"""Rings and boxes as told: records of a part in line, forth and back, and for each a box of k neighbours."""

from __future__ import annotations

from collections.abc import Sequence


def ring_of(line: Sequence[int]) -> list[int]:
    """Every second record forth, the others back."""
    return [*line[0::2], *reversed(line[1::2])]


def rings(line: Sequence[int], parts: Sequence[int]) -> list[list[int]]:
    """The ring of each part, parts in order."""
    return [ring_of([row for row in line if parts[row] == part]) for part in sorted(set(parts))]


def box(ring: Sequence[int], place: int, k: int) -> list[int]:
    """The records of the box at a place of a ring."""
    return [ring[(place + step) % len(ring)] for step in range(k)]


def pairings(ring: Sequence[int], k: int) -> list[list[tuple[int, int]]]:
    """For each shift, which record stands behind the box of which place."""
    return [[(place, ring[(place + shift) % len(ring)]) for place in range(len(ring))] for shift in range(k)]
