# SPDX-License-Identifier: Apache-2.0
"""``check`` and ``measure``: runs privacy models and metrics over a table, ours or anybody's.

The judge starts from the released table, the way an outsider meets it, and uses no code of the engine that
made it (the wall, see ``docs/architecture.md``).

>>> from shoal.tables.table import Table
>>> table = Table.from_columns({"age": ["[20, 29]", "[20, 29]", "[30, 39]"], "disease": ["flu", "flu", "cold"]})
>>> print(check(table, quasi_identifiers=["age"]))
FOUND         k_anonymity: k = 1: some row has no look-alike on the quasi-identifiers
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from shoal.ground import catalog
from shoal.ground.errors import PlanError, ShoalError, TableError, listed
from shoal.ground.parameters import build
from shoal.ground.progress import Progress
from shoal.ground.settings import takes
from shoal.judging.bytes.reading import judged_data
from shoal.judging.common_levels import check_levels
from shoal.judging.containers.extras import files_behind
from shoal.judging.evidence import Evidence, Measurement
from shoal.judging.gates import UNJUDGED, judged_gates, metrics_asked, metrics_of_gates, require_measurable
from shoal.judging.labels.noting import as_read
from shoal.judging.leak_search import BREAKS, WARNING, LeakScene, find_leaks
from shoal.judging.persons import check_persons
from shoal.judging.verdicts import Beside, Finding, Leak, Verdict
from shoal.plan.header import as_planned
from shoal.plan.plan import Plan, load_hierarchies
from shoal.plan.roles import DROP, IDENTIFIER, SENSITIVE
from shoal.plan.settings import taken_by
from shoal.plan.values import CHOICES, refuse_missing, understood
from shoal.tables.reading import Reading
from shoal.tables.sameness import same_tables
from shoal.tables.table import Table


@takes(taken_by("check"))
def check(
    table: Any,
    *,
    plan: Plan | None = None,
    quasi_identifiers: Iterable[str] = (),
    k: int | None = None,
    sensitive: Iterable[str] = (),
    identifiers: Iterable[str] = (),
    insensitive: Iterable[str] = (),
    drop: Iterable[str] = (),
    models: Mapping[str, Mapping[str, Any]] | None = None,
    hierarchies: Mapping[str, Any] | None = None,
    kinds: Mapping[str, str] | None = None,
    orders: Mapping[str, Sequence[str]] | None = None,
    levels: Mapping[str, str] | None = None,
    date_format: str | Mapping[str, str] | None = None,
    decimal: str | Mapping[str, str] | None = None,
    thousands: str | Mapping[str, str] | None = None,
    original: Any = None,
    allow: Iterable[str] = (),
    files: Iterable[str | Path] = (),
    persons: NDArray[np.int64] | None = None,
    own_k: NDArray[np.int64] | None = None,
    reading: Reading | None = None,
    **claims: Any,
) -> Verdict:
    """Judge a released table, made by anything: a frame, a file (or several), or a :class:`Table`; or a release.

    Give the plan of the release, or the roles of the columns. Without k the verdict tells what holds; with k (or a
    plan, which has one) it says whether the claim is true. With ``original``, the table that the release was made from,
    leaks are found that show only beside it, and the plan's quality gates are judged; without it, that they were not is
    a warning. It must have the quasi-identifiers; of other columns that it lacks a warning tells. ``allow`` names kinds
    of leaks (``shoal leaks``) that are accepted; ``files`` those that the table was read from. Further keywords are
    settings of a plan. ``persons`` are the numbers of the people behind the rows (-1: nobody known), and ``own_k`` what
    they ask for. ``reading`` says how files are read, if not as the plan does.
    """
    claimed = k if plan is None or k is not None else plan.k
    notation: dict[str, Any] = {"date_format": date_format, "decimal": decimal, "thousands": thousands}
    if plan is None:
        plan = Plan.of(
            1 if k is None else k,
            quasi_identifiers=quasi_identifiers,
            sensitive=sensitive,
            identifiers=identifiers,
            insensitive=insensitive,
            drop=drop,
            models=models or {},
            hierarchies=hierarchies,
            kinds=kinds,
            orders=orders,
            levels=levels,
            reading=reading,
            **notation,
            **claims,
        )
    else:
        plan = replace(plan, k=plan.k if k is None else k, reading=reading or plan.reading)
    return _judged(table, plan, claimed, (persons, own_k), original, allow, files)


def _judged(
    table: Any,
    plan: Plan,
    claimed: int | None,
    told: tuple[NDArray[np.int64] | None, NDArray[np.int64] | None],
    original: Any,
    allow: Iterable[str],
    files: Iterable[str | Path],
) -> Verdict:
    """The verdict by a plan; ``told`` are the persons behind the rows, and what they ask for."""
    persons, own_k = told
    before, plan = (None, plan) if original is None else given_original(original, plan, ())
    released = as_read(judged_data(table, plan.reading, plan.published_quasi_identifiers), plan)
    require_quasi_identifiers(released, plan)
    if before is not None:
        before.require(plan.quasi_identifiers, where="--original / original, the table that the release was made from")
    if plan.models:
        released.require(plan.having(SENSITIVE), where="sensitive columns, of which something is claimed")
    refuse_missing(released, plan, plan.published_quasi_identifiers)
    plan = load_hierarchies(plan)
    findings = _findings(released, plan, claimed, persons, Beside(own_k, before))
    looked_at = tuple(files_behind([table] if isinstance(table, str | Path) else files))
    leaks = find_leaks(LeakScene(released, plan, before, looked_at, given=table), allow)
    verdict = verdict_of([*findings, *_quality(before, released, plan)], leaks).warned(*misspelt(released.names, plan))
    verdict = verdict.warned(*_unseen_beside(before, released, plan))
    return verdict.warned(UNJUDGED) if plan.require and before is None else verdict


def _unseen_beside(before: Table | None, released: Table, plan: Plan) -> list[str]:
    """A warning about columns that the original should have, so that it cannot tell of them."""
    if before is None:
        return []
    known = [*released.names, *plan.having(IDENTIFIER), *plan.having(DROP)]
    absent = [name for name in plan.columns if name in known and name not in before.names]
    if not absent:
        return []
    unsought = "copies in disguise, rows in their order and untrue cells"
    return [f"the original does not have {listed(map(repr, absent))}: {unsought} of such columns were not looked for"]


def _quality(before: Table | None, released: Table, plan: Plan) -> list[Finding]:
    """What the plan's gates come to beside the original, without which they cannot be judged."""
    if before is None or not plan.require:
        return []
    require_measurable(plan, before.names)
    return judged_gates(plan, measure(before, released, plan, metrics=metrics_of_gates(plan)))


