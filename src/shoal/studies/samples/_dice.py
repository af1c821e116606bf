# SPDX-License-Identifier: Apache-2.0
"""Random draws in whole numbers only, so that a seed gives the same rows on every machine and every numpy.

numpy promises the raw bits of ``PCG64`` for ever, but not what its generators make of them, and floating-point
logarithms differ between processors. Each purpose has its own stream, so a new column changes no other.
"""

from __future__ import annotations

from collections.abc import Sequence
from zlib import crc32

import numpy as np

from shoal.ground.arrays import Flags, Ints


class Dice:
    """One draw per row for any named purpose.

    >>> Dice(seed=0, rows=4).below("age", 100).tolist() == Dice(seed=0, rows=4).below("age", 100).tolist()
    True
    """

    def __init__(self, seed: int, rows: int) -> None:
        self._seed = seed
        self._rows = rows

    def _bits(self, purpose: str) -> Ints:
        """32 random bits per row."""
        stream = np.random.PCG64(np.random.SeedSequence([self._seed, crc32(purpose.encode())]))
        raw = np.asarray(stream.random_raw(self._rows), dtype=np.uint64)
        return (raw >> np.uint64(32)).astype(np.int64)

    def below(self, purpose: str, limit: int | Ints) -> Ints:
        """A whole number from 0 up to, but not including, the limit (at most 2^31)."""
        return (self._bits(purpose) * limit) >> 32

    def happens(self, purpose: str, per_mille: int | Ints) -> Flags:
        """True in so many of a thousand rows."""
        return self.below(purpose, 1000) < per_mille

    def choose(self, purpose: str, weights: Sequence[int]) -> Ints:
        """A position in the list of weights, with chances in their proportion."""
        ends = np.cumsum(weights)
        return np.searchsorted(ends, self.below(purpose, int(ends[-1])), side="right").astype(np.int64)

    def choose_given(self, purpose: str, group: Ints, weights: Sequence[Sequence[int]]) -> Ints:
        """A position in the list of weights of each row's group."""
        ends = np.cumsum(np.asarray(weights, dtype=np.int64), axis=1)
        drawn = self.below(purpose, ends[group, -1])
        chosen = np.zeros(self._rows, dtype=np.int64)
        for column in range(ends.shape[1] - 1):
            chosen += drawn >= ends[group, column]
        return chosen

    def skewed(self, purpose: str) -> Ints:
        """0 to 999, mostly small: the product of three draws."""
        first, second, third = (self.below(f"{purpose} {part}", 1000) for part in range(3))
        return first * second * third // 1_000_000
