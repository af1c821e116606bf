# SPDX-License-Identifier: Apache-2.0
"""Is the release good enough? The plan's quality gates, judged by what was measured.

A gate is about utility. It can keep a release from being published, and never lets one pass that breaks a promise.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence

from shoal.ground import catalog
from shoal.ground.errors import MissedGateError, PlanError, listed, unknown
from shoal.ground.wording import number, phrase
from shoal.judging.evidence import Measurement, loss_metric, per_cell
from shoal.judging.verdicts import Finding
from shoal.plan.gates import LOSS, WHERE, Gate, NamedFigure, figure_about, gates_of, group_about
from shoal.plan.plan import Plan
from shoal.plan.roles import SENSITIVE

TARGETS = "targets"
"""What some metrics are about: the column that the plan names as such, else the sensitive ones."""
QUALITY = "quality"
"""The name under which gates are found."""
UNJUDGED = "what is required of the quality was not judged: that needs the original (--original)"
NO_CLASSES = "what is required of the quality was not judged: that needs a table of classes"
NOT_BESIDE = "nothing was looked for beside the original: that needs a table of classes"
USUALLY = "a smaller k, fewer quasi-identifiers, or finer trees"
LESS_LOSS = "a smaller k, fewer quasi-identifiers, finer trees, or a few rows left out (--suppression 0.02)"


def metrics_of_gates(plan: Plan) -> list[str]:
    """The metrics that the gates of a plan are about."""
    return list(dict.fromkeys(metric_of(gate, plan) for gate in gates_of(plan.require)))


def gates_beyond_counts(plan: Plan) -> list[str]:
    """Gates that need the rows themselves: where a table is only counted, nobody can judge them."""
    counted = {name: entry.constants("BY_COUNTS") for name, entry in catalog.entries("metrics").items()}
    return [str(gate) for gate in gates_of(plan.require) if not counted[metric_of(gate, plan)].get("BY_COUNTS")]


def metric_of(named: NamedFigure, plan: Plan) -> str:
    """The metric behind a name; ``loss`` is whichever the plan asks to keep low."""
    return loss_metric(plan) if named.metric == LOSS else named.metric


def workload_metrics(plan: Plan) -> list[str]:
    """Those that tell how the analyses fare that a plan names: which of its settings they are about, they declare."""
    declared = {name: entry.constants("WORKLOAD") for name, entry in catalog.entries("metrics").items()}
    return [name for name, one in declared.items() if any(getattr(plan, about) for about in one.get("WORKLOAD", ()))]


def metrics_asked(plan: Plan) -> list[str]:
    """What is measured because a plan asks for it: metrics of its gates, and of its workload."""
    return list(dict.fromkeys([*metrics_of_gates(plan), *workload_metrics(plan)]))


def require_measurable(plan: Plan, columns: Collection[str]) -> None:
    """Refuse gates about what nobody can measure here, before any work: that must not look like a bad release."""
    for gate in gates_of(plan.require):
        require_figure(gate, plan, columns, WHERE)


def require_figure(named: NamedFigure, plan: Plan, columns: Collection[str], where: str) -> None:
    """Refuse a figure of columns that nobody measures, and one that needs what is not here."""
    column, group = figure_about(named), group_about(named)
    metric = metric_of(named, plan)
    said = catalog.find("metrics", metric).constants("NEEDS", "COLUMNS")
    measured = _columns_measured(said.get("COLUMNS"), plan, columns)
    if not measured:
        what, allowed = "No column is named that this could be measured of.", "a sensitive column, or one to predict"
        todo = "name one (--sensitive, --target), or ask for another figure"
        raise PlanError(what, f"{where}: {named}", allowed, "none", todo)
    if column is not None and column not in measured:
        what = "Nothing is measured of such a column." if column in columns else "There is no such column."
        raise unknown(column, measured, what, where=f"{where}: {named}", otherwise="name one of those")
    groups = [" + ".join(one) for one in (*plan.group_by, *plan.pairs)]
    if group is not None and group not in groups:
        what = "The plan names no such columns together, so nothing is measured of them."
        asked = "name them in the plan (--group-by, --pairs), in this order"
        raise unknown(group, groups, what, where=f"{where}: {named}", otherwise=asked)
    for module, extra in said.get("NEEDS", {}).items():
        catalog.library(module, extra=extra, what=f"{where}: {metric}")


def _columns_measured(which: str | None, plan: Plan, columns: Collection[str]) -> Collection[str]:
    """The columns that a metric is about, by what it declares (``COLUMNS``); all of them where it declares nothing."""
    if which == TARGETS and plan.target is not None:
        return [plan.target]
    return columns if which is None else plan.having(SENSITIVE if which == TARGETS else which)


def judged_gates(plan: Plan, measured: Sequence[Measurement]) -> list[Finding]:
    """What every gate comes to; what cannot be measured does not pass."""
    known = {one.metric: one for one in measured}
    return [_finding(gate, plan, known.get(metric_of(gate, plan))) for gate in gates_of(plan.require)]


def _finding(gate: Gate, plan: Plan, measured: Measurement | None) -> Finding:
    value = math.nan if measured is None else _value(gate, measured)
    holds = gate.met_by(value)
    if holds:
        said = f"required is {gate}, and it is {number(value)}"
    elif math.isfinite(value):
        near = number(value) == number(gate.bound)  # what is missed by little must not look the same
        said = f"required is {gate}, but it is {f'{value:.12g}' if near else number(value)}"
    else:
        said = f"required is {gate}, and it is undefined" + _why(gate, measured)
    return Finding(QUALITY, holds, said, {"require": str(gate), "value": value, "bound": gate.bound})


def _value(gate: Gate, measured: Measurement) -> float:
    if gate.figure:
        return float(measured.figures.get(gate.figure, math.nan))
    return per_cell(measured) if gate.metric == LOSS else measured.value


def _why(gate: Gate, measured: Measurement | None) -> str:
    if measured is None:
        return ": it was not measured"
    if measured.note:
        return f": {measured.note}"
    if gate.figure and gate.figure not in measured.figures:
        return f": {gate.metric} has the figures {phrase(list(measured.figures))}"
    return ""


def _help(gate: Gate, found: Finding) -> str:
    """What would help to pass: what the metric says of itself (``HELPS``), else what usually does."""
    if not math.isfinite(found.figures["value"]):  # no smaller k would make it measurable
        return f"a figure that can be measured here instead of {gate.name}"
    if gate.metric == LOSS:
        return LESS_LOSS
    return str(catalog.find("metrics", gate.metric).constants("HELPS").get("HELPS", USUALLY))


def require_quality(plan: Plan, measurements: Sequence[Measurement]) -> None:
    """Refuse a release that misses a gate of its plan."""
    if problem := missed(plan, judged_gates(plan, measurements)):
        raise problem


def missed(plan: Plan, findings: Sequence[Finding]) -> MissedGateError | None:
    """Why a release that misses a gate is not published, and what would help; None if all are passed."""
    said = [one.statement for one in findings if one.holds is False]
    if not said:
        return None
    gates = [(gate, one) for gate, one in zip(gates_of(plan.require), findings, strict=True) if one.holds is False]
    helps = dict.fromkeys(_help(gate, one) for gate, one in gates)
    return MissedGateError(
        "The release is not as good as was required, so nothing is released.",
        where=WHERE,
        allowed=listed(str(gate) for gate, _ in gates),
        received="; ".join(said),
        todo=f"what would help: {'; or '.join(helps)}. Or require less",
    )
