# SPDX-License-Identifier: Apache-2.0
"""Releases that are weaker than one k-anonymous table: from sub-tables or boxes to a judged release.

Methods that declare ``releases="subtables"`` or ``"boxes"`` part from the flow of :mod:`shoal.pipeline` after
clustering and come here. They run only if the plan accepts it, and nothing about them is ever called plain "k".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal import catalog
from shoal.algorithms._protocol import Boxes, Partition, Subtables
from shoal.encoding.encoded import Encoded
from shoal.errors import CannotHoldError, PlanError, RefusedReleaseError, listed
from shoal.generalizing.boxes import Windows, check_renderings, render_boxes
from shoal.generalizing.subtables import render_subtables
from shoal.judging import check_boxes, check_subtables, joint_classes, measure, private_values, row_losses
from shoal.plan import Plan
from shoal.portraits.portray import portraying
from shoal.privacy_models._boxes import Rings
from shoal.privacy_models._protocol import Verdict
from shoal.progress import Clock
from shoal.releases.release import Release, Subtable
from shoal.reports.words import GIVEN_SEED, WEAKER
from shoal.roles.roles import IDENTIFIER, INSENSITIVE, SENSITIVE
from shoal.tables.equivalence_classes import classes
from shoal.tables.formulas import formula_cells, prefix_formulas
from shoal.tables.table import Table, side_by_side

Ints = NDArray[np.int64]

ORDER_STREAM = 1
"""Number of the random stream that shuffles rows, as in the pipeline; each sub-table has a stream of its own."""


# -- before ------------------------------------------------------------------------------------------------------


def announcement(plan: Plan) -> str:
    """What must be said before a weaker method runs, empty for the others; raises unless the plan accepts it."""
    kind = catalog.load("algorithms", plan.method).CAPABILITIES.releases
    if kind == "classes":
        return ""
    told = WEAKER[kind].format(method=plan.method)
    if not plan.accept_weaker:
        raise CannotHoldError(
            "The method does not publish a k-anonymous table.",
            where=f"method {plan.method!r}",
            allowed="a method that publishes classes, or accept_weaker",
            received=told,
            todo="choose another method, or accept less: --accept-weaker, accept_weaker = true in [privacy], "
            "accept_weaker=True",
        )
    _refuse_what_needs_classes(plan)
    if kind == "boxes" and plan.seed is not None:
        told = f"{told} And {GIVEN_SEED}."
    return told


def _refuse_what_needs_classes(plan: Plan) -> None:
    if plan.models:
        raise CannotHoldError(
            "Models of classes mean nothing where there are none.",
            where=f"method {plan.method!r}, model {listed(plan.models)}",
            allowed="k alone with this method",
            received=listed(plan.models),
            todo="leave out the models, or choose a method that publishes classes",
        )
    if plan.keep_order:
        raise PlanError(
            "The order of the input cannot be kept: it would undo what this method hides.",
            where=f"--keep-order / keep_order, method {plan.method!r}",
            allowed="shuffled rows",
            received="keep_order = true",
            todo="leave it out, or choose a method that publishes classes",
        )


# -- after clustering --------------------------------------------------------------------------------------------


def finish_weaker(table: Table, encoded: Encoded, found: Subtables | Boxes, plan: Plan, clock: Clock) -> Release:
    """Render, shuffle, judge and measure; raises before anything unsafe could be published."""
    if isinstance(found, Subtables):
        return _finish_subtables(table, encoded, found, plan, clock)
    return _finish_boxes(table, encoded, found, plan, clock)


def _finish_subtables(table: Table, encoded: Encoded, found: Subtables, plan: Plan, clock: Clock) -> Release:
    _verify_subtables(found, len(encoded), len(encoded.columns), plan)
    clock.phase("generalise")
    shape = [(group, partition.labels) for group, partition in zip(found.groups, found.partitions)]
    tables = render_subtables(table, encoded, shape, plan, apart=found.apart)
    formulas = {name: count for one in tables for name, count in formula_cells(one).items()}
    orders = [_order(one, [plan.seed or 0, ORDER_STREAM, place]) for place, one in enumerate(tables)]
    parts = tuple(Subtable(_guarded(one, plan).take(order), order) for one, order in zip(tables, orders))

    clock.phase("check")
    judge = partial(_judge_subtables, plan=plan, rows=orders)
    verdict = _held(judge([part.released for part in parts]), plan)

    clock.phase("measure")
    joint = joint_classes([part.released for part in parts], plan, orders)
    sizes = np.bincount(joint)
    joined = side_by_side(tables, plan.published_quasi_identifiers)
    measurements = measure(table, joined, plan, releases="subtables", look_alikes=sizes[joint].astype(np.int64))
    facts = _facts(plan, table, formulas) | _subtable_facts(verdict, table, plan, sizes)
    return Release(
        parts[0].released,
        plan,
        joint,
        verdict,
        measurements,
        facts,
        parts[0].rows,
        subtables=parts,
        judge=judge,
        portray=portraying(table, [(part.released, part.rows) for part in parts], plan, "subtables"),
        timings=clock.finish(),
    )


def _finish_boxes(table: Table, encoded: Encoded, found: Boxes, plan: Plan, clock: Clock) -> Release:
    _verify_boxes(found, len(encoded), plan)
    check_renderings(plan)
    clock.phase("generalise")
    boxes = Windows(found.starts, found.size)
    lenders = found.order[boxes.further(boxes.shifts(plan.seed))]
    released = render_boxes(table, encoded, found.order, boxes, lenders, plan)
    formulas = formula_cells(released)
    order = _order(released, None if plan.seed is None else [plan.seed, ORDER_STREAM])
    released = _guarded(released, plan).take(order)
    rings = Rings(found.order, found.starts, order, lenders[order])

    clock.phase("check")
    judge = partial(_judge_boxes, plan=plan, original=table, rings=rings)
    verdict = _held(judge([released]), plan)

    clock.phase("measure")
    hidden = np.full(len(table), plan.k, dtype=np.int64)
    measurements = measure(table, released, plan, releases="boxes", look_alikes=hidden)
    facts = _facts(plan, table, formulas) | _box_facts(table, released, plan, rings)
    ring = np.empty(len(table), dtype=np.int64)
    ring[found.order] = np.repeat(np.arange(len(found.starts) - 1), np.diff(found.starts))
    ring = Partition.of(ring).labels
    return Release(
        released,
        plan,
        ring,
        verdict,
        measurements,
        facts,
        rings.lenders,
        judge=judge,
        portray=portraying(table, [(released, rings.lenders)], plan, "boxes"),
        timings=clock.finish(),
    )


def _order(table: Table, stream: list[int] | None) -> Ints:
    """Sorted by content and then shuffled, so that the order tells nothing; without a stream by the system's draw."""
    return table.sorted_rows()[np.random.default_rng(stream).permutation(len(table))]


