# SPDX-License-Identifier: Apache-2.0
"""Quality gates, judged: a release that misses one is never made, and one that passes says so."""

from __future__ import annotations

import json
import math
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import shoal
from shoal.ground.errors import MissedGateError, MissingExtraError, PlanError
from shoal.judging.evidence import Measurement
from shoal.judging.gates import judged_gates, metrics_asked, missed
from shoal.plan.plan import Plan
from shoal.releases.reports.first_page import Tile, tiles
from shoal.releases.reports.html import html
from shoal.releases.reports.text import summary

ROLES = {"quasi_identifiers": ["age", "sex"], "sensitive": ["diagnosis"], "method": "mondrian"}


@pytest.fixture(scope="module")
def patients() -> object:
    """A small table."""
    return shoal.synthetic_patients(120).select("age", "sex", "diagnosis")


def plan(*gates: str, loss: str = "ncp") -> Plan:
    """A plan with gates."""
    return Plan.of(2, quasi_identifiers=["age"], require=gates, loss=loss)


def test_a_gate_is_compared_with_what_was_measured() -> None:
    """The value, a figure of it, or for ``loss`` the plan's loss per cell."""
    measured = [
        Measurement("il", 30.0, "lower", (0.0, 90.0), {"per_cell": 0.3}),
        Measurement("pmse", 0.1, "lower", (0.0, 0.25), {"ratio": 7.0}),
    ]
    asked = plan("loss <= 0.3", "il <= 20", "pmse.ratio < 7", "pmse < 0.2", loss="height")
    assert metrics_asked(asked) == ["il", "pmse"]
    found = judged_gates(asked, measured)
    assert [one.holds for one in found] == [True, False, False, True]
    assert found[0].statement == "required is loss <= 0.3, and it is 0.3"
    assert found[1].statement == "required is il <= 20, but it is 30"
    assert found[1].figures == {"require": "il <= 20", "value": 30.0, "bound": 20.0}


def test_what_is_missed_by_little_does_not_look_the_same() -> None:
    """Neither the number that is required nor the one that was measured is rounded to the other."""
    measured = [Measurement("pmse", 0.1234004, "lower", (0.0, 0.25))]
    found = judged_gates(plan("pmse <= 0.1234", "pmse <= 0.12340039"), measured)
    assert [one.statement for one in found] == [
        "required is pmse <= 0.1234, but it is 0.1234004",
        "required is pmse <= 0.12340039, but it is 0.1234004",
    ]


def test_what_is_not_known_does_not_pass() -> None:
    """Undefined values, unknown figures, and metrics that nobody measured; it is said why."""
    undefined = Measurement.undefined("pmse", "the moon was full")
    told = [
        judged_gates(plan("pmse < 0.2"), [undefined]),
        judged_gates(plan("pmse.ratio < 1"), [Measurement("pmse", 0.0, "lower", (0.0, 1.0), {"expected": 1.0})]),
        judged_gates(plan("pmse < 0.2"), []),
    ]
    assert [one.holds for (one,) in told] == [False, False, False]
    reasons = [one.statement.partition("undefined")[2] for (one,) in told]
    assert reasons == [": the moon was full", ": pmse has the figures expected", ": it was not measured"]
    assert math.isnan(told[0][0].figures["value"])


def test_the_refusal_says_what_would_help() -> None:
    """Of the gates that are missed, and of no other."""
    asked = plan("rows_kept >= 1", "loss <= 1")
    measured = [
        Measurement("rows_kept", 0.9, "higher", (0.0, 1.0)),
        Measurement("ncp", 1.0, "lower", (0.0, 2.0), {"per_cell": 0.5}),
    ]
    problem = missed(asked, judged_gates(asked, measured))
    assert isinstance(problem, MissedGateError)
    assert (problem.exit_code, problem.allowed) == (1, "rows_kept >= 1")
    assert "--suppression" in problem.todo
    assert "loss" not in problem.received
    assert missed(plan(), []) is None


def test_a_missed_gate_stops_the_run(patients: object) -> None:
    """No release, whatever the models say."""
    with pytest.raises(MissedGateError) as caught:
        shoal.anonymize(patients, k=5, **ROLES, require=["loss <= 0.001", "rows_kept >= 0.5"])
    assert caught.value.allowed == "loss <= 0.001"


@pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
def test_passed_gates_are_shown(patients: object, tmp_path: Path) -> None:
    """In words, in JSON and on the page; what they ask for on request is measured, and the verdict speaks of models."""
    gates = ["loss <= 0.9", "distribution_shift < 1", "rows_kept >= 1"]
    release = shoal.anonymize(patients, k=5, **ROLES, require=gates)
    assert {"distribution_shift", "rows_kept"} <= {one.metric for one in release.measurements}
    folder = release.save(tmp_path / "released")
    report = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    assert [one["require"] for one in report["quality"]] == ["loss <= 0.9", "distribution_shift < 1", "rows_kept >= 1"]
    assert all(one["holds"] for one in report["quality"])
    assert "Required is rows_kept &gt;= 1, and it is 1." in html(release)
    lights = [tile for tile in tiles(release) if tile.note.startswith("required")]
    assert [(one.name, one.note, one.style) for one in lights] == [
        ("loss", "required: <= 0.9", "good"),
        ("distribution_shift", "required: < 1", "good"),
        ("rows_kept", "required: >= 1", "good"),
    ]
    assert lights[2].value == "✔ 1"
    assert "HOLDS         quality: required is rows_kept >= 1, and it is 1" in summary(release)
    assert Plan.read(folder / "plan.toml").require == tuple(gates)


@pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
def test_what_pairs_tell_of_each_other_is_drawn_where_it_was_measured(patients: object) -> None:
    """Beside their correlations, which every report draws."""
    drawn = "of what columns tell of each other is kept (mutual information)"
    told = [html(shoal.anonymize(patients, k=5, **ROLES, **said)) for said in ({}, {"pairs": [["age", "diagnosis"]]})]
    assert [drawn in one for one in told] == [False, True]


@pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
def test_lights_that_do_not_fit_are_counted_and_a_red_one_is_seen(patients: object) -> None:
    """Three of them stand on the page; of a release whose plan asks for more than it has, one is red."""
    gates = ["rows_kept >= 1", "loss <= 1", "pmse <= 0.25", "distribution_shift < 9", "query_error < 9"]
    release = shoal.anonymize(patients, k=5, **ROLES, require=gates)
    told = list(tiles(release))
    assert told[-1] == Tile("Further requirements", "✔ 2", "all passed; see section 2", "good", spare=True)
    record = replace(release.record, plan=replace(release.plan, require=("loss <= 0.0001", *gates[1:4], "pmse < 1e-9")))
    first, *_, last = list(tiles(replace(release, record=record)))[-4:]
    assert (first.style, first.value[0], last.style, last.note) == ("bad", "✘", "bad", "not all passed; see section 2")


@pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
def test_the_checker_judges_gates_beside_the_original(patients: object) -> None:
    """Of tables that anybody made; without the original that is a warning, and nothing broken."""
    release = shoal.anonymize(patients, k=5, **ROLES)
    claims = {"quasi_identifiers": ["age", "sex"], "sensitive": ["diagnosis"], "k": 5}
    alone = shoal.check(release.table, **claims, require=["loss <= 0.001"])
    assert alone.holds
    assert alone.warnings[-1].startswith("what is required of the quality was not judged")
    beside = shoal.check(release.table, **claims, require=["loss <= 0.001", "rows_kept >= 1"], original=patients)
    assert not beside.holds
    assert [one.holds for one in beside.findings if one.model == "quality"] == [False, True]


def test_a_missing_library_is_no_bad_release(patients: object, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is said before any work, with the extra that brings it."""
    monkeypatch.setitem(sys.modules, "sklearn.linear_model", None)
    with pytest.raises(MissingExtraError, match="accuracy_kept needs a library"):
        shoal.anonymize(patients, k=5, **ROLES, require=["accuracy_kept > 0.1"])


@pytest.mark.parametrize(
    ("gate", "said"),
    [
        ("distribution_shift.mean diagnosis < 1", "Nothing is measured of such a column"),
        ("accuracy_kept.original age > 0.1", "Nothing is measured of such a column"),
        ("given_away.certain sex < 1", "Nothing is measured of such a column"),
        ("typical_width.width height < 1", "There is no such column"),
    ],
)
def test_figures_of_columns_that_are_not_measured_are_refused(patients: object, gate: str, said: str) -> None:
    """Before the run, with those that are."""
    with pytest.raises(PlanError, match=said) as caught:
        shoal.anonymize(patients, k=5, **ROLES, require=[gate])
    assert caught.value.allowed in ("age, sex", "diagnosis")


@pytest.mark.parametrize("metric", ["accuracy_kept", "regression_kept", "given_away"])
def test_what_needs_a_private_column_is_refused_without_one(metric: str) -> None:
    """Before the run: nothing would be measured."""
    frame = shoal.synthetic_patients(50).select("age", "sex")
    with pytest.raises(PlanError, match="No column is named that this could be measured of"):
        shoal.anonymize(frame, k=5, quasi_identifiers=["age", "sex"], method="mondrian", require=[f"{metric} < 0.5"])


def test_no_smaller_k_makes_an_undefined_figure_measurable() -> None:
    """So that is not what would help; its note says why it is undefined."""
    asked = plan("pmse < 0.2")
    problem = missed(asked, judged_gates(asked, [Measurement.undefined("pmse", "the moon was full")]))
    assert problem is not None
    assert "smaller k" not in problem.todo
    assert "the moon was full" in problem.received


def test_figures_of_columns_that_nobody_named_together_are_refused(patients: object) -> None:
    """Before the run: they would be undefined after it."""
    wrong = [{"group_by": [["sex", "age"]]}, {}]
    for said in wrong:
        with pytest.raises(PlanError, match="names no such columns together") as caught:
            shoal.anonymize(patients, k=5, **ROLES, **said, require=["query_error.group age + sex < 1"])
        assert caught.value.where.endswith("query_error.group age + sex < 1")
