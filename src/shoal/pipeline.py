# SPDX-License-Identifier: Apache-2.0
"""The whole flow as one short function.

    read table -> roles & hierarchies -> encode -> cluster (enforce, refine, suppress) -> generalise -> check
    -> measure -> write and report

:func:`run` is the middle of the sentence; reading stands before it (``tables.sources``, ``tables.frames``),
writing after it (``Release.save``).
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal import catalog
from shoal.algorithms._protocol import Capabilities, Partition
from shoal.bounds.certificate import Certificate
from shoal.encoding.encode import complete, encode
from shoal.encoding.encoded import Encoded
from shoal.errors import CannotHoldError, PlanError, RefusedReleaseError, ShoalError, TableError, listed
from shoal.generalizing.generalize import generalize, settle_renderings
from shoal.judging import check, measure
from shoal.kernels.box_tree import distinct
from shoal.parameters import build
from shoal.plan import ColumnPlan, Plan
from shoal.portraits.portray import portraying
from shoal.privacy_models._persons import MODEL as PERSON_MODEL
from shoal.privacy_models._persons import persons_of
from shoal.privacy_models._persons import requirement as persons_requirement
from shoal.privacy_models._protocol import Verdict
from shoal.progress import Clock, Progress, ProgressCallback, Step
from shoal.releases.release import Release, gather_facts
from shoal.requirements import Requirement
from shoal.roles.roles import IDENTIFIER, RANGE_KINDS
from shoal.tables.formulas import formula_cells, prefix_formulas
from shoal.tables.table import Table
from shoal.weaker import announcement, finish_weaker

ORDER_STREAM, SEARCH_STREAM = 1, 2
"""Numbers of the random streams that shuffle the rows and lead the search; the algorithm draws from stream 0."""

HULLS = ("generalise", "interval", "ancestor", "bounds")
"""Renderings that publish the hull of a class, whose loss the bound is about."""
QUICK_BOUND = 0.1
"""Effort for the lower bound after a method that takes no time for a search either."""


def anonymize(
    data: Any,
    plan: Plan | None = None,
    *,
    progress: ProgressCallback | None = None,
    **keywords: Any,
) -> Release:
    """Make a table safe to publish: every record among at least k look-alikes.

    ``data`` is a pandas, Polars or PyArrow frame, or the path of a file. Give a ``plan``, or its parts as keywords:
    ``k``, ``quasi_identifiers``, ``sensitive``, ``identifiers``, ``hierarchies``, ``method``, ``seed``, ... as
    :meth:`shoal.Plan.of` takes them. ``progress`` is called with each :class:`~shoal.progress.Step` and stops the
    run by answering ``"cancel"``.
    """
    from shoal.tables.frames import take_in
    from shoal.tables.sources import read_table

    plan = _plan(plan, keywords)
    if said := announcement(plan):
        warnings.warn(said, stacklevel=2)
    if isinstance(data, str | Path):
        source = read_table(data, plan.reading)
        return replace(
            run(source.table, replace(plan, reading=source.reading), Progress(progress)),
            source_format=plan.format or source.released_as,
        )
    if isinstance(data, Table):
        return run(data, plan, Progress(progress))
    taken = take_in(data)
    return replace(run(taken.table, plan, Progress(progress)), hand_back=taken.hand_back)


def run(table: Table, plan: Plan, progress: Progress | None = None, *, certified: bool = True) -> Release:
    """One table through the whole flow; raises before anything unsafe could be published.

    Unless ``certified`` is false, the release also tells how far its loss is from the smallest possible.
    """
    announcement(plan)
    clock = Clock(progress or Progress())
    clock.phase("encode")
    method = catalog.load("algorithms", plan.method)
    able: Capabilities = method.CAPABILITIES
    parameters = build(method.Parameters, plan.parameters, where=f"method {plan.method!r}")
    plan = settle_renderings(_with_seed(complete(_with_person(plan, able), table), able), able.render)
    requirement = _requirement(plan, table)
    _check_fits(table, plan, able, requirement)
    encoded = encode(table, plan)
    if able.largest_distinct is not None and len(encoded) > able.largest_distinct:
        _check_size(distinct(encoded.points)[2], able.largest_distinct, "different records", plan, able)

    clock.phase("cluster")
    random = np.random.default_rng(plan.seed or 0)
    if able.releases != "classes":
        found = method.cluster(encoded, requirement, parameters, random, clock.progress)
        return finish_weaker(table, encoded, found, plan, clock)
    partition = _cluster(method, encoded, requirement, parameters, plan, random, clock.progress)
    if requirement.rules:
        clock.phase("enforce")
        partition = _enforce(encoded, partition, requirement, clock.progress)
    if plan.refine or able.refined:  # after the rules hold: the search keeps them, and wins back what they cost
        clock.phase("refine")
        partition, plan = _refine(encoded, partition, requirement, plan, clock.progress)
    if plan.suppression or requirement.rules:
        clock.phase("suppress")
        partition = _suppress(table, encoded, partition, requirement, plan, clock.progress)

    certificate = _certify(encoded, partition, requirement, plan, able, clock) if certified else None

    clock.phase("generalise")
    released = generalize(table, encoded, partition.labels, plan)
    formulas = formula_cells(released)
    if plan.formulas == "prefix":
        released = prefix_formulas(released)
    order = _publishing_order(released, plan)
    released = released.take(order)

    clock.phase("check")
    rows = np.flatnonzero(partition.labels >= 0)[order]
    judge = None if plan.person is None else partial(_judge_persons, plan=plan, persons=persons_of(table, plan)[rows])
    verdict = judge([released]) if judge else check(released, plan=plan)
    if not verdict.holds:
        raise _refusal(verdict, plan, table)

    clock.phase("measure")
    measurements = measure(table, released, plan, classes=partition.labels)
    facts = gather_facts(plan, released, partition.labels, formula_cells=formulas)
    release = Release(released, plan, partition.labels, verdict, measurements, facts, rows, timings=clock.finish())
    portray = portraying(table, [(released, rows)], plan)
    return replace(release, judge=judge, certificate=certificate, portray=portray)


def _plan(plan: Plan | None, keywords: dict[str, Any]) -> Plan:
    if plan is not None and keywords:
        raise PlanError(
            "A plan and keywords were given together.",
            where="shoal.anonymize",
            allowed="either plan=... or keywords such as k and quasi_identifiers",
            received=f"a plan and {listed(keywords)}",
            todo="put the keywords into the plan: dataclasses.replace(plan, k=5)",
        )
    if plan is None and "k" not in keywords:
        raise PlanError(
            "Nothing says how many look-alikes each record needs.",
            where="shoal.anonymize",
            allowed="k = a whole number of at least 1, or plan=...",
            received=listed(keywords),
            todo="add k, e.g. k=10",
        )
    return plan or Plan.of(**keywords)


def _requirement(plan: Plan, table: Table) -> Requirement:
    """What every class must satisfy, asked of each model that can say so in numbers."""
    asked = [("k_anonymity", {"k": plan.k}), *plan.models.items()]
    wanted = []
    for name, given in asked:
        model = catalog.load("privacy_models", name)
        wanted.append(model.requirement(build(model.Parameters, given, where=f"model {name!r}"), table, plan))
    if plan.person is not None:
        wanted.append(persons_requirement(table, plan))
    return Requirement.strictest(wanted)


def _check_fits(table: Table, plan: Plan, able: Capabilities, requirement: Requirement) -> None:
    """Refuse tables that are too small, and methods asked for more than they can do."""
    if len(table) == 0:
        raise TableError(
            "The table has no rows.",
            where="the table",
            allowed=f"at least k = {requirement.size} rows",
            received="0 rows",
            todo="check that the right file was given",
        )
    if len(table) < requirement.size:
        raise TableError(
            "The table has fewer rows than a class needs.",
            where="k",
            allowed=f"k from 1 to the number of rows, {len(table)}",
            received=f"k = {requirement.size}",
            todo="choose a smaller k, or release more rows",
        )
    _check_kinds(plan, able)
    _check_loss(plan, able)
    _check_size(len(table), able.largest_rows, "rows", plan, able)


def _check_size(given: int, largest: int | None, what: str, plan: Plan, able: Capabilities) -> None:
    """Refuse, before any work, what a method that compares all pairs could not finish."""
    if largest is not None and given > largest:
        raise PlanError(
            "The table is too large for this method, which compares every pair of records.",
            where=f"method {plan.method!r}",
            allowed=f"at most {largest:,} {what}",
            received=f"{given:,} {what}, which make {given * (given - 1) // 2:,} pairs",
            todo=f"use --method {able.instead}, which has no such limit, or release fewer rows",
        )


def _check_kinds(plan: Plan, able: Capabilities) -> None:
    """Refuse quasi-identifiers of a kind that the method does not declare."""
    kinds = {name: plan.columns[name].kind for name in plan.quasi_identifiers}
    shapes = {name: "numeric" if kind in RANGE_KINDS else "categorical" for name, kind in kinds.items()}
    misfits = [name for name, shape in shapes.items() if shape not in able.kinds]
    if misfits:
        raise PlanError(
            "The method cannot take some quasi-identifiers.",
            where=f"method {plan.method!r}, columns {listed(misfits)}",
            allowed=f"{' and '.join(able.kinds)} columns",
            received=listed(f"{name}: {kinds[name]}" for name in misfits),
            todo="choose another method, or another kind for the columns",
        )


def _check_loss(plan: Plan, able: Capabilities) -> None:
    """Refuse a loss that the method cannot keep low; methods with an objective of their own run beside any."""
    if not able.losses or plan.loss in able.losses:
        return
    others = {name: catalog.load("algorithms", name).CAPABILITIES for name in catalog.names("algorithms")}
    made_for_it = [name for name, one in others.items() if plan.loss in one.losses]
    own = [name for name, one in others.items() if not one.losses and one.releases == "classes"]
    raise PlanError(
        "The method cannot keep this loss low.",
        where=f"method {plan.method!r}, --loss / [method] loss",
        allowed=listed(able.losses),
        received=repr(plan.loss),
        todo=f"use another loss, or --method {listed(made_for_it or own)}"
        + (f"; or one with an objective of its own: {listed(own)}" if made_for_it else ""),
    )


def _with_seed(plan: Plan, able: Capabilities) -> Plan:
    """The plan with the seed that the run will use; a draw that must stay secret has none unless it was given."""
    return replace(plan, seed=0) if plan.seed is None and able.releases != "boxes" else plan


def _cluster(
    method: ModuleType,
    encoded: Encoded,
    requirement: Requirement,
    parameters: Any,
    plan: Plan,
    random: np.random.Generator,
    progress: Progress,
) -> Partition:
    """The method's partition, verified; fewer than 2k records are one class whatever the method."""
    if len(encoded) < 2 * requirement.size:
        return Partition(np.zeros(len(encoded), dtype=np.int64))
    partition: Partition = method.cluster(encoded, requirement, parameters, random, progress)
    labels = partition.labels
    left_out = int(np.count_nonzero(labels < 0))
    whole = len(labels) == len(encoded) > left_out and (left_out == 0 or method.CAPABILITIES.suppresses)
    if not whole or partition.sizes.min() < requirement.size:
        raise RefusedReleaseError(
            "The method returned classes that are too small, so nothing is released. This is a bug in the method.",
            where=f"method {plan.method!r}",
            allowed=f"every record in a class of at least {requirement.size}",
            received=f"{len(labels)} labels for {len(encoded)} records, {left_out} of them in no class, smallest class "
            f"{partition.sizes.min(initial=len(labels))}",
            todo="use another method",
        )
    return partition


