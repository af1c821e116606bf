# SPDX-License-Identifier: Apache-2.0
"""What a suggested plan will cost, before it runs."""

from __future__ import annotations

from dataclasses import replace

import shoal


def test_the_forecast_is_near_the_loss_of_the_run() -> None:
    """The loss is told within half and twice of what a run then loses, and as a sentence."""
    patients = shoal.synthetic_patients(400, seed=2)
    suggestion = shoal.suggest(patients, k=5)
    told = shoal.forecast(suggestion)
    release = shoal.anonymize(patients, plan=replace(suggestion.plan, method="k_member"))
    lost = next(one.figures["per_cell"] for one in release.measurements if one.metric == "ncp")
    assert 0.5 * lost < told.loss < 2 * lost
    assert told.seconds > 0
    assert "of the detail in the quasi-identifiers will be lost" in str(told)
    assert told.to_dict()["loss"] == told.loss
