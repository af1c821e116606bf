# SPDX-License-Identifier: Apache-2.0
"""How much detail each k costs, and what risk remains: a table to choose k by."""

from __future__ import annotations

import shoal
from shoal.studies.samples.patients import patient_plan

patients = shoal.synthetic_patients(1000)

print(f"{'k':>4} {'loss per cell':>14} {'largest risk':>13} {'mean risk':>10}")
for k in (2, 5, 10, 25, 50):
    release = shoal.anonymize(patients, **patient_plan(k))
    measured = {one.metric: one for one in release.measurements}
    loss = measured["ncp"].figures["per_cell"]
    risk = measured["prosecutor_risk"]
    print(f"{k:>4} {loss:>14.3f} {risk.value:>13.3f} {risk.figures['mean']:>10.3f}")