def _enforce(encoded: Encoded, partition: Partition, requirement: Requirement, progress: Progress) -> Partition:
    """The partition itself if it obeys all rules, else one made from it that does."""
    from shoal.enforcing.enforce import enforce, obeys

    if obeys(partition.labels, requirement):
        return partition
    return Partition.of(enforce(encoded, partition.labels, requirement, progress))


def _refine(
    encoded: Encoded, partition: Partition, requirement: Requirement, plan: Plan, progress: Progress
) -> tuple[Partition, Plan]:
    """The partition after our search, and the plan with the budget that finds it again."""
    from shoal.refining.search import STEPS, Budget, refine

    budget = Budget(plan.steps or STEPS, plan.stop_after, plan.time_budget)
    found = refine(encoded, partition.labels, requirement, budget, [plan.seed or 0, SEARCH_STREAM], progress)
    plan = replace(plan, steps=found.steps, stop_after=found.stop_after, time_budget=None)
    return Partition.of(found.labels), plan


def _suppress(
    table: Table,
    encoded: Encoded,
    partition: Partition,
    requirement: Requirement,
    plan: Plan,
    progress: Progress,
) -> Partition:
    """The partition without the records whose removal saves most.

    A model may compare classes with all released rows. So what it asks for is asked anew of those that are left, and
    if that cannot be, all rows are released.
    """
    from shoal.enforcing.enforce import of_some
    from shoal.suppressing.suppress import suppress

    labels = partition.labels
    if plan.suppression:
        labels = suppress(encoded, labels, requirement, plan.suppression, progress)
    kept = np.flatnonzero(labels >= 0)
    if not requirement.rules or len(kept) == len(labels):
        return Partition.of(labels)
    try:
        asked = of_some(_requirement(plan, table.take(kept)), kept, len(labels))
    except CannotHoldError:
        labels = np.where(partition.labels < 0, partition.labels.max() + 1, partition.labels)
        return _enforce(encoded, Partition.of(labels), requirement, progress)
    return _enforce(encoded, Partition.of(labels), asked, progress)


