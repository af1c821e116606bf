# SPDX-License-Identifier: Apache-2.0
"""What would help a column that costs much: each change tried in a short run."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from shoal.faces.app.bench import Bench
from shoal.faces.app.facts import BEGINNINGS, TREE, Helped, Places
from shoal.ground.errors import ShoalError
from shoal.ground.progress import ProgressCallback
from shoal.hierarchies.building import build_hierarchy
from shoal.hierarchies.hierarchy import Hierarchy
from shoal.plan import roles
from shoal.plan.columns import ColumnPlan
from shoal.plan.plan import Plan, load_hierarchies
from shoal.studies.comparing.attribution import Attribution, attribute, mean_loss
from shoal.studies.comparing.grid import DROP, HALVE, Cell
from shoal.studies.comparing.running import Runner
from shoal.tables.reading import Reading
from shoal.tables.table import Table

STEPS = 5_000
"""Of the search, per record: enough to compare."""


def run(
    bench: Bench, progress: ProgressCallback, *, places: Places, reading: Reading, plan: Plan, column: str
) -> tuple[Helped, ...]:
    """Every change that was tried, the most helpful first."""
    table = bench.source(places, reading, progress).table
    quick = replace(load_hierarchies(plan), time_budget=None, steps=STEPS, stop_after=None, stop_bound_after=None)
    found = attribute(table, quick, columns=[column], progress=progress)
    planned = plan.columns[column]
    clicks = {DROP: replace(planned, role=roles.DROP), HALVE: replace(planned, weight=planned.weight / 2)}
    helped = [
        Helped(one.change, one.note, one.others_before, one.others, found.total, one.total, clicks.get(one.change))
        for one in found.effects
    ]
    for change, becomes in _grouped(table, column, quick.columns[column]).items():
        changed = quick.with_columns({column: becomes})
        (one,) = Runner.on(table, changed, None, progress=progress).run([Cell(plan.method, plan.k, plan.seed or 0)])
        if one.done:
            others = {name: weight for name, weight in found.weights.items() if name != column}
            before, after = (mean_loss(losses, others) for losses in (found.per_column, one.per_column))
            helped.append(Helped(change, "", before, after, found.total, one.loss, becomes))
    return tuple(sorted(helped, key=lambda one: -(_whole(found, one))))


def _whole(found: Attribution, one: Helped) -> float:
    """By how much the whole loss falls, else that of the others."""
    return (one.saves or 0.0) + max((found.total or 0.0) - (one.total or 1.0), 0.0)


def _grouped(table: Table, column: str, planned: ColumnPlan) -> dict[str, ColumnPlan]:
    """Ways to group the values of a column of names that has no tree, or one without groups."""
    tree = planned.hierarchy
    grouped = isinstance(tree, Hierarchy) and tree.levels > 2
    if planned.kind in roles.RANGE_KINDS or planned.kind == roles.TEXT_PREFIX or grouped:
        return {}
    plain = replace(planned, order=None, scale="range")
    ways = {BEGINNINGS: replace(plain, kind=roles.TEXT_PREFIX, hierarchy=None)}
    with suppress(ShoalError):  # nothing to group, or too much
        ways[TREE] = replace(plain, kind=roles.CATEGORICAL, hierarchy=build_hierarchy(table, column))
    return ways
