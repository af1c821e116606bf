# SPDX-License-Identifier: Apache-2.0
"""A box of its own for each record: (k,k)-anonymity, and a secret draw that hides which record lends a row the rest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from shoal.ground import streams
from shoal.judging.boxes import Rings, check_boxes, private_values, row_losses
from shoal.judging.verdicts import Verdict
from shoal.plan.plan import Plan
from shoal.plan.roles import SENSITIVE
from shoal.releases.kinds.kind import Kind, Made, guarded, shuffled
from shoal.releases.private import Private
from shoal.releases.reports import weaker_sections
from shoal.tables.equivalence_classes import classes
from shoal.tables.stowaways import formula_cells
from shoal.tables.table import Table

if TYPE_CHECKING:
    from shoal.engine.encoding.encoded import Encoded

GIVEN_SEED = (
    "a seed was given: whoever learns it and knows the recognisable columns of the people can undo the secret draw "
    "that hides which row is whose; leave the seed out to have it drawn by the operating system and kept nowhere"
)


class BoxesKind(Kind):
    """Every row shows a box around some neighbours in a ring, with the private columns of one of them."""

    def announcement(self, plan: Plan) -> str:
        """Also that a given seed is not secret."""
        said = super().announcement(plan)
        return said if plan.seed is None else f"{said} And {GIVEN_SEED}."

    def render(self, table: Table, encoded: Encoded, found: Any, plan: Plan) -> Made:
        """A row per box, with the private columns of the record that the draw pairs it with."""
        from shoal.engine.generalizing.boxes import Windows, check_renderings, render_boxes
        from shoal.engine.methods import Partition

        check_renderings(plan)
        boxes = Windows(found.starts, found.size)
        lenders = found.order[boxes.lenders(plan.seed)]
        released = render_boxes(table, encoded, found.order, boxes, lenders, plan)
        formulas = formula_cells(released)
        order = shuffled(released, None if plan.seed is None else [plan.seed, streams.ORDER])
        rings = Rings(found.order, found.starts, order, lenders[order])
        ring = np.empty(len(table), dtype=np.int64)
        ring[found.order] = np.repeat(np.arange(len(found.starts) - 1), np.diff(found.starts))
        original = table.select(plan.quasi_identifiers)
        private = Private(Partition.of(ring).labels, (rings.lenders,), original, rings=rings)
        released = guarded(released, plan).take(order)
        return Made((released,), private, formulas, released, np.full(len(table), plan.k, dtype=np.int64))

    def judge(self, tables: Sequence[Table], plan: Plan, private: Private | None, **beside: Any) -> Verdict:
        """(k,k) and the pairing, for whoever knows the rings; and for the maker a warning about a given seed."""
        if private is None:
            return check_boxes(tables[0], plan, files=beside.get("files", ()), allow=beside.get("allow", ()))
        verdict = check_boxes(tables[0], plan, private.original, private.rings)
        return verdict if plan.seed is None else replace(verdict, warnings=(*verdict.warnings, GIVEN_SEED))

    def facts(self, table: Table, made: Made, plan: Plan, verdict: Verdict) -> dict[str, Any]:
        """Rings, the loss of single rows, and the private values inside a box."""
        rings, released = made.private.rings, made.measured
        assert rings is not None
        losses = row_losses(table, released, plan)
        private = [name for name in table.names if name in plan.having(SENSITIVE)]
        facts = super().facts(table, made, plan, verdict) | {
            "columns": len(released.names),
            "rings": len(rings.starts) - 1,
            "row_loss": {
                "smallest": float(losses.min()),
                "median": float(np.median(losses)),
                "mean": float(losses.mean()),
                "largest": float(losses.max()),
            },
        }
        if private:
            different = private_values(rings, plan.k, classes(table, private))
            facts["private_values_per_box"] = {"fewest": int(different.min()), "mean": float(different.mean())}
        return facts


BOXES = BoxesKind(
    name="boxes",
    words="boxes",
    promise="(k,k) for boxes",
    findings={
        "boxes": "Every box fits at least k records of the original, and every record fits at least k boxes.",
        "lenders": "No record of a box is more likely than 1 in k to be the one that lends it its private columns.",
    },
    figures={"boxes_per_record": "k", "records_per_box": "k"},
    letters="(k,k) = ({k},{k})",
    headline="{released:,} rows, each a box that fits at least {k:,} records",
    rows={"Records per box, boxes per record": "at least {k:,}"},
    lines={
        "Rows": "{released:,} released, each with a box of its own",
        "Boxes": "(k,k) = ({k:,},{k:,}), {rings:,} rings",
    },
    weakness="{method} does not publish groups of look-alikes but a box of its own for each record. Every box fits k "
    "records and every record fits k boxes, but a row may be the only one of its kind, and which record it belongs to "
    "is hidden by a secret draw alone: learning true rows of a ring narrows down the others, and with k = 2 one row "
    "reveals them all. "
    "The verdict therefore tells (k,k) and not k.",
    attackers="For an attacker who knows that a person is in the table, and all recognisable columns about everybody, "
    "but not the secret draw nor any true row.",
    groups=weaker_sections.boxes,
    secret=True,
    lends=True,
    keeps_models=False,
)
