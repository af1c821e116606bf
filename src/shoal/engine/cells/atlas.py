# SPDX-License-Identifier: Apache-2.0
"""The atlas: where every value of every quasi-identifier lies, so that any few records can be encoded by their codes.

It is the encoded digest of a table (:mod:`shoal.tables.digest`). A part of the table encoded by it has the coordinates,
trees, steps and losses of the whole: the loss of a class is the same wherever it is computed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from shoal.engine.encoding.encode import encode
from shoal.engine.encoding.encoded import Encoded
from shoal.engine.kernels.methods.hilbert import cells, hilbert_keys
from shoal.ground.arrays import SmallCodes, Words
from shoal.plan.plan import Plan
from shoal.tables.table import Table

WORD = 64
"""Bits of a key."""
BITS = 8
"""The curve runs through 2 ** BITS places per attribute, or fewer where a key has no room for them."""


@dataclass(frozen=True, eq=False)
class Atlas:
    """The quasi-identifiers of a digest: a code of a column is the row of the digest that shows its cell."""

    encoded: Encoded
    """As it is published."""
    apart: tuple[int, ...] = ()
    """The attributes, by their places, whose values are kept apart before the curve runs through the others."""

    @classmethod
    def of(cls, digest: Table, plan: Plan, parts: int = 1) -> Atlas:
        """Encode the digest of a table, for a completed plan.

        Names without a tree are all equally far from each other, which no curve can show. So these are kept apart,
        those with the fewest values first, as long as there are no more than ``parts`` combinations of them.
        """
        encoded, apart, many = encode(digest, plan), [], 1
        values = [int(np.ptp(column.points)) + 1 for column in encoded.columns]
        for place in sorted(range(len(values)), key=lambda one: (values[one], one)):
            tree = encoded.columns[place].tree
            if tree is not None and tree.is_flat and many * values[place] <= parts:
                apart.append(place)
                many *= values[place]
        return cls(encoded, tuple(apart))

    def records(self, codes: Sequence[SmallCodes], *, written: bool = False) -> Encoded:
        """Records by the codes of their quasi-identifiers: as methods see them, or as they are to be written."""
        source = self.encoded if written else self.encoded.unitless
        columns = zip(source.columns, codes, strict=True)
        parts = [replace(column.take(code.astype(np.int64)), whole_span=column.span) for column, code in columns]
        return Encoded(tuple(parts), source.loss)

    def keys(self, codes: Sequence[SmallCodes]) -> Words:
        """[record] its place: by the values that are kept apart, then on the Hilbert curve through the others."""
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
