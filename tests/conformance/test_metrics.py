# SPDX-License-Identifier: Apache-2.0
"""Every metric of the catalogue sits the public exam."""

from __future__ import annotations

import pytest

from shoal import catalog
from shoal.testing.metrics import check_metric


@pytest.mark.parametrize("name", catalog.names("metrics"))
def test_metric_passes_the_exam(name: str) -> None:
    """A metric that is listed keeps the promises of all metrics."""
    check_metric(name)
