# SPDX-License-Identifier: Apache-2.0
"""The atlas: where every value of every quasi-identifier lies, so that any few records can be encoded by their codes.

It is the encoded digest of a table (:mod:`shoal.tables.digest`). A part of the table encoded by it has the coordinates,
trees, steps and losses of the whole: the loss of a class is the same wherever it is computed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from shoal.engine.encoding.curve import Curve
from shoal.engine.encoding.encode import encode
from shoal.engine.encoding.encoded import Encoded
from shoal.ground.arrays import SmallCodes
from shoal.plan.plan import Plan
from shoal.tables.table import Table


@dataclass(frozen=True, eq=False)
class Atlas:
    """The quasi-identifiers of a digest: a code of a column is the row of the digest that shows its cell."""

    encoded: Encoded
    """As it is published."""
    curve: Curve
    """Where a record lies, by its codes."""

    @classmethod
    def of(cls, digest: Table, plan: Plan, parts: int = 1) -> Atlas:
        """Encode the digest of a table, for a completed plan; names may be kept apart in so many parts."""
        encoded = encode(digest, plan)
        return cls(encoded, Curve.through(encoded, parts))

    def records(self, codes: Sequence[SmallCodes], *, written: bool = False) -> Encoded:
        """Records by the codes of their quasi-identifiers: as methods see them, or as they are to be written."""
        source = self.encoded if written else self.encoded.unitless
        columns = zip(source.columns, codes, strict=True)
        parts = [replace(column.take(code.astype(np.int64)), whole_span=column.span) for column, code in columns]
        return Encoded(tuple(parts), source.loss)