def check_again(table: Table, plan: Plan, judged: Table, verdict: Verdict) -> Verdict:
    """Judge a table once more after it was written and read back.

    Every model is asked anew. Leaks are looked for anew unless the table is cell for cell, and type for type, the one
    that was ``judged``: then they are those of its verdict.
    """
    plan = replace(plan, require=())  # gates were judged before, beside the original
    table = as_read(table, plan).knowing(judged)
    if not same_tables(table, judged):
        return check(table, plan=plan)
    require_quasi_identifiers(table, plan)
    return verdict_of(_findings(table, load_hierarchies(plan), plan.k, None), verdict.leaks)


def measure(
    original: Any,
    released: Any,
    plan: Plan | None = None,
    *,
    classes: ArrayLike | None = None,
    metrics: Iterable[str] | None = None,
    utility: bool = False,
    releases: str = Evidence.releases,
    look_alikes: NDArray[np.int64] | None = None,
    rows: NDArray[np.int64] | None = None,
    learnt: Mapping[str, float] | None = None,
    progress: Progress | None = None,
) -> tuple[Measurement, ...]:
    """What a release lost and what risk remains, by the usual metrics or by those named.

    ``utility`` adds those that tell how well analyses still work, which take a few seconds more; those that the plan
    has quality gates about are measured, too.

    ``released`` is a table and has its ``plan`` beside it; a release in memory or its folder carries its own.

    ``original`` may be None: losses are then undefined, class sizes and risk are not. ``classes`` holds the class of
    each original row (-1 suppressed) and is needed only where the release shows centres instead of ranges. With it,
    figures rest on the rows that were released, and those left out are only counted; without it nobody knows which
    they are, so they widen the ranges that losses are measured by.

    ``releases`` says what the release consists of where it is no table of classes: ``subtables`` (put side by side in
    ``released``) or ``boxes``. Metrics of classes are undefined then; ``look_alikes`` tells the risk metrics among
    how many records each record hides. ``rows`` is the original row behind each released one, which its maker knows.
    ``learnt`` are the weights of columns that the method has learnt.
    """
    if plan is None:
        raise PlanError(
            "Nothing says what the columns of the released table are.",
            where="shoal.measure, plan",
            allowed="plan=..., or a release, which carries its own",
            received="a table without a plan",
            todo="give the plan of the release, or one made by shoal.Plan.of(k, quasi_identifiers=[...])",
        )
    modules = usual_metrics() if metrics is None else _named([metrics] if isinstance(metrics, str) else metrics)
    if utility:
        modules |= utility_metrics()
    if metrics is None:
        modules |= _named(metrics_asked(plan))
    evidence = evidence_of(original, released, plan, classes, rows)
    evidence = replace(evidence, releases=releases, look_alikes=look_alikes, learnt=learnt or {})
    found: list[Measurement] = []
    for name, module in modules.items():
        if progress is not None:
            progress(len(found), len(modules))
        found.append(measurement_of(name, module, evidence))
    return tuple(found)


