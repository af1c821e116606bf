# SPDX-License-Identifier: Apache-2.0
"""One k-anonymous table: every row is in a class of at least k that look alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from shoal.ground import streams
from shoal.ground.arrays import Ints
from shoal.judging.checking import check
from shoal.judging.persons import persons_of
from shoal.judging.promises import own_k_of
from shoal.judging.verdicts import Verdict
from shoal.plan.plan import Plan
from shoal.plan.roles import DROP, IDENTIFIER
from shoal.releases.kinds.kind import Kind, Made, guarded, shuffled
from shoal.releases.private import Private
from shoal.releases.reports.findings import Reported, guarantee
from shoal.tables.equivalence_classes import classes as equivalence_classes
from shoal.tables.stowaways import formula_cells
from shoal.tables.table import Table

if TYPE_CHECKING:
    from shoal.engine.encoding.encoded import Encoded


class ClassesKind(Kind):
    """One table of classes."""

    def render(self, table: Table, encoded: Encoded, found: Any, plan: Plan) -> Made:
        """The rows of all classes, shuffled unless their order is to be kept."""
        from shoal.engine.generalizing.generalize import generalize

        released = generalize(table, encoded, found.labels, plan)
        formulas = formula_cells(released)
        released = guarded(released, plan)
        order = np.arange(len(released)) if plan.keep_order else shuffled(released, [plan.seed or 0, streams.ORDER])
        released, rows = released.reordered(order), np.flatnonzero(found.labels >= 0)[order]
        persons = None if plan.person is None else persons_of(table, plan)[rows]
        known = [*plan.quasi_identifiers, *([] if plan.sample_weight is None else [plan.sample_weight])]
        private = Private(found.labels, (rows,), table.select(known), persons, own_k_of(table, plan))
        return Made((released,), private, formulas, released)

    def judge(self, tables: Sequence[Table], plan: Plan, private: Private | None, **beside: Any) -> Verdict:
        """Every model and every leak; persons, and what they ask for, as far as they are known."""
        known: dict[str, Any] = {}
        if private is not None:  # the maker judges gates by what was measured
            plan = replace(plan, require=())
            own = None if private.own_k is None else private.own_k[private.rows[0]]
            known = {"persons": private.persons, "own_k": own}
        return check(tables[0], plan=plan, **known, **beside)

    def facts(self, table: Table, made: Made, plan: Plan, verdict: Verdict) -> dict[str, Any]:
        """Counts of rows, columns and look-alike groups."""
        return gather_facts(plan, made.measured, made.private.classes, formula_cells=made.formulas)

    def statement(self, plan: Plan) -> str:
        """How rows look alike, and how rarely a guess is right."""
        return guarantee(plan)

    def numbers(self, release: Reported) -> dict[str, Any]:
        """Also how many rows were left out, and how many groups of what sizes there are."""
        facts = release.facts
        smallest, largest = facts.get("smallest_class", 0), facts.get("largest_class", 0)
        sizes = f"{smallest:,}" if smallest == largest else f"{smallest:,} to {largest:,}"
        return super().numbers(release) | {
            "left_out": f", {facts['suppressed']:,} left out" if facts.get("suppressed") else "",
            "groups": f"{facts['classes']:,} of {sizes} look-alikes" if largest else "",
        }


CLASSES = ClassesKind(
    name="classes",
    words="classes",
    promise="a table in which every asked model holds",
    findings={},
    figures={"k": "k"},
    letters="k = {k}",
    headline="{released:,} rows, each among at least {k:,} look-alikes",
    rows={"k": "{k:,}"},
    lines={"Rows": "{released:,} released{left_out}", "Groups": "{groups}"},
)


def gather_facts(
    plan: Plan, released: Table, classes: Ints, *, formula_cells: Mapping[str, int] | None = None
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
        "identifiers_removed": plan.having(IDENTIFIER),
        "columns_dropped": plan.having(DROP),
        "classes": int(counts.sum()),
        "smallest_class": int(sizes[0]) if len(sizes) else 0,
        "largest_class": int(sizes[-1]) if len(sizes) else 0,
        "class_sizes": {int(size): int(count) for size, count in zip(sizes, counts)},
        "order": "kept" if plan.keep_order else "shuffled",
        "formula_cells": {name: int(count) for name, count in (formula_cells or {}).items() if count},
    }
