# SPDX-License-Identifier: Apache-2.0
"""What a release says about how good it is."""

from __future__ import annotations

import math

import numpy as np
import pytest

from shoal.bounds.bound import certify, lower_bound
from shoal.bounds.certificate import Certificate
from shoal.encoding.encoded import Encoded, EncodedColumn

AGES = Encoded((EncodedColumn("age", np.array([1.0, 2.0, 3.0, 10.0]), weight=2.0),))


def test_loss_and_bound_are_per_cell() -> None:
    """Pairs {1, 2}, {3, 10} lose 2 · 1/9 + 2 · 7/9 of 4 cells, and nothing can lose less (see the worked example)."""
    found = certify(AGES, np.array([0, 0, 1, 1]), 2)
    assert found is not None
    assert found.loss == pytest.approx(4 / 9)
    assert found.gap == pytest.approx(1, rel=1e-3)
    worse = certify(AGES, np.array([0, 0, 0, 0]), 2)
    assert worse is not None
    assert worse.gap == pytest.approx(9 / 4, rel=1e-3)


def test_no_certificate_where_the_bound_does_not_hold() -> None:
    """Not for squared errors, which are no hulls; not where records were left out; not where nothing counts."""
    labels = np.array([0, 0, 1, 1])
    assert certify(Encoded(AGES.columns, "sse"), labels, 2) is None
    assert lower_bound(Encoded(AGES.columns, "sse"), 2).total == 0
    assert certify(AGES, np.array([0, 0, -1, -1]), 2) is None
    assert certify(Encoded((EncodedColumn("age", np.arange(4.0), weight=0.0),)), labels, 2) is None


def test_the_sentence_never_says_too_little() -> None:
    """The gap is rounded up; a part of the records is named; no bound is no promise."""

    def said(loss: float, bound: float, covered: int = 100) -> str:
        return Certificate(loss, bound, 10, 100, covered, "prices").sentence()

    assert "at most 1.51 times" in said(0.1501, 0.1)
    assert "at most 1.50 times" in said(0.15, 0.1)
    assert "for 39 % of the rows" in Certificate(0.15, 0.1, 10, 1000, 399, "boxes").sentence()
    assert said(0.1, 0.1) == said(0.0, 0.0) == "No grouping could lose less with groups of at least 10."
    assert "not worked out" in said(0.1, 0.0)
    assert math.isinf(Certificate(0.1, 0.0, 10, 1, 1, "boxes").gap)
