# SPDX-License-Identifier: Apache-2.0
"""Tables that several sections of the HTML report show."""

from __future__ import annotations

from collections.abc import Sequence

from shoal.ground.pieces import TextTable
from shoal.ground.wording import number, sentence
from shoal.judging.evidence import Measurement
from shoal.releases.reports.findings import SizeBin, summary_of


def measures_table(measurements: Sequence[Measurement], caption: str) -> TextTable:
    """Name, value, and what it is; further figures behind it."""
    rows = []
    for one in measurements:
        figures = ", ".join(f"{name.replace('_', ' ')} {number(value)}" for name, value in one.figures.items())
        better = f"{one.better} is better"
        said = (summary_of("metrics", one.metric), one.note, better, figures and f"Further: {figures}")
        meaning = " ".join(sentence(part) for part in said if part)
        rows.append((one.metric.replace("_", " "), number(one.value), meaning))
    return TextTable(caption, ("Measure", "Value", "What it is"), rows, (1,))


def sizes_table(caption: str, bins: Sequence[SizeBin]) -> TextTable:
    """Groups by their size."""
    rows = [(one.label, f"{one.groups:,}", f"{one.rows:,}") for one in bins]
    return TextTable(caption, ("Rows in the group", "Groups", "Rows in all"), rows, (1, 2))
