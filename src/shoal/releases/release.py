# SPDX-License-Identifier: Apache-2.0
"""Release: the result of one run, in memory; what :func:`shoal.anonymize` returns.

``table`` is what may be published. ``classes`` and ``rows`` link released rows to input rows and stay with the
custodian: they are in no file of the release folder, and no text about a release quotes a cell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.bounds.certificate import Certificate
from shoal.errors import PlanError
from shoal.metrics._protocol import Measurement
from shoal.plan import Plan
from shoal.portraits.portrait import Portrait
from shoal.privacy_models._protocol import Verdict
from shoal.roles.roles import IDENTIFIER
from shoal.tables.equivalence_classes import classes as equivalence_classes
from shoal.tables.table import Table


@dataclass(frozen=True)
class Subtable:
    """One of several tables of the same people, its rows shuffled by themselves."""

    released: Table = field(repr=False)
    rows: NDArray[np.int64] = field(repr=False)
    """Input row shown in each released row. Private."""


@dataclass(frozen=True)
class Release:
    """A released table with its plan, verdict and measurements."""

    released: Table = field(repr=False)
    """The neutral table, rows in publishing order; of several sub-tables the first."""
    plan: Plan
    """Complete: kinds resolved, hierarchies loaded, reading settled."""
    classes: NDArray[np.int64]
    """Class of each *input* row, -1 if it was left out; of sub-tables, as if joined; of boxes, the ring. Private."""
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
    subtables: tuple[Subtable, ...] = ()
    """All tables, where the method publishes several."""
    certificate: Certificate | None = None
    """How far the loss can be above the smallest possible, where that is known."""
    judge: Callable[[Sequence[Table]], Verdict] | None = field(default=None, repr=False)
    """Judges the tables once they are read back, where that takes more than the tables themselves."""
    portray: Callable[[], Portrait] | None = field(default=None, repr=False)
    """Puts the release beside its original; it costs some time, so only what reports on the release calls it."""

    @cached_property
    def portrait(self) -> Portrait | None:
        """How columns and pairs of columns came through, in labels of the released table only."""
        return self.portray() if self.portray else None

    @property
    def parts(self) -> tuple[Subtable, ...]:
        """All tables of the release: one, or the sub-tables."""
        return self.subtables or (Subtable(self.released, self.rows),)

    @cached_property
    def table(self) -> Any:
        """The released table, of the same kind as the input."""
        if self.subtables:
            raise PlanError(
                "The release is several sub-tables, not one table.",
                where="release.table",
                allowed="release.tables",
                received=f"a release of {len(self.subtables)} sub-tables",
                todo="take release.tables, and never join them: only each by itself hides anybody",
            )
        return self.tables[0]

    @cached_property
    def tables(self) -> tuple[Any, ...]:
        """Every table of the release, of the same kind as the input."""
        if self.hand_back is None:
            return tuple(part.released.frame for part in self.parts)
        return tuple(self.hand_back(part.released, part.rows, self._changed()) for part in self.parts)

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

    def publish(self, to: str | Path, table: str | None = None, overwrite: bool = False) -> list[str]:
        """Write the released table to a database, in one transaction and judged first; the names it got there."""
        from shoal.releases.publishing import publish

        return publish(self, to, table, overwrite=overwrite)

    def _repr_html_(self) -> str:
        from shoal.reports.html import card

        return card(self)

    def __repr__(self) -> str:
        verdict = "holds" if self.verdict.holds else "does not hold"
        columns = sum(len(part.released.names) for part in self.parts)
        shape = f"{len(self.released)} rows, {columns} columns" + f" in {len(self.parts)} sub-tables" * bool(
            self.subtables
        )
        return f"<Release: {shape}, {promised(self.plan.k, self.facts)}, {self.plan.method}, {verdict}>"


def promised(k: int, facts: Mapping[str, Any]) -> str:
    """What a release promises in a few letters; k alone only where it is one table of classes."""
    kind = facts.get("releases")
    if kind == "subtables":
        return f"k per sub-table = {facts['k_per_subtable']}, k joint = {facts['k_joint']}"
    return f"(k,k) = ({k},{k})" if kind == "boxes" else f"k = {k}"


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
