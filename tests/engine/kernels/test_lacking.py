# SPDX-License-Identifier: Apache-2.0
"""What a class lacks to obey: as the definitions of the rules read."""

from __future__ import annotations

import numpy as np
import pytest

from shoal.engine.kernels.enforcing.lacking import broken_classes, lack_of
from shoal.engine.kernels.rules import as_arrays
from shoal.ground.requirements import RULES
from tests.reference.lacking import lack
from tests.reference.rules import random_rule


@pytest.mark.parametrize("kind", RULES)
def test_lacking_equals_its_twin(kind: str) -> None:
    """The measure by which classes are mended, with what is missing in size; broken are those that lack anything."""
    lacking = 0
    for seed in range(60):
        random = np.random.default_rng([seed, RULES.index(kind)])
        n, least = int(random.integers(2, 40)), int(random.integers(1, 6))
        rule = random_rule(random, kind, n)
        rows = random.permutation(n)[: int(random.integers(1, n + 1))]
        rules, expected = as_arrays((rule,), n), lack(rule, rule.codes[rows]) + max(least - len(rows), 0)
        assert lack_of(rules, rows, least) == pytest.approx(expected, abs=1e-7)
        assert broken_classes(rules, rows, np.array([len(rows)]), least).tolist() == [expected > 0]
        lacking += expected > 0
    assert lacking > 5
