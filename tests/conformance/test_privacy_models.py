# SPDX-License-Identifier: Apache-2.0
"""Every privacy model of the catalogue sits the public exam."""

from __future__ import annotations

import pytest

from shoal import catalog
from shoal.testing.privacy_models import check_privacy_model


@pytest.mark.parametrize("name", catalog.names("privacy_models"))
def test_model_passes_the_exam(name: str) -> None:
    """A model that is listed keeps the promises of all models."""
    check_privacy_model(name)


@pytest.mark.parametrize("k", [1, 2, 3])
def test_k_anonymity_passes_with_a_claim(k: int) -> None:
    """The exam also holds where a claim is made, true or false."""
    check_privacy_model("k_anonymity", k=k)
