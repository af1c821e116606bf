# SPDX-License-Identifier: Apache-2.0
"""Bounds that the clock or the user ended: their plans replay, and reports say what is missing and what would help."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.engine.bounds.bound import lower_bound
from shoal.engine.bounds.budget import StepBudget, TimeOver, Watch
from shoal.engine.bounds.certificate import FAR, POOR, Certificate
from shoal.engine.encoding.encode import complete, encode
from shoal.ground.errors import PlanError
from shoal.ground.progress import Step
from shoal.plan.plan import Plan
from shoal.releases.reports.text import summary
from shoal.tables.frames import take_in

random = np.random.default_rng(3)
FOUR = pl.DataFrame({name: random.integers(0, 1000, 1500) for name in ("a", "b", "c", "d")})
NAMES = [pl.col(name).floordiv(100).replace_strict(dict(enumerate("klmnopqrst"))).alias(name) for name in ("b", "c")]
ONE = FOUR.select("a", *NAMES)
"""Boxes are searched for in the first table, and listed in the second."""
LOOKS = (1, 2, 5, 17)


def asked(table: pl.DataFrame, **more: Any) -> Any:
    """What is asked for in all of these tests."""
    return {"k": 5, "method": "mondrian", "quasi_identifiers": table.columns, **more}


def ending_at(monkeypatch: pytest.MonkeyPatch, look: int) -> None:
    """A clock that runs out at a look, where a plan does not tell it."""
    ends = Watch._ends
    by_clock = lambda self: self.looks >= look if self.until < np.inf else ends(self)  # noqa: E731
    monkeypatch.setattr(Watch, "_ends", by_clock)


def test_looks_are_counted_by_all_budgets_of_a_bound() -> None:
    """Time that is over for one budget is over for the next, and the same look ends another run."""
    first = Watch(stop_after=3)
    one, other = StepBudget(10**9, watch=first), StepBudget(10**9, watch=first)
    one.spend(1)
    other.spend(1)
    assert one.left == other.left == 10**9 - 1
    assert (first.stopped_after, first.is_short) == (None, False)
    other.spend(1)
    assert (one.left, other.left, first.stopped_after, first.is_short) == (10**9 - 1, 0, 3, True)
    one.spend(1)
    assert (one.left, first.stopped_after) == (0, 3)
    with pytest.raises(TimeOver):
        one.all_or_nothing(0, 1)


@pytest.mark.parametrize("table", [FOUR, ONE], ids=["searched", "listed"])
@pytest.mark.parametrize("look", LOOKS)
def test_a_bound_that_the_clock_ended_replays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, table: pl.DataFrame, look: int
) -> None:
    """The plan tells where the bound was stopped, and gives the same bytes: table, reports, and what they are."""
    ending_at(monkeypatch, look)
    shoal.anonymize(table, **asked(table, time_budget=1000)).save(tmp_path / "first")
    plan = Plan.read(tmp_path / "first" / "plan.toml")
    assert plan.stop_bound_after in (0, look)
    assert plan.time_budget is None
    shoal.anonymize(table, plan).save(tmp_path / "again")
    files = sorted(one.name for one in (tmp_path / "first").iterdir() if one.is_file())
    assert {"report.html", "report.json", "plan.toml", "manifest.json"} <= set(files)
    for name in files:
        told = [(tmp_path / folder / name).read_bytes() for folder in ("first", "again")]
        if name == "manifest.json":
            told = [json.loads(one) | {"created": None, "timings": None} for one in told]
        assert told[0] == told[1], name


def test_what_was_not_stopped_is_not_told() -> None:
    """A bound that had time enough leaves the plan as it was, and proves no less."""
    whole = shoal.anonymize(ONE, **asked(ONE))
    timed = shoal.anonymize(ONE, **asked(ONE, time_budget=1000))
    assert (timed.plan.stop_bound_after, timed.plan.time_budget) == (None, None)
    assert timed.certificate == whole.certificate is not None


@pytest.mark.parametrize("answer", ["finish", KeyboardInterrupt])
def test_a_certificate_that_was_left_out_replays_and_is_told(tmp_path: Path, answer: Any) -> None:
    """Whoever did not want to wait for it reads why it is missing; the plan does not work it out, either."""

    def follow(step: Step) -> object:
        if step.phase == "bound" and isinstance(answer, type):
            raise answer
        return answer if step.phase == "bound" else None

    first = shoal.anonymize(ONE, progress=follow, **asked(ONE))
    again = shoal.anonymize(ONE, first.plan)
    assert first.plan.stop_bound_after == 0
    assert (first.certificate, again.certificate) == (None, None)
    assert "bound" not in again.timings
    assert first.report() == again.report()
    assert "Certificate   none: work on it was stopped before it came to anything; more time" in summary(again)


def test_a_finish_while_boxes_are_listed_leaves_out_what_was_searched() -> None:
    """Where both are done, the user's word ends both, so that the plan says the same of every ending."""
    table = FOUR.select("a", "b", pl.col("c") % 3).head(300)
    seen: list[Step] = []
    shoal.anonymize(table, progress=seen.append, **asked(table))
    if not any(500 <= step.done < step.total == 2000 for step in seen if step.phase == "bound"):
        pytest.fail("boxes are not searched for and listed in turn")

    def follow(step: Step) -> object:
        return "finish" if step.phase == "bound" and step.total == 2000 and step.done > 1000 else None

    assert shoal.anonymize(table, progress=follow, **asked(table)).certificate is None