def _guarded(table: Table, plan: Plan) -> Table:
    return prefix_formulas(table) if plan.formulas == "prefix" else table


# -- judging -----------------------------------------------------------------------------------------------------


def _judge_subtables(tables: Sequence[Table], *, plan: Plan, rows: Sequence[Ints]) -> Verdict:
    return check_subtables(tables, plan, rows)


def _judge_boxes(tables: Sequence[Table], *, plan: Plan, original: Table, rings: Rings) -> Verdict:
    verdict = check_boxes(tables[0], plan, original, rings)
    return replace(verdict, warnings=(*verdict.warnings, *([GIVEN_SEED] if plan.seed is not None else [])))


def _held(verdict: Verdict, plan: Plan) -> Verdict:
    if verdict.holds:
        return verdict
    raise RefusedReleaseError(
        "The result did not pass the independent check, so nothing is released. This is a bug in shoal.",
        where=f"method {plan.method!r}",
        allowed="k in every sub-table, or (k,k) for boxes",
        received=listed(one.statement for one in verdict.findings if one.holds is False),
        todo="please report it with the plan (not the table), and use another method meanwhile",
    )


def _verify_subtables(found: Subtables, n: int, columns: int, plan: Plan) -> None:
    named = sorted(place for group in found.groups for place in group)
    sizes = [len(one.labels) == n and one.labels.min() >= 0 and one.sizes.min() >= plan.k for one in found.partitions]
    if named != list(range(columns)) or not all(sizes) or len(found.groups) != len(found.partitions):
        raise _bug("every quasi-identifier in one sub-table, every record in a class of at least k of each", plan)


def _verify_boxes(found: Boxes, n: int, plan: Plan) -> None:
    whole = np.array_equal(np.sort(found.order), np.arange(n)) and found.starts[0] == 0 and found.starts[-1] == n
    if not whole or found.size < plan.k or np.diff(found.starts).min() < found.size:
        raise _bug("every record in one ring of at least k", plan)


def _bug(allowed: str, plan: Plan) -> RefusedReleaseError:
    return RefusedReleaseError(
        "The method returned a result that is not whole, so nothing is released. This is a bug in the method.",
        where=f"method {plan.method!r}",
        allowed=allowed,
        received="something else",
        todo="use another method",
    )


# -- facts -------------------------------------------------------------------------------------------------------


def _facts(plan: Plan, table: Table, formulas: dict[str, int]) -> dict[str, Any]:
    return {
        "rows": len(table),
        "released_rows": len(table),
        "suppressed": 0,
        "identifiers_removed": list(plan.having(IDENTIFIER)),
        "order": "shuffled",
        "formula_cells": formulas,
    }


def _subtable_facts(verdict: Verdict, table: Table, plan: Plan, joint_sizes: Ints) -> dict[str, Any]:
    each = [one.figures for one in verdict.findings if one.model == "k_per_subtable"]
    sizes, counts = np.unique(joint_sizes, return_counts=True)
    declared = set(plan.columns) - set(plan.having(INSENSITIVE))
    return {
        "releases": "subtables",
        "columns": sum(len(one["columns"]) for one in each),
        "subtables": [
            {"columns": list(one["columns"]), "k": one["k_found"], "classes": one["classes"]} for one in each
        ],
        "k_per_subtable": min(one["k_found"] for one in each),
        "k_joint": int(sizes[0]),
        "joint_class_sizes": {int(size): int(count) for size, count in zip(sizes, counts)},
        "left_out": [name for name in table.names if name not in declared],
    }


def _box_facts(table: Table, released: Table, plan: Plan, rings: Rings) -> dict[str, Any]:
    losses = row_losses(table, released, plan)
    private = [name for name in table.names if name in plan.having(SENSITIVE)]
    facts: dict[str, Any] = {
        "releases": "boxes",
        "columns": len(released.names),
        "rings": len(rings.starts) - 1,
        "row_loss": {
            name: float(value)
            for name, value in zip(
                ("smallest", "median", "mean", "largest"),
                (losses.min(), np.median(losses), losses.mean(), losses.max()),
            )
        },
    }
    if private:
        different = private_values(rings, plan.k, classes(table, private))
        facts["private_values_per_box"] = {"fewest": int(different.min()), "mean": float(different.mean())}
    return facts
