# SPDX-License-Identifier: Apache-2.0
"""From a frame to a release folder: the main job in ten lines of Python."""

from __future__ import annotations

import tempfile
from pathlib import Path

import shoal
from shoal.studies.samples.patients import patient_hierarchies

patients = shoal.synthetic_patients(2000, seed=4)

release = shoal.anonymize(
    patients,
    k=10,
    quasi_identifiers=["age", "sex", "postcode", "nationality"],
    sensitive=["diagnosis", "cost"],
    identifiers=["name", "email", "phone", "birth_date", "note"],
    drop=["marital_status", "insurance", "admission_date"],  # nobody needs them
    hierarchies={name: patient_hierarchies()[name] for name in ("postcode", "nationality")},
    weights={"age": 2.0},  # ages are what the study is about
)

print(release.verdict)
print(release.table.head(5))

folder = release.save(Path(tempfile.mkdtemp()) / "released")
print("written:", *sorted(path.name for path in folder.iterdir()))
