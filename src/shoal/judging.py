# SPDX-License-Identifier: Apache-2.0
"""``check`` and ``measure``: runs privacy models and metrics over a table, ours or anybody's.

The judge starts from the released table, the way an outsider meets it, and shares no code with the engine that
made it (the wall, see ``docs/architecture.md``).

>>> from shoal.tables.table import Table
>>> table = Table.from_columns({"age": ["[20, 29]", "[20, 29]", "[30, 39]"], "disease": ["flu", "flu", "cold"]})
>>> print(check(table, quasi_identifiers=["age"]))
FOUND         k_anonymity: k = 1: some row has no look-alike on the quasi-identifiers
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from shoal import catalog
from shoal.errors import PlanError, ShoalError, TableError
from shoal.leaks._protocol import BREAKS, WARNING, Scene
from shoal.leaks._search import find_leaks
from shoal.metrics._protocol import BOXES, CLASSES, SUBTABLES, Evidence, Measurement
from shoal.metrics._reach import reach_of
from shoal.parameters import build
from shoal.plan import Plan, load_hierarchies
from shoal.privacy_models._boxes import Rings, check_fit, check_lenders, counts, private_values, well_formed
from shoal.privacy_models._persons import check_persons
from shoal.privacy_models._protocol import Finding, Leak, Verdict
from shoal.privacy_models._subtables import check_each, check_joint, joint_classes, plan_of_part
from shoal.roles.roles import IDENTIFIER
from shoal.tables.reading import Reading
from shoal.tables.table import Table


def check(
    table: Any,
    *,
    plan: Plan | None = None,
    quasi_identifiers: Iterable[str] = (),
    k: int | None = None,
    sensitive: Iterable[str] = (),
    identifiers: Iterable[str] = (),
    missing: str = "own",
    models: Mapping[str, Mapping[str, Any]] | None = None,
    hierarchies: Mapping[str, Any] | None = None,
    kinds: Mapping[str, str] | None = None,
    population: Any = None,
    original: Any = None,
    allow: Iterable[str] = (),
    files: Iterable[str | Path] = (),
    person: str | None = None,
    persons: NDArray[np.int64] | None = None,
) -> Verdict:
    """Judge a released table, made by anything: a frame, a file, or a :class:`Table`.

    Give the plan of the release, or the roles of the columns. Without k the verdict tells what holds; with k
    (or a plan, which has one) it says whether the claim is true. With ``original``, the table that the release was
    made from, leaks are found that show only beside it. ``allow`` names kinds of leaks (``shoal leaks``) that
    are accepted; ``files`` those that the table was read from, which are looked at, too. ``person`` names the column
    that tells whose row it is; ``persons`` are their numbers (-1: nobody known) where the column is gone.
    """
    claimed = k if plan is None or k is not None else plan.k
    if plan is None:
        plan = Plan.of(
            1 if k is None else k,
            quasi_identifiers=quasi_identifiers,
            sensitive=sensitive,
            identifiers=identifiers,
            missing=missing,
            models=models or {},
            hierarchies=hierarchies,
            kinds=kinds,
            population=population,
            person=person,
        )
    elif k is not None:
        plan = replace(plan, k=k)
    released = _table(table, plan.reading)
    _require_quasi_identifiers(released, plan)
    plan = load_hierarchies(plan)
    findings = _findings(released, plan, claimed, persons)
    before = None if original is None else _table(original, plan.reading)
    read_from = [table] if isinstance(table, str | Path) else files
    scene = Scene(released, plan, before, tuple(Path(one) for one in read_from))
    return _verdict(findings, find_leaks(scene, allow))


def check_again(table: Table, plan: Plan, judged: Table, verdict: Verdict) -> Verdict:
    """Judge a table once more after it was written and read back.

    Every model is asked anew. Leaks are looked for anew unless the table is cell for cell, and type for type, the one
    that was ``judged``: then they are those of its verdict.
    """
    if not table.same_as(judged):
        return check(table, plan=plan)
    _require_quasi_identifiers(table, plan)
    return _verdict(_findings(table, load_hierarchies(plan), plan.k, None), verdict.leaks)


def check_subtables(tables: Sequence[Any], plan: Plan, rows: Sequence[NDArray[np.int64]] | None = None) -> Verdict:
    """Judge several sub-tables of the same people: k per sub-table, and k joint.

    ``rows[t][i]`` is the original row shown in row i of sub-table t, which only the maker knows. Without it the joint
    audit cannot be made, and the verdict says so.
    """
    released = [_table(table, plan.reading) for table in tables]
    plan = load_hierarchies(plan)
    findings = check_each(released, plan)
    if rows is not None:
        findings.append(check_joint(released, plan, joint_classes(released, plan, rows)))
    else:
        said = "k joint was measured when the release was made, and cannot be from sub-tables that were shuffled apart"
        findings.append(Finding("k_joint", None, said))
    leaks = [
        replace(leak, statement=f"sub-table {number}: {leak.statement}")
        for number, table in enumerate(released, 1)
        for leak in find_leaks(Scene(table, plan_of_part(table, plan), releases=SUBTABLES))
    ]
    apart = [_identifiers_gone(table, plan) for table in released]
    gone = next((one for one in apart if one and not one[0].holds), apart[0])
    return _verdict([*findings, *gone], leaks)


def check_boxes(released: Any, plan: Plan, original: Table | None = None, rings: Rings | None = None) -> Verdict:
    """Judge a table of boxes: (k,k)-anonymity, and the pairing of rows and records.

    Without the original and the rings, which only the maker knows, neither can be judged, and the verdict says so.
    """
    table = _table(released, plan.reading)
    _require_quasi_identifiers(table, plan)
    plan = load_hierarchies(plan)
    if original is None or rings is None:
        said = "(k,k) was measured when the release was made, and cannot be from the boxes without the original"
        findings = [Finding("boxes", None, said)]
    else:
        findings = _fitting(table, plan, original, rings)
    return _verdict([*findings, *_identifiers_gone(table, plan)], find_leaks(Scene(table, plan, releases=BOXES)))


def _fitting(table: Table, plan: Plan, original: Table, rings: Rings) -> list[Finding]:
    evidence = Evidence(original, table, plan)
    reaches = [reach_of(evidence, name) for name in plan.quasi_identifiers]
    problems = [one.problem for one in reaches if one.problem]
    if not well_formed(rings, len(original)) or len(table) != len(original):
        problems.append("the rings do not fit the tables")
    if problems:
        return [Finding("boxes", False, "; ".join(problems))]
    wildcard = plan.missing == "wildcard"

    def allows(records: NDArray[np.int64]) -> NDArray[np.bool_]:
        inside: NDArray[np.bool_] = np.all([reach.holds(records, wildcard) for reach in reaches], axis=0)
        return inside

    return [check_fit(plan.k, *counts(rings, plan.k, allows)), check_lenders(rings, plan.k)]


def row_losses(original: Table, released: Table, plan: Plan) -> NDArray[np.float64]:
    """Loss per cell of every released row: its mean share of ranges and leaves; NaN where a cell cannot be read."""
    evidence = Evidence(original, released, load_hierarchies(plan))
    reaches = [reach_of(evidence, name) for name in plan.quasi_identifiers]
    if any(one.problem for one in reaches):
        return np.full(len(released), math.nan)
    losses: NDArray[np.float64] = np.mean([one.shares for one in reaches], axis=0)
    return losses


def measure(
    original: Any,
    released: Any,
    plan: Plan,
    *,
    classes: ArrayLike | None = None,
    metrics: Iterable[str] | None = None,
    releases: str = CLASSES,
    look_alikes: NDArray[np.int64] | None = None,
) -> tuple[Measurement, ...]:
    """What a release lost and what risk remains, by every metric or by those named.

    ``original`` may be None: losses are then undefined, class sizes and risk are not. ``classes`` holds the class of
    each original row (-1 suppressed) and is needed only where the release shows centres instead of ranges.

    ``releases`` says what the release consists of where it is no table of classes: ``subtables`` (put side by side in
    ``released``) or ``boxes``. Metrics of classes are undefined then; ``look_alikes`` tells the risk metrics among
    how many records each record hides.
    """
    names = catalog.names("metrics") if metrics is None else [metrics] if isinstance(metrics, str) else list(metrics)
    modules = {name: catalog.load("metrics", name) for name in names}
    evidence = replace(evidence_of(original, released, plan, classes), releases=releases, look_alikes=look_alikes)
    return tuple(_measurement(name, module, evidence) for name, module in modules.items())


def evidence_of(original: Any, released: Any, plan: Plan, classes: ArrayLike | None = None) -> Evidence:
    """Everything the metrics look at, checked for agreement."""
    after = _table(released, plan.reading)
    _require_quasi_identifiers(after, plan)
    plan = load_hierarchies(plan)
    if original is None:
        return Evidence(None, after, plan)
    before = _table(original, plan.reading)
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
    return Evidence(before, after, plan, _classes(classes, len(before), suppressed), suppressed)


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


def _table(data: Any, reading: Reading) -> Table:
    if isinstance(data, Table):
        return data
    from shoal.tables.frames import as_table

    return as_table(data, reading)


def _require_quasi_identifiers(released: Table, plan: Plan) -> None:
    if not plan.quasi_identifiers:
        raise PlanError(
            "No quasi-identifier is named, so there is nothing to judge.",
            where="--qi / quasi_identifiers / [columns]",
            allowed="one or more columns of the table",
            received="none",
            todo="name the columns that could help recognise someone, e.g. --qi age,sex,zip",
        )
    released.require(plan.published_quasi_identifiers, where="quasi-identifiers of the released table")


# -- models ------------------------------------------------------------------------------------------------------


def _findings(released: Table, plan: Plan, claimed: int | None, persons: NDArray[np.int64] | None) -> list[Finding]:
    """What every model that was asked for says, and whether all that must not be published is gone."""
    asked = [("k_anonymity", {"k": claimed}), *plan.models.items()]
    findings = [_finding(name, released, plan, given) for name, given in asked]
    if plan.person is not None:
        findings.append(check_persons(released, plan, claimed, persons))
    return [*findings, *_identifiers_gone(released, plan)]


def _finding(name: str, released: Table, plan: Plan, given: Mapping[str, Any]) -> Finding:
    module = catalog.load("privacy_models", name)
    finding: Finding = module.check(released, plan, build(module.Parameters, given, where=f"model {name!r}"))
    return finding


def _identifiers_gone(released: Table, plan: Plan) -> list[Finding]:
    """Identifiers, and quasi-identifiers that are published under other names, must not be in the table."""
    hidden = [*plan.having(IDENTIFIER), *(name for name in plan.quasi_identifiers if name not in plan.published(name))]
    left = [name for name in hidden if name in released.names]
    if not hidden:
        return []
    statement = f"none of the {len(hidden)} columns that must not be published is in the table"
    if left:
        statement = f"identifier left in: {', '.join(map(repr, left))} must not be published"
    return [Finding("identifiers", not left, statement, {"columns": len(hidden), "left_in": len(left)})]


def _verdict(findings: Sequence[Finding], leaks: Sequence[Leak]) -> Verdict:
    """Findings and leaks together; a leak that breaks the release is a finding, too."""
    broken = [Finding(leak.kind, False, leak.statement) for leak in leaks if leak.severity == BREAKS]
    warnings = [leak.statement for leak in leaks if leak.severity == WARNING]
    return Verdict((*findings, *broken), tuple(warnings), tuple(leaks))


# -- metrics -----------------------------------------------------------------------------------------------------


def _measurement(name: str, metric: ModuleType, evidence: Evidence) -> Measurement:
    """One metric; whatever goes wrong in it costs its own value and no other's."""
    if evidence.releases not in getattr(metric, "APPLIES", (CLASSES,)):
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


__all__ = [
    "check",
    "check_again",
    "check_boxes",
    "check_subtables",
    "evidence_of",
    "joint_classes",
    "measure",
    "private_values",
    "row_losses",
]
