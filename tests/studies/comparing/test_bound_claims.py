# SPDX-License-Identifier: Apache-2.0
"""The lower bound is drawn, written and told only beside tables that it is about: all rows, ranges and tree names."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.engine.bounds.budget import TimeOver, Watch
from shoal.faces.cli._comparison import told
from shoal.ground.progress import Progress
from shoal.plan.effort import EFFORTS
from shoal.studies.comparing.grid import BOUND, Cell
from shoal.studies.comparing.measuring import measured
from shoal.studies.comparing.outcome import Outcome
from shoal.studies.comparing.starting import begin

N = 40
TABLE = pl.DataFrame(
    {
        "age": [20 + n * n % 37 for n in range(N)],
        "town": [f"t{n % 9}" for n in range(N)],
        "work": [f"w{n * 7 % 11}" for n in range(N)],
    }
)
QI = ["age", "town", "work"]
UNTRUE = ("whatsoever", "no k-anonymous table", "No k-anonymous table", "every method", "by whatever method")


@pytest.mark.thin(6)
@pytest.mark.parametrize(
    ("asked", "bounded", "apart"),
    [
        ({"methods": ["mondrian"]}, {"mondrian"}, set()),
        ({"methods": ["mondrian"], "render": "set"}, set(), {"mondrian"}),
        ({"methods": ["mondrian"], "render": {"town": "set"}}, set(), {"mondrian"}),
        ({"methods": ["mondrian", "k_member"], "render": "mode"}, set(), {"mondrian", "k_member"}),
        ({"methods": ["mondrian", "mdav_generic"], "loss": "lm"}, {"mondrian", "mdav_generic"}, set()),
        ({"methods": ["mondrian", "mdav"], "quasi_identifiers": ["age"]}, {"mondrian"}, {"mdav"}),
        ({"methods": ["mondrian", "hilbert"], "missing": "wildcard"}, set(), {"mondrian", "hilbert"}),
        ({"methods": ["k_member", "non_homogeneous"], "accept_weaker": True}, {"k_member"}, {"non_homogeneous"}),
    ],
)
def test_the_bound_is_for_what_it_is_about(asked: dict[str, Any], bounded: set[str], apart: set[str]) -> None:
    """Sets, centres and weaker tables may lie below it, so it is not shown beside them, and they are marked."""
    found = shoal.compare(TABLE, k=4, **{"quasi_identifiers": QI, **asked})
    assert {one.method for one in found.outcomes if one.bound is not None} == bounded
    assert {one.method for one in found.outcomes if one.done and one.bound is None} == apart
    data, text = found.to_dict(), told(found)
    drawn = [found.plot(kind).svg for kind in ("loss_k", "loss_time")]
    assert [one["bound"] is not None for one in data["bounds"]] == [bool(bounded)]
    assert all(('class="bound"' in svg) == bool(bounded) for svg in drawn)
    assert ("lower bound" in text) == bool(bounded)
    assert not any(word in said for word in UNTRUE for said in (str(data), text, *drawn, found._repr_html_()))
    assert all(one.loss >= one.bound for one in found.outcomes if one.bound is not None and one.loss is not None)
    if bounded:
        marks = [f"{method}†" for method in apart - {"non_homogeneous"}]
        assert all(mark in said for mark in marks for said in (text, *drawn))
        assert "ranges and tree names" in drawn[0]


random = np.random.default_rng(4)
NUMBERS = pl.DataFrame({name: random.integers(0, 1000, 1500) for name in ("a", "b", "c")})


def bound_of(**asked: Any) -> Outcome:
    """The cell of the lower bound, as a child process works it out."""
    table, plan, _ = begin(NUMBERS, None, 5, {"quasi_identifiers": NUMBERS.columns, **asked})
    return measured(table, plan, Cell(BOUND, 5), Progress(), lambda: None)


def test_the_bound_takes_the_effort_that_was_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is that of a release of the same effort."""
    monkeypatch.setattr("shoal.engine.bounds.bound.MOST_STEPS", 3_000_000)
    found = {effort: bound_of(effort=effort).loss for effort in EFFORTS}
    for effort, bound in found.items():
        one = shoal.anonymize(NUMBERS, k=5, method="mondrian", effort=effort, quasi_identifiers=NUMBERS.columns)
        assert one.certificate is not None
        assert bound == one.certificate.bound
    assert len(set(found.values())) == len(EFFORTS)


def test_the_bound_keeps_to_the_time_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    """What there is when the seconds are over is told; if there is nothing, that is told."""
    whole = bound_of().loss
    monkeypatch.setattr(Watch, "_ends", lambda self: self.until < math.inf)
    cut = bound_of(time_budget=30)
    assert whole is not None
    assert cut.loss is not None
    assert cut.loss < whole

    def over(*_: object, **given: object) -> None:
        if given.get("watch"):
            raise TimeOver

    monkeypatch.setattr("shoal.studies.comparing.measuring.lower_bound", over)
    assert "more seconds" in bound_of(time_budget=30).reason