def usual_metrics() -> dict[str, ModuleType]:
    """All metrics but those that take long and wait to be asked for."""
    every = _named(catalog.names("metrics"))
    return {name: module for name, module in every.items() if not getattr(module, "ON_REQUEST", False)}


def utility_metrics() -> dict[str, ModuleType]:
    """Those that tell how well analyses of a release still work."""
    declared = {name: entry.constants("UTILITY") for name, entry in catalog.entries("metrics").items()}
    return _named(name for name, constants in declared.items() if constants.get("UTILITY"))


def _named(names: Iterable[str]) -> dict[str, ModuleType]:
    return {name: catalog.load("metrics", name) for name in names}


def evidence_of(
    original: Any, released: Any, plan: Plan, classes: ArrayLike | None = None, rows: NDArray[np.int64] | None = None
) -> Evidence:
    """Everything the metrics look at, checked for agreement."""
    before, plan = (None, plan) if original is None else given_original(original, plan)
    after = given_table(released, plan)
    require_quasi_identifiers(after, plan)
    plan = load_hierarchies(plan)
    if before is None:
        return Evidence(None, after, plan)
    before.require(plan.quasi_identifiers, where="original table")
    suppressed = len(before) - len(after)
    if suppressed < 0:
        raise TableError(
            "The released table has more rows than the original.",
            where="released table",
            allowed=f"at most {len(before)} rows",
            received=f"{len(after)} rows",
            todo="compare a release with the table it was made from",
        )
    checked = _classes(classes, len(before), suppressed)
    if checked is not None and suppressed:  # what a figure says must not follow from rows that nobody may see
        kept = np.flatnonzero(checked >= 0)
        before, checked = before.take(kept), checked[kept]
        rows = None if rows is None else np.searchsorted(kept, rows).astype(np.int64)
    return Evidence(before, after, plan, checked, suppressed, whose=rows)


def _classes(given: ArrayLike | None, rows: int, suppressed: int) -> NDArray[np.int64] | None:
    if given is None:
        return None
    classes = np.asarray(given)
    whole = classes.shape == (rows,) and classes.dtype.kind in "iu"
    if not whole or int((classes < 0).sum()) != suppressed:
        raise PlanError(
            "The classes do not fit the tables.",
            where="classes",
            allowed=f"{rows} whole numbers, one per original row, {suppressed} of them -1 (left out of the release)",
            received=f"an array of shape {classes.shape} with {int((classes < 0).sum())} numbers below 0"
            if classes.dtype.kind in "iu"
            else f"an array of type {classes.dtype}",
            todo="give the classes of this very release",
        )
    return classes.astype(np.int64)


def given_table(data: Any, plan: Plan) -> Table:
    """A table, whatever it was given as, with what the plan says about its values."""
    from shoal.tables.frames import as_table

    return as_read(data if isinstance(data, Table) else as_table(data, plan.reading), plan)


def given_original(data: Any, plan: Plan, refused: Collection[str] = (CHOICES,)) -> tuple[Table, Plan]:
    """The table that a release was made from, under the plan's names; and the plan with what its cells say."""
    from shoal.tables.frames import as_table

    table = as_planned(data if isinstance(data, Table) else as_table(data, plan.reading), plan)
    return understood(table, plan, refused)[:2]


def require_quasi_identifiers(released: Table, plan: Plan) -> None:
    """Refuse a table that does not show what is to be judged."""
    if not plan.quasi_identifiers:
        raise PlanError(
            "No quasi-identifier is named, so there is nothing to judge.",
            where="--qi / quasi_identifiers / [columns]",
            allowed="one or more columns of the table",
            received="none",
            todo="name the columns that could help recognise someone, e.g. --qi age,sex,zip",
        )
    released.require(plan.published_quasi_identifiers, where="quasi-identifiers of the released table")