def _judge_persons(tables: Sequence[Table], *, plan: Plan, persons: NDArray[np.int64]) -> Verdict:
    """The verdict on a release whose persons only the maker knows."""
    return check(tables[0], plan=plan, persons=persons)


def _with_person(plan: Plan, able: Capabilities) -> Plan:
    """The plan with the column that tells persons apart as an identifier, unless it says otherwise."""
    if plan.person is None:
        return plan
    if able.releases != "classes":
        raise PlanError(
            "Persons are counted per class, which this method does not make.",
            where=f"method {plan.method!r}, --person / [privacy] person",
            allowed="a method that releases one table of classes",
            received=f"a method that releases {able.releases}",
            todo=f"use --method {able.instead}, or leave out the person column",
        )
    column = plan.columns.get(plan.person, ColumnPlan(role=IDENTIFIER))
    return plan.with_columns({plan.person: column})


def _certify(
    encoded: Encoded, partition: Partition, requirement: Requirement, plan: Plan, able: Capabilities, clock: Clock
) -> Certificate | None:
    """The loss beside a lower bound, where it is one: classes of all rows, published as hulls."""
    from shoal.bounds.bound import certify

    if plan.missing == "wildcard" or {plan.rendering(name) for name in plan.quasi_identifiers} - set(HULLS):
        return None
    clock.phase("bound")
    effort = 1.0 if plan.refine or able.refined else QUICK_BOUND
    return certify(encoded, partition.labels, requirement.size, clock.progress, effort=effort)


