# SPDX-License-Identifier: Apache-2.0
"""The values of one column with their rows, for its tree; of all rows."""

from __future__ import annotations

from shoal.faces.app.bench import Bench
from shoal.faces.app.facts import Places
from shoal.ground.progress import ProgressCallback, Step
from shoal.hierarchies.building import values_of
from shoal.tables.reading import Reading

MOST = 20_000
"""Values that are told, the commonest first."""


def run(
    bench: Bench, progress: ProgressCallback, *, places: Places, reading: Reading, column: str
) -> tuple[str, dict[str, int], int]:
    """The column, its values with their rows, and how many values it has in all."""
    table = bench.source(places, reading, progress).table
    progress(Step("count"))
    values = values_of(table, column)
    order = sorted(range(len(values.texts)), key=lambda place: -int(values.counts[place]))[:MOST]
    return column, {values.texts[place]: int(values.counts[place]) for place in order}, len(values.texts)