def _findings(
    released: Table,
    plan: Plan,
    claimed: int | None,
    persons: NDArray[np.int64] | None,
    beside: Beside | None = None,
) -> list[Finding]:
    """What every model that was asked for says, and whether all that must not be published is gone."""
    asked = [("k_anonymity", {"k": claimed}), *plan.models.items()]
    findings = [finding_of(name, released, plan, given, beside) for name, given in asked]
    if plan.person is not None:
        findings.append(check_persons(released, plan, claimed, persons))
    return [*findings, *check_levels(released, plan), *removed_columns_gone(released.names, plan)]


def finding_of(
    name: str, released: Table, plan: Plan, given: Mapping[str, Any], beside: Beside | None = None
) -> Finding:
    """What one model says of a table, and of what is known besides it."""
    module = catalog.load("privacy_models", name)
    parameters = build(module.Parameters, given, where=f"model {name!r}")
    finding: Finding
    if hasattr(module, "check_beside"):
        finding = module.check_beside(released, plan, parameters, beside or Beside())
    else:
        finding = module.check(released, plan, parameters)
    return finding


def removed_columns_gone(published: Sequence[str], plan: Plan) -> list[Finding]:
    """Identifiers, quasi-identifiers published under other names, and columns to drop must not be in the table."""
    renamed = [name for name in plan.quasi_identifiers if name not in plan.published(name)]
    identifiers = [*plan.having(IDENTIFIER), *renamed]
    return [
        *_gone(published, "identifiers", identifiers, "that must not be published", "identifier left in"),
        *_gone(published, "dropped", plan.having(DROP), "to be left out", "left in although it is to be left out"),
    ]


def misspelt(published: Sequence[str], plan: Plan) -> list[str]:
    """Warnings: private columns that are absent, and columns to be absent where one of nearly that name has no role."""
    unnamed = {name.casefold(): name for name in published if name not in plan.columns}
    absent = [name for name in plan.having(SENSITIVE) if name not in published]
    said = [f"the sensitive column {name!r} is not in the table, so nothing was judged of it" for name in absent]
    for name in (*plan.having(IDENTIFIER), *plan.having(DROP)):
        near = get_close_matches(name.casefold(), unnamed, n=1, cutoff=0.8) if name not in published else []
        said += [f"no column is called {name!r}, but {unnamed[one]!r} is in the table and has no role" for one in near]
    return said


def _gone(published: Sequence[str], finding: str, names: list[str], which: str, fault: str) -> list[Finding]:
    """Whether none of some columns is in the table; nothing where there are none."""
    left = [name for name in names if name in published]
    if not names:
        return []
    statement = f"none of the {len(names)} columns {which} is in the table"
    if len(names) == 1:
        statement = f"the column {which} is not in the table"
    if left:
        statement = f"{fault}: {', '.join(map(repr, left))}"
    return [Finding(finding, not left, statement, {"columns": len(names), "left_in": len(left)})]


def verdict_of(findings: Sequence[Finding], leaks: Sequence[Leak]) -> Verdict:
    """Findings and leaks together; a leak that breaks the release is a finding, too."""
    broken = [Finding(leak.kind, False, leak.statement) for leak in leaks if leak.severity == BREAKS]
    warnings = [leak.statement for leak in leaks if leak.severity == WARNING]
    return Verdict((*findings, *broken), tuple(warnings), tuple(leaks))


def measurement_of(name: str, metric: ModuleType, evidence: Evidence) -> Measurement:
    """One metric; whatever goes wrong in it costs its own value and no other's."""
    if evidence.releases not in getattr(metric, "APPLIES", (Evidence.releases,)):
        note = f"does not apply: a release of {evidence.releases} has no classes"
        return Measurement(name, math.nan, "lower", (math.nan, math.nan), note=note)
    try:
        measured: Measurement = metric.measure(evidence)
    except ShoalError as problem:
        note = f"{problem.what} ({problem.where})"
    except Exception as problem:  # a message of a library could quote cells, so only its type is told
        note = f"the metric failed ({type(problem).__name__})"
    else:
        return measured
    return Measurement(name, math.nan, "lower", (math.nan, math.nan), note=note)
