# SPDX-License-Identifier: Apache-2.0
"""Defects planted by chance are found, and good releases are not accused; ``make fuzz`` plants many more."""

from __future__ import annotations

import numpy as np
import pytest

from tests.counts import repeats
from tests.defects.__main__ import examined, planned
from tests.defects.cases import EXTENSIONS, Defect


@pytest.mark.thin(3)
@pytest.mark.parametrize("format", EXTENSIONS)
def test_a_good_release_is_not_accused(format: str) -> None:
    """Strict checking beside the original is green, whatever the format."""
    assert examined(7, None, format) == ""


@pytest.mark.thin(4)
@pytest.mark.parametrize(("defect", "formats"), planned(), ids=lambda part: getattr(part, "__name__", ""))
@pytest.mark.parametrize("seed", repeats(1, 5))
def test_a_defect_is_found(defect: Defect, formats: tuple[str, ...], seed: int) -> None:
    """Every defect ends strict checking with a no or a refusal, in a format drawn by chance."""
    format = str(np.random.default_rng([43, seed, len(defect.__name__)]).choice(formats))
    assert examined(seed, defect, format) == ""


def test_there_are_enough_kinds() -> None:
    """Forty kinds at least."""
    assert len(planned()) >= 40
