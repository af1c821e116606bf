# SPDX-License-Identifier: Apache-2.0
"""Builds the tree of a column in one of the ways that there are."""

from __future__ import annotations

from typing import Any

from shoal.faces.app.bench import Bench
from shoal.faces.app.facts import Places
from shoal.ground.progress import ProgressCallback, Step
from shoal.hierarchies.building import build_hierarchy
from shoal.hierarchies.hierarchy import Hierarchy
from shoal.tables.reading import Reading


def run(
    bench: Bench,
    progress: ProgressCallback,
    *,
    places: Places,
    reading: Reading,
    column: str,
    kind: str,
    settings: dict[str, Any],
) -> Hierarchy:
    """Build."""
    table = bench.source(places, reading, progress).table
    progress(Step("count"))
    return build_hierarchy(table, column, kind, **settings)
