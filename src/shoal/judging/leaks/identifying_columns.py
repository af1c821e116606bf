# SPDX-License-Identifier: Apache-2.0
"""An insensitive column that is different in every row, or nearly: it may be an identifier left in.

Whoever knows the value of a person finds the row at once, and k look-alikes do not help. Looked at are text and whole
numbers in columns that are published as they are; real numbers and dates are measurements and may all differ. So may
amounts of money in whole numbers: numbers count only if they look given out, which is to say that they fill their
range, lie evenly in it, or are too long for quantities.
Sensitive columns are left alone here: they are private, so that nobody should know their values.
"""

from __future__ import annotations

from collections.abc import Iterator

from shoal.judging.leak_search import WARNING, Leak, LeakScene
from shoal.plan.roles import INSENSITIVE
from shoal.tables.row_marks import given_out, nearly_tells_rows_apart, tells_rows_apart

ADVICE = "name it by --identifier or --qi, or by --sensitive if nobody else could know it"


def find(scene: LeakScene) -> Iterator[Leak]:
    """Columns that tell the rows apart."""
    for name in scene.having(INSENSITIVE):
        every = tells_rows_apart(scene.released, name)
        if not (every or nearly_tells_rows_apart(scene.released, name)) or not given_out(scene.released, name):
            continue
        how = "in every row" if every else "in nearly every row"
        said = f"column {name!r} is different {how}: it may be an identifier left in"
        yield Leak("identifying_columns", WARNING, said, ADVICE, (name,))