def test_a_budget_in_seconds_goes_without_a_stopped_bound() -> None:
    """One budget is enough."""
    with pytest.raises(PlanError, match="one budget") as problem:
        Plan.of(5, time_budget=3, stop_bound_after=2)
    assert "stop_bound_after" in problem.value.received


def plain(gap: float, lacked: str = "") -> str:
    """The sentence of a certificate."""
    return Certificate(0.5, 0.5 / gap, 5, 100, 100, "prices", "ncp", lacked=lacked).sentence()


def test_more_is_offered_where_it_may_help() -> None:
    """Beside a poor certificate, and only if steps or time were lacking."""
    for gap in (POOR + 0.1, 7.0, 2 * FAR):
        assert "with more effort (thorough)" in plain(gap, "effort")
        assert "all the time it had" in plain(gap, "time")
        assert "more" not in plain(gap).replace("or more", "")
    for lacked in ("effort", "time", ""):
        assert "took all" not in plain(POOR - 0.1, lacked)


@pytest.mark.parametrize(("effort", "lacked"), [("quick", "effort"), ("default", "effort"), ("thorough", "")])
def test_lacking_steps_are_noticed(monkeypatch: pytest.MonkeyPatch, effort: str, lacked: str) -> None:
    """Of a bound whose steps were used up; nothing more can be asked for than the largest effort."""
    monkeypatch.setattr("shoal.engine.bounds.bound.MOST_STEPS", 2_000_000)
    certificate = shoal.anonymize(FOUR, **asked(FOUR, effort=effort)).certificate
    assert certificate is not None
    assert certificate.lacked == lacked


def test_what_is_worked_out_to_its_end_lacks_nothing() -> None:
    """The bound of a few records has steps enough, and more of them prove no more."""
    table = take_in(pl.DataFrame({"a": [1, 2, 5, 9, 10, 11]})).table
    encoded = encode(table, complete(Plan.of(2, quasi_identifiers=["a"]), table))
    usual, more = (lower_bound(encoded, 2, effort=effort) for effort in (1, 100))
    assert (usual.is_short, more.is_short) == (False, False)
    assert usual == more


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"render": "mean"}, "shown as ranges and tree names, not by mean"),
        ({"missing": "wildcard"}, "missing wildcard"),
        ({"weights": {"a": 0.0, "b": 0.0, "c": 0.0}}, "no column has anything to lose"),
    ],
)
def test_why_there_is_none_is_told(given: dict[str, Any], why: str) -> None:
    """On the console and in both reports, in one line."""
    release = shoal.anonymize(ONE, **asked(ONE, **given))
    assert release.certificate is None
    assert why in release.uncertified
    assert f"Certificate   none: {release.uncertified}" in summary(release).split("\n")
    assert f"There is no certificate: {release.uncertified}." in release.report()
