# SPDX-License-Identifier: Apache-2.0
"""The exam that every metric sits: ``check_metric("ncp")``.

Raises ``AssertionError`` with the promise that is broken. What a metric *means* is for its own tests; the exam holds
what all metrics promise: they depend on the content of the tables alone, stay within their limits, never crash on
odd input, say why when they cannot tell, and never quote a cell.
"""

from __future__ import annotations

import json
import math
from types import ModuleType

import numpy as np

from shoal.judging.evidence import Evidence, Measurement
from shoal.plan.gates import COLUMN
from shoal.tables.table import Table
from shoal.testing import _specimen as specimen

SLACK = 1e-9
"""Sums in another order may differ in their last digits."""
FIRST_ROW = np.zeros(1, dtype=np.int64)


def check_metric(name: str) -> None:
    """Examine one metric of the catalogue."""
    metric = specimen.described("metrics", name, "formula and paper")
    for examine in (_keeps_its_form, _ignores_order, _is_repeatable, _unchanged_costs_nothing, _survives_odd_input):
        examine(name, metric)


def _evidence(original: specimen.Columns, released: specimen.Columns) -> Evidence:
    return Evidence(specimen.table(original), specimen.table(released), specimen.plan())


def _measured(name: str, metric: ModuleType, evidence: Evidence) -> Measurement:
    """Measure, and check what must be true of every measurement."""
    measured = metric.measure(evidence)
    assert isinstance(measured, Measurement), f"{name}: measure must return a Measurement"
    assert measured.metric == name, f"{name}: the measurement must carry the metric's own name"
    assert measured.better in ("lower", "higher"), f"{name}: better must be 'lower' or 'higher'"
    assert measured.note or not math.isnan(measured.value), f"{name}: a value of NaN needs a note that says why"
    low, high = measured.limits
    limits = getattr(metric, "LIMITS", measured.limits)
    assert limits == measured.limits or math.isnan(measured.value), f"{name}: limits that LIMITS does not declare"
    outside = measured.value < low - SLACK or measured.value > high + SLACK
    assert not outside, f"{name}: {measured.value} is outside its own limits {measured.limits}"
    json.dumps(measured.to_dict(), allow_nan=False)
    declared = getattr(metric, "FIGURES", ())
    heads = tuple(one.partition(COLUMN)[0] for one in declared)
    strange = [one for one in measured.figures if declared and not one.startswith(heads)]
    assert not strange, f"{name}: figures that FIGURES does not declare, so that no gate can name them: {strange}"
    return measured


def _keeps_its_form(name: str, metric: ModuleType) -> None:
    measured = _measured(name, metric, _evidence(specimen.ORIGINAL, specimen.RELEASED))
    useful = getattr(metric, "UTILITY", False)  # eight rows may be too few for an analysis to find anything in
    assert useful or not math.isnan(measured.value), f"{name}: undefined on a plain release"
    unknown = set(measured.per_column) - set(specimen.QUASI_IDENTIFIERS)
    assert not unknown, f"{name}: per_column must name quasi-identifiers only"


def _ignores_order(name: str, metric: ModuleType) -> None:
    straight = _evidence(specimen.ORIGINAL, specimen.RELEASED)
    expected = _measured(name, metric, straight)
    for change in (specimen.shuffled, specimen.turned):
        assert straight.original is not None
        other = Evidence(change(straight.original), change(straight.released), straight.plan)
        assert _close(expected, _measured(name, metric, other)), f"{name}: depends on the order of rows or columns"


def _is_repeatable(name: str, metric: ModuleType) -> None:
    twice = [_measured(name, metric, _evidence(specimen.ORIGINAL, specimen.RELEASED)) for _ in range(2)]
    assert twice[0] == twice[1], f"{name}: two measurements of the same release differ"


def _unchanged_costs_nothing(name: str, metric: ModuleType) -> None:
    """Losses are told by ``per_column``; the others only have to answer."""
    alike = {column: [cells[0]] * len(cells) for column, cells in specimen.ORIGINAL.items()}
    hidden: specimen.Columns = {**specimen.RELEASED, **{column: ["*"] * 8 for column in specimen.QUASI_IDENTIFIERS}}
    for table in (specimen.ORIGINAL, alike):
        measured = _measured(name, metric, _evidence(table, table))
        lost = [column for column, loss in measured.per_column.items() if abs(loss) > SLACK]
        assert not lost, f"{name}: an unchanged release, missing cells included, must cost nothing"
        best = 1.0 if measured.better == "higher" else 0.0
        worse = abs(measured.value - best) > SLACK and getattr(metric, "UTILITY", False)
        assert not worse, f"{name}: an unchanged release must be as useful as the original"
    worst = _measured(name, metric, _evidence(specimen.ORIGINAL, hidden))
    kept = [column for column, loss in worst.per_column.items() if abs(loss - 1) > SLACK]
    assert not kept, f"{name}: a cell of which nothing is left must cost 1"


def _survives_odd_input(name: str, metric: ModuleType) -> None:
    plan = specimen.plan()
    odd: specimen.Columns = {**specimen.RELEASED, "age": ["no such label"] * 8, "work": ["nor such"] * 8}
    nothing = specimen.table({column: [] for column in specimen.ORIGINAL})
    original, released = specimen.table(specimen.ORIGINAL), specimen.table(specimen.RELEASED)
    cases: list[tuple[Table | None, Table]] = [
        (None, released),
        (original, specimen.table(odd)),
        (nothing, nothing),
        (original.take(FIRST_ROW), released.take(FIRST_ROW)),
    ]
    secrets = specimen.cells(specimen.ORIGINAL) | specimen.cells(specimen.RELEASED) | specimen.cells(odd)
    for before, after in cases:
        measured = _measured(name, metric, Evidence(before, after, plan))
        quoted = [cell for cell in secrets if cell in measured.note]
        assert not quoted, f"{name}: a note must never quote a cell"


def _close(one: Measurement, other: Measurement) -> bool:
    def same(left: float, right: float) -> bool:
        return math.isclose(left, right, rel_tol=SLACK, abs_tol=SLACK) or (math.isnan(left) and math.isnan(right))

    parts = ((one.figures, other.figures), (one.per_column, other.per_column))
    return same(one.value, other.value) and all(
        set(left) == set(right) and all(same(left[key], right[key]) for key in left) for left, right in parts
    )
