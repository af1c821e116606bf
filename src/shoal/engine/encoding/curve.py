# SPDX-License-Identifier: Apache-2.0
"""One key per record, by which neighbours come together: names kept apart, then the Hilbert curve through the rest.

Names without a tree are all equally far from each other, which no curve can show. So records are first kept apart by
such columns, those with the fewest values first, as long as there are not too many combinations of them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from shoal.engine.encoding.encoded import Encoded
from shoal.engine.kernels.methods.hilbert import cells, hilbert_keys
from shoal.ground.arrays import SmallCodes, Words

WORD = 64
"""Bits of a key."""
BITS = 8
"""The curve runs through 2 ** BITS places per attribute, or fewer where a key has no room for them."""


@dataclass(frozen=True, eq=False)
class Curve:
    """A curve through the records of a table; a code of a column is the row that shows its cell."""

    encoded: Encoded
    apart: tuple[int, ...] = ()
    """The attributes, by their places, whose values are kept apart before the curve runs through the others."""

    @classmethod
    def through(cls, encoded: Encoded, parts: int) -> Curve:
        """Names are kept apart as long as there are no more than ``parts`` combinations of them."""
        apart, many = [], 1
        values = [int(np.ptp(column.points)) + 1 for column in encoded.columns]
        for place in sorted(range(len(values)), key=lambda one: (values[one], one)):
            tree = encoded.columns[place].tree
            if tree is not None and tree.is_flat and many * values[place] <= parts:
                apart.append(place)
                many *= values[place]
        return cls(encoded, tuple(apart))

    def keys(self, codes: Sequence[SmallCodes]) -> Words:
        """[record] its place: by the values that are kept apart, then on the curve through the others."""
        keys = np.zeros(len(codes[0]), dtype=np.uint64)
        for place in self.apart:
            leaves = self.encoded.columns[place].points.astype(np.uint64)
            keys = keys * np.uint64(int(leaves.max()) + 1) + leaves[codes[place]]
        if self._along:
            grid = np.column_stack([column[codes[place]] for column, place in zip(self._grid.T, self._along)])
            along = hilbert_keys(np.ascontiguousarray(grid), self._bits)[:, 0]
            keys = keys << np.uint64(self._bits * len(self._along)) | along
        return keys

    @property
    def key_bits(self) -> int:
        """Keys lie below 2 to the power of this."""
        return self._apart_bits + self._bits * len(self._along)

    @property
    def _apart_bits(self) -> int:
        many = math.prod(int(self.encoded.columns[place].points.max()) + 1 for place in self.apart)
        return (many - 1).bit_length()

    @property
    def _along(self) -> list[int]:
        """Attributes that the curve runs through: all others, of very many the first ones."""
        others = [place for place in range(len(self.encoded.columns)) if place not in self.apart]
        return others[: WORD - self._apart_bits]

    @property
    def _bits(self) -> int:
        return min(BITS, (WORD - self._apart_bits) // max(len(self._along), 1))

    @cached_property
    def _grid(self) -> Words:
        """[code, attribute] the place on the grid of the curve."""
        return cells(self.encoded.unitless.points[:, self._along], self._bits)
