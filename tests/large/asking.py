# SPDX-License-Identifier: Apache-2.0
"""What the tests of cut tables ask for, and how they have it released."""

from __future__ import annotations

from pathlib import Path

import shoal
from shoal.ground.progress import Progress
from shoal.large.release import release_long
from shoal.plan.plan import Plan

QI = ["age", "sex", "postcode", "admission_date"]
OTHERS = ["diagnosis", "cost"]
ASKED = Plan.of(
    3,
    quasi_identifiers=QI,
    sensitive=["diagnosis"],
    identifiers=["name"],
    insensitive=["cost"],
    kinds={"postcode": "text-prefix"},
    models={"l_diversity": {"l": 2}},
    method="k_members",
    seed=5,
    cell_rows=200,
)


def released(parts: Path, out: Path, asked: Plan = ASKED) -> shoal.Release:
    """The release of the parts."""
    return release_long(parts, asked, out, Progress())
