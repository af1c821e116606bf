# SPDX-License-Identifier: Apache-2.0
"""The whole flow as one short function.

    read table -> roles & hierarchies -> encode -> cluster (enforce, refine, suppress) -> generalise -> check
    -> measure (-> weigh, portray) -> write and report

:func:`run` is the middle of the sentence; reading stands before it (``tables.sources``, ``tables.frames``),
writing after it (``Release.save``). What depends on the kind of release is asked of it (``releases.kinds``).
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.engine.bounds.bound import (
    certify,
    is_bounded,
    is_searched_for,
    lower_bound,
    seconds_for,
    unbounded,
    uncertain,
)
from shoal.engine.bounds.budget import Watch
from shoal.engine.bounds.certificate import Certificate
from shoal.engine.bounds.lattice import Caps
from shoal.engine.bounds.squares import square_prices
from shoal.engine.bounds.worth import worth
from shoal.engine.encoding.encode import complete, encode
from shoal.engine.encoding.encoded import Encoded
from shoal.engine.encoding.levels import common_bands, in_bands
from shoal.engine.generalizing.generalize import settle_renderings
from shoal.engine.kernels.compiler.preparing import watched
from shoal.engine.kernels.hull import has_patterns
from shoal.engine.levels_told import told_of_levels
from shoal.engine.methods import Capabilities, Partition, check_distinct, check_fits, cluster
from shoal.engine.refining.apart import within_bands
from shoal.engine.refining.coarsen import coarsened
from shoal.engine.refining.enforce import obeying
from shoal.engine.refining.hull_state import HullState
from shoal.engine.refining.rounds import Budget
from shoal.engine.refining.scatter_state import ScatterState
from shoal.engine.refining.search import Refined, refine
from shoal.engine.refining.suppress import leave_out
from shoal.ground import catalog, streams
from shoal.ground.arrays import Flags
from shoal.ground.interrupts import patient_interrupts
from shoal.ground.parameters import build
from shoal.ground.progress import Clock, Enough, Progress
from shoal.ground.requirements import Requirement
from shoal.judging.gates import require_measurable, require_quality
from shoal.judging.metrics.given_away import told
from shoal.judging.promises import may_be_mended, refusal, requirement_of, rows_at_fault
from shoal.judging.survey import survey_weights
from shoal.judging.verdicts import Verdict
from shoal.plan.columns import ColumnPlan
from shoal.plan.effort import EFFORTS, round_steps, search_seconds, steps_for
from shoal.plan.header import named_safely
from shoal.plan.plan import Plan
from shoal.plan.roles import DROP, IDENTIFIER, INSENSITIVE
from shoal.plan.values import as_told, reading_notes, understood
from shoal.plan.workload import weighed, weights_told
from shoal.releases.kinds import announcement, kind_named
from shoal.releases.kinds.kind import Kind, Made
from shoal.releases.notes import far_notes, run_notes, search_notes, size_notes
from shoal.releases.record import Record
from shoal.releases.release import Release
from shoal.releases.remedies import Remedy, remedies
from shoal.releases.reports.findings import measurement_of
from shoal.suggesting import whose_rows
from shoal.suggesting.gate import admitted
from shoal.tables.reading import Reading
from shoal.tables.table import Table

SEARCHED = 0.75
"""Share of a budget in seconds that the search may use in any case, however long the bound takes."""
FORETOLD_SECONDS = 1.5
"""Of a first bound before the search."""
NOT_GROUPS = "what is released is not one table of groups"
STOPPED = "work on it was stopped before it came to anything; more time, or a plan without stop_bound_after, mends that"
"""Why there is no certificate; a plan that replays a run says the same as the run."""


def run(
    table: Table,
    asked: Plan,
    progress: Progress | None = None,
    *,
    reading: Reading | None = None,
    certified: bool = True,
    portrayed: bool = False,
    foretold: bool = False,
) -> Release:
    """One table through the whole flow; raises before anything unsafe could be published.

    ``reading`` tells how the table was read, where that was found out on the way. Unless ``certified`` is false, the
    release also tells how far its loss is from the smallest possible, and what it would cost to give no private value
    away. If ``portrayed``, it is put beside its original as a phase of the run; else that waits until a report is
    asked for. If ``foretold``, a first bound is told before the search, for those who watch the loss fall.
    """
    announcement(asked)
    told = progress or Progress()
    with watched(_called(asked, certified), told.prepare), patient_interrupts():
        clock = Clock(told, len(table) * len(table.names))
        return _run(table, asked, clock, reading, certified, portrayed, foretold)


def _called(asked: Plan, certified: bool) -> list[Any]:
    """What of the engine will run, as far as the plan tells."""
    method = catalog.load("algorithms", asked.method)
    called = [method.cluster, *([square_prices if asked.loss == "sse" else certify] if certified else [])]
    if asked.refine or method.CAPABILITIES.refined:
        called += [ScatterState] if asked.loss == "sse" else [worth, HullState]
    return called


def _run(
    table: Table, asked: Plan, clock: Clock, reading: Reading | None, certified: bool, portrayed: bool, foretold: bool
) -> Release:
    clock.phase("encode")
    method = catalog.load("algorithms", asked.method)
    able: Capabilities = method.CAPABILITIES
    kind = kind_named(able.releases)
    parameters = build(method.Parameters, asked.parameters, where=f"method {asked.method!r}")
    table, named, notes = understood(*named_safely(table, asked))
    admission = admitted(_filled_in(named, able, reading), table)
    doubts = admission.doubts | whose_rows.doubts(table, admission.plan)
    plan = settle_renderings(complete(weighed(admission.plan, table), table), able.render)
    table = as_told(table, plan)
    requirement = _requirement(table, plan, able)
    encoded = encode(table, plan)
    check_distinct(encoded.unitless, plan, able)
    if plan.in_common_levels:
        clock.phase("levels")
        spare = plan.rows_spared(len(table))
        bands = common_bands(encoded.unitless, plan.in_common_levels, requirement.size, spare, clock.progress)
        encoded = in_bands(encoded, bands)
    unitless = encoded.unitless

    clock.phase("cluster")
    found = cluster(method, parameters, unitless, requirement, plan, clock.progress)
    among = unitless
    if chosen := getattr(found, "bands", {}):  # one level per column, by the method's choice
        encoded = in_bands(encoded, chosen)
        unitless = encoded.unitless
    learnt = dict(zip(plan.quasi_identifiers, getattr(found, "weights", ())))
    searched = None
    if kind.weaker and plan.models:
        clock.phase("enforce")
        found = kind.enforced(table, encoded, found, plan, clock.progress)
    elif not kind.weaker:
        _foretell(foretold and is_bounded(plan), among, requirement.size, clock)
        spared = _seconds_of_bound(among, requirement, plan) if certified and is_bounded(plan) else 0.0
        found, searched = _improved(table, unitless, found, requirement, plan, able, clock, spared)
    found, made, verdict = _published(kind, table, encoded, found, plan, clock)

    clock.phase("measure")
    measurements = kind.measure(table, made, plan, learnt, clock.progress)
    require_quality(plan, measurements)
    facts = kind.facts(table, made, plan, verdict) | {"warnings": _untold(doubts, verdict)}
    if plan.in_common_levels:
        facts["levels"] = told_of_levels(table, encoded, found, plan, requirement.size)
    first, *others = made.tables
    notes = (*notes, *admission.hints, *reading_notes(plan), *weights_told(plan))
    notes = (*notes, *run_notes(len(table), plan, facts["suppressed"]), *search_notes(searched))
    notes = (*notes, *far_notes(table, plan, measurements), *(() if kind.weaker else size_notes(len(table), plan)))
    record = Record.of(asked, plan, searched, notes, learnt)
    release = Release(first, record, verdict, measurements, facts, made.private, tuple(others))
    if certified and not kind.weaker:
        release = replace(release, remedies=_remedies(table, release, clock))
    if certified:
        release = _certified(release, (unitless, among), found, requirement, plan, clock)
    if portrayed:
        clock.phase("portray")
        release = release.portrayed(clock.progress)
    return replace(release, timings=clock.finish())


def _requirement(table: Table, plan: Plan, able: Capabilities) -> Requirement:
    """What classes must satisfy; refuses before any work what nobody could reach, measure or weigh."""
    require_measurable(plan, table.names)
    if plan.sample_weight is not None:
        survey_weights(table, plan.sample_weight)
    level = able.one_level and not (plan.refine or plan.in_common_levels)
    requirement = replace(requirement_of(plan, table, one_level=level), spare=plan.rows_spared(len(table)))
    check_fits(table, plan, able, requirement.size)
    return requirement


def _untold(doubts: Mapping[str, str], verdict: Verdict) -> list[str]:
    """What the gate said about columns of which the judge does not warn anyway."""
    told = {name for leak in verdict.leaks if leak.statement in verdict.warnings for name in leak.columns}
    return [said for name, said in doubts.items() if name not in told]


def _published(
    kind: Kind, table: Table, encoded: Encoded, found: Any, plan: Plan, clock: Clock
) -> tuple[Any, Made, Verdict]:
    """What is published and what the judge says of it; classes that break a promise they may break grow until it holds.

    Raises if it cannot hold.
    """
    clock.phase("generalise")
    made = kind.render(table, encoded, found, plan)
    clock.phase("check")
    verdict = kind.judge(made.tables, plan, made.private)
    if verdict.holds:
        return found, made, verdict
    if kind.weaker or not may_be_mended(verdict, plan, table):
        raise refusal(verdict, plan, table, kind.promise)

    def at_fault(partition: Partition) -> Flags:
        nonlocal made, verdict
        made = kind.render(table, encoded, partition, plan)
        verdict = kind.judge(made.tables, plan, made.private)
        faulty = np.zeros(len(table), dtype=np.bool_)
        faulty[made.private.rows[0]] = rows_at_fault(verdict, made.tables[0], plan)
        return faulty

    clock.phase("coarsen")
    coarser = coarsened(encoded.unitless, found, at_fault, clock.progress)
    if coarser is None or at_fault(coarser).any():  # looked at again: the last trial need not be what was chosen
        raise refusal(verdict, plan, table, kind.promise)
    return coarser, made, verdict


def _remedies(table: Table, release: Release, clock: Clock) -> tuple[Remedy, ...]:
    """What would stop private values from being given away, if some are, and about what it would cost."""
    found = told(measurement_of(release, "given_away"), len(release.released))
    if not any(one.total for one in found):
        return ()
    clock.phase("weigh")
    return remedies(table, release.rows, release.released, release.plan, found, clock.progress)


def _foretell(wanted: bool, among: Encoded, size: int, clock: Clock) -> None:
    """Tell a bound that takes a moment, and is lower than the one that the release will have."""
    if not wanted:
        return
    clock.phase("foretell")
    with suppress(Enough):
        watch = Watch(time.perf_counter() + FORETOLD_SECONDS)
        clock.progress.bound(lower_bound(among, size, clock.progress, method="nearest", watch=watch).per_cell)


def _seconds_of_bound(among: Encoded, asked: Requirement, plan: Plan) -> float:
    """What the certificate takes about at most."""
    columns, numbers = len(among.columns), sum(column.tree is None for column in among.columns)
    searched, shares = is_searched_for(columns, numbers), Caps.of(asked.rules) is not None
    return seconds_for(len(among), columns, EFFORTS[plan.effort], searched=searched, shares=shares)


def _certified(
    release: Release, tables: tuple[Encoded, Encoded], found: Any, asked: Requirement, plan: Plan, clock: Clock
) -> Release:
    """The release with its certificate, or with the reason why it has none; its plan tells where the bound was stopped.

    ``tables``: the records as they are published, and as groupings could have had them.
    """
    if release.kind.weaker:
        return replace(release, uncertified=NOT_GROUPS)
    if why := unbounded(plan) or uncertain(tables[0], found.labels):
        return replace(release, uncertified=why)
    watch, certificate = _watch(plan, clock), None
    if plan.stop_bound_after != 0:
        certificate = _certificate(tables, found, asked, plan, clock, watch)
    record = release.record.with_bound(watch.stopped_after if certificate else 0)
    return replace(release, certificate=certificate, record=record, uncertified="" if certificate else STOPPED)


def _watch(plan: Plan, clock: Clock) -> Watch:
    """When the bound has to end: it shares a budget in seconds with the search, or ends where an earlier run did."""
    if plan.time_budget is None:
        return Watch(stop_after=plan.stop_bound_after)
    return Watch(time.perf_counter() + plan.time_budget - clock.seconds.get("refine", 0.0))


def _certificate(
    tables: tuple[Encoded, Encoded], found: Partition, asked: Requirement, plan: Plan, clock: Clock, watch: Watch
) -> Certificate | None:
    """How far the loss is from the smallest possible; None if that takes too long for the budget or for the user.

    The release is ready, and no interrupt loses it.
    """
    encoded, among = tables
    try:
        clock.phase("bound")
        told = clock.progress.dispensable()
        return certify(encoded, found.labels, asked, told, plan=plan, among=among, watch=watch)
    except KeyboardInterrupt as interrupt:
        if type(interrupt) is not KeyboardInterrupt:  # a kill, which means the whole run
            raise
        return None


def _filled_in(asked: Plan, able: Capabilities, reading: Reading | None) -> Plan:
    """The request with all that needs no look at the table: seed, reading, roles of columns for persons and wishes."""
    seed = 0 if asked.seed is None and not kind_named(able.releases).secret else asked.seed
    filled = replace(asked, seed=seed, reading=reading or asked.reading)
    settled = {}
    for name, role in ((asked.wishes, DROP), (asked.person, IDENTIFIER), (asked.sample_weight, INSENSITIVE)):
        if name is not None:
            column = asked.columns.get(name, ColumnPlan())
            settled[name] = replace(column, role=column.role or role)
    return filled.with_columns(settled) if settled else filled


def _improved(
    table: Table,
    encoded: Encoded,
    partition: Partition,
    requirement: Requirement,
    plan: Plan,
    able: Capabilities,
    clock: Clock,
    spared: float,
) -> tuple[Partition, Refined | None]:
    """Classes that keep all rules at a lower loss, and the search that found them, if there was one.

    Of a budget in seconds the search leaves those that the bound needs, but no more than a share of them.
    """
    searched = None
    partition = within_bands(encoded, partition, requirement.size, plan.rows_spared(len(table)), clock.progress)
    if requirement.rules:
        clock.phase("enforce")
        partition = obeying(encoded, partition, requirement, clock.progress)
    if plan.refine or able.refined:  # after the rules hold: the search keeps them, and wins back what they cost
        clock.phase("refine", search_seconds(plan, len(table), names=has_patterns(encoded.hulls)))
        seconds = None if plan.time_budget is None else max(plan.time_budget - spared, SEARCHED * plan.time_budget)
        size = len(table), len(plan.quasi_identifiers), plan.k
        budget = Budget(steps_for(plan, len(table)), plan.stop_after, seconds, round_steps(*size))
        seed = [plan.seed or 0, streams.SEARCH]
        searched = refine(encoded, partition.labels, requirement, budget, seed, clock.progress)
        partition = Partition.of(searched.labels)
    if plan.suppression or requirement.rules:
        clock.phase("suppress")

        def asked_of(kept: NDArray[np.int64]) -> Requirement:
            return requirement_of(plan, table.take(kept))

        partition = leave_out(encoded, partition, requirement, plan.suppression, asked_of, clock.progress)
    return partition, searched
