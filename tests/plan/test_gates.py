# SPDX-License-Identifier: Apache-2.0
"""Quality gates as people write them: what is read, what is refused, and that plans keep them."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from shoal.ground.errors import PlanError
from shoal.plan.gates import figure_of, gate_of
from shoal.plan.plan import Plan


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("loss <= 0.1", ("loss", "", "<=", 0.1)),
        ("rows_kept>=99%", ("rows_kept", "", ">=", 0.99)),
        ("  rows_kept  >  99.5 %  ", ("rows_kept", "", ">", 0.995)),
        ("pmse.ratio < 1e1", ("pmse", "ratio", "<", 10)),
        ("distribution_shift.mean age <= -0", ("distribution_shift", "mean age", "<=", 0)),
        ("distribution_shift.mean =a<b >= 5e-1 %", ("distribution_shift", "mean =a<b", ">=", 0.005)),
    ],
)
def test_gates_are_read(text: str, read: tuple[str, str, str, float]) -> None:
    """Metric, figure, sign and number, with or without blanks."""
    gate = gate_of(text)
    assert (gate.metric, gate.figure, gate.sign) == read[:3]
    assert gate.bound == pytest.approx(read[3])
    assert gate_of(str(gate)) == gate


@pytest.mark.parametrize(
    "text", ["", "loss", "loss 0.1", "loss = 0.1", "loss <= x", "loss <= nan", "<= 3", "loss < 1 2", "pmse. < 0.1"]
)
def test_what_is_no_gate_is_refused(text: str) -> None:
    """With an example of one."""
    with pytest.raises(PlanError, match="cannot be read") as caught:
        Plan.of(2, quasi_identifiers=["age"], require=[text])
    assert "loss <= 0.1" in caught.value.todo


def test_a_misspelt_metric_is_refused() -> None:
    """With the nearest one; and a page of letters is not said again."""
    with pytest.raises(PlanError) as caught:
        gate_of("acuracy_kept > 0.9")
    assert "accuracy_kept" in caught.value.todo
    with pytest.raises(PlanError) as caught:
        gate_of("a" * 10_000 + " > 0.9")
    assert len(caught.value.received) < 300


@pytest.mark.parametrize(("sign", "passing"), [(">=", (1.0, 1.1)), ("<=", (0.9, 1.0)), (">", (1.1,)), ("<", (0.9,))])
def test_a_value_passes_or_not(sign: str, passing: tuple[float, ...]) -> None:
    """Bounds included as the sign says; what is undefined never passes."""
    gate = gate_of(f"query_error {sign} 1")
    assert tuple(value for value in (0.9, 1.0, 1.1, math.nan) if gate.met_by(value)) == passing


def test_plans_keep_gates(tmp_path: Path) -> None:
    """Written and read again; one alone may be given without a list."""
    plan = Plan.of(2, quasi_identifiers=["age"], require="loss <= 0.1")
    assert plan.require == ("loss <= 0.1",)
    (tmp_path / "plan.toml").write_text(plan.to_toml())
    assert Plan.read(tmp_path / "plan.toml").require == plan.require
    assert "quality" not in Plan.of(2, quasi_identifiers=["age"]).to_dict()
    assert "require" in plan._repr_html_()


@pytest.mark.parametrize("text", ["pmse.rato < 1", "loss.per_cell < 1", "distribution_shift.means age < 1"])
def test_a_misspelt_figure_is_refused(text: str) -> None:
    """By what the metric declares, before anything is measured."""
    with pytest.raises(PlanError, match="no such figure"):
        gate_of(text)


@pytest.mark.parametrize(
    ("text", "problem"),
    [("nosuch", "no such metric"), ("pmse.rato", "no such figure"), ("loss <= 1", "cannot be read")],
)
def test_a_figure_alone_is_refused_where_it_was_named(text: str, problem: str) -> None:
    """And not where gates stand."""
    with pytest.raises(PlanError, match=problem) as caught:
        figure_of(text, "--rank")
    assert caught.value.where == "--rank"


@pytest.mark.parametrize(
    ("text", "todo"),
    [
        ("rows_kept >= 99", "did you mean rows_kept >= 99 %?"),
        ("loss <= 10", "did you mean loss <= 10 %?"),
        ("rows_kept > 1", "require another number"),
        ("accuracy_kept >= -0.1", "require another number"),
        ("pmse < 0", "require another number"),
        ("query_error <= -1", "require another number"),
        ("distribution_shift < 0", "require another number"),
        ("prosecutor_risk <= 10", "did you mean prosecutor_risk <= 10 %?"),
        ("rows_kept >= 100.5 %", "require another number"),
    ],
)
def test_a_number_that_nothing_can_reach_or_miss_is_refused(text: str, todo: str) -> None:
    """By the limits that the metric declares, before the run."""
    with pytest.raises(PlanError, match="as good, or as bad") as caught:
        gate_of(text)
    assert caught.value.todo == todo


@pytest.mark.parametrize(
    "text", ["rows_kept >= 1", "loss <= 0", "loss <= 1", "pmse <= 25 %", "query_error < 1e9", "il > 5"]
)
def test_limits_themselves_can_be_required(text: str) -> None:
    """And anything of a metric that declares none."""
    assert gate_of(text).bound >= 0
