# SPDX-License-Identifier: Apache-2.0
"""Rows that a user gives instead of a draw."""

from __future__ import annotations

import numpy as np
import pytest

from shoal.engine.algorithms._given import first_rows, visiting_order
from shoal.ground.errors import PlanError


@pytest.mark.parametrize("rows", [(1, 1), (0, 4), (-1, 2)], ids=["repeated", "too large", "negative"])
def test_rows_that_do_not_fit_are_refused(rows: tuple[int, ...]) -> None:
    """Whatever is wrong with given rows, the error names the parameter and has all its parts."""
    random = np.random.default_rng(0)
    for act, name in (
        (lambda: visiting_order(rows, 4, random, "top_down"), "parameter 'order' of method 'top_down'"),
        (lambda: first_rows(rows, 4, 2, random, "The first centres", "wf_c_means"), "parameter 'init' of method"),
    ):
        with pytest.raises(PlanError, match="not fit the table") as refused:
            act()
        assert name in refused.value.where
        assert "some repeated or out of range" in refused.value.received
        assert len(refused.value.parts()) == 5


def test_one_row_for_each_class() -> None:
    """Too few first rows are refused by their number; none at all are drawn, all different."""
    with pytest.raises(PlanError) as refused:
        first_rows((1,), 4, 2, np.random.default_rng(0), "The first centres", "wf_c_means")
    assert refused.value.received == "1 numbers"
    assert refused.value.allowed == "2 different row numbers from 0 to 3, one for each k records"
    assert len(set(first_rows((), 50, 20, np.random.default_rng(0), "The first centres", "wf_c_means").tolist())) == 20
