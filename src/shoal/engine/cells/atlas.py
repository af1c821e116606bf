# SPDX-License-Identifier: Apache-2.0
"""The atlas: where every value of every quasi-identifier lies, so that any few records can be encoded by their codes.

It is the encoded digest of a table (:mod:`shoal.tables.digest`). A part of the table encoded by it has the coordinates,
trees, steps and losses of the whole: the loss of a class is the same wherever it is computed.
"""

from __future__ import annotations

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

    @classmethod
    def of(cls, digest: Table, plan: Plan) -> Atlas:
        """Encode the digest of a table, for a completed plan."""
        return cls(encode(digest, plan))

    def records(self, codes: Sequence[SmallCodes], *, written: bool = False) -> Encoded:
        """Records by the codes of their quasi-identifiers: as methods see them, or as they are to be written."""
        source = self.encoded if written else self.encoded.unitless
        columns = zip(source.columns, codes, strict=True)
        parts = [replace(column.take(code.astype(np.int64)), whole_span=column.span) for column, code in columns]
        return Encoded(tuple(parts), source.loss)

    def keys(self, codes: Sequence[SmallCodes]) -> Words:
        """[record] its place on the Hilbert curve through all attributes; of very many, through the first ones."""
        grid = np.column_stack([column[code] for column, code in zip(self._grid.T, codes)])
        keys: Words = hilbert_keys(np.ascontiguousarray(grid), self._bits)[:, 0]
        return keys

    @property
    def key_bits(self) -> int:
        """Keys lie below 2 to the power of this."""
        return self._bits * self._used

    @property
    def _used(self) -> int:
        """Attributes that the curve runs through."""
        return min(len(self.encoded.columns), WORD)

    @property
    def _bits(self) -> int:
        return max(min(BITS, WORD // self._used), 1)

    @cached_property
    def _grid(self) -> Words:
        """[code, attribute] the place on the grid of the curve."""
        return cells(self.encoded.unitless.points[:, : self._used], self._bits)
