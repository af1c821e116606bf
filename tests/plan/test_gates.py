# SPDX-License-Identifier: Apache-2.0
"""Quality gates as people write them: what is read, what is refused, and that plans keep them."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from shoal.ground.errors import PlanError
from shoal.plan.gates import gate_of
from shoal.plan.plan import Plan


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("loss <= 0.1", ("loss", "", "<=", 0.1)),
        ("rows_kept>=99%", ("rows_kept", "", ">=", 0.99)),
        ("  rows_kept  >  99.5 %  ", ("rows_kept", "", ">", 0.995)),
        ("pmse.ratio < 1e1", ("pmse", "ratio", "<", 10)),
        ("distribution_shift.mean age <= -0", ("distribution_shift", "mean age", "<=", 0)),
    ],
)
def test_gates_are_read(text: str, read: tuple[str, str, str, float]) -> None:
    """Metric, figure, sign and number, with or without blanks."""
    gate = gate_of(text)
    assert (gate.metric, gate.figure, gate.sign) == read[:3]
    assert gate.bound == pytest.approx(read[3])
    assert gate_of(str(gate)) == gate


@pytest.mark.parametrize(
    "text", ["", "loss", "loss 0.1", "loss = 0.1", "loss <= x", "loss <= nan", "<= 3", "loss < 1 2"]
)
def test_what_is_no_gate_is_refused(text: str) -> None:
    """With an example of one."""
    with pytest.raises(PlanError, match="cannot be read") as caught:
        Plan.of(2, quasi_identifiers=["age"], require=[text])
    assert "loss <= 0.1" in caught.value.todo


def test_a_misspelt_metric_is_refused() -> None:
    """With the nearest one."""
    with pytest.raises(PlanError) as caught:
        gate_of("acuracy_kept > 0.9")
    assert "accuracy_kept" in caught.value.todo


@pytest.mark.parametrize(("sign", "passing"), [(">=", (1.0, 1.1)), ("<=", (0.9, 1.0)), (">", (1.1,)), ("<", (0.9,))])
def test_a_value_passes_or_not(sign: str, passing: tuple[float, ...]) -> None:
    """Bounds included as the sign says; what is undefined never passes."""
    gate = gate_of(f"loss {sign} 1")
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
