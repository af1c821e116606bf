# SPDX-License-Identifier: Apache-2.0
"""Every format that the catalogue lists sits the public exam."""

from __future__ import annotations

import pytest

from shoal.ground import catalog
from shoal.testing.formats import check_format


@pytest.mark.parametrize("name", catalog.names("formats"))
def test_format_passes_the_exam(name: str) -> None:
    """A format that is listed keeps the promises of all formats."""
    check_format(name)
