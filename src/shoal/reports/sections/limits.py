# SPDX-License-Identifier: Apache-2.0
"""What the promise does not cover."""

from __future__ import annotations

from shoal.reports.findings import Reported
from shoal.reports.pieces import bullets
from shoal.reports.words import NOT_COVERED

HEADING = "What this does not protect against"


def section(release: Reported) -> str:
    """A list."""
    return bullets(NOT_COVERED)
