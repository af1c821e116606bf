# SPDX-License-Identifier: Apache-2.0
"""The last step of a pipeline: a table is passed on only if it keeps its promise and nothing leaks."""

from __future__ import annotations

import shoal
from shoal.testing import assert_anonymous

CLAIM = {"k": 5, "quasi_identifiers": ["age", "sex"], "sensitive": ["diagnosis"]}

patients = shoal.synthetic_patients(300).select("age", "sex", "diagnosis")
release = shoal.anonymize(patients, **CLAIM, method="hilbert")

assert_anonymous(release.table, **CLAIM, strict=True)  # raises if not
print("passed on:", release)

try:
    assert_anonymous(patients, **CLAIM)
except AssertionError as refused:
    print("kept back:", str(refused).splitlines()[1].strip())
