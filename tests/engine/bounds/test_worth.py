# SPDX-License-Identifier: Apache-2.0
"""What records must lose anyway: never more than any class of them loses; where it is not known, nothing is said."""

from __future__ import annotations

import numpy as np
import pytest

from shoal.engine.bounds.worth import worth
from shoal.engine.encoding.encoded import Encoded
from shoal.engine.kernels.hull import class_hulls, total_loss
from tests.counts import repeats
from tests.strategies import random_case


def known(seed: int) -> tuple[Encoded, int, np.ndarray | None]:
    """A random table, k, and what its records are worth."""
    encoded, k = random_case(seed, largest=60)
    return encoded, max(k, 2), worth(encoded, max(k, 2))


@pytest.mark.parametrize("seed", repeats(40, 400))
def test_no_class_loses_less_than_its_records_are_worth(seed: int) -> None:
    """Else the search would take a class for perfect that is not; in the unit of the table's own losses."""
    encoded, k, found = known(seed)
    if found is None:
        return
    random = np.random.default_rng(seed)
    for _ in range(50):
        members = random.permutation(len(encoded))[: random.integers(k, len(encoded) + 1)]
        lo, hi, sizes = class_hulls(encoded.points[members], np.zeros(len(members), dtype=np.int64), 1)
        assert found[members].sum() <= total_loss(encoded.hulls, lo, hi, sizes) * (1 + 1e-9) + 1e-9


def test_much_is_known_of_many_tables() -> None:
    """The promise above would be kept by saying nothing, or that nothing must be lost."""
    sums = [0.0 if found is None else float(found.sum()) for _, _, found in map(known, range(60))]
    assert sum(one > 0 for one in sums) > 20
