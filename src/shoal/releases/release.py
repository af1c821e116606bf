# SPDX-License-Identifier: Apache-2.0
"""Release: the result of one run, in memory; what :func:`shoal.anonymize` returns.

``table`` is what may be published. ``classes`` and ``rows`` link released rows to input rows and stay with the
custodian: they are in no file of the release folder, and no text about a release quotes a cell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.metrics._protocol import Measurement
from shoal.plan import Plan
from shoal.privacy_models._protocol import Verdict
from shoal.roles.roles import IDENTIFIER
from shoal.tables.equivalence_classes import classes as equivalence_classes
from shoal.tables.table import Table


@dataclass(frozen=True)
class Release:
    """A released table with its plan, verdict and measurements."""

    released: Table = field(repr=False)
    """The neutral table, rows in publishing order."""
    plan: Plan
    """Complete: kinds resolved, hierarchies loaded, reading settled."""
    classes: NDArray[np.int64]
    """Class of each *input* row, -1 if it was left out. Private."""
    verdict: Verdict
    """What holds, model by model, judged on the released table."""
    measurements: tuple[Measurement, ...]
    """Loss and risk."""
    facts: Mapping[str, Any]
    """Counts about the run, safe to show; see :func:`gather_facts`."""
    rows: NDArray[np.int64]
    """Input row shown in each released row. Private."""
    hand_back: Callable[..., Any] | None = None
    """Turns the released table into the kind of frame that came in."""
    source_format: str = "parquet"
    """Format in which the table is written."""
    timings: Mapping[str, float] = field(default_factory=dict)
    """Seconds per phase; only ever shown in the manifest."""

    @cached_property
    def table(self) -> Any:
        """The released table, of the same kind as the input."""
        if self.hand_back is None:
            return self.released.frame
        return self.hand_back(self.released, self.rows, self._changed())

    def _changed(self) -> frozenset[str]:
        """Columns of the released table whose cells are not the input's own."""
        prefixed = self.facts.get("formula_cells", ()) if self.plan.formulas == "prefix" else ()
        return frozenset([*self.plan.published_quasi_identifiers, *prefixed])

    def report(self) -> str:
        """The report as one HTML page."""
        from shoal.reports.html import html

        return html(self)

    def save(self, directory: str | Path, overwrite: bool = False, format: str | None = None) -> Path:
        """Write the release folder, whole or not at all, and return its path."""
        from shoal.releases.folder import write_release

        return write_release(self, directory, overwrite, format)

    def _repr_html_(self) -> str:
        from shoal.reports.html import card

        return card(self)

    def __repr__(self) -> str:
        verdict = "holds" if self.verdict.holds else "does not hold"
        shape = f"{len(self.released)} rows, {len(self.released.names)} columns"
        return f"<Release: {shape}, k = {self.plan.k}, {self.plan.method}, {verdict}>"


def gather_facts(
    plan: Plan,
    released: Table,
    classes: NDArray[np.int64],
    *,
    removed: Iterable[str] | None = None,
    formula_cells: Mapping[str, int] | None = None,
    **others: Any,
) -> dict[str, Any]:
    """The counts that reports show: of rows, columns and look-alike groups; never a cell.

    ``class_sizes`` maps each size of a group to the number of groups of that size, smallest first. Groups are those
    a reader sees: classes that happen to publish the same values are one. Only where a missing cell matches anything
    do rows not fall into groups by sight; there the classes are counted.
    """
    seen = classes[classes >= 0]
    if plan.missing != "wildcard":
        seen = equivalence_classes(released, plan.published_quasi_identifiers)
    sizes = np.bincount(seen)
    sizes, counts = np.unique(sizes[sizes > 0], return_counts=True)
    return {
        "rows": len(classes),
        "released_rows": len(released),
        "suppressed": int(np.count_nonzero(classes < 0)),
        "columns": len(released.names),
        "identifiers_removed": list(plan.having(IDENTIFIER) if removed is None else removed),
        "classes": int(counts.sum()),
        "smallest_class": int(sizes[0]) if len(sizes) else 0,
        "largest_class": int(sizes[-1]) if len(sizes) else 0,
        "class_sizes": {int(size): int(count) for size, count in zip(sizes, counts)},
        "order": "kept" if plan.keep_order else "shuffled",
        "formula_cells": {name: int(count) for name, count in (formula_cells or {}).items() if count},
        **others,
    }
