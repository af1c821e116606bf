# SPDX-License-Identifier: Apache-2.0
"""The recommendation names the k-anonymous method of lowest loss, and says why."""

from __future__ import annotations

from dataclasses import replace

from shoal.studies.comparing.comparison import Comparison
from shoal.studies.comparing.outcome import FAILED, Outcome
from shoal.studies.comparing.standing import standings, winner


def test_the_lowest_loss_wins_and_the_reason_is_told(invented: Comparison) -> None:
    """Winner everywhere, distance to the next, the bound, the time, and the quicker one that is nearly as good."""
    first, at_5, at_10 = invented.recommendation.split("\n")
    assert first == "Use fine: it loses least at every k."
    assert at_5.startswith("k = 5: fine loses least, 10 % per cell; next is quick with 10.5 % (5 % more).")
    assert (
        "No grouping of all rows, shown as ranges and tree names, can lose less than 5 %, so at most 50 % of that loss "
        "could be saved." in at_5
    )
    assert "It took 9 s and 100 MB." in at_5
    assert "In a hurry, quick: 10.5 % (5 % more) in 0.5 s." in at_5
    assert at_10.startswith("k = 10: fine loses least, 20 % per cell")


def test_a_weaker_method_is_never_recommended(invented: Comparison) -> None:
    """Sub-tables and boxes lose less because they promise less."""
    best = winner(invented.standings[10])
    assert best is not None
    assert best.method == "fine"
    assert invented.standings[10][-1].method == "boxy"


def test_seeds_are_averaged() -> None:
    """A lucky seed does not win; the spread is told."""
    runs = [Outcome("lucky", 5, seed, loss=loss) for seed, loss in enumerate((0.1, 0.5))]
    found = standings([*runs, Outcome("steady", 5, 0, loss=0.2)])[5]
    assert [(one.method, one.loss, one.least, one.most, one.seeds) for one in found] == [
        ("steady", 0.2, 0.2, 0.2, 1),
        ("lucky", 0.3, 0.1, 0.5, 2),
    ]


def test_without_any_table_it_says_so(invented: Comparison) -> None:
    """A k at which every method failed has no recommendation."""
    failed = tuple(replace(one, status=FAILED, loss=None) for one in invented.outcomes)
    found = replace(invented, outcomes=failed)
    assert found.recommendation.count("no method gave a k-anonymous table") == 2
    assert "shoal comparison" in found._repr_html_()
