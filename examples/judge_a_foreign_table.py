# SPDX-License-Identifier: Apache-2.0
"""Judge a table that another program made, and find out what k it really has."""

from __future__ import annotations

import csv
import tempfile
from pathlib import Path

import shoal

rows = [
    ("[20, 29]", "f", "80**", "flu"),
    ("[20, 29]", "f", "80**", "asthma"),
    ("[30, 39]", "m", "80**", "flu"),
    ("[30, 39]", "m", "80**", "migraine"),
    ("[30, 39]", "", "80**", "migraine"),  # unique: its sex is missing, and an attacker sees that
]
path = Path(tempfile.mkdtemp()) / "published.csv"
with path.open("w", newline="") as file:
    csv.writer(file).writerows([("age", "sex", "zip", "disease"), *rows])

verdict = shoal.check(path, quasi_identifiers=["age", "sex", "zip"], k=2)
print(verdict)
print("safe to publish:", verdict.holds)
