# SPDX-License-Identifier: Apache-2.0
"""Measures with their values and meanings, as a table of the HTML report."""

from __future__ import annotations

from collections.abc import Sequence

from shoal.metrics._protocol import Measurement
from shoal.reports.findings import summary_of
from shoal.reports.pieces import sentence, text_table
from shoal.reports.text import number


def measures_table(measurements: Sequence[Measurement], caption: str) -> str:
    """Name, value, and what it is; further figures behind it."""
    rows = []
    for one in measurements:
        figures = ", ".join(f"{name.replace('_', ' ')} {number(value)}" for name, value in one.figures.items())
        better = f"{one.better} is better"
        said = (summary_of("metrics", one.metric), one.note, better, figures and f"Further: {figures}")
        rows.append(
            (one.metric.replace("_", " "), number(one.value), " ".join(sentence(part) for part in said if part))
        )
    return text_table(caption, ("Measure", "Value", "What it is"), rows, (1,))
