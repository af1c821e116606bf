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


def test_another_figure_may_rank_methods() -> None:
    """The best by it stands first, whichever way is better; without a figure last, weaker ones behind all."""
    made = [
        Outcome("fine", 5, 0, loss=0.1, rank=0.7, better="higher"),
        Outcome("coarse", 5, 0, loss=0.3, rank=0.9, better="higher"),
        Outcome("unknown", 5, 0, loss=0.05, better="higher"),
        Outcome("boxy", 5, 0, loss=0.01, rank=1.0, better="higher", releases="boxes"),
    ]
    assert [one.method for one in standings(made)[5]] == ["coarse", "fine", "unknown", "boxy"]
    turned = standings([replace(one, better="lower") for one in made])[5]
    assert [one.method for one in turned] == ["fine", "coarse", "unknown", "boxy"]
    said = Comparison(tuple(made), {5: None}, 9, (), "ncp", rank="accuracy_kept").recommendation
    assert said.startswith("k = 5: by accuracy_kept: coarse 0.9, fine 0.7. unknown loses least")
    hidden = tuple(replace(one, rank=None, k=k) for one in made for k in (5, 10))
    said = Comparison(hidden, {5: None, 10: None}, 9, (), "ncp", rank="accuracy_kept").recommendation
    assert said.startswith(
        "Use unknown: it loses least at every k.\nk = 5: accuracy_kept is undefined for every method"
    )
