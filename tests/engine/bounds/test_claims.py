# SPDX-License-Identifier: Apache-2.0
"""What is said about the bound is true: said only where proved, with all that it rests on, the same for all methods."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.engine.bounds.certificate import Certificate
from shoal.ground.errors import Interrupted
from shoal.ground.progress import Step
from shoal.plan.effort import ROUND
from shoal.releases.reports.text import summary

NO_LESS = "No grouping could lose less"
QI = {"quasi_identifiers": ["a", "b"]}


def lm(column: list[Any], rows: tuple[int, ...]) -> float:
    """Loss per record of a flat tree, or of a range of numbers."""
    values = [column[row] for row in rows]
    if isinstance(column[0], str):
        return 0.0 if len(set(values)) == 1 else 1.0
    return (max(values) - min(values)) / (max(column) - min(column))


def best_pairs(a: list[Any], b: list[Any], weight: float) -> float:
    """Loss per cell of the best grouping of four records, by trying all of them."""

    def cost(*groups: tuple[int, ...]) -> float:
        return sum(len(one) * (lm(a, one) + weight * lm(b, one)) for one in groups) / (4 * (1 + weight))

    rows = set(range(4))
    pairs = [cost(pair, tuple(rows - set(pair))) for pair in combinations(range(4), 2)]
    return min([*pairs, cost((0, 1, 2, 3))])


@pytest.mark.parametrize("weight", [1e-4, 1e-5, 1e-6, 1e-9, 1e-12])
@pytest.mark.parametrize("method", ["mondrian", "k_member", "hilbert", "shoal"])
def test_no_less_is_said_only_of_the_best(weight: float, method: str) -> None:
    """A second column that counts for little makes groupings that differ by little: a little is not nothing."""
    a, b = ["p", "q", "r", "s"], [0, 3, 1, 2]
    table = pl.DataFrame({"a": a, "b": b})
    release = shoal.anonymize(table, k=2, loss="lm", method=method, weights={"b": weight}, **QI)
    assert release.certificate is not None
    said = release.certificate.sentence()
    exact = best_pairs(a, b, weight)
    if NO_LESS in said:
        assert release.certificate.loss <= exact
    else:
        assert "to within 0.005 %" in said or "at most" in said
    assert release.certificate.bound <= exact * (1 + 1e-12)


@pytest.mark.parametrize(
    ("loss", "bound", "records", "proved"),
    [
        (0.0, 0.0, 100, True),
        (0.3, 0.3 * (1 - 1e-9), 100, False),
        (0.3, 0.3 * (1 - 4e-5), 100, False),
        (0.3, 0.3 * (1 - 1e-12), 100, False),
        (0.3, 0.2, 100, False),
    ],
)
def test_proved_or_not(loss: float, bound: float, records: int, proved: bool) -> None:
    """The strong sentence is for what is lossless or without alternative; anything else names how close it is."""
    said = Certificate(loss, bound, 10, records, records, "prices").sentence()
    assert (NO_LESS in said) == proved
    assert proved or "to within 0.005 %" in said or "at most 1.50 times" in said


TABLE = pl.DataFrame({"a": [f"v{n % 7}" for n in range(60)], "b": list(range(60)), "s": ["x", "y", "z"] * 20})


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({}, "(all rows kept, each group shown as its ranges and tree names, loss ncp)"),
        ({"loss": "lm"}, "ranges and tree names, loss lm)"),
        ({"suppression": 0.02, "weights": {"a": 0.0}}, "That rows may be left out is not considered."),
        ({"models": {"l_diversity": {"l": 3}}}, "groups of at least 5 that need not keep l_diversity (all rows kept"),
        ({"person": "s", "k": 2, "sensitive": []}, "that need not keep k different persons (all rows kept"),
        ({"k": 2, "models": {"l_diversity": {"l": 3}}}, "at least 3 rows, more than k = 2, to be sure of l_diversity."),
        (
            {"models": {"t_closeness": {"t": 0.3}}},
            "The best grouping that keeps t_closeness, too, loses as much or more",
        ),
    ],
)
def test_the_sentence_says_what_it_means(asked: dict[str, Any], told: str) -> None:
    """Rows, rendering and loss; why N is above k; that other models and leaving rows out are not considered."""
    release = shoal.anonymize(TABLE, **{"k": 5, "method": "mondrian", "sensitive": ["s"], **QI, **asked})
    assert release.certificate is not None
    assert told in release.certificate.sentence()
    assert told in summary(release)
    assert told in release.certificate.to_dict()["statement"]
    assert told.removesuffix(".") in release.report()


def test_the_same_bound_whatever_the_method() -> None:
    """The bound is of the table: no method, and no search, makes it another."""
    random = np.random.default_rng(1)
    table = pl.DataFrame({"a": random.choice(list("abcdefgh"), 300), "b": random.integers(0, 60, 300)})
    bounds = {
        method: shoal.anonymize(table, k=4, method=method, **QI, **more).certificate
        for method, more in {
            "mondrian": {},
            "k_member": {},
            "hilbert": {"refine": True, "steps": 20},
            "shoal": {"steps": 20},
            "systematic": {},
        }.items()
    }
    assert len({one.bound for one in bounds.values() if one is not None}) == 1
    assert None not in bounds.values()
    compared = shoal.compare(table, k=4, methods=["mondrian"], **QI)
    assert compared.bounds[4] == bounds["mondrian"].bound  # type: ignore[union-attr]


def at_the_bound(answer: object) -> Any:
    """A callback that answers, or raises, as soon as the bound is worked on."""

    def follow(step: Step) -> object:
        if step.phase == "bound":
            if isinstance(answer, type):
                raise answer
            return answer
        return None

    return follow


@pytest.mark.thin(2)
@pytest.mark.parametrize("method", ["mondrian", "k_member", "shoal", "hilbert", "systematic"])
@pytest.mark.parametrize("answer", ["finish", KeyboardInterrupt])
def test_an_interrupt_of_the_bound_keeps_the_release(method: str, answer: object) -> None:
    """Whoever does not want to wait for the bound gets the release without it."""
    steps = {"steps": 20} if method == "shoal" else {}
    asked = {"k": 5, "method": method, "sensitive": ["s"], **QI, **steps}
    release = shoal.anonymize(TABLE, progress=at_the_bound(answer), **asked)
    whole = shoal.anonymize(TABLE, **asked)
    assert release.certificate is None
    assert release.table.equals(whole.table)


def test_a_cancelled_run_stays_cancelled() -> None:
    """Who answers cancel means the run."""
    with pytest.raises(Interrupted):
        shoal.anonymize(TABLE, k=5, method="mondrian", sensitive=["s"], progress=at_the_bound("cancel"), **QI)


@pytest.mark.thin(3)
@pytest.mark.parametrize("method", ["shoal", "mondrian", "k_member"])
@pytest.mark.parametrize("seconds", [0.4, 1.0])
def test_the_bound_counts_within_the_time_budget(method: str, seconds: float) -> None:
    """Search and bound together take no more than the plan gives."""
    random = np.random.default_rng(2)
    numbers = {name: random.integers(0, 1000, 4000) for name in ("a", "b", "c", "d")}
    asked = {"k": 10, "method": method, "quasi_identifiers": list(numbers)}
    warm = {"steps": 3 * ROUND} if method == "shoal" else {}  # learning is compiled, too
    shoal.anonymize(pl.DataFrame(numbers).head(200), **asked, **warm)
    release = shoal.anonymize(pl.DataFrame(numbers), time_budget=seconds, **asked)
    taken = release.timings.get("refine", 0.0) + release.timings["bound"]
    assert release.verdict.holds
    assert taken < seconds + 1.0