def _refusal(verdict: Verdict, plan: Plan, table: Table) -> ShoalError:
    """Why a result that breaks a promise is not released: what was asked for cannot be kept, or something is wrong."""
    broken = [one for one in verdict.findings if one.holds is False]
    said = listed(one.statement for one in broken)
    if all(_may_break(one.model, plan, table) for one in broken):
        return CannotHoldError(
            "The classes that were found break a model, so nothing is released.",
            where=f"method {plan.method!r}, model {listed(one.model for one in broken)}",
            allowed="a table in which every asked model holds",
            received=said,
            todo=("use --missing own; or " if plan.missing == "wildcard" else "")
            + "ask for less, or use another method",
        )
    return RefusedReleaseError(
        "The result did not pass the independent check, so nothing is released. This is a bug in shoal.",
        where=f"method {plan.method!r}",
        allowed="a table in which every asked model holds",
        received=said,
        todo="please report it with the plan (not the table), and use another method meanwhile",
    )


def _may_break(name: str, plan: Plan, table: Table) -> bool:
    """Whether a model may break although all classes obey: cells that match anything, or no rule that says it all."""
    if name == PERSON_MODEL or name not in plan.models:
        return name == PERSON_MODEL and plan.missing == "wildcard"
    model = catalog.load("privacy_models", name)
    asked = model.requirement(build(model.Parameters, plan.models[name], where=f"model {name!r}"), table, plan)
    return plan.missing == "wildcard" or not asked.rules


def _publishing_order(released: Table, plan: Plan) -> NDArray[np.int64]:
    """Input order if asked for; else sorted by released content, then shuffled.

    A shuffle of the input order with a known seed could be undone; a shuffle of sorted rows depends on nothing
    but what is published anyway.
    """
    if plan.keep_order:
        return np.arange(len(released))
    random = np.random.default_rng([plan.seed or 0, ORDER_STREAM])
    return released.sorted_rows()[random.permutation(len(released))]


__all__ = ["Step", "anonymize", "run"]
