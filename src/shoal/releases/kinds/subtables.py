# SPDX-License-Identifier: Apache-2.0
"""Several sub-tables of the same people: each by itself hides every row, together they promise nothing."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from shoal.ground import streams
from shoal.ground.arrays import Flags
from shoal.ground.errors import listed
from shoal.ground.progress import Progress
from shoal.judging.evidence import Evidence, Measurement
from shoal.judging.metrics import given_away
from shoal.judging.promises import own_k_of, requirement_of, rows_at_fault
from shoal.judging.subtables import check_models, check_subtables, joint_classes
from shoal.judging.verdicts import Beside, Verdict
from shoal.plan.plan import Plan
from shoal.plan.roles import INSENSITIVE
from shoal.releases.kinds.kind import Kind, Made, guarded, shuffled
from shoal.releases.private import Private
from shoal.releases.reports import weaker_sections
from shoal.releases.reports.findings import Reported
from shoal.tables.stowaways import formula_cells
from shoal.tables.table import Table
from shoal.tables.together import side_by_side

if TYPE_CHECKING:
    from shoal.engine.encoding.encoded import Encoded
    from shoal.engine.methods import Partition


class SubtablesKind(Kind):
    """Some quasi-identifiers in each table, with the private columns."""

    def enforced(self, table: Table, encoded: Encoded, found: Any, plan: Plan, progress: Progress) -> Any:
        """Every model in every sub-table: its classes are mended by themselves, on its own columns."""
        parts = [
            self._obeying(table, encoded, found, place, plan, progress.part(place, of=len(found.groups)))
            for place in range(len(found.groups))
        ]
        return replace(found, partitions=tuple(parts))

    def _obeying(
        self, table: Table, encoded: Encoded, found: Any, place: int, plan: Plan, progress: Progress
    ) -> Partition:
        """Classes of one sub-table that obey; the last resort is one class of all rows, else the judge refuses."""
        from shoal.engine.generalizing.subtables import render_subtables
        from shoal.engine.refining.coarsen import coarsened
        from shoal.engine.refining.enforce import obeying

        group, part = found.groups[place], encoded.part(found.groups[place])
        others = {column.name for column in encoded.columns} - {column.name for column in part.columns}
        own = replace(plan, columns={name: how for name, how in plan.columns.items() if name not in others})

        known = [Beside(own_k_of(table, plan))]

        def at_fault(trial: Partition) -> Flags:
            tables = render_subtables(table, encoded, [(group, trial.labels)], plan, apart=found.apart)
            faulty = np.zeros(len(table), dtype=np.bool_)
            for one in tables:
                faulty |= rows_at_fault(Verdict(tuple(check_models([one], own, known))), one, own)
            return faulty

        partition = obeying(part, found.partitions[place], requirement_of(own, table), progress)
        if at_fault(partition).any():
            return coarsened(part, partition, at_fault, progress) or partition
        return partition

    def render(self, table: Table, encoded: Encoded, found: Any, plan: Plan) -> Made:
        """One table for each group of attributes, its rows shuffled by themselves."""
        from shoal.engine.generalizing.subtables import render_subtables

        shape = [(group, part.labels) for group, part in zip(found.groups, found.partitions)]
        tables = render_subtables(table, encoded, shape, plan, apart=found.apart)
        formulas = {name: count for one in tables for name, count in formula_cells(one).items()}
        orders = tuple(shuffled(one, [plan.seed or 0, streams.ORDER, place]) for place, one in enumerate(tables))
        released = tuple(guarded(one, plan).take(order) for one, order in zip(tables, orders))
        joint = joint_classes(released, plan, orders)
        private = Private(joint, orders, table.select(plan.quasi_identifiers), own_k=own_k_of(table, plan))
        look_alikes = np.bincount(joint)[joint].astype(np.int64)
        return Made(released, private, formulas, self.side_by_side(tables, plan), look_alikes)

    def judge(self, tables: Sequence[Table], plan: Plan, private: Private | None, **beside: Any) -> Verdict:
        """K per sub-table, and k joint if it is known whose rows are whose."""
        seen = {"files": beside.get("files", ()), "allow": beside.get("allow", ())}
        if private is None:
            return check_subtables(tables, plan, **seen)
        return check_subtables(tables, plan, private.rows, own_k=private.own_k, **seen)

    def measure(
        self, table: Table, made: Made, plan: Plan, learnt: Mapping[str, float], progress: Progress
    ) -> tuple[Measurement, ...]:
        """What is given away is looked for in each sub-table, for they repeat the private columns."""
        each = [given_away.measure(Evidence(None, part, plan)) for part in made.tables]
        known = [(one.value, -place) for place, one in enumerate(each) if not math.isnan(one.value)]
        measured = super().measure(table, made, plan, learnt, progress)
        if not known:
            return measured
        place = -max(known)[1]
        most = replace(each[place], note=f"in sub-table {place + 1}, which gives away most")
        return tuple(most if one.metric == most.metric else one for one in measured)

    def side_by_side(self, tables: Sequence[Table], plan: Plan) -> Table:
        """The quasi-identifiers of all sub-tables."""
        return side_by_side(list(tables), plan.published_quasi_identifiers)

    def statement(self, plan: Plan) -> str:
        """Also that models hold per sub-table."""
        said = f" So it is with {listed(plan.models)}: kept in each sub-table, and not by all together."
        return super().statement(plan) + (said if plan.models else "")

    def facts(self, table: Table, made: Made, plan: Plan, verdict: Verdict) -> dict[str, Any]:
        """K of each sub-table, and the sizes of the joint classes."""
        each = [finding.figures for finding in verdict.findings if finding.model == "k_per_subtable"]
        sizes, counts = np.unique(np.bincount(made.private.classes), return_counts=True)
        declared = set(plan.columns) - set(plan.having(INSENSITIVE))
        return super().facts(table, made, plan, verdict) | {
            "columns": sum(len(part["columns"]) for part in each),
            "subtables": [
                {"columns": list(part["columns"]), "k": part["k_found"], "classes": part["classes"]} for part in each
            ],
            "k_per_subtable": min(part["k_found"] for part in each),
            "k_joint": int(sizes[0]),
            "joint_class_sizes": {int(size): int(count) for size, count in zip(sizes, counts)},
            "left_out": [name for name in table.names if name not in declared],
        }

    def numbers(self, release: Reported) -> dict[str, Any]:
        """Also how many sub-tables there are."""
        return super().numbers(release) | {"tables": len(release.facts["subtables"])}


SUBTABLES = SubtablesKind(
    name="subtables",
    words="sub-tables",
    promise="k, and every model that was asked for, in every sub-table",
    findings={
        "k_per_subtable": "Every row of the sub-table looks like at least k − 1 others in its own recognisable "
        "columns.",
        "k_joint": "Nothing is promised about the sub-tables together. This is what remains if their rows can be "
        "linked.",
    },
    figures={"k_per_subtable": "k_per_subtable", "k_joint": "k_joint"},
    unpromised=("k_joint",),
    letters="k per sub-table = {k_per_subtable}, k joint = {k_joint}",
    headline="{released:,} rows in {tables} sub-tables: k per sub-table {k_per_subtable:,}, k joint {k_joint:,}",
    rows={"k per sub-table": "{k_per_subtable:,}", "k joint": "{k_joint:,}"},
    lines={
        "Rows": "{released:,} released in {tables} sub-tables",
        "Per table": "k per sub-table = {k_per_subtable:,}",
        "Joined": "k joint = {k_joint:,}",
    },
    weakness="{method} does not publish one k-anonymous table but several sub-tables. Each by itself hides every row "
    "among k look-alikes in its own recognisable columns; together they promise nothing. Whoever can link their rows, "
    "by a rare private value or by knowledge of several columns, may single people out. The verdict therefore tells k "
    "per sub-table and k joint.",
    attacker="of one who can link the sub-tables about a person",
    attackers="For an attacker who knows all recognisable columns about a person and can link that person's rows in "
    "all sub-tables. Whoever meets one sub-table alone is right at most 1 time in k per sub-table.",
    groups=weaker_sections.subtables,
    several=True,
)
