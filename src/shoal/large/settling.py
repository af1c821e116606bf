# SPDX-License-Identifier: Apache-2.0
"""Roles, kinds, trees, coordinates and rules of a table that is known by its digest: the flow up to its classes.

The same functions as for a table in memory, asked of the digest where every value counts, and of some rows where rows
do: whether a column seems to point to persons, and how much it tells about the target of a workload.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from shoal.engine.cells.atlas import Atlas
from shoal.engine.cells.clustering import Work
from shoal.engine.cells.cutting import LARGER
from shoal.engine.encoding.encode import complete
from shoal.engine.generalizing.generalize import check_new_names, settle_renderings
from shoal.engine.methods import Capabilities, check_kinds_and_loss, check_rows
from shoal.ground import catalog
from shoal.ground.errors import PlanError, listed
from shoal.ground.parameters import build
from shoal.judging.gates import gates_beyond_counts
from shoal.judging.promises import requirement_of
from shoal.plan.checks import REFUSE
from shoal.plan.effort import round_steps, steps_for
from shoal.plan.plan import OWN_K, Plan
from shoal.plan.roles import SENSITIVE
from shoal.plan.values import as_told, refuse_holes, understood
from shoal.plan.workload import weighed, weights_told
from shoal.suggesting.gate import admitted
from shoal.tables.digest import DifferentCells, digest
from shoal.tables.table import Table

CELL_ROWS = 50_000
"""Rows of a cell where nothing else is said; see the table in docs/large-tables.md."""


@dataclass(frozen=True, eq=False)
class Settled:
    """All that is decided before the first class is made."""

    work: Work
    notes: tuple[str, ...]
    warnings: tuple[str, ...]


def columns_to_digest(asked: Plan, names: list[str]) -> list[str]:
    """The columns whose different values must be known: quasi-identifiers, and private ones that a model is about."""
    private = asked.having(SENSITIVE) if asked.models else []
    return [name for name in names if name in asked.quasi_identifiers or name in private]


def settled(facts: Mapping[str, DifferentCells], sample: Table, asked: Plan, *, leaves_out: bool = False) -> Settled:
    """The plan completed and made ready for work on cells.

    ``facts`` are those of :func:`columns_to_digest`, over all rows; ``sample`` holds some rows with all columns, and
    what is told of the table. Refuses what cannot be done cell by cell; ``leaves_out`` tells whether records can be.
    """
    if not facts:
        complete(asked, sample)  # refuses: there is no quasi-identifier
    rows = int(next(iter(facts.values())).rows.sum())
    able: Capabilities = catalog.load("algorithms", asked.method).CAPABILITIES
    build(catalog.load("algorithms", asked.method).Parameters, asked.parameters, where=f"method {asked.method!r}")
    refuse_uncut(asked, able, leaves_out=leaves_out)
    told, named, notes = understood(digest(facts, sample), replace(asked, seed=asked.seed or 0))
    admission = admitted(named, as_told(sample, named))
    weighted = weighed(admission.plan, as_told(sample, named))
    plan = settle_renderings(complete(_of(weighted, told), told), able.render)
    plan = plan.with_columns({name: column for name, column in weighted.columns.items() if name not in plan.columns})
    plan = replace(plan, columns={name: plan.columns[name] for name in weighted.columns})
    check_new_names(sample, {name: plan.published(name) for name in plan.quasi_identifiers})
    told = as_told(told, plan)
    if plan.missing == REFUSE:
        refuse_holes({name: facts[name].missing for name in plan.quasi_identifiers})
    requirement = requirement_of(plan, told)
    _refuse_other_shares(plan)
    check_rows(rows, requirement.size)
    check_kinds_and_loss(plan, able)
    size = max(plan.cell_rows or CELL_ROWS, LARGER * requirement.size)
    searched = plan.refine or able.refined
    plan = replace(plan, cell_rows=size, steps=steps_for(plan, rows) if searched else plan.steps)
    atlas = Atlas.of(told, plan, rows // (LARGER * requirement.size))
    work = Work(plan, told, atlas, requirement, round_steps(rows, len(plan.quasi_identifiers), plan.k))
    notes = (*notes, *admission.hints, *weights_told(plan))
    return Settled(work, notes, tuple(admission.doubts.values()))


def _refuse_other_shares(plan: Plan) -> None:
    """Refuse to leave out records where classes are compared with all that are released: who these are is not known."""
    if plan.suppression and any(hasattr(catalog.load("privacy_models", name), "OF_ALL_ROWS") for name in plan.models):
        raise PlanError(
            "A model compares classes with all released rows, and rows are to be left out cell by cell.",
            where="--suppression, and the models of the plan",
            allowed="--suppression with k-anonymity, l-diversity, (alpha, k), own-k and subset-k",
            received=listed([repr(name) for name in plan.models]),
            todo="leave out one of the two, or give more memory, so that the table is worked on whole",
        )


def _of(plan: Plan, table: Table) -> Plan:
    """The part of a plan that speaks of the columns of a table."""
    return replace(plan, columns={name: column for name, column in plan.columns.items() if name in table.names})


def _asked_unseen(plan: Plan) -> bool:
    """Whether a column tells who asks for a larger k that is not published as it is, so that nobody could count it."""
    name = plan.models.get(OWN_K, {}).get("column")
    return name is not None and (name not in plan.columns or plan.columns[name].role != SENSITIVE)


def refuse_uncut(plan: Plan, able: Capabilities, *, leaves_out: bool) -> None:
    """Refuse what would need all rows at once: what cannot be cut can only be done in memory."""
    lacking = {
        f"method {plan.method!r}": able.releases != "classes" or able.one_level or able.suppresses,
        "--suppression": plan.suppression > 0 and not leaves_out,
        "--person": plan.person is not None,
        "--population": plan.population is not None,
        "--missing wildcard": plan.missing == "wildcard",
        "--levels common": bool(plan.in_common_levels),
        "--scale": any(plan.columns[name].scale != "range" for name in plan.quasi_identifiers),
        "--keep-order": plan.keep_order,
        "--own-k of a column that is not sensitive": _asked_unseen(plan),
        "--formulas prefix": plan.formulas == "prefix",
        "--time-budget": plan.time_budget is not None,
        **{f"--require {gate!r}": True for gate in gates_beyond_counts(plan)},
        **{f"model {name!r}": not hasattr(catalog.load("privacy_models", name), "IN_CELLS") for name in plan.models},
    }
    found = [what for what, is_asked in lacking.items() if is_asked]
    if found:
        raise PlanError(
            "The table is to be cut into cells, and part of the plan needs all rows at once.",
            where="--memory / [method] cell_rows",
            allowed="methods and models that can be carried out cell by cell; see docs/large-tables.md",
            received=listed(found),
            todo="leave these out, or give more memory, so that the table is worked on whole",
        )
