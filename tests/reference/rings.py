# SPDX-License-Identifier: Apache-2.0
"""Rings and boxes as told: records of a part in line, forth and back, and for each a box of k neighbours."""

from __future__ import annotations

from collections.abc import Iterator, Sequence


def ring_of(line: Sequence[int]) -> list[int]:
    """Every second record forth, the others back."""
    return [*line[0::2], *reversed(line[1::2])]


def rings(line: Sequence[int], parts: Sequence[int]) -> list[list[int]]:
    """The ring of each part, parts in order."""
    return [ring_of([row for row in line if parts[row] == part]) for part in sorted(set(parts))]


def box(ring: Sequence[int], place: int, k: int) -> list[int]:
    """The records of the box at a place of a ring."""
    return [ring[(place + step) % len(ring)] for step in range(k)]


def pairings(length: int, k: int, words: Iterator[int]) -> Iterator[dict[int, int]]:
    """One after another, k pairings of the boxes of a ring with its places; random words choose.

    Every box in turn walks: it takes one of its places, whoever had that takes another, until one was free.
    """
    left = [[(box + step) % length for step in range(k)] for box in range(length)]
    for _ in range(k):
        taken: dict[int, int] = {}
        for start in range(length):
            box, lost = start, None
            while box is not None:
                choices = [place for place in left[box] if place != lost]
                lost = choices[(next(words) * len(choices)) >> 32] if len(choices) > 1 else choices[0]
                holder = next((other for other, place in taken.items() if place == lost), None)
                if holder is not None:
                    del taken[holder]
                taken[box], box = lost, holder
        yield taken
        for box, place in taken.items():
            at = left[box].index(place)
            left[box][at] = left[box][-1]
            left[box].pop()
