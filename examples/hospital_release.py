# SPDX-License-Identifier: Apache-2.0
"""A hospital publishes its patients: look-alikes of ten, no diagnosis given away, and a sheet to sign."""

from __future__ import annotations

import tempfile
from pathlib import Path

import shoal
from shoal.studies.samples.patients import patient_hierarchies

patients = shoal.synthetic_patients(800, seed=1)
trees = patient_hierarchies()

plan = shoal.Plan.of(
    10,
    quasi_identifiers=["age", "sex", "postcode"],
    sensitive=["diagnosis"],
    identifiers=["name", "email", "phone", "birth_date", "note"],
    rest="drop",  # nobody asked for the others
    hierarchies={"postcode": trees["postcode"]},
    models={"l_diversity": {"l": 3}},  # three diagnoses among all look-alikes
    method="k_members",
    title="Admissions, open data",
    responsible="Medical records office",
)
release = shoal.anonymize(patients, plan=plan)
assert release.verdict.holds

folder = release.save(Path(tempfile.mkdtemp()) / "released")
(table,) = folder.glob("table.*")
assert shoal.check(table, plan=plan).holds  # judged again, from the written bytes
print(release.verdict)
print(f"to publish: {table.name}; to sign and file: report.html")
