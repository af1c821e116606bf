# SPDX-License-Identifier: Apache-2.0
"""A budget people understand: steps by rows and columns, by effort, and as the plan of the release tells them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

import shoal
from shoal.engine.refining import blocks, learning, rounds, side_by_side
from shoal.faces.cli import shoal as shoal_command
from shoal.ground.errors import PlanError
from shoal.plan import effort
from shoal.plan.effort import (
    ANYWAY,
    EFFORTS,
    FEWEST_TRIED,
    IN_A_BLOCK,
    MOST_STEPS,
    TRIES,
    TRIES_IN_BLOCKS,
    WORK,
    round_steps,
    search_seconds,
    steps_for,
    tries_for,
    usual_steps,
)
from shoal.plan.plan import Plan
from tests.conftest import USUAL_SEARCH


@pytest.fixture(autouse=True)
def usual(monkeypatch: pytest.MonkeyPatch) -> None:
    """The steps that people get, not the few of other tests."""
    monkeypatch.setattr(effort, "STEPS", USUAL_SEARCH)


def asked(columns: int, **more: object) -> Plan:
    """A plan with so many quasi-identifiers."""
    return Plan.of(10, quasi_identifiers=[f"q{number}" for number in range(columns)], **more)  # type: ignore[arg-type]


def test_usual_tables_keep_their_steps() -> None:
    """Up to 177,000 rows of 8 nothing is cut; beyond, steps times cells stay below the work, and near it."""
    assert steps_for(asked(8), 30_000) == steps_for(asked(6), 30_162) == steps_for(asked(8), 177_000) == 100_000
    assert round_steps(30_000, 8, 10) == round_steps(177_000, 8, 100) == 2_500
    assert steps_for(asked(8), 190_000) == 190_000, "one try, which does what several do together"
    for rows, columns in [(260_000, 8), (280_000, 65), (1_000_000, 5), (5_000_000, 20), (1_000_000_000, 100)]:
        steps = usual_steps(rows, columns, 10)
        assert steps < MOST_STEPS
        assert steps * rows * (columns + ANYWAY) <= WORK or steps == 1
        assert steps >= max(int(0.9 * WORK / (rows * (columns + ANYWAY))), 1)
        assert round_steps(rows, columns, 10) == max(steps // 80, 1)


def test_a_row_more_changes_nothing() -> None:
    """Tables of nearly the same size get the same number, which people can remember."""
    assert {usual_steps(rows, 5, 10) for rows in range(1_000_000, 1_010_000)} == {46_000}


def test_large_classes_of_large_tables_get_more_steps() -> None:
    """More the larger they are, up to three times as many; tables that are not large have what they had."""
    assert [usual_steps(678_000, 8, k) for k in (2, 10, 20, 50, 1_000)] == [55_000, 55_000, 89_000, 160_000, 160_000]
    assert usual_steps(200_000, 8, 50) == MOST_STEPS
    assert usual_steps(30_000, 8, 50) == usual_steps(30_000, 8, 10) == 100_000


def test_effort_scales_steps_unless_they_are_said() -> None:
    """Quick is a tenth, thorough ten times as much; a number of steps goes before."""
    assert [steps_for(asked(8, effort=one), 30_000) for one in EFFORTS] == [10_000, 100_000, 1_000_000]
    assert steps_for(asked(8, effort="thorough", steps=77), 30_000) == 77
    with pytest.raises(PlanError, match="There is no such effort") as problem:
        asked(1, effort="hasty")
    assert problem.value.allowed == "quick, default, thorough"


def test_how_long_a_search_takes_follows_the_steps() -> None:
    """No search of the usual effort is expected to take longer than that of a million rows; seconds are as asked."""
    longest = search_seconds(asked(5), 1_000_000)
    assert all(search_seconds(asked(columns), 10**6) <= 1.1 * longest for columns in (1, 8, 65))
    assert search_seconds(asked(5, effort="quick"), 1_000_000) == pytest.approx(longest / 10, abs=0.001)
    assert search_seconds(asked(5, time_budget=7), 1_000_000) == 7


@pytest.mark.parametrize("command", ["anonymize", "compare"])
def test_seconds_go_before_effort_and_the_help_says_so(command: str) -> None:
    """Both may be given: the bound heeds both."""
    assert {search_seconds(asked(5, time_budget=7, effort=one), 1_000_000) for one in EFFORTS} == {7}
    said = "".join(CliRunner().invoke(shoal_command, [command, "--help"]).output.split())  # lines may end anywhere
    for told in ("How long to search (unless --steps or --time-budget are given)", "the search heeds no effort then"):
        assert told.replace(" ", "") in said


def test_tries_are_those_of_the_search() -> None:
    """The plan foretells how many searches run side by side; the search decides it."""
    assert (TRIES, TRIES_IN_BLOCKS, FEWEST_TRIED) == (learning.ONE_BLOCK, learning.BLOCKS, side_by_side.MANY)
    assert (blocks.SMALL_BLOCK, blocks.MOST_RECORDS, blocks.LARGEST_BLOCK) == IN_A_BLOCK
    assert tries_for(asked(5), 199) == (1, 1.0)
    assert tries_for(asked(5), 10_000) == TRIES
    assert tries_for(asked(5), 10_001) == TRIES_IN_BLOCKS
    assert tries_for(replace(asked(5), k=100), 40_001) == TRIES_IN_BLOCKS
    assert tries_for(asked(5), 1_000_000) == (1, 1.0)
    ruled = asked(5, sensitive=["ill"], models={"l_diversity": {"l": 2}})
    assert [tries_for(ruled, rows) for rows in (10_000, 10_001)] == [(2, 1.0), (1, 1.0)]
    assert search_seconds(ruled, 10_001) > search_seconds(asked(5), 10_001)


def test_tables_of_names_take_the_time_of_patterns() -> None:
    """A step takes as long for any number of columns; a programme takes the place of half of the usual steps."""
    assert effort.PROGRAMME == rounds.PROGRAMME
    usual = search_seconds(asked(8), 3_000, names=True)
    assert usual == search_seconds(asked(4), 3_000, names=True)
    assert search_seconds(asked(8), 3_000) < usual < 4 * search_seconds(asked(8), 3_000)
    half = search_seconds(asked(8, steps=USUAL_SEARCH // 2 - 1), 3_000, names=True)
    assert half == pytest.approx(usual - 3_000 * effort.PROGRAMME_EACH, rel=1e-3)
    assert search_seconds(asked(8), 30_000, names=True) == pytest.approx(10 * usual, rel=1e-3), "one block, two tries"
    for others in ({"loss": "sse"}, {"models": {"l_diversity": {"l": 2}}, "sensitive": ["ill"]}, {"time_budget": 7}):
        assert search_seconds(asked(8, **others), 3_000, names=True) == search_seconds(asked(8, **others), 3_000)


def test_the_release_tells_steps_and_replays(tmp_path: Path) -> None:
    """What an effort came to stands in the plan, which gives the same table again; less effort proves less."""
    patients = shoal.synthetic_patients(300).select("age", "postcode", "nationality")
    given = {"k": 5, "quasi_identifiers": patients.columns}
    first = shoal.anonymize(patients, effort="quick", **given)
    first.save(tmp_path / "released")
    plan = Plan.read(tmp_path / "released" / "plan.toml")
    assert (plan.steps, plan.effort) == (10_000, "quick")
    again = shoal.anonymize(patients, plan)
    assert again.table.equals(first.table)
    assert again.certificate == first.certificate
