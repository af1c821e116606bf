# SPDX-License-Identifier: Apache-2.0
"""The report for a terminal."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import pytest

from shoal.engine.bounds.certificate import Certificate
from shoal.judging.evidence import Measurement
from shoal.releases.release import Release
from shoal.releases.reports.findings import guarantee, size_bins
from shoal.releases.reports.text import measurement_lines, summary, summary_lines


def test_the_verdict_comes_first(make: Callable[..., Release]) -> None:
    """The first word says whether it holds."""
    assert summary_lines(make())[0].startswith("HOLDS")
    assert summary_lines(make(holds=False))[0].startswith("DOES NOT HOLD")


def test_loss_risk_and_groups_are_told(release: Release) -> None:
    """Loss per cell and per column, risk and sizes of groups, as worked out by hand: 3 groups, 32 rows."""
    text = summary(release)
    assert "WARNING       a & b" in text
    assert "3 of 10 to 12 look-alikes" in text
    assert "1 in 10 at most, 1 in 10.7 on average" in text
    assert "3 % of the detail" in text
    assert [line.split() for line in summary_lines(release)[-2:]] == [["age", "#", "6", "%"], ["zip", "0", "%"]]


def test_no_cell_is_shown(release: Release) -> None:
    """Not even in a terminal."""
    assert "secret cell" not in summary(release)


def test_a_release_without_rows(make: Callable[..., Release]) -> None:
    """Nothing to divide by, and no crash."""
    assert "0 released" in summary(make(sizes=()))


def test_control_characters_in_names_do_not_reach_the_terminal(make: Callable[..., Release]) -> None:
    """A column name cannot move the cursor or colour the screen."""
    assert "\x1b" not in summary(make(names=("\x1b[31mred", "zip")))


def test_measurements_one_per_line(release: Release) -> None:
    """Undefined values say so and why."""
    lines = measurement_lines(release.measurements)
    assert [line.split()[:2] for line in lines] == [["ncp", "96"], ["eloss", "undefined"]]
    assert lines[1].endswith("no tree")


def test_what_nobody_counted_is_not_called_safe(make: Callable[..., Release]) -> None:
    """Where the rows were not there to look at, the line about private values says that nobody looked."""
    release = make()
    blind = replace(release, measurements=(*release.measurements, Measurement.undefined("given_away", "no rows here")))
    (said,) = (line for line in summary_lines(blind) if line.startswith("Private"))
    assert said.endswith("whether look-alikes share private values was not counted (no rows here)")
    assert "Whether look-alikes share private values was not counted (no rows here)." in blind.report()
    assert "not counted" not in summary(release)


def test_many_figures_stand_on_several_lines(release: Release) -> None:
    """No line is longer than a page, and no figure is parted from its name."""
    figures = {f"share of the long column {number}": number / 7 for number in range(20)}
    wide = replace(release.measurements[0], figures=figures, note="measured on some of the rows only " * 4)
    lines = measurement_lines([wide])
    assert max(map(len, lines)) <= 120
    assert all(any(f"{name} " in line for line in lines) for name in figures)
    assert lines[0].startswith("ncp ")
    assert all(line.startswith(" " * 38) for line in lines[1:])


@pytest.mark.parametrize(("k", "said"), [(1, "Nothing is promised"), (2, "one other row"), (10, "9 other rows")])
def test_the_promise_in_words(make: Callable[..., Release], k: int, said: str) -> None:
    """The sentence is right for every k."""
    assert said in guarantee(replace(make().plan, k=k))


@pytest.mark.parametrize(
    ("sizes", "k"),
    [({3: 4}, 3), ({10: 1, 19: 2}, 10), ({50: 3, 99: 1}, 50), ({2: 1, 30162: 1}, 2), ({5: 9, 1_000_000: 1}, 10)],
)
def test_bins_hold_every_group_once(sizes: dict[int, int], k: int) -> None:
    """Bins start at k, follow each other without gaps and lose no group."""
    bins = size_bins(sizes, k)
    assert bins[0].first == min(k, *sizes)
    assert all(one.last + 1 == after.first for one, after in pairwise(bins))
    assert sum(one.groups for one in bins) == sum(sizes.values())
    assert sum(one.rows for one in bins) == sum(size * groups for size, groups in sizes.items())
    assert len(bins) <= 21


def test_the_certificate_is_told(release: Release) -> None:
    """Where it is known how much less could be lost, the last line says so; else there is no such line."""
    given = Certificate(0.03, 0.02, 10, 32, 32, "prices")
    assert "Certificate" not in summary(release)
    assert summary_lines(replace(release, certificate=given))[-1] == f"Certificate   {given.sentence()}"
